-- Every check of the conformance kit that applies to a pipeline of it and a learner that passes.
local cf = require "crossfold"
@LOAD@

local report = cf.check(cf.pipeline { made, cf.learner("knn") })
print(report)
assert(report.passed, "a check failed")
