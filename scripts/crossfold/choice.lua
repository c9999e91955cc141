-- cf.choice{ near = "knn", tree = "decision_tree" }: one of several learners, for a search to choose:
--
--   cf.grid_search{
--     learner = cf.choice{ near = "knn", tree = "decision_tree" },
--     grid = { { choice = {"near"}, ["near.k"] = {1, 5} }, { choice = {"tree"}, ["tree.max_depth"] = {2, 4} } },
--     splitter = ..., metric = ...,
--   }
--
-- Its parameter is `choice`; those of the learners come after their names. With `choice` set it is that learner.
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local parameters = require "crossfold.parameters"

local choice = {}

local composite = options.class "crossfold.Choice"

function composite:__tostring()
  local texts = {}
  for i, part in ipairs(self.list) do texts[i] = ("%s=%s"):format(part.name, learner.name(part.value)) end
  return ("choice{%s}"):format(table.concat(texts, ","))
end

function composite:definition()
  local learners = {}
  for i, part in ipairs(self.list) do learners[i] = part.value end
  return ("choice{%s}"):format(learner.definitions(learners))
end

-- Raises what would stop any of the learners on `data`.
function composite:check(data)
  for _, part in ipairs(self.list) do fitting.check(part.value, data) end
end

function composite:fit()
  native.fail("cannot fit '%s': none of its learners is chosen; give it to a search, or choose one with "
    .. ":with{ choice = \"%s\" }", tostring(self), self.list[1].name)
end

function composite:map_learners(before)
  local list = {}
  for i, part in ipairs(self.list) do list[i] = { name = part.name, value = before(part.value) } end
  return learner.copy(self, { list = list })
end

function composite:splits_rows()
  for _, part in ipairs(self.list) do
    if learner.splits_rows(part.value) then return true end
  end
  return false
end

-- See parameters.lua.
function composite:parts() return self.list end

function composite:is_open(settings, i)
  local chosen = settings:params().choice
  return chosen == native.null or chosen == self.list[i].name
end

function composite:with_parts(settings, values)
  local chosen, list = settings:params().choice, {}
  for i, part in ipairs(self.list) do
    if part.name == chosen then return values[i] end
    list[i] = { name = part.name, value = values[i] }
  end
  return learner.copy(self, { list = list })
end

composite.with = parameters.with

function choice.new(given)
  if type(given) ~= "table" or next(given) == nil then
    native.fail("choice: expected named learners, as in cf.choice{ near = \"knn\", tree = \"decision_tree\" }")
  end
  local names, list = options.sorted_keys(given), {}
  for i, name in ipairs(names) do
    if given[name] == nil or not name:find("^[%a_][%w_]*$") then
      native.fail("choice: '%s' is not a name; name every learner, as in cf.choice{ near = \"knn\" }", name)
    end
    list[i] = { name = name, value = learner.check(given[name], ("choice: '%s'"):format(name)) }
  end
  return setmetatable({
    list = list,
    settings = parameters.declare("learner", "choice", { choice = { choices = names, default = native.null } }),
  }, composite)
end

options.methods(composite, { "fit", "with" }, "learner:")

return choice
