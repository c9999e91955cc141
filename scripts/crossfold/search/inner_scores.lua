-- Evaluates the candidates of a search on its inner folds, and makes the table of their scores.
--
-- A candidate's score is the headline of its scores in the inner folds (result/headline.lua): their mean, or one score
-- of all predictions where the folds are too small for the metric. A candidate that fails in an inner fold is out, with
-- its reason. Where a metric is undefined because of the truth, as by a fold of one class, the fold counts for none in
-- that metric. Where it is so because of a candidate's prediction, as by a constant one, the fold counts as the worst
-- value of the metric for this candidate; without a finite one it is out. Out is also a candidate with an infinite
-- score: it has no mean that could be compared.
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local headline = require "crossfold.result.headline"
local kept_predictions = require "crossfold.search.kept_predictions"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"
local transform = require "crossfold.transform"

local inner_scores = {}

-- An empty board for `n_folds` folds: scores of candidate c in board.rows[c].values[metric][fold].
function inner_scores.board(search, n_folds)
  local board = { rows = {}, n_folds = n_folds, n_train = {}, n_test = {}, cells = 0 }
  inner_scores.add_rows(board, search)
  return board
end

-- Adds what a board lacks for the candidates of a search that has got more of them.
function inner_scores.add_rows(board, search)
  for c = #board.rows + 1, #search.candidates do
    local row = { values = {}, reasons = {}, predictions = {} }
    for m in ipairs(search.metrics) do row.values[m], row.reasons[m] = {}, {} end
    board.rows[c] = row
  end
end

-- Notes of which splits the folds are, how the scores of each metric become one, and returns what the cells keep of
-- their predictions for that, at least `kept`.
local function begin(board, search, splits, kept)
  board.test_splits, board.aggregation, board.pools = splits, {}, false
  for m, value in ipairs(search.metrics) do
    board.aggregation[m] = headline.aggregation(splits, value)
    if board.aggregation[m] == headline.pooled then
      board.pools = true
      if metric.needs_probabilities(value) then kept = "probabilities" elseif kept == "none" then kept = "labels" end
    end
  end
  return metric.keep(search.metrics, kept)
end

-- `values` = the scores of a fold, or nil; `reasons` then is the failure.
local function note_values(board, search, c, fold, values, reasons)
  local row = board.rows[c]
  if not values then
    if not row.failure then
      row.failure = reasons
      row.failure.fold = fold
    end
    return false
  end
  for m in ipairs(search.metrics) do
    row.values[m][fold], row.reasons[m][fold] = values[m], reasons[m]
  end
  return true
end

local function note(board, search, outcomes, i, c, fold)
  local values, reasons
  if outcomes:ok(i) then
    values, reasons = metric.scores(search.metrics, outcomes, i)
    if board.predictions then kept_predictions.add(board, c, fold, outcomes:prediction(i)) end
    if board.pools and not native.planning() then board.rows[c].predictions[fold] = outcomes:prediction(i) end
  else
    reasons = outcomes:failure(i)
  end
  if note_values(board, search, c, fold, values, reasons) then
    board.n_train[fold], board.n_test[fold] = outcomes:sizes(i)
  end
end

-- Calls f; what it raises is a failure of that stage, unless it ends the task.
local function try(stage, f)
  local ok, made = native.attempt(f)
  if ok then return made end
  return nil, { stage = stage, message = tostring(made), cause = run.cause(made) }
end

-- The scores of one learner on the rows of a fold; keep(prediction) is called before.
local function scores_of(search, value, rows, seed, keep)
  local model, failure = try("fit " .. tostring(value), function()
    fitting.check(value, rows.train)
    return (fitting.fit(value, rows.train, seed))
  end)
  if not model then return nil, failure end
  local prediction
  prediction, failure = try("predict " .. tostring(value), function() return model:predict(rows.test) end)
  if not prediction then return nil, failure end
  keep(prediction)
  return metric.score_all(search.metrics, prediction)
end

-- A function from a list of transforms to what they make of the rows of a fold, fitted on its training rows: the
-- last of them after the others, each fitted once for all candidates. Nil and the failure if one failed.
local function transformed_rows(rows, seed)
  local root = { rows = rows }
  return function(transforms)
    local node = root
    for i, one in ipairs(transforms) do
      local before = node.rows
      if not before then break end
      if not node[one] then
        node[one] = {}
        node[one].rows, node[one].failure = try("fit " .. tostring(one), function()
          local state, changed = transform.fit(one, before.train, native.seed(seed, "transform", i))
          return { train = changed, test = transform.apply(one, state, before.test) }
        end)
      end
      node = node[one]
    end
    return node.rows, node.failure
  end
end

-- The seed of a candidate: candidates that can be one fit get the same random numbers.
local function seed_of(seed, candidate, ...)
  return native.seed(seed, "candidate", learner.definition(candidate.learner), ...)
end

-- As inner_scores.run, where some candidate is a composite: each is fitted on the training rows of the fold.
local function run_composites(board, search, live, folds, seed, learner_of)
  local tasks = {}
  begin(board, search, folds.splits, kept_predictions.wanted(board, search, live, folds.splits))
  for fold = folds.first, folds.last do
    local train, test = folds.splits:train(fold), folds.splits:test(fold)
    board.n_train[fold], board.n_test[fold] = #train, #test
    local rows_after = transformed_rows({ train = train, test = test }, native.seed(seed, "transforms", fold))
    for _, c in ipairs(live) do
      local candidate = search.candidates[c]
      local of_fold = seed_of(seed, candidate, "fold", fold)
      tasks[#tasks + 1] = function()
        local value, transforms = learner_of and learner_of(candidate) or candidate.learner, {}
        if transform.is_composite(value) then value, transforms = value.learner, value.transforms end
        local rows, failure = rows_after(transforms)
        if not rows then return note_values(board, search, c, fold, nil, failure) end
        local function keep(prediction)
          kept_predictions.add(board, c, fold, prediction)
          if board.pools and prediction and not native.planning() then
            board.rows[c].predictions[fold] = native.prediction(test, prediction)  -- of the rows before the transforms
          end
        end
        note_values(board, search, c, fold, scores_of(search, value, rows, of_fold, keep))
      end
    end
  end
  run.parallel(tasks)
  board.cells = board.cells + #tasks
end

local function is_native(search, live)
  for _, c in ipairs(live) do
    if native.kind(search.candidates[c].learner) ~= "learner" then return false end
  end
  return true
end

-- Runs the candidates of list `live` on folds `first` .. `last` of `splits`, all at once, and notes
-- their scores. `learner_of(candidate)` may give another learner than the candidate's own.
function inner_scores.run(board, search, live, folds, seed, learner_of)
  board.inner_splits = folds.splits
  if not is_native(search, live) then return run_composites(board, search, live, folds, seed, learner_of) end
  local keep = begin(board, search, folds.splits, kept_predictions.wanted(board, search, live, folds.splits))
  local cells, n_folds = {}, folds.last - folds.first + 1
  for i, c in ipairs(live) do
    local candidate = search.candidates[c]
    cells[i] = {
      learner = learner_of and learner_of(candidate) or candidate.learner,
      splits = folds.splits, split = folds.first, count = n_folds,
      seed = seed_of(seed, candidate),
      metrics = search.metrics.native, keep = keep,
    }
  end
  local outcomes = run.run(cells)
  for i, c in ipairs(live) do
    for fold = folds.first, folds.last do
      note(board, search, outcomes, (i - 1) * n_folds + fold - folds.first + 1, c, fold)
    end
  end
  board.cells = board.cells + #outcomes
end

-- Whether metric m has a value on the test rows of a fold, so that a candidate that has none there has only its
-- prediction to blame.
local function truth_allows(board, search, live, m, fold)
  for _, c in ipairs(live) do
    if board.rows[c].values[m][fold] ~= nil then return true end
  end
  return metric.has_value(search.metrics[m], board.test_splits, fold)
end

-- What counts of the folds for metric m: { folds = those that do, reason = why some do not, worst = what a candidate
-- without a value gets there, out = by candidate why it is out }.
local function counted(board, search, live, m)
  local made = { folds = {}, worst = metric.worst(search.metrics[m]), out = {} }
  local pooled = board.aggregation and board.aggregation[m] == headline.pooled
  for fold = 1, board.n_folds do
    local counts = board.n_train[fold] ~= nil
    for _, c in ipairs(live) do
      local row = board.rows[c]
      if not (row.failure or pooled) and row.values[m][fold] == nil then
        local reason = row.reasons[m][fold]
        if counts and truth_allows(board, search, live, m, fold) then
          if not made.worst then made.out[c] = made.out[c] or reason end
        else
          counts, made.reason = false, made.reason or reason
        end
      end
    end
    if counts then made.folds[#made.folds + 1] = fold end
  end
  return made
end

local function is_finite(values)
  for _, value in ipairs(values) do
    if value == math.huge or value == -math.huge then return false end
  end
  return true
end

-- One score of the predictions of some folds; if there is none, the worst value, which is noted.
local function pool_score(search, row, m, count, found)
  local parts = {}
  for i, fold in ipairs(count.folds) do parts[i] = row.predictions[fold] end
  if #parts < #count.folds then return nil end  -- a plan has no predictions
  local mean, reason = metric.score(search.metrics[m], native.pool(parts))
  if mean == nil then found.as_worst, found.why_worst = #parts, reason end
  return mean or count.worst
end

local function mean_of(board, search, row, m, count, found)
  local aggregation = board.aggregation and board.aggregation[m]
  if aggregation == headline.pooled then
    local mean = pool_score(search, row, m, count, found)
    if mean then return mean end
  elseif aggregation == headline.by_weight then
    local weights, all = {}, headline.weights(board.test_splits)
    for i, fold in ipairs(count.folds) do weights[i] = all[fold] end
    return (headline.weighted_mean(found.values, weights))
  end
  return native.summary(found.values).mean
end

-- { values, n_folds, mean, sd } over the folds that count; `failure` instead of mean and sd if there is none.
-- `as_worst` of them have the worst value because of the prediction, and why_worst says why.
local function summarize(board, search, c, m, count)
  local row, found = board.rows[c], { n_folds = #count.folds, values = {} }
  local pooled = board.aggregation and board.aggregation[m] == headline.pooled
  for _, fold in ipairs(count.folds) do
    local value = row.values[m][fold]
    if value == nil and count.worst and not pooled then
      found.as_worst, found.why_worst = (found.as_worst or 0) + 1, found.why_worst or row.reasons[m][fold]
    end
    found.values[#found.values + 1] = value or not pooled and count.worst or nil
  end
  if count.out[c] then
    found.failure = ("it is undefined for the prediction, and has no worst value: %s"):format(count.out[c])
  elseif not is_finite(found.values) then
    found.failure = "the score is infinite in an inner fold"
  elseif #count.folds > 0 then
    found.mean = mean_of(board, search, row, m, count, found)
    found.sd = native.summary(found.values).sd
  end
  return found
end

local function entry_of(board, search, c, counts)
  local row, candidate = board.rows[c], search.candidates[c]
  local entry = { candidate = candidate.name, params = candidate.params, n_folds = 0 }
  if row.failure then
    entry.failure = ("%s: %s"):format(row.failure.stage, row.failure.message)
    return entry
  end
  for key, value in pairs(summarize(board, search, c, 1, counts[1])) do entry[key] = value end
  if #search.metrics > 1 then
    entry.metrics = {}
    for m, of_metric in ipairs(search.metrics) do
      local found = summarize(board, search, c, m, counts[m])
      entry.metrics[metric.name(of_metric)] = {
        mean = found.mean, sd = found.sd, n_folds = found.n_folds, undefined = found.failure,
        as_worst = found.as_worst, why_worst = found.why_worst,
      }
    end
  end
  return entry
end

-- Entries of the live candidates, by their places, the folds that count for the metric that decides,
-- and, if some do not, why.
function inner_scores.entries(board, search, live)
  local counts, entries = {}, {}
  for m in ipairs(search.metrics) do counts[m] = counted(board, search, live, m) end
  local any, reason = false, counts[1].reason
  for _, c in ipairs(live) do
    local entry = entry_of(board, search, c, counts)
    any = any or entry.mean ~= nil and entry.as_worst ~= entry.n_folds
    reason = reason or counts[1].out[c] or entry.why_worst
    entries[c] = entry
  end
  for _, c in ipairs(any and {} or live) do entries[c].mean, entries[c].sd = nil, nil end  -- nobody has a score
  return entries, counts[1].folds, reason
end

-- The entry of a candidate that was not evaluated.
function inner_scores.skipped(search, c, why)
  local candidate = search.candidates[c]
  return { candidate = candidate.name, params = candidate.params, n_folds = 0, skipped = why }
end

-- Test rows for one training row, over all of `folds`.
function inner_scores.test_share(board, folds)
  local n_train, n_test = 0, 0
  for _, fold in ipairs(folds) do
    n_train, n_test = n_train + board.n_train[fold], n_test + board.n_test[fold]
  end
  return n_test / n_train
end

-- The share of `folds` that are different: repeats of few groups come back to the same folds.
function inner_scores.different(board, folds)
  local same_as, firsts = board.inner_splits:same_as(), {}
  for i, fold in ipairs(folds) do firsts[i] = same_as[fold] end
  return splitter.count_distinct(firsts) / #folds
end

-- Why none of the live candidates has a mean.
function inner_scores.why_none(board, search, live, reason)
  local failure
  for _, c in ipairs(live) do failure = failure or board.rows[c].failure end
  if failure then
    return ("cannot choose among %d candidates: none could be evaluated; the first failed at %s: %s")
      :format(#live, failure.stage, failure.message)
  end
  local name = metric.name(search.metrics[1])
  if not reason then
    return ("cannot choose among %d candidates: %s is infinite in an inner fold of each"):format(#live, name)
  end
  return ("cannot choose among %d candidates: %s is undefined in every inner fold: %s"):format(#live, name, reason)
end

return inner_scores
