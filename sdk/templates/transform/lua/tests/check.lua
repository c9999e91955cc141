-- Every check of the conformance kit that goes for a pipeline, with it in front of a learner that passes.
local cf = require "crossfold"
@LOAD@

local report = cf.check(cf.pipeline { made, cf.learner("knn") })
print(report)
assert(report.passed, "a check failed")
