-- Evaluates the candidates of a search on its inner folds, and makes the table of their scores.
--
-- A candidate's score is the mean over the inner folds. A candidate that fails in an inner fold is
-- out, with its reason. An inner fold in which a metric is undefined for some candidate counts for none
-- in that metric. A candidate with an infinite score in one of these folds is out: it has no mean that
-- could be compared.
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local kept_predictions = require "crossfold.search.kept_predictions"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local run = require "crossfold.run"
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
    local row = { values = {}, reasons = {} }
    for m in ipairs(search.metrics) do row.values[m], row.reasons[m] = {}, {} end
    board.rows[c] = row
  end
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
  kept_predictions.wanted(board, search, live, folds.splits)
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
        local function keep(prediction) kept_predictions.add(board, c, fold, prediction) end
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
  if not is_native(search, live) then return run_composites(board, search, live, folds, seed, learner_of) end
  local keep = metric.keep(search.metrics, kept_predictions.wanted(board, search, live, folds.splits))
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

-- Folds in which every live candidate that did not fail has a value of metric m; and why one has not.
local function common_folds(board, live, m)
  local folds, reason = {}, nil
  for fold = 1, board.n_folds do
    local all = board.n_train[fold] ~= nil
    for _, c in ipairs(live) do
      local row = board.rows[c]
      if not row.failure and row.values[m][fold] == nil then
        all = false
        reason = reason or row.reasons[m][fold]
      end
    end
    if all then folds[#folds + 1] = fold end
  end
  return folds, reason
end

local function is_finite(values)
  for _, value in ipairs(values) do
    if value == math.huge or value == -math.huge then return false end
  end
  return true
end

-- { values, n_folds, mean, sd } over `folds`; `failure` instead of mean and sd if one is infinite.
local function summarize(row, m, folds)
  local values = {}
  for i, fold in ipairs(folds) do values[i] = row.values[m][fold] end
  local found = { n_folds = #folds, values = values }
  if #folds == 0 then return found end
  if is_finite(values) then
    local summary = native.summary(values)
    found.mean, found.sd = summary.mean, summary.sd
  else
    found.failure = "the score is infinite in an inner fold"
  end
  return found
end

local function entry_of(board, search, c, folds)
  local row, candidate = board.rows[c], search.candidates[c]
  local entry = { candidate = candidate.name, params = candidate.params, n_folds = 0 }
  if row.failure then
    entry.failure = ("%s: %s"):format(row.failure.stage, row.failure.message)
    return entry
  end
  for key, value in pairs(summarize(row, 1, folds[1])) do entry[key] = value end
  if #search.metrics > 1 then
    entry.metrics = {}
    for m, of_metric in ipairs(search.metrics) do
      local found = summarize(row, m, folds[m])
      entry.metrics[metric.name(of_metric)] = {
        mean = found.mean, sd = found.sd, n_folds = found.n_folds, undefined = found.failure,
      }
    end
  end
  return entry
end

-- Entries of the live candidates, by their places, the folds that count for the metric that decides,
-- and, if some do not, why.
function inner_scores.entries(board, search, live)
  local folds, why = {}, nil
  for m in ipairs(search.metrics) do
    local reason
    folds[m], reason = common_folds(board, live, m)
    if m == 1 then why = reason end
  end
  local entries = {}
  for _, c in ipairs(live) do entries[c] = entry_of(board, search, c, folds) end
  return entries, folds[1], why
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
