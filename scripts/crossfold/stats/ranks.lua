-- Compares learners by their ranks on several datasets: Friedman's test and what follows it.
local native = require "crossfold.native"
local options = require "crossfold.options"

local ranks = {}

-- Learners by number, or by name if there are names.
local function name_learners(result, names)
  if not names then return end
  result.learners = names
  for _, key in ipairs { "nemenyi", "bonferroni_dunn" } do
    for _, pair in ipairs(result[key] or {}) do
      pair.first, pair.second = names[pair.first], names[pair.second]
    end
  end
  for _, group in ipairs(result.groups or {}) do
    for i, number in ipairs(group) do group[i] = names[number] end
  end
end

local function check_names(names, count)
  if not names then return end
  options.list("friedman: option 'learners'", names)
  if #names ~= count then native.fail("friedman: there are %d learners and %d scores per dataset", #names, count) end
  local seen = {}
  for i, name in ipairs(names) do
    if type(name) ~= "string" then
      native.fail("friedman: option 'learners': element %d is a %s, not a name", i, type(name))
    end
    if seen[name] then native.fail("friedman: option 'learners': '%s' is there twice", name) end
    seen[name] = true
  end
end

-- The number of the control, 0 for none.
local function control_number(control, names, count)
  if control == nil then return 0 end
  if math.type(control) == "integer" then
    if control >= 1 and control <= count then return control end
    native.fail("friedman: control = %d is not one of %d learners", control, count)
  end
  for i, name in ipairs(names or {}) do
    if name == control then return i end
  end
  native.fail("friedman: unknown control '%s'; %s", control,
    names and native.known_names(control, names) or "give its number, or names in option 'learners'")
end

local friedman_options = options.declare("stats.friedman", {
  higher_is_better = { "boolean!", doc = "Whether higher scores are better." },
  learners = { "table", is = "string[]", doc = "The names of the learners." },
  alpha = { "number", 0.05, doc = "Level of the tests." },
  control = { "string|integer", doc = "The learner that all others are compared with, by name or number." },
  pairs = { "boolean", true, doc = "Whether `nemenyi` is computed; its p-values take long with many pairs." },
})

-- `scores` has a list of the learners' scores for each dataset.
function ranks.friedman(scores, given)
  local o = options.check("friedman", given, friedman_options)
  for i, list in ipairs(options.list("friedman", scores)) do
    options.list(("friedman: dataset %d"):format(i), list)
  end
  local count = scores[1] and #scores[1] or 0
  check_names(o.learners, count)
  if not (o.alpha > 0 and o.alpha < 1) then
    native.fail("friedman: alpha is %s; it must be between 0 and 1", native.format_number(o.alpha))
  end
  local control = control_number(o.control, o.learners, count)
  local result = native.stats_friedman(scores, o.higher_is_better, o.alpha, control, o.pairs)
  name_learners(result, o.learners)
  result.alpha = o.alpha
  return result
end

local difference_options = options.declare("stats.critical_difference", {
  learners = { "integer!", doc = "Number of learners." },
  datasets = { "integer!", doc = "Number of datasets." },
  alpha = { "number", 0.05, doc = "Level of the test." },
  method = { "string", "nemenyi", names = { "bonferroni_dunn", "nemenyi" },
    doc = "The test: of all pairs, or against a control." },
})

-- A number of ranks.
function ranks.critical_difference(given)
  local o = options.check("critical_difference", given, difference_options)
  options.place_of("critical_difference: unknown method", o.method, difference_options.method.names)
  return native.stats_critical_difference(o)
end

return ranks
