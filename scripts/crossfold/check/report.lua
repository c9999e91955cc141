-- Defines the result of cf.check: results, counts and their text, as `crossfold plugin check` prints them.
local check_report = {}
check_report.__index = check_report
check_report.__name = "crossfold.CheckReport"

local order = { "ok", "warning", "expected-failure", "skipped", "failed", "crashed", "timeout" }
local bad = { failed = true, crashed = true, timeout = true }

-- `results`: a list of { check =, component =, outcome =, text =, seconds = }.
function check_report.new(results)
  local counts, passed = {}, true
  for _, result in ipairs(results) do
    counts[result.outcome] = (counts[result.outcome] or 0) + 1
    passed = passed and not bad[result.outcome]
  end
  return setmetatable({ results = results, counts = counts, passed = passed }, check_report)
end

-- "15 checks: 12 ok, 3 skipped"
function check_report:summary()
  local parts = {}
  for _, outcome in ipairs(order) do
    if self.counts[outcome] then
      parts[#parts + 1] = ("%d %s"):format(self.counts[outcome], outcome)
    end
  end
  local list = #parts == 0 and "" or ": " .. table.concat(parts, ", ")
  return ("%d check%s%s"):format(#self.results, #self.results == 1 and "" or "s", list)
end

function check_report:__tostring()
  local lines = {}
  for _, result in ipairs(self.results) do
    local line = ("%-18s%s"):format(result.outcome, result.check)
    if result.component ~= "" then line = line .. "  " .. result.component end
    lines[#lines + 1] = result.text == "" and line or line .. ": " .. result.text
  end
  lines[#lines + 1] = self:summary()
  return table.concat(lines, "\n")
end

return check_report
