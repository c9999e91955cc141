-- Runs a learner on one split as cf.evaluate does, and keeps all that can be compared: the saved model,
-- and the predictions for training rows, for untouched test rows alone, for all test rows at once, and by
-- a cell. The result is called a unit.
local native = require "crossfold.native"
local ensemble_model = require "crossfold.ensemble.model"
local fitting = require "crossfold.fitting"
local run = require "crossfold.run"
local transform = require "crossfold.transform"
local value_json = require "crossfold.text.value_json"

local split_runs = {}

-- Differences of numbers up to here, relative to numbers from 1, are those of another order of sums; in
-- cells also those of rows that are added and taken away again (the capability incremental).
local rounding, cell_rounding = 1e-9, 1e-6

-- Number of rows of each kind that are also predicted alone.
local n_single = 3

local function cell_prediction(value, trial, place, seed)
  local outcomes = run.run { {
    learner = value, splits = trial.splits, split = place.split, seed = seed, keep = "probabilities",
  } }
  if not outcomes:ok(1) then
    local failure = outcomes:failure(1)
    error(("%s: %s"):format(failure.stage, failure.message), 0)
  end
  return outcomes:prediction(1)
end

local hash_pattern = ("%x"):rep(64)

-- What save would write about what was fitted: without the hash of the data, which depends on all rows, and
-- without the checksum over it. nil where the model cannot be saved.
local function state_of(model)
  if native.kind(model) == "model" then
    local ok, bytes = pcall(model.to_bytes, model, "audit")
    if not ok and bytes == native.cancelled then error(bytes, 0) end
    return ok and bytes:sub(1, -33):gsub(hash_pattern, "") or nil
  elseif ensemble_model.is(model) then
    local given, list = model:parts()
    local states = { value_json(given) }
    for i, member in ipairs(list) do
      local state = state_of(member.model)
      if not state then return nil end
      states[i + 1] = ("%d:%s"):format(#state, state)
    end
    return table.concat(states)
  end
  return type(model) == "table" and ensemble_model.is(model.inner) and state_of(model.inner) or nil
end

-- What the transforms in Lua of a composite make of the training rows and the untouched rows that are
-- predicted; nil for other learners.
function split_runs.transformed(value, trial, place, seed)
  if not transform.is_composite(value) then return nil end
  local train, test = trial.splits:train(place.split), trial.splits:test(place.split)
  local rows = { train:select(place.train_positions) }
  if #place.positions > 0 then rows[2] = test:select(place.positions) end
  return transform.trace(value, train, rows, native.seed(seed, "stage"))
end

-- The changed features of two datasets in some rows (ids; those of `a` without), as native.column_changes
-- gives them.
function split_runs.feature_changes(a, b, ids)
  local is_feature, found = {}, {}
  for _, data in ipairs { a, b } do
    for _, name in ipairs(data:features()) do is_feature[name] = true end
  end
  for _, change in ipairs(native.column_changes(a, b, ids or a:row_ids())) do
    if is_feature[change.column] then found[#found + 1] = change end
  end
  return found
end

local function work(value, trial, place, seed)
  local unit, splits, split = {}, trial.splits, place.split
  local train, test = splits:train(split), splits:test(split)
  if native.kind(value) ~= "learner" and value.resolve then
    value = fitting.resolve_on_split(value, splits, split, seed)
    unit.choice = tostring(value)
  end
  fitting.check(value, trial.data)
  if native.kind(value) == "learner" then unit.cell = cell_prediction(value, trial, place, seed) end
  local model = fitting.fit(value, train, native.seed(seed, "repeat", place.repeat_, "fold", place.fold, "fit"))
  -- The touched rows come last: a model that learns from what it predicts shows in `all` only.
  if #place.positions > 0 then unit.untouched = model:predict(test:select(place.positions)) end
  unit.train = model:predict(train:select(place.train_positions))
  unit.all = model:predict(test)
  unit.state = state_of(model)
  unit.transformed = split_runs.transformed(value, trial, place, seed)
  unit.single, unit.train_single = {}, {}
  for i = 1, math.min(n_single, #place.positions) do
    unit.single[i] = model:predict(test:select { place.positions[i] })
  end
  for i = 1, math.min(n_single, #place.train_positions) do
    unit.train_single[i] = model:predict(train:select { place.train_positions[i] })
  end
  return unit
end

-- What f(...) gives, or nil and what went wrong. What ends the task goes on.
function split_runs.try(f, ...)
  local ok, made = native.attempt(f, ...)
  if ok then return made end
  local readable, text = pcall(tostring, made)
  return nil, readable and (text:gsub("^[^:\n]+:%d+: ", "")) or "an error without text"
end

-- A unit, or { failure = text }.
function split_runs.run(value, trial, place, seed)
  local unit, problem = split_runs.try(work, value, trial, place, seed)
  return unit or { failure = problem }
end

-- Runs list[i]() = a unit, all together on all cores; returns the list of units.
function split_runs.run_all(tasks, how)
  local results, functions = {}, {}
  for i, task in ipairs(tasks) do functions[i] = function() results[i] = task() end end
  run.parallel(functions, how)
  return results
end

local function compared(a, b, rows)
  if not a or not b then return nil end
  local difference = native.compare_predictions(a, b, rows)
  return difference.differ > 0 and difference or nil
end

-- Whether transforms in Lua make something else of rows that stayed.
local function transforms_differ(a, b)
  for n = 1, a and b and #a.rows or 0 do
    for part = 1, #a.rows[n] do
      if #split_runs.feature_changes(a.rows[n][part], b.rows[n][part]) > 0 then return true end
    end
  end
  return nil
end

-- How the fit of two units differs: { choice =, state =, transformed =, untouched =, train = }; nil if it
-- does not. `same_features`: the features of the test rows are the same, so all of them are compared.
function split_runs.refit_difference(a, b, same_features)
  local untouched = same_features and "all" or "untouched"
  local found = {
    choice = a.choice ~= b.choice or nil,
    transformed = transforms_differ(a.transformed, b.transformed),
    state = a.state and b.state and a.state ~= b.state or nil,
    untouched = compared(a[untouched], b[untouched]), train = compared(a.train, b.train),
  }
  return next(found) and found or nil
end

-- How cells differ on the untouched rows, where the fits do not; a second result is true if that may be rounding.
function split_runs.cell_difference(a, b, place)
  local difference = compared(a.cell, b.cell, place.untouched)
  return difference, difference and difference.largest <= cell_rounding
end

-- How the prediction for a row depends on the rows that are predicted with it; a second result is true if that
-- may be rounding.
function split_runs.batch_difference(base, changed, place)
  local worst
  local function add(difference)
    if not difference then return end
    local real = difference.largest > rounding
    local before = worst and worst.largest > rounding
    if not worst or real and not before or real == before and difference.differ > worst.differ then
      worst = difference
    end
  end
  add(compared(base.untouched, base.all))
  for _, single in ipairs(base.single) do add(compared(base.untouched, single)) end
  for _, single in ipairs(base.train_single) do add(compared(base.train, single)) end
  if changed then add(compared(base.all, changed.all, place.untouched)) end
  return worst, worst and worst.largest <= rounding
end

-- How well a prediction matches the truth, as text; nil if that may be chance. Of classes, the number of
-- hits has to be 4 standard deviations above that of the same answers in another order; of numbers, half
-- of the variance has to be explained.
function split_runs.knows_truth(prediction)
  local truth, labels, n = prediction:truth(), prediction:labels(), #prediction
  if not labels then
    local values, mean, left, all = prediction:values(), 0.0, 0.0, 0.0
    for i = 1, n do mean = mean + truth[i] / n end
    for i = 1, n do left, all = left + (truth[i] - values[i]) ^ 2, all + (truth[i] - mean) ^ 2 end
    if n < 10 or all == 0 or left > 0.5 * all then return nil end
    return ("%s %% of the variance of %d test rows"):format(native.format_number(100 * (1 - left / all), 1), n)
  end
  local hits, true_counts, said = 0, {}, {}
  for i = 1, n do
    if truth[i] == labels[i] then hits = hits + 1 end
    true_counts[truth[i]] = (true_counts[truth[i]] or 0) + 1
    said[labels[i]] = (said[labels[i]] or 0) + 1
  end
  local expected = 0
  for _, class in ipairs(prediction:classes()) do
    expected = expected + (true_counts[class] or 0) * (said[class] or 0) / n
  end
  local deviation = math.sqrt(expected * (1 - expected / n))
  if n < 10 or hits - expected <= 4 * deviation then return nil end
  return ("%d of %d test rows right"):format(hits, n)
end

-- Whether two runs of the same agree in all.
function split_runs.same(a, b, place)
  return not split_runs.refit_difference(a, b) and not compared(a.all, b.all)
    and not split_runs.cell_difference(a, b, place)
end

return split_runs
