-- The tree-structured Parzen estimator (Bergstra, Bardenet, Bengio and Kegl 2011, "Algorithms for hyper-parameter
-- optimization", section 4): l is the density of the better settings, the share `gamma` of those that are evaluated,
-- and g that of the others; the greatest l / g among settings that are drawn from l has the greatest expected
-- improvement (equation 3 there).
--
-- Settings that failed, and those whose score is not known yet, count among the others: so the settings of one batch
-- keep away from each other (a constant liar that says "bad"; Ginsbourger, Le Riche and Carraro 2010).
local native = require "crossfold.native"
local parzen = require "crossfold.search.parzen"

local tpe = {}

local gamma = 0.15
local draws = 24

-- Settings that are worth evaluating next, the best first: { { setting =, worth = }, ... }. `trials` is
-- { scored = { place, ... } from the best to the worst, others = { place, ... } }; active(setting) gives its places.
function tpe.propose(dimensions, trials, seed, active)
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

return tpe
