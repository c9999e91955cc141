-- cf.check(value, { seed =, include =, exclude =, strictness = }): the conformance kit from a script.
-- A component of a plugin under its defaults gets the checks of its plugin, each in a process of its
-- own, as `crossfold plugin check` runs them. Learners written in Lua, pipelines and composites get
-- those of check/learner.lua, metrics in Lua those of check/metric.lua, in this state.
local native = require "crossfold.native"
local check_learner = require "crossfold.check.learner"
local check_metric = require "crossfold.check.metric"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local options = require "crossfold.options"

local check = {}

-- What cf.check returns: results, counts and their text, as `crossfold plugin check` prints them.
local check_report = options.class "crossfold.CheckReport"

local order = { "ok", "warning", "expected-failure", "skipped", "failed", "crashed", "timeout" }
local bad = { failed = true, crashed = true, timeout = true }

-- `results`: a list of { check =, component =, outcome =, text =, seconds = }.
local function new_report(results)
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

-- From there on warnings are failures.
local warnings_fail = 8
-- Maximum number of findings of one check that are reported.
local most_findings = 4

local function matches(pattern, name)
  local ok, found = pcall(string.find, name, pattern)
  if not ok then
    native.fail("check: cannot look for '%s', a Lua pattern: %s", pattern, (tostring(found):gsub("^[^:]+:%d+: ", "")))
  end
  return found ~= nil
end

local function is_wanted(name, level, o)
  if level > o.strictness then return false end
  if o.include and not matches(o.include, name) then return false end
  return not (o.exclude and matches(o.exclude, name))
end

-- The wanted checks and what they need, as a set of names.
local function chosen(checks, o)
  local wanted, by_name = {}, {}
  local function add(entry)
    wanted[entry.name] = true
    if entry.needs then add(by_name[entry.needs]) end
  end
  for _, entry in ipairs(checks) do
    by_name[entry.name] = entry
    if is_wanted(entry.name, entry.level, o) then add(entry) end
  end
  return wanted
end

local function joined(findings)
  local text = table.concat(findings, "; ", 1, math.min(#findings, most_findings))
  local more = #findings - most_findings
  return more > 0 and ("%s; and %d more"):format(text, more) or text
end

-- What one check comes to.
local function outcome_of(entry, context, passed)
  if entry.needs and not passed[entry.needs] then
    return "skipped", ("needs %s, which did not pass"):format(entry.needs)
  end
  local findings = {}
  local reason = entry.run(context, function(finding) findings[#findings + 1] = finding end)
  if #findings == 0 then return reason and "skipped" or "ok", reason or "" end
  local is_warning = entry.warns and context.strictness < warnings_fail
  return is_warning and "warning" or "failed", joined(findings)
end

local function run_checks(checks, context, o)
  local wanted, passed, results = chosen(checks, o), {}, {}
  for _, entry in ipairs(checks) do
    if wanted[entry.name] then
      local outcome, text = outcome_of(entry, context, passed)
      passed[entry.name] = outcome == "ok" or outcome == "warning"
      results[#results + 1] = {
        check = entry.name, component = context.name, outcome = outcome, text = text,
      }
    end
  end
  return new_report(results)
end

-- The checks of the plugin that `value` comes from, for its component.
local function run_native(value, scope, o)
  local names, known = {}, {}
  for _, entry in ipairs(native.known_checks()) do
    if entry.scope == scope and is_wanted(entry.name, entry.level, o) and not known[entry.name] then
      known[entry.name] = true
      names[#names + 1] = entry.name
    end
  end
  if #names == 0 then return new_report {} end
  return new_report(native.check_component(value, "^(" .. table.concat(names, "|") .. ")$", o.seed, o.strictness))
end

local declared = options.declare("check", {
  seed = { "integer", 1, doc = "Seed of the data of the checks." },
  strictness = { "integer", 5, doc = "Amount of data and settings that are tried, from 1 to 10." },
  include = { "string", doc = "Only checks whose name matches this pattern." },
  exclude = { "string", doc = "No checks whose name matches this pattern." },
})

function check.new(value, given)
  local o = options.check("check", given, declared)
  if o.strictness < 1 or o.strictness > 10 then
    native.fail("check: strictness %d is not between 1 and 10", o.strictness)
  end
  if type(value) == "string" then value = learner.check(value, "check") end
  local scope = native.checked_scope(value)
  if scope then return run_native(value, scope, o) end
  local context = {
    learner = value, seed = native.seed(o.seed, "check"), strictness = o.strictness,
    name = learner.name(value),
  }
  if metric.is_lua(value) then return run_checks(check_metric, context, o) end
  if native.kind(value) ~= "learner" and not learner.is_composite(value) then
    native.fail("check: expected a learner, a metric or a component of a plugin, got a %s",
      native.kind(value) or type(value))
  end
  return run_checks(check_learner, context, o)
end

return check
