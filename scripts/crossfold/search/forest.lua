-- A forest of random regression trees as a surrogate, with expected improvement (SMAC: Hutter, Hoos and Leyton-Brown
-- 2011, "Sequential model-based optimization for general algorithm configuration"): the mean of the trees is what a
-- setting may be worth, their variance how little is known about it. The trees split at random (Geurts, Ernst and
-- Wehenkel 2006, "Extremely randomized trees") and are grown on bootstrap samples.
--
-- A setting is a list of numbers: the middle of a place in an ordered dimension, the number of a category, and -1 where
-- a parameter has no effect. Failed settings have the worst score. Settings without a score yet have the mean of all
-- scores (the constant liar of Ginsbourger, Le Riche and Carraro 2010).
local native = require "crossfold.native"
local parzen = require "crossfold.search.parzen"

local forest = {}

local n_trees = 10
local smallest = 3       -- rows of a node that is split
local draws = 60         -- settings drawn from the space, and the same number near the best ones
local near = 5           -- those ones

-- A stream of numbers in [0, 1).
local function stream(seed)
  local block, list, i = 0, {}, 0
  return function()
    if i == #list then
      block, i = block + 1, 0
      list = native.uniforms(256, native.seed(seed, block))
    end
    i = i + 1
    return list[i]
  end
end

local function numbers_of(dimensions, places)
  local x = {}
  for i in ipairs(dimensions) do
    local place = places[i]
    x[i] = place == nil and -1 or type(place) == "table" and (place.low + place.high) / 2 or place
  end
  return x
end

local function mean_and_squares(rows)
  local sum, squares = 0, 0
  for _, row in ipairs(rows) do sum = sum + row.y end
  local mean = sum / #rows
  for _, row in ipairs(rows) do squares = squares + (row.y - mean) ^ 2 end
  return mean, squares
end

-- Sends the rows of a category to one side, those below a threshold, otherwise.
local function goes_left(split, x)
  local value = x[split.feature]
  if split.category then return value == split.category end
  return value < split.threshold
end

local function parts(split, rows)
  local left, right = {}, {}
  for _, row in ipairs(rows) do table.insert(goes_left(split, row.x) and left or right, row) end
  return left, right
end

-- A random split of the rows on a feature; nil if they do not differ in it.
local function random_split(feature, is_ordered, rows, random)
  local low, high = math.huge, -math.huge
  for _, row in ipairs(rows) do low, high = math.min(low, row.x[feature]), math.max(high, row.x[feature]) end
  if low == high then return nil end
  if is_ordered then return { feature = feature, threshold = high - random() * (high - low) } end
  return { feature = feature, category = rows[math.floor(random() * #rows) + 1].x[feature] }
end

-- The best of one random split on each feature.
local function best_split(dimensions, rows, random)
  local best, least
  for i, d in ipairs(dimensions) do
    local split = random_split(i, d.is_ordered, rows, random)
    if split then
      split.left, split.right = parts(split, rows)
      if #split.left > 0 and #split.right > 0 then
        local _, a = mean_and_squares(split.left)
        local _, b = mean_and_squares(split.right)
        if not least or a + b < least then best, least = split, a + b end
      end
    end
  end
  return best
end

local function grow(dimensions, rows, random)
  local mean, squares = mean_and_squares(rows)
  local split = #rows >= smallest and squares > 0 and best_split(dimensions, rows, random)
  if not split then return { mean = mean } end
  split.left, split.right = grow(dimensions, split.left, random), grow(dimensions, split.right, random)
  return split
end

local function grow_all(dimensions, rows, seed)
  local trees = {}
  for t = 1, n_trees do
    local random, sample = stream(native.seed(seed, "tree", t)), {}
    for i = 1, #rows do sample[i] = rows[math.floor(random() * #rows) + 1] end
    trees[t] = grow(dimensions, sample, random)
  end
  return trees
end

local function predict(trees, x)
  local values = {}
  for t, node in ipairs(trees) do
    while not node.mean do node = goes_left(node, x) and node.left or node.right end
    values[t] = node.mean
  end
  local summary = native.summary(values)
  return summary.mean, summary.sd
end

-- The expected improvement on `best` of a normal number with this mean and deviation.
local function expected_improvement(mean, sd, best)
  if sd <= 0 then return math.max(0, mean - best) end
  local z = (mean - best) / sd
  return (mean - best) * native.normal_cdf(z) + sd * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
end

local function rows_of(dimensions, trials)
  local rows = {}
  local function add(list, y)
    for i, places in ipairs(list) do
      rows[#rows + 1] = { x = numbers_of(dimensions, places), y = type(y) == "table" and y[i] or y }
    end
  end
  add(trials.scored, trials.scores)
  add(trials.failed, trials.scores[#trials.scores])
  add(trials.waiting, (mean_and_squares(rows)))
  return rows
end

-- As tpe.propose.
function forest.propose(dimensions, trials, seed, active)
  local rows = rows_of(dimensions, trials)
  local trees, best = grow_all(dimensions, rows, seed), trials.scores[1]
  local space = parzen.new(dimensions, {})
  local around = parzen.new(dimensions, table.move(trials.scored, 1, math.min(near, #trials.scored), 1, {}))
  local list = {}
  for i = 1, 2 * draws do
    local setting = (i <= draws and space or around):draw(native.seed(seed, "setting", i))
    local mean, sd = predict(trees, numbers_of(dimensions, active(setting)))
    list[i] = { setting = setting, worth = expected_improvement(mean, sd, best), draw = i }
  end
  return list
end

return forest
