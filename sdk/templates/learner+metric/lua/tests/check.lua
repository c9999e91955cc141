-- Every check of the conformance kit that applies to it, as plugins get them from `crossfold plugin check`.
local cf = require "crossfold"
@LOAD@

local report = cf.check(made)
print(report)
assert(report.passed, "a check failed")
