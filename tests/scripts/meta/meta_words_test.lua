-- Where scripts/meta/crossfold.d.lua says that an option or an argument is one of some words, the module
-- takes each of them, and refuses any other word with a message that lists exactly these.
local lu = require "luaunit"
local cf = require "crossfold"
local cases = require "meta_cases"
local definitions = require "definitions"
local fixtures = require "fixtures"

local defined = definitions.read(data_folder .. "/../meta/crossfold.d.lua")
local iris, separable = fixtures.iris(), fixtures.separable()
local folds = cf.splitter("kfold", { folds = 2 })
local two = { 1, 2, 3 }

local function two_learners()
  return cf.evaluate { data = separable, splitter = cf.splitter("kfold", { folds = 2, repeats = 5 }),
    metrics = "accuracy", learners = { "naive_bayes", "featureless", "knn" }, keep = "probabilities" }
end
local compared = two_learners()
local of_classes = cf.bias_variance { data = iris, learners = "knn", rounds = 2 }
local numbers = cf.read(data_folder .. "/diabetes_regr.csv", { target = "target" })
local of_numbers = cf.bias_variance { data = numbers, learners = "knn", rounds = 2 }

-- A call of `f` with the options `rest`, and the word as option `name`.
local function with(f, name, rest)
  return function(word)
    local given = { [name] = word }
    for key, value in pairs(rest or {}) do given[key] = value end
    return f(given)
  end
end

local function evaluation(more)
  more.data, more.splitter, more.metrics = iris, folds, "accuracy"
  more.learners = more.learners or "knn"
  return more
end

local function search(more)
  more.learner, more.splitter, more.metric = "knn", folds, "accuracy"
  return more
end

local function evaluate(more) return cf.evaluate(evaluation(more)) end
local function grid_search(more) return cf.grid_search(search(more)) end

local function cell(more)
  more.learner, more.splits = cf.learner("knn"), cf.split(folds, iris)
  return cf.run { more }
end

local function learning_curve(more)
  more.data, more.learners, more.metrics, more.trials = iris, "knn", "accuracy", 2
  return cf.learning_curve(more)
end

local function read(more) return cf.read(data_folder .. "/iris.csv", more) end

local function curve(kind, more)
  more.truth, more.scores = { true, false }, { 1, 2 }
  return cf.curve(kind, more)
end

local function result_curve(more)
  more.learner = "knn"
  local kind = more.binning and "calibration" or "roc"
  return compared:curve(kind, more)
end

local curve_of = cases.objects().LearningCurve

-- By class and option, or by function and argument, a call with the word; or some of them, each of which
-- may know some of the words. "[]" stands for the values of a table.
local calls = {
  ["AdjustPOptions.method"] = with(function(o) return cf.stats.adjust_p({ 0.1, 0.2 }, o) end, "method"),
  ["AccuracyIntervalOptions.method"] = with(cf.stats.accuracy_interval, "method", { correct = 3, n = 4 }),
  ["BaggingOptions.vote"] = {
    with(cf.bagging, "vote", { learner = "knn", n = 2 }),
  },
  ["BiasVarianceOptions.loss"] = with(cf.bias_variance, "loss",
    { data = iris, learners = "knn", rounds = 2 }),
  ["BiasVarianceOptions.method"] = with(cf.bias_variance, "method",
    { data = iris, learners = "knn", rounds = 2 }),
  ["BiasVariancePartsOptions.loss"] = with(cf.stats.bias_variance, "loss",
    { truth = two, predictions = { two, two } }),
  ["BiasVariancePlotOptions.method"] = {
    with(function(o) return cf.plot.bias_variance(of_classes, o) end, "method"),
    with(function(o) return cf.plot.bias_variance(of_numbers, o) end, "method"),
  },
  ["Bootstrap632Options.loss"] = with(cf.bootstrap_632, "loss", { data = iris, learner = "knn", repeats = 2 }),
  ["Bootstrap632Options.method"] = with(cf.bootstrap_632, "method",
    { data = iris, learner = "knn", repeats = 2 }),
  ["BootstrapIntervalOptions.method"] = with(function(o)
    return cf.stats.bootstrap_interval(two, o)
  end, "method"),
  ["BootstrapIntervalOptions.statistic"] = with(function(o)
    return cf.stats.bootstrap_interval(two, o)
  end, "statistic"),
  ["CalibrationOptions.method"] = with(cf.calibration, "method"),
  ["Cell.isolate"] = with(cell, "isolate"),
  ["Cell.keep"] = with(cell, "keep"),
  ["ColumnOptions.type"] = function(word)
    return cf.dataset { columns = { { name = "x", values = { "a" }, type = word } } }
  end,
  ["CompareOptions.adjust"] = with(function(o) return cf.compare(compared, o) end, "adjust"),
  ["CompareOptions.test"] = with(function(o) return cf.compare(compared, o) end, "test"),
  ["CriticalDifferenceOptions.method"] = with(cf.stats.critical_difference, "method",
    { learners = 3, datasets = 10 }),
  ["CrossPredictOptions.keep"] = with(cf.cross_predict, "keep",
    { data = iris, learner = "knn", splitter = folds }),
  ["CurveOptions.binning"] = with(function(o) return curve("calibration", o) end, "binning"),
  ["CurveOptions.points"] = with(function(o) return curve("roc", o) end, "points"),
  ["CurvePlotOptions.aggregation"] = with(function(o) return cf.plot.roc(compared, o) end, "aggregation"),
  ["EvaluateOptions.keep"] = with(evaluate, "keep"),
  ["EvaluateOptions.on_error"] = with(evaluate, "on_error"),
  ["PlaceOptions.on_store_error"] = with(evaluate, "on_store_error"),
  ["ExecutionOptions.isolate"] = with(function(o) return cf.run({}, o) end, "isolate"),
  ["GridSearchOptions.inactive"] = with(grid_search, "inactive", { grid = { k = { 1 } } }),
  ["HalvingSearchOptions.inactive"] = with(function(o) return cf.halving_search(search(o)) end, "inactive",
    { grid = { k = { 1, 3 } }, min_resource = 0.5 }),
  ["HalvingSearchOptions.space[]"] = function(word)
    return cf.halving_search(search { space = { k = word }, min_resource = 0.5 })
  end,
  ["LearnersExecutionOptions.isolate"] = with(evaluate, "isolate"),
  ["LearnersExecutionOptions.isolate[]"] = function(word) return evaluate { isolate = { knn = word } } end,
  ["LearningCurveOptions.keep"] = with(learning_curve, "keep", { sizes = { 20, 40 } }),
  ["LearningCurveOptions.on_error"] = with(learning_curve, "on_error", { sizes = { 20, 40 } }),
  ["LearningCurveOptions.schedule"] = with(learning_curve, "schedule"),
  ["LearningCurveFitOptions.weights"] = with(function(o) return curve_of:fit("knn", o) end, "weights"),
  ["LearningCurvePlotOptions.scale"] = with(function(o) return cf.plot.learning_curve(curve_of, o) end,
    "scale"),
  ["LearningCurveSummaryOptions.correction"] = with(function(o) return curve_of:summary(o) end,
    "correction"),
  ["LuaMetric.direction"] = with(cf.metric, "direction", { name = "m", score = print }),
  ["LuaParameter.scale"] = function(word)
    return cf.learner { fit = print, predict = print, params = { k = { type = "real", default = 1, scale = word } } }
  end,
  ["LuaParameter.type"] = function(word)
    return cf.learner { fit = print, predict = print, params = { k = { type = word, default = 1 } } }
  end,
  ["McnemarOptions.method"] = with(cf.stats.mcnemar, "method", { only_first = 3, only_second = 9 }),
  ["NoInformationErrorOptions.loss"] = with(cf.stats.no_information_error, "loss",
    { truth = two, predictions = two }),
  ["PowerDesign.test"] = with(cf.stats.power, "test", { rows = 100, difference = 0.1 }),
  ["PowerLawOptions.weights"] = with(cf.stats.power_law, "weights",
    { n = { 10, 20, 40, 80 }, errors = { 0.4, 0.3, 0.25, 0.2 } }),
  ["RaceSearchOptions.inactive"] = with(function(o) return cf.race_search(search(o)) end, "inactive",
    { grid = { k = { 1, 3 } } }),
  ["RaceSearchOptions.space[]"] = function(word) return cf.race_search(search { space = { k = word } }) end,
  ["RandomSearchOptions.space[]"] = function(word)
    return cf.random_search(search { space = { k = word } })
  end,
  ["Range.scale"] = function(word)
    return cf.random_search(search { space = { k = { low = 1, high = 5, scale = word } } })
  end,
  ["ReadOptions.encoding"] = with(read, "encoding"),
  ["ReadOptions.format"] = with(read, "format"),
  ["ReadOptions.task"] = with(read, "task", { format = "libsvm" }),
  ["ReadOptions.types[]"] = function(word) return read { types = { ["sepal length (cm)"] = word } } end,
  ["ResultCurveOptions.aggregation"] = with(result_curve, "aggregation"),
  ["ResultCurveOptions.binning"] = with(result_curve, "binning"),
  ["ResultCurveOptions.interval"] = with(result_curve, "interval", { aggregation = "vertical" }),
  ["ResultCurveOptions.points"] = with(result_curve, "points"),
  ["SearchOptions.choose"] = with(grid_search, "choose", { grid = { k = { 1 } } }),
  ["SearchOptions.simplest[]"] = function(word)
    return grid_search { grid = { k = { 1 } }, choose = "one_se", simplest = { k = word } }
  end,
  ["SignTestOptions.ties"] = with(function(o) return cf.stats.sign_test(two, o) end, "ties"),
  ["ThresholdOptions.costs"] = with(cf.threshold, "costs"),
  ["ThresholdOptions.metric"] = with(cf.threshold, "metric"),
  ["VotingOptions.vote"] = with(cf.voting, "vote", { learners = { "knn", "naive_bayes" } }),
  ["WilcoxonOptions.method"] = with(function(o) return cf.stats.wilcoxon(two, o) end, "method"),
  ["WilcoxonOptions.zeros"] = with(function(o) return cf.stats.wilcoxon(two, o) end, "zeros"),
  ["cf.curve kind"] = function(word) return curve(word, {}) end,
  ["cf.plot.applicable name"] = function(word) return cf.plot.applicable(word, compared) end,
  ["Audit:passed severity"] = function(word) return cases.objects().Audit:passed(word) end,
  ["Result:curve kind"] = function(word) return compared:curve(word, { learner = "knn" }) end,
}

local function sorted_keys(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- Words that a type takes, and those of the values of a table in it, under `where` and `where[]`.
local function add_words(unions, where, members)
  unions[where] = defined:words(members)
  for _, member in ipairs(defined:expanded(members)) do
    local values = member:match("^table<[%w|]+, (.*)>$")
    if values then unions[where .. "[]"] = defined:words(definitions.type(values)) end
  end
end

-- All unions of words in options and arguments: { ["Class.option"] = sorted words }.
local function unions()
  local all = {}
  for name, class in pairs(defined.classes) do
    for field, of_field in pairs(class.exact and class.fields or {}) do
      add_words(all, ("%s.%s"):format(name:gsub("^crossfold%.", ""), field), of_field.type)
    end
  end
  for name, f in pairs(defined.functions) do
    for _, parameter in ipairs(f.parameters) do
      add_words(all, name .. " " .. parameter.name, parameter.type)
    end
  end
  return all
end

-- The words that a message lists, sorted; nil if it does not refuse this word.
local function listed(message, word)
  local list = message:find(("'%s'"):format(word), 1, true)
    and (message:match("is none of ([^;\n]+)") or message:match("known: ([^;\n]+)"))
  local words = {}
  for one in (list or ""):gmatch("[^%s,]+") do words[#words + 1] = one end
  -- Beside a table the words stand in quotes.
  if message:find(" must be ", 1, true) or message:find(" is no matrix", 1, true) then
    for one in message:gmatch('"([%w_]+)"') do words[#words + 1] = one end
  end
  table.sort(words)
  return words[1] and words
end

local function message_of(call, word)
  local ok, problem = pcall(call, word)
  return ok and "" or tostring(problem)
end

local function calls_of(where)
  local of_where = calls[where]
  return type(of_where) == "table" and of_where or { of_where }
end

TestMetaWords = {}

function TestMetaWords:test_every_union_of_words_has_a_call_and_every_call_a_union()
  lu.assertEquals(sorted_keys(unions()), sorted_keys(calls))
end

function TestMetaWords:test_every_word_is_taken()
  for where, words in pairs(unions()) do
    for _, word in ipairs(words) do
      local taken, message = false, ""
      for _, call in ipairs(calls_of(where)) do
        message = message_of(call, word)
        taken = taken or listed(message, word) == nil
      end
      lu.assertTrue(taken, ("%s = '%s': %s"):format(where, word, message))
    end
  end
end

function TestMetaWords:test_another_word_is_refused_with_these()
  for where, words in pairs(unions()) do
    local all, message = {}, ""
    for _, call in ipairs(calls_of(where)) do
      message = message_of(call, "nosuchword")
      for _, word in ipairs(listed(message, "nosuchword") or {}) do all[word] = true end
    end
    lu.assertEquals(sorted_keys(all), words, where .. ": " .. message)
  end
end
