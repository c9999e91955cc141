-- Ask and tell: a search whose candidates the caller evaluates, on its own data, machines or metric.
--
--   local session = search:session()
--   for _, candidate in ipairs(session:ask(4)) do            -- { id =, params =, learner =, name = }
--     session:tell(candidate.id, score)                      -- or session:tell(candidate.id, nil, "it crashed")
--   end
--   local best = session:best()                              -- with its score
--
-- A search is an immutable value that many folds share, so what was reported is in a session, and a search can have any
-- number of them. Reports may come in any order. Which candidates come next depends on the search and on the reports,
-- so a session that is made of the state of another one continues it: search:session{ state = session:state() }.
local native = require "crossfold.native"
local options = require "crossfold.options"
local proposals = require "crossfold.search.proposals"
local selection = require "crossfold.search.selection"

local session = options.class "crossfold.SearchSession"

local declared = options.declare("Search:session", {
  state = { "table", is = "table[]", doc = "What state() of an earlier session of this search returned." },
})

-- The trial that comes next, or nil at the end.
local function next_trial(self)
  local trials = self.trials
  if self.search.surrogate then return proposals.next(self.search, trials) end
  local candidate = self.search.candidates[#trials + 1]
  return candidate and { params = candidate.params, learner = candidate.learner, name = candidate.name }
end

-- As hosts get it: a copy, which they may keep.
local function shown(trial, id)
  return { id = id, params = options.joined(trial.params), learner = trial.learner, name = trial.name,
    score = trial.score }
end

function session:__tostring()
  local scored, failed = 0, 0
  for _, trial in ipairs(self.trials) do
    if trial.score then scored = scored + 1 elseif trial.failed then failed = failed + 1 end
  end
  return ("session of %s: %d asked, %d with a score, %d failed"):format(tostring(self.search), #self.trials, scored,
    failed)
end

-- The next candidates, at most n (1): fewer if the search has no more, and none at its end.
function session:ask(n)
  n = n == nil and 1 or math.tointeger(n)
  if not n or n < 1 then native.fail("session:ask: expected a number of candidates, 1 or more") end
  local list = {}
  for i = 1, n do
    local trial = next_trial(self)
    if not trial then break end
    table.insert(self.trials, trial)
    list[i] = shown(trial, #self.trials)
  end
  return list
end

-- Reports the score of a candidate, or nil and why it has none.
function session:tell(id, score, reason)
  local trial = self.trials[id]
  if not trial then
    native.fail("session:tell: there is no candidate %s; ids of ask are 1 to %d", tostring(id), #self.trials)
  elseif trial.score or trial.failed then
    native.fail("session:tell: candidate %d has been reported already", id)
  elseif score == nil and type(reason) ~= "string" then
    native.fail("session:tell: candidate %d has no score and no reason; give the reason after nil", id)
  elseif score ~= nil and (type(score) ~= "number" or score ~= score or math.abs(score) == math.huge) then
    native.fail("session:tell: the score of candidate %d is %s, not a finite number; report nil and a reason", id,
      type(score) == "number" and native.format_number(score) or "a " .. type(score))
  end
  trial.score, trial.failed, trial.reason = score, score == nil, score == nil and reason or nil
end

-- The candidate with the best score, the earlier of equal ones; nil if none has a score.
function session:best()
  local entries, order = {}, {}
  for i, trial in ipairs(self.trials) do entries[i], order[i] = { mean = trial.score }, i end
  local place = selection.best(entries, order, self.search.direction)
  return place and shown(self.trials[place], place)
end

-- What was asked and reported so far, as plain tables: { { params =, name =, score =, reason = }, ... } by id.
function session:state()
  local list = {}
  for i, trial in ipairs(self.trials) do
    list[i] = shown(trial, nil)
    list[i].learner, list[i].reason = nil, trial.reason
  end
  return list
end

-- Takes in the state of an earlier session.
local function restore(self, state)
  for i, one in ipairs(options.list("session: option 'state'", state)) do
    local trial
    if self.search.surrogate then
      trial = i <= self.search.evaluations and proposals.candidate(self.search, one.params or {})
    else
      trial = next_trial(self)
    end
    if not trial or trial.name ~= one.name then
      native.fail("session: option 'state': candidate %d is '%s', which this search does not try there; give the state "
        .. "of a session of an equal search", i, tostring(one.name))
    end
    self.trials[i] = trial
    if one.score ~= nil or one.reason ~= nil then self:tell(i, one.score, one.reason) end
  end
end

-- A session of a search.
function session.new(search, given)
  local what = search.kind.name .. ":session"
  local o = options.check(what, given, declared)
  if not search.kind.may_ask then
    native.fail("%s: its candidates do not get one score each, so there is nothing to report; use model_search, "
      .. "random_search or grid_search", what)
  end
  local self = setmetatable({ search = search, trials = {} }, session)
  restore(self, o.state or {})
  return self
end

options.methods(session, { "ask", "tell", "best", "state" }, "session:")

return session
