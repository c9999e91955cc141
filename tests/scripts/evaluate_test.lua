local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestEvaluate = {}

local function evaluate(changes)
  return cf.evaluate(fixtures.with({ data = fixtures.separable(), learners = { knn = cf.learner("knn", { k = 1 }) },
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }), metrics = { "accuracy" }, seed = 3 }, changes))
end

local function bytes(result)
  local parts = {}
  for _, row in ipairs(result:scores()) do
    parts[#parts + 1] = row.learner .. (row.value and string.pack("d", row.value) or "-")
  end
  for _, row in ipairs(result:predictions()) do
    parts[#parts + 1] = ("%d%s"):format(row.row, row.predicted)
  end
  return table.concat(parts, "|")
end

local function tuned()
  return cf.grid_search {
    learner = "knn", grid = { k = { 1, 3, 5 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }),
  }
end

function TestEvaluate:test_a_numeric_target_of_classes_is_hinted_at()
  local data = cf.dataset { name = "mail", target = "spam", columns = {
    { name = "x", values = { 1, 2, 3, 4 } }, { name = "spam", values = { 0, 1, 0, 1 } } } }
  local function message(learner, metric)
    return fixtures.message(cf.evaluate, { data = data, learners = learner, metrics = metric,
      splitter = cf.splitter("kfold", { folds = 2 }) })
  end
  local way_out = "it is for classification, the target 'spam' is numeric; if its numbers name classes, read it with "
    .. "types = { spam = \"categorical\" }"
  lu.assertEquals(message("knn", "accuracy"), "cannot use metric 'accuracy' on dataset 'mail': " .. way_out)
  lu.assertEquals(message("naive_bayes", "rmse"), "cannot use learner 'naive_bayes' on dataset 'mail': " .. way_out)
end

function TestEvaluate:test_every_row_is_predicted_once()
  local rows = fixtures.column(evaluate():predictions(), "row")
  table.sort(rows)
  lu.assertEquals(rows, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 })
end

function TestEvaluate:test_a_nested_search_has_the_same_bits_for_any_workers()
  local function run(workers)
    return bytes(evaluate { data = fixtures.iris(), learners = { a = tuned(), b = "naive_bayes" },
      workers = workers, metrics = { "accuracy", "log_loss" } })
  end
  local one = run(1)
  lu.assertEquals(run(2), one)
  lu.assertEquals(run(7), one)
end

function TestEvaluate:test_another_learner_changes_no_other_number()
  local alone = evaluate { learners = { knn = cf.learner("knn", { k = 1 }) } }
  local both = evaluate { learners = { a = "featureless", knn = cf.learner("knn", { k = 1 }) } }
  local function of_knn(result)
    local values = {}
    for _, row in ipairs(result:scores()) do
      if row.learner == "knn" then values[#values + 1] = row.value end
    end
    return values
  end
  lu.assertEquals(of_knn(alone), of_knn(both))
end

function TestEvaluate:test_the_seed_decides_the_splits()
  lu.assertEquals(bytes(evaluate { seed = 1 }), bytes(evaluate { seed = 1 }))
  lu.assertNotEquals(bytes(evaluate { seed = 1 }), bytes(evaluate { seed = 2 }))
end

function TestEvaluate:test_a_failed_fold_is_data_and_never_a_score()
  local result = evaluate { learners = { bad = cf.learner("debug", { action = "throw_in_predict",
    when_row = 0 }) } }
  local failures = result:failures()
  lu.assertEquals(#failures, 1)
  lu.assertEquals(failures[1].stage, "predict debug")
  local summary = result:summary()[1]
  lu.assertEquals({ summary.folds, summary.defined, summary.failed }, { 3, 2, 1 })
  lu.assertStrContains(tostring(result), "2 of 3")
  lu.assertStrContains(tostring(result), "1 fold failed; the first: bad, repeat 1, fold "
    .. failures[1].fold)
end

-- A metric that gives these values, fold by fold.
local function scripted(values)
  local fold = 0
  return cf.metric { name = "scripted", direction = "higher", score = function()
    fold = fold + 1
    return values[fold]
  end }
end

function TestEvaluate:test_a_summary_has_the_median_and_the_mode_of_the_folds()
  local row = evaluate { metrics = { scripted { 0.9, 0.5, 0.5 } } }:summary()[1]
  lu.assertEquals({ row.median, row.mode, row.min, row.max }, { 0.5, 0.5, 0.5, 0.9 })
  row = evaluate { metrics = { scripted { 0.9, 0.5, 0.6 } } }:summary()[1]
  lu.assertEquals(row.median, 0.6)
  lu.assertNil(row.mode)
end

-- Learners that are wrong on so many of the first rows of `fixtures.separable()`, and metrics of the errors.
local function wrong_on(n)
  return cf.learner { name = "wrong", fit = function() return {} end, predict = function(_, data)
    local labels = {}
    for i, id in ipairs(data:row_ids()) do labels[i] = ((id <= 6) ~= (id <= n)) and "low" or "high" end
    return labels
  end }
end

local function errors(name, direction, of)
  return cf.metric { name = name, direction = direction, score = function(truth, predicted)
    local count = 0
    for i = 1, #truth do count = count + (truth[i] ~= predicted[i] and 1 or 0) end
    return of(count)
  end }
end

local function undefined_above(most)
  return function(count)
    if count > most then return nil, ("%d errors"):format(count) end
    return count
  end
end

function TestEvaluate:test_several_metrics_stand_beside_each_other_and_the_best_learner_first()
  local list = { 1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2 }
  local function shown(direction, changes)
    return tostring(evaluate(fixtures.with({
      learners = { a = wrong_on(6), b = wrong_on(1), c = wrong_on(0), d = wrong_on(1) },
      splitter = cf.splitter("predefined", { list = list }),
      metrics = { errors("count", direction, undefined_above(2)), "accuracy",
        errors("few", "lower", undefined_above(0)) } }, changes)))
  end
  lu.assertEquals(shown("lower"), [[
learner   count  accuracy     few  folds
-------  ------  --------  ------  --------------
c        0.0000    1.0000  0.0000  2
b        0.5000    0.9167  0.0000  2, few: 1 of 2
d        0.5000    0.9167  0.0000  2, few: 1 of 2
a             -    0.5000       -  2
(means over the folds in which the metric is defined, best first by count; result:summary() has sd, min and max)
]] .. "(few of 'b' is the score of one fold, the only one of 2 that has one)\n"
    .. "(few of 'd' is the score of one fold, the only one of 2 that has one)\n"
    .. "(few: not all means are of the same folds ('b' 1 of 2, 'd' 1 of 2), so their order may be that of the folds; "
    .. "cf.compare takes the common ones)\n"
    .. '(no interval of count: nobody knows whether these splits were drawn at random; name a method if they were, as '
    .. 'in result:interval{ method = "corrected_t" })\n6 scores are undefined; the first: a, count, repeat 1, fold 1: '
    .. '3 errors')
  local function learners(text)
    local names = {}
    for name in text:gmatch("\n([abcd]) ") do names[#names + 1] = name end
    return table.concat(names)
  end
  lu.assertEquals(learners(shown("higher")), "bdca")
  lu.assertEquals(learners(shown("neither")), "abcd")
  lu.assertStrContains(shown("neither"), "\n(means over the folds in which the metric is defined; result:")
  lu.assertStrContains(shown("higher", { metrics = "accuracy" }), [[
learner  metric      mean     min     max  folds
-------  --------  ------  ------  ------  -----
a        accuracy  0.5000  0.5000  0.5000  2
]])
end

function TestEvaluate:test_metrics_that_do_not_fit_on_a_line_stand_in_a_further_table()
  local metrics = {}
  for m = 1, 3 do metrics[m] = errors(("%d"):format(m):rep(40), "lower", undefined_above(12)) end
  local text = tostring(cf.evaluate { datasets = { t = fixtures.separable(), s = fixtures.separable() },
    learners = { a = wrong_on(6), b = wrong_on(0) }, metrics = metrics,
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }) })
  local ones, twos, threes = ("1"):rep(40), ("2"):rep(40), ("3"):rep(40)
  local line, space = ("-"):rep(40), (" "):rep(34)
  lu.assertEquals(text, ([[
dataset  learner  ONES  TWOS  folds
-------  -------  LINE  LINE  -----
s        b        GAP0.0000  GAP0.0000  3
s        a        GAP2.0000  GAP2.0000  3
t        b        GAP0.0000  GAP0.0000  3
t        a        GAP2.0000  GAP2.0000  3

dataset  learner  THREES  folds
-------  -------  LINE  -----
s        b        GAP0.0000  3
s        a        GAP2.0000  3
t        b        GAP0.0000  3
t        a        GAP2.0000  3
(means over the folds in which the metric is defined, best first by ONES; result:summary() has sd, min and max)
(no interval of ONES: all 3 values are equal)]])
    :gsub("%u+", { GAP = space, ONES = ones, TWOS = twos, THREES = threes, LINE = line }))
end

function TestEvaluate:test_misbehaviour_that_stops_nothing_is_a_warning()
  local result = evaluate { learners = {
    rounding = cf.learner("debug", { action = "change_rounding" }) } }
  local warnings = result:warnings()
  lu.assertEquals(#warnings, 3)
  lu.assertStrContains(warnings[1].message, "changed the rounding mode")
  lu.assertEquals(result:summary()[1].defined, 3)
  lu.assertStrContains(tostring(result), "3 warnings; the first: rounding, repeat 1, fold 1")
end

function TestEvaluate:test_on_error_stop_raises_the_first_failure()
  lu.assertStrContains(fixtures.message(evaluate, { on_error = "stop",
    learners = { bad = cf.learner("debug", { action = "throw_in_fit" }) } }),
    "cannot evaluate 'bad' on 'separable': repeat 1, fold 1 failed at fit debug")
end

function TestEvaluate:test_a_search_that_fails_is_a_failed_fold()
  local hopeless = cf.grid_search { learner = "knn", grid = { k = { 50 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local result = evaluate { learners = { hopeless = hopeless } }
  lu.assertEquals(#result:failures(), 3)
  lu.assertStrContains(result:failures()[1].message, "k = 50 exceeds")
end

function TestEvaluate:test_a_metric_the_learner_cannot_serve_is_undefined_with_the_reason()
  local hard = cf.learner { name = "hard",
    fit = function() return "high" end,
    predict = function(state, data) return fixtures.repeated(state, #data) end }
  local row = evaluate { learners = { hard = hard }, metrics = { "log_loss" } }:scores()[1]
  lu.assertNil(row.value)
  lu.assertStrContains(row.undefined, "probabilities")
end

function TestEvaluate:test_a_learner_in_lua_is_scored_like_a_plugin()
  local majority = cf.learner { name = "majority",
    fit = function(data)
      local counts = {}
      for _, class in ipairs(data:target()) do counts[class] = (counts[class] or 0) + 1 end
      local best
      for _, class in ipairs(data:classes()) do
        if best == nil or (counts[class] or 0) > (counts[best] or 0) then best = class end
      end
      return best
    end,
    predict = function(state, data) return fixtures.repeated(state, #data) end }
  local result = evaluate { learners = { lua = majority, plugin = "featureless" } }
  local values = { lua = {}, plugin = {} }
  for _, row in ipairs(result:scores()) do table.insert(values[row.learner], row.value) end
  lu.assertEquals(values.lua, values.plugin)
end

function TestEvaluate:test_a_learner_in_lua_cannot_see_the_test_target()
  local cheat = cf.learner { name = "cheat", fit = function() return {} end,
    predict = function(_, data) return data:target() end }
  local failures = evaluate { learners = { cheat = cheat } }:failures()
  lu.assertEquals(#failures, 3)
  lu.assertStrContains(failures[1].message, "their target is hidden")
end

function TestEvaluate:test_a_wrong_answer_of_a_lua_learner_is_a_failure()
  local wrong = cf.learner { name = "wrong", fit = function() return {} end,
    predict = function() return { "high" } end }
  lu.assertStrContains(evaluate { learners = { wrong = wrong } }:failures()[1].message,
    "1 labels for 4 rows")
end

function TestEvaluate:test_a_metric_in_lua_sees_truth_and_prediction()
  local mine = cf.metric { name = "mine", direction = "higher",
    score = function(truth, predicted)
      local hits = 0
      for i = 1, #truth do if truth[i] == predicted[i] then hits = hits + 1 end end
      return hits / #truth
    end }
  local rows = evaluate { metrics = { "accuracy", mine }, data = fixtures.iris(),
    learners = { "featureless" } }:scores()
  for i = 1, #rows, 2 do lu.assertEquals(rows[i].value, rows[i + 1].value) end
end

function TestEvaluate:test_a_splitter_in_lua_decides_the_rows()
  local halves = cf.splitter { name = "halves", split = function(input)
    local folds = {}
    for i = 1, input.n do folds[i] = i <= input.n / 2 and 1 or 2 end
    return { folds = folds }
  end }
  local first = evaluate { splitter = halves }:predictions()
  lu.assertEquals(#first, 12)
  lu.assertEquals({ first[1].row, first[1].fold, first[12].row, first[12].fold }, { 1, 1, 12, 2 })
  -- Each half has one class only, so the other class is all that the training rows know.
  lu.assertEquals(first[1].predicted, "high")
end

function TestEvaluate:test_a_fold_column_decides_the_rows_and_is_no_feature()
  local data = cf.dataset { name = "folded", target = "y", columns = {
    { name = "x", values = { 1, 2, 3, 4 } }, { name = "part", values = { 7, 3, 7, 3 } },
    { name = "y", values = { "a", "a", "b", "b" } } } }
  local by_column = cf.splitter("predefined", { column = "part" })
  local rows = evaluate { data = data, splitter = by_column }:predictions()
  lu.assertEquals({ rows[1].row, rows[2].row, rows[3].row, rows[4].row }, { 2, 4, 1, 3 })
  local splits = cf.split(by_column, data)
  lu.assertEquals(splits:train(1):features(), { "x" })
  lu.assertStrContains(fixtures.message(evaluate, { data = data,
    splitter = cf.splitter("predefined", { column = "parts" }) }), "did you mean 'part'?")
end

function TestEvaluate:test_a_fold_list_decides_the_rows()
  local list = { 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2 }
  local rows = evaluate { splitter = cf.splitter("predefined", { list = list }) }:predictions()
  lu.assertEquals({ rows[1].row, rows[1].fold, rows[12].row, rows[12].fold }, { 1, 1, 12, 2 })
end

function TestEvaluate:test_confusion_counts_every_prediction()
  local confusion = evaluate():confusion("knn")
  lu.assertEquals(confusion.classes, { "high", "low" })
  lu.assertEquals(confusion.counts[1][1] + confusion.counts[1][2], 6)
  lu.assertEquals(confusion.counts[2][1] + confusion.counts[2][2], 6)
end

function TestEvaluate:test_pooled_accuracy_is_the_share_of_all_rows()
  local result = evaluate { data = fixtures.iris(), splitter = cf.splitter("kfold", { folds = 7 }) }
  local hits, rows = 0, result:predictions()
  for _, p in ipairs(rows) do if p.truth == p.predicted then hits = hits + 1 end end
  lu.assertEquals(result:pooled()[1].value, hits / #rows)
end

function TestEvaluate:test_scores_are_written_as_csv_and_json()
  local result = evaluate()
  local lines = {}
  for line in result:to { csv = true }:gmatch("[^\r\n]+") do lines[#lines + 1] = line end
  lu.assertEquals(lines[1], "dataset,learner,repeat,fold,metric,value,undefined")
  lu.assertEquals(#lines, 4)
  lu.assertStrContains(result:to { json = true }, '"learner": "knn"')
end

function TestEvaluate:test_provenance_names_data_and_plugins()
  local p = evaluate():provenance()
  lu.assertEquals(p.seed, 3)
  lu.assertEquals(p.learners[1].plugin, "crossfold.knn")
  lu.assertEquals(#p.learners[1].plugin_sha256, 64)
  lu.assertEquals(#p.datasets[1].hash, 64)
end

function TestEvaluate:test_what_cannot_work_is_refused_before_anything_runs()
  lu.assertStrContains(fixtures.message(evaluate, { metrics = { "acuracy" } }),
    "did you mean 'accuracy'?")
  lu.assertStrContains(fixtures.message(evaluate, { splitter = cf.splitter("kfold", { folds = 20 }) }),
    "20 folds exceed the 12 rows; use at most 12 folds")
  lu.assertStrContains(fixtures.message(evaluate, {
    splitter = cf.splitter("kfold", { folds = 7, stratify = true }) }),
    "class 'low' has 6 rows, fewer than the 7 folds")
  lu.assertStrContains(fixtures.message(evaluate, { splitters = "kfold" }),
    "unknown option 'splitters'; did you mean 'splitter'?")
  lu.assertStrContains(fixtures.message(evaluate, { metrics = { "accuracy", "accuracy" } }),
    "metric 'accuracy' is given twice")
  lu.assertStrContains(fixtures.message(evaluate, { keep = "all" }), "not one of labels, probabilities, none")
end

function TestEvaluate:test_a_learner_in_lua_cannot_see_the_test_target_through_a_model()
  local cheat = cf.learner { name = "cheat",
    fit = function(data) return cf.learner("knn", { k = 1 }):fit(data) end,
    predict = function(model, data) return model:predict(data):truth() end }
  local failures = evaluate { learners = { cheat } }:failures()
  lu.assertEquals(#failures, 3)
  lu.assertStrContains(failures[1].message, "the target of its rows is hidden")
end

function TestEvaluate:test_what_is_no_dataset_is_told_how_to_become_one()
  local data = fixtures.separable()
  local cases = {
    { "iris.csv", "a string; read it first, with cf.read" },
    { { data, data }, "a table; give several as the option 'datasets'" },
    { { x = { 1, 2 } }, "a table; make one of lists with cf.dataset" },
    { 5, "an integer" },
  }
  for _, case in ipairs(cases) do
    lu.assertEquals(fixtures.message(evaluate, { data = case[1] }),
      "evaluate: option 'data' must be a dataset, got " .. case[2])
  end
end

function TestEvaluate:test_probabilities_of_ragged_rows_are_a_failure()
  local ragged = cf.learner { name = "ragged", fit = function() return {} end,
    predict = function() return { probabilities = { { 1, 0, 1 }, { 0 }, { 1, 0 }, { 1, 0 } } } end }
  lu.assertStrContains(evaluate { learners = { ragged } }:failures()[1].message,
    "row 2 has a different number of probabilities than row 1")
end

function TestEvaluate:test_a_lua_metric_without_its_probabilities_is_undefined()
  local soft = cf.metric { name = "soft", direction = "higher", needs_probabilities = true,
    score = function(_, _, info) return info.probabilities[1][1] end }
  local hard = cf.learner { name = "hard", fit = function() return {} end,
    predict = function() return { "high", "high", "high", "high" } end }
  local row = evaluate { learners = { hard }, metrics = { soft } }:scores()[1]
  lu.assertNil(row.value)
  lu.assertEquals(row.undefined, "the learner gives no probabilities")
end

function TestEvaluate:test_the_text_says_how_many_scores_are_undefined_and_why_the_first_is()
  local hard = cf.learner { name = "hard", fit = function() return {} end,
    predict = function(_, data) return fixtures.repeated("high", #data) end }
  local result = evaluate { learners = { hard = hard }, metrics = { "accuracy", "log_loss" } }
  lu.assertStrContains(tostring(result), "\n3 scores are undefined; the first: hard, log_loss, repeat 1, "
    .. "fold 1: " .. result:scores()[2].undefined)
  lu.assertNotStrContains(tostring(evaluate()), "undefined")
end

function TestEvaluate:test_the_text_counts_what_failed_as_failed_and_not_as_undefined()
  local broken = cf.learner { name = "broken", fit = function() error "no" end,
    predict = function() return {} end }
  local text = tostring(evaluate { learners = { broken = broken } })
  lu.assertStrContains(text, "3 folds failed; the first: broken")
  lu.assertNotStrContains(text, "undefined")
end

function TestEvaluate:test_keep_decides_and_not_the_metrics()
  local soft = cf.metric { name = "soft", direction = "higher", needs_probabilities = true,
    score = function(_, _, info) return info.probabilities[1][1] end }
  lu.assertNil(evaluate { metrics = { soft }, keep = "labels" }:predictions()[1].probabilities)
  lu.assertEquals(#evaluate { metrics = { soft }, keep = "none" }:predictions(), 0)
end

function TestEvaluate:test_holes_and_equal_names_are_refused()
  lu.assertEquals(fixtures.message(evaluate, { learners = { "knn", nil, "featureless" } }),
    "evaluate: option 'learners': element 2 of 3 is nil; leave it out")
  lu.assertEquals(fixtures.message(evaluate, { metrics = { "accuracy", nil, "error_rate" } }),
    "evaluate: option 'metrics': element 2 of 3 is nil; leave it out")
  lu.assertEquals(fixtures.message(cf.evaluate, { metrics = "accuracy", learners = "knn",
    splitter = "leave_one_out", datasets = { fixtures.separable(), fixtures.separable() } }),
    "evaluate: two datasets are called 'separable'; name them, as in datasets = { a = ... }")
end

function TestEvaluate:test_a_composite_in_a_list_needs_a_name()
  -- Its address would be its name.
  local composite = { fit = function() end }
  lu.assertEquals(fixtures.message(evaluate, { learners = { composite } }),
    "evaluate: learner 1 has no name; name it, as in learners = { a = ... }")
end

function TestEvaluate:test_a_composite_that_resolves_to_nothing_is_a_failed_fold()
  local lost = { resolve = function() end }
  local result = evaluate { learners = { lost = lost, knn = "knn" } }
  lu.assertEquals(#result:failures(), 3)
  lu.assertEquals(result:failures()[1].message, "resolve returned a nil, not a native learner")
end

function TestEvaluate:test_infinities_of_both_signs_have_no_mean()
  local calls = 0
  local wild = cf.metric { name = "wild", direction = "higher", score = function()
    calls = calls + 1
    return calls % 2 == 0 and math.huge or -math.huge
  end }
  lu.assertNil(evaluate { metrics = { wild } }:summary()[1].mean)
end

function TestEvaluate:test_data_without_a_target_is_refused()
  local data = cf.dataset { name = "bare", columns = { { name = "x", values = { 1, 2, 3, 4 } } } }
  local one = cf.metric { name = "one", direction = "higher", score = function() return 1 end }
  local lua = cf.learner { fit = function() end, predict = function() return {} end }
  lu.assertEquals(fixtures.message(evaluate, { data = data, learners = { lua }, metrics = { one },
    splitter = "leave_one_out" }), "cannot evaluate on 'bare': the dataset has no target; read it "
    .. "with target = \"<column>\"")
end

function TestEvaluate:test_an_empty_path_is_refused()
  lu.assertEquals(fixtures.message(function() evaluate():to { json = false } end),
    "to: give a path, or true to get the text")
end

function TestEvaluate:test_an_error_that_cannot_be_shown_is_a_failed_fold()
  local mute = setmetatable({}, { __tostring = function() error("no") end })
  local broken = cf.learner { fit = function() error(mute) end, predict = function() end }
  lu.assertEquals(evaluate { learners = { broken = broken } }:failures()[1].message,
    "an error that has no text: table")
end

function TestEvaluate:test_folds_name_the_group_that_was_left_out()
  local data = cf.dataset { name = "people", target = "y", groups = "who", columns = {
    { name = "x", values = { 1, 2, 3, 4, 5, 6 } },
    { name = "who", values = { "eve", "ann", "bob", "eve", "ann", "bob" } },
    { name = "y", values = { "a", "b", "a", "b", "a", "b" } } } }
  local function groups(splitter)
    local found = {}
    for i, row in ipairs(evaluate { data = data, splitter = splitter, learners = "featureless" }:folds()) do
      found[i] = row.group or "several"
    end
    return table.concat(found, " ")
  end
  lu.assertEquals(groups("leave_one_group_out"), "eve ann bob")
  lu.assertEquals(groups(cf.splitter("predefined", { list = { 1, 1, 2, 1, 1, 2 } })), "several bob")
end

-- Such predictions are kept without row ids and with labels of one byte, and made again when they are asked for.
function TestEvaluate:test_predictions_of_many_rows_come_back_as_they_were()
  local n, x, y, z = 140000, {}, {}, {}
  for i = 1, n do
    x[i], y[i], z[i] = (i * 7 % 1000) / 1000, i * 7 % 1000 < 500 and "a" or "b", i * 7 % 1000
  end
  local function data(target, values)
    return cf.dataset { name = "many", target = target, columns = {
      { name = "x", values = x }, { name = target, values = values } } }
  end
  local half = cf.splitter("holdout", { test_share = 0.5, shuffle = false })
  local result = cf.evaluate { data = data("y", y), learners = cf.learner("decision_tree"), splitter = half,
    metrics = "accuracy", keep = "probabilities" }
  local rows = result:predictions()
  lu.assertEquals(#rows, n // 2)
  for i, row in ipairs(rows) do
    local expected = y[n // 2 + i]
    if row.row ~= n // 2 + i or row.predicted ~= expected or row.truth ~= expected
      or row.probabilities[expected == "a" and 1 or 2] ~= 1 then
      lu.fail(("row %d is %s, class %s"):format(row.row, row.predicted, expected))
    end
  end
  lu.assertEquals(result:pooled()[1].value, 1)
  lu.assertEquals(result:confusion().counts[1][1] + result:confusion().counts[2][2], n // 2)
  rows = cf.evaluate { data = data("z", z), learners = cf.learner("featureless"), splitter = half,
    metrics = "mae" }:predictions()
  lu.assertEquals({ #rows, rows[1].row, rows[1].predicted, rows[1].truth },
    { n // 2, n // 2 + 1, rows[n // 2].predicted, z[n // 2 + 1] })
end
