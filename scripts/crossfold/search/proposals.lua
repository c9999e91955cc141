-- The candidates of a model search, one after the other, given the scores of the earlier ones. Candidate k depends on
-- the search's seed, on k and on these scores alone: not on time, workers or the order in which scores came in.
--
-- A trial is a candidate { params, learner, name, places } with `score`, or `failed` = true, or neither: its score is
-- not known yet.
local native = require "crossfold.native"
local forest = require "crossfold.search.forest"
local parameters = require "crossfold.parameters"
local search_space = require "crossfold.search.space"
local selection = require "crossfold.search.selection"
local parzen = require "crossfold.search.parzen"

local proposals = {}

-- The tree-structured Parzen estimator (Bergstra, Bardenet, Bengio and Kegl 2011, "Algorithms for hyper-parameter
-- optimization", section 4): l is the density of the better settings, the share `gamma` of those that are evaluated,
-- and g that of the others; the greatest l / g among settings that are drawn from l has the greatest expected
-- improvement (equation 3 there).
--
-- Settings that failed, and those whose score is not known yet, count among the others: so the settings of one batch
-- keep away from each other (a constant liar that says "bad"; Ginsbourger, Le Riche and Carraro 2010).

local gamma = 0.15
local draws = 24

-- Settings that are worth evaluating next, the best first: { { setting =, worth = }, ... }. `trials` is
-- { scored = { place, ... } from the best to the worst, others = { place, ... } }; active(setting) gives its places.
local function propose_tpe(dimensions, trials, seed, active)
  local n_better = math.ceil(gamma * #trials.scored)
  local better = table.move(trials.scored, 1, n_better, 1, {})
  local worse = table.move(trials.scored, n_better + 1, #trials.scored, 1, {})
  table.move(trials.others, 1, #trials.others, #worse + 1, worse)
  local l, g = parzen.new(dimensions, better), parzen.new(dimensions, worse)
  local list = {}
  for i = 1, draws do
    local setting = l:draw(native.seed(seed, i))
    local point = active(setting)
    list[i] = { setting = setting, worth = l:log_density(point) - g:log_density(point), draw = i }
  end
  return list
end

proposals.surrogates = { tpe = propose_tpe, random_forest = forest.propose }

-- One candidate of this number is drawn from the space, so that a surrogate that is wrong about a part of it learns so
-- (as in SMAC: Hutter, Hoos and Leyton-Brown 2011).
local every = 4

-- Draws before a space counts as exhausted.
local most_draws = 200

-- The candidate with these parameters.
function proposals.candidate(search, params)
  local made, problem = parameters.try_with(search.base, params)
  if not made then native.fail("%s: %s", search.kind.name, problem) end
  if search.before then made = search.before(made) end
  return { params = params, learner = made, name = tostring(made),
    places = search_space.places(search.dimensions, params) }
end

local function is_known(trials, name)
  for _, trial in ipairs(trials) do
    if trial.name == name then return true end
  end
  return false
end

-- The first setting of a list whose candidate is new.
local function first_new(search, trials, settings)
  for _, setting in ipairs(settings) do
    local candidate = proposals.candidate(search, parameters.active(search.base, setting))
    if not is_known(trials, candidate.name) then return candidate end
  end
end

local function drawn(search, trials, seed)
  for i = 1, most_draws do
    local setting = search_space.draw(search.dimensions, native.seed(seed, "draw", i))
    local candidate = first_new(search, trials, { setting })
    if candidate then return candidate end
  end
end

-- The trials as surrogates take them: places of those with a score, from the best to the worst, and their scores
-- (greater is better), and places of those that failed and of those without a score.
local function known_of(search, trials)
  local entries, order = {}, {}
  for i, trial in ipairs(trials) do entries[i], order[i] = { mean = trial.score }, i end
  local known = { scored = {}, scores = {}, failed = {}, waiting = {}, others = {} }
  for k, c in ipairs(selection.ranked(entries, order, search.direction)) do
    known.scored[k], known.scores[k] = trials[c].places, trials[c].score * search.direction
  end
  for _, trial in ipairs(trials) do
    if not trial.score then
      table.insert(trial.failed and known.failed or known.waiting, trial.places)
      table.insert(known.others, trial.places)
    end
  end
  return known
end

-- The candidate that comes after `trials`, or nil if the search has had all that it may try, or the space has no other.
function proposals.next(search, trials)
  local k = #trials + 1
  if k > search.evaluations then return nil end
  local first = k <= search.initial and search.candidates[k]
  if first then return proposals.candidate(search, first.params) end
  local seed = native.seed(search.seed, "propose", k)
  local known = known_of(search, trials)
  if k % every == 0 or #known.scored < 2 then return drawn(search, trials, seed) end
  local list = proposals.surrogates[search.surrogate](search.dimensions, known, seed, function(setting)
    return search_space.places(search.dimensions, parameters.active(search.base, setting))
  end)
  table.sort(list, function(a, b)
    if a.worth ~= b.worth then return a.worth > b.worth end
    return a.draw < b.draw
  end)
  local settings = {}
  for i, one in ipairs(list) do settings[i] = one.setting end
  return first_new(search, trials, settings) or drawn(search, trials, seed)
end

return proposals
