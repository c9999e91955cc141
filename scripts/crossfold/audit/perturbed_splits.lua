-- Draws the splits that are audited, called places, and makes the data in which their test rows are changed.
--
-- Of the test rows of a split about half, the touched ones, get other features; all of them get other
-- targets. What is predicted for the others, and for training rows, must stay as it is.
local native = require "crossfold.native"

local perturbed_splits = {}

-- Maximum number of training rows that are predicted: nearest neighbours cost rows x rows.
local most_train_rows = 500

-- Positions 1 .. n: `count` of them, ascending, or all.
local function some(n, count, seed)
  if count >= n then count = n end
  return count == 0 and {} or native.draw(n, count, false, seed)
end

local function place_of(splits, split, seed)
  local test, train = splits:test(split), splits:train(split)
  local ids, n = test:row_ids(), #test
  local own = native.seed(seed, "split", split)
  local is_touched, touched, untouched, positions = {}, {}, {}, {}
  for _, p in ipairs(some(n, math.max(1, n // 2), native.seed(own, "touched"))) do
    is_touched[p] = true
  end
  for p, id in ipairs(ids) do
    local list = is_touched[p] and touched or untouched
    list[#list + 1] = id
    if not is_touched[p] then positions[#positions + 1] = p end
  end
  local repeat_, fold = splits:place(split)
  return {
    split = split, repeat_ = repeat_, fold = fold, seed = own, test = ids, touched = touched,
    untouched = untouched, positions = positions,
    train_positions = some(#train, most_train_rows, native.seed(own, "train")),
  }
end

-- `count` splits of a plan, drawn by `seed`, with their rows.
function perturbed_splits.choose(splits, count, seed)
  local list = {}
  for i, split in ipairs(some(#splits, count, native.seed(seed, "audited splits"))) do
    list[i] = place_of(splits, split, native.seed(seed, "audit"))
  end
  return list
end

-- `data` with the test rows of a place changed: `what` = { features =, target =, beyond = }.
function perturbed_splits.changed(data, place, what)
  local made = data
  if what.features then
    made = native.change_rows(made, place.touched, native.seed(place.seed, "noise"),
      { features = true, beyond = what.beyond })
  end
  if what.target then
    made = native.change_rows(made, place.test, native.seed(place.seed, "labels"), { target = true })
  end
  return made
end

-- `data` with other targets in the training rows of a place.
function perturbed_splits.relabelled(data, splits, place)
  return native.change_rows(data, splits:train(place.split):row_ids(),
    native.seed(place.seed, "training labels"), { target = true })
end

-- What a learner runs on with `what` changed: data, and the splits of them. All learners share it.
function perturbed_splits.trial(context, place, what)
  place.trials = place.trials or {}
  local key = ("%s %s %s"):format(what.features, what.target, what.beyond)
  if not place.trials[key] then
    local data = perturbed_splits.changed(context.data, place, what)
    place.trials[key] = { data = data, splits = native.splits_over(context.splits, data) }
  end
  return place.trials[key]
end

return perturbed_splits
