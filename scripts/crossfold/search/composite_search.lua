-- A search among candidates that are not all native learners: after transforms written in Lua, over ensembles,
-- over learners in Lua. Its folds run here (see search/inner_scores.lua), and its fit fits what it chose.
local native = require "crossfold.native"
local confidence_set = require "crossfold.search.confidence_set"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local composite_search = options.class "crossfold.CompositeSearch"

function composite_search:__tostring() return tostring(self.search) end

function composite_search:definition() return self.search:definition() end

-- Raises errors that would stop the search on any rows of `data`. Errors of a learner after transforms show only at
-- its fit.
function composite_search:check(data)
  members.check_data(self.search.kind.name, data)
  fitting.check(self.search.learner, data)
  splitter.check_inner(self.search.splitter, data, "search")
  confidence_set.check_rule(self.search, data)
end

function composite_search:fit(data, context)
  local seed = members.seed(self.search.kind.name .. ":fit", data, context)
  local chosen, detail = self.search:resolve(data, { seed = native.seed(seed, "inner") })
  if native.kind(chosen) == "learner" then return fitting.fit(chosen, data, seed), detail end
  local model, reported = chosen:fit(data, { seed = seed })
  detail.learner = reported or type(model) == "table" and model.detail or nil
  return model, detail
end

function composite_search:plan(data, given) return self.search:plan(data, given) end

function composite_search:session(given) return self.search:session(given) end

function composite_search:map_learners(before) return self.search:map_learners(before) end

function composite_search:splits_rows() return true end

-- See parameters.lua.
function composite_search:parts() return self.search:parts() end

function composite_search:with_parts(_, values) return self.search:with_parts(nil, values) end

function composite_search:with(params) return self.search:with(params) end

options.methods(composite_search, { "fit", "plan", "session", "with" }, "search:", { "fit", "plan", "session" })

-- Whether some choice of parameters makes of `value` a learner that is not native.
local function may_be_composite(value)
  if native.kind(value) == "learner" then return false end
  if not value.is_open then return learner.is_composite(value) end  -- anything but cf.choice
  for _, part in ipairs(value:parts()) do
    if may_be_composite(part.value) then return true end
  end
  return false
end

-- `search`, or, if a candidate is not a native learner, this around it.
function composite_search.around(search)
  local found = search.evaluations ~= nil and may_be_composite(search.learner)
  for _, candidate in ipairs(search.candidates) do found = found or learner.is_composite(candidate.learner) end
  return found and setmetatable({ search = search }, composite_search) or search
end

return composite_search
