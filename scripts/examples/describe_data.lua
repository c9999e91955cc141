-- What data are like, and what looks like a mistake, before anything is learned from them.
local cf = require "crossfold"
local here = arg[0]:match("^(.*)/") or "."

--###begin describe
local votes = cf.read(here .. "/../data/house_votes_84.csv", { target = "Class" })
local report = cf.describe(votes)  -- or votes:describe()
print(report)
--###end describe

--###begin facts
-- The same facts for scripts.
for _, finding in ipairs(report.findings) do
  print(finding.kind, finding.warning, table.concat(finding.columns, " "))
end
print(report.classes[1].value, report.classes[1].count, report:column("V1").missing)
--###end facts
