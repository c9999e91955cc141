-- A search after transforms written in Lua. In every inner fold the transforms are fitted on its training rows, so
-- the scores that choose do not know the rows they are made of; then the transforms and the chosen learner are
-- fitted on all rows. (Fitted once before the search, a transform that sees the target would leak it.)
local native = require "crossfold.native"
local members = require "crossfold.members"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"
local transform = require "crossfold.transform"

local transformed_search = {}

local composite = {}
composite.__index = composite
composite.__name = "crossfold.TransformedSearch"

function composite:__tostring() return transform.names_before(self.transforms, tostring(self.search)) end

-- Raises what would stop the search on any rows of `data`. What the learner says is known at its fit.
function composite:check(data)
  members.check_data(self.search.kind.name, data)
  splitter.check_inner(self.search.splitter, data, "search")
end

function composite:fit(data, context)
  local seed = members.seed(self.search.kind.name .. ":fit", data, context)
  local chosen, detail = self.search:resolve(data, { seed = native.seed(seed, "inner") })
  return transform.before(self.transforms, chosen):fit(data, { seed = seed }), detail
end

function composite:plan(data, given) return self.search:plan(data, given) end

-- As search:map_learners.
function composite:map_learners(before)
  local made = before(transform.before(self.transforms, self.search.learner))
  return transformed_search.new(self.search, made.transforms)
end

function composite:splits_rows() return true end

options.methods(composite, { "fit", "plan" }, "search:", { "fit", "plan" })

-- `search` with these transforms, a list that is not empty, before its learner.
function transformed_search.new(search, transforms)
  local copy = setmetatable({}, getmetatable(search))
  for key, value in pairs(search) do copy[key] = value end
  copy.transforms = transforms
  return setmetatable({ search = copy, transforms = transforms }, composite)
end

return transformed_search
