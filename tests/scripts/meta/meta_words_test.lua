-- Where a function checks itself whether an option is one of the declared names, it takes each of them, and refuses
-- any other word with a message that lists exactly these.
local lu = require "luaunit"
local cf = require "crossfold"
local cases = require "meta_cases"
local fixtures = require "fixtures"
local options = require "crossfold.options"

options.load_all()

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
    return f(fixtures.with({ [name] = word }, rest))
  end
end

local function evaluation(more)
  more.data, more.splitter, more.metrics = iris, folds, "accuracy"
  more.learners = more.learners or "knn"
  return more
end

local function evaluate(more) return cf.evaluate(evaluation(more)) end

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
  more.truth, more.scores = { true, false }, { 0.5, 1 }
  return cf.curve(kind, more)
end

local function result_curve(more)
  more.learner = "knn"
  local kind = more.binning and "calibration" or (more.band or more.score) and "reliability" or "roc"
  return compared:curve(kind, more)
end

local function bootstrap_interval(more) return cf.stats.bootstrap_interval(two, more) end

local curve_of = cases.objects().LearningCurve

-- By declaration and option, a call with the word; or some of them, each of which may know some of the words.
local calls = {
  ["Cell.keep"] = with(cell, "keep"),
  ["ColumnOptions.type"] = function(word)
    return cf.dataset { columns = { { name = "x", values = { "a" }, type = word } } }
  end,
  ["Result:curve.band"] = with(result_curve, "band"),
  ["Result:curve.binning"] = with(result_curve, "binning"),
  ["Result:curve.interval"] = with(result_curve, "interval", { aggregation = "vertical" }),
  ["Result:curve.points"] = with(result_curve, "points"),
  ["compare.bayes"] = with(function(o) return cf.compare(compared, o) end, "bayes"),
  ["Result:curve.score"] = with(result_curve, "score"),
  ["compare.test"] = with(function(o) return cf.compare(compared, o) end, "test"),
  ["curve.band"] = with(function(o) return curve("reliability", o) end, "band"),
  ["curve.binning"] = with(function(o) return curve("calibration", o) end, "binning"),
  ["curve.points"] = with(function(o) return curve("roc", o) end, "points"),
  ["curve.score"] = with(function(o) return curve("reliability", o) end, "score"),
  ["evaluate.on_error"] = with(evaluate, "on_error"),
  ["learning_curve.on_error"] = with(learning_curve, "on_error", { sizes = { 20, 40 } }),
  ["learning_curve.schedule"] = with(learning_curve, "schedule"),
  ["metric.direction"] = with(cf.metric, "direction", { name = "m", score = print }),
  ["plot.bias_variance.method"] = {
    with(function(o) return cf.plot.bias_variance(of_classes, o) end, "method"),
    with(function(o) return cf.plot.bias_variance(of_numbers, o) end, "method"),
  },
  ["plot.learning_curve.scale"] = with(function(o) return cf.plot.learning_curve(curve_of, o) end, "scale"),
  ["read.duplicate_names"] = with(read, "duplicate_names"),
  ["read.encoding"] = with(read, "encoding"),
  ["read.format"] = with(read, "format"),
  ["read.ragged"] = with(read, "ragged"),
  ["read.task"] = with(read, "task", { format = "libsvm" }),
  ["stats.accuracy_interval.method"] = with(cf.stats.accuracy_interval, "method", { correct = 3, n = 4 }),
  ["stats.adjust_p.method"] = with(function(o) return cf.stats.adjust_p({ 0.1, 0.2 }, o) end, "method"),
  ["stats.bayes_hierarchical.prior"] = with(function(o) return cf.stats.bayes_hierarchical({ two }, o) end, "prior"),
  ["stats.bias_variance.loss"] = with(cf.stats.bias_variance, "loss", { truth = two, predictions = { two, two } }),
  ["stats.bootstrap_interval.method"] = with(bootstrap_interval, "method"),
  ["stats.bootstrap_interval.statistic"] = with(bootstrap_interval, "statistic"),
  ["stats.critical_difference.method"] = with(cf.stats.critical_difference, "method",
    { learners = 3, datasets = 10 }),
  ["stats.mcnemar.method"] = with(cf.stats.mcnemar, "method", { only_first = 3, only_second = 9 }),
  ["stats.no_information_error.loss"] = with(cf.stats.no_information_error, "loss",
    { truth = two, predictions = two }),
  ["stats.sign_test.ties"] = with(function(o) return cf.stats.sign_test(two, o) end, "ties"),
  ["stats.wilcoxon.method"] = with(function(o) return cf.stats.wilcoxon(two, o) end, "method"),
  ["stats.wilcoxon.zeros"] = with(function(o) return cf.stats.wilcoxon(two, o) end, "zeros"),
  ["threshold.costs"] = with(cf.threshold, "costs"),
  ["threshold.metric"] = with(cf.threshold, "metric"),
}
for _, name in ipairs { "power", "detectable_difference", "rows_needed" } do
  calls[("stats.%s.test"):format(name)] = with(cf.stats[name], "test",
    { rows = name ~= "rows_needed" and 100 or nil, difference = name ~= "detectable_difference" and 0.1 or nil })
end
for _, name in ipairs { "calibration", "cost", "decision", "det", "lift", "precision_recall", "reliability", "roc" } do
  calls[("plot.%s.aggregation"):format(name)] = {
    with(function(o) return cf.plot[name](compared, o) end, "aggregation"),
    with(function(o) return cf.plot.roc(compared, o) end, "aggregation"),
  }
end

-- Calls with the first argument that is one of some words.
local argument_calls = {
  [":curve"] = function(word) return compared:curve(word, { learner = "knn" }) end,
  [":passed"] = function(word) return cases.objects().Audit:passed(word) end,
  curve = function(word) return curve(word, {}) end,
  ["plot.applicable"] = function(word) return cf.plot.applicable(word, compared) end,
}

-- All lists of words with their calls: { ["declaration.option"] = { words =, calls = } }.
local function lists()
  local all = {}
  for name in pairs(options.declarations) do
    for option, one in pairs(options.declaration(name)) do
      local where = name .. "." .. option
      local of_where = calls[where]
      if one.names then
        all[where] = { words = one.names, calls = type(of_where) == "table" and of_where or { of_where } }
      end
    end
  end
  for name, words in pairs(options.arguments) do
    all[name .. " argument"] = { words = words, calls = { argument_calls[name] } }
  end
  return all
end

-- The words that a message lists, sorted; nil if it does not refuse this word.
local function listed(message, word)
  local list = message:find(("'%s'"):format(word), 1, true)
    and (message:match("is not one of ([^;\n]+)") or message:match("known: ([^;\n]+)"))
  local words = {}
  for one in (list or ""):gmatch("[^%s,]+") do words[#words + 1] = one end
  -- Beside a table the words stand in quotes.
  if message:find(" must be ", 1, true) or message:find(" is not a matrix", 1, true) then
    for one in message:gmatch('"([%w_]+)"') do words[#words + 1] = one end
  end
  table.sort(words)
  return words[1] and words
end

local function message_of(call, word)
  local ok, problem = pcall(call, word)
  return ok and "" or tostring(problem)
end

TestMetaWords = {}

function TestMetaWords:test_every_list_of_names_has_a_call_and_every_call_a_list()
  for where, list in pairs(lists()) do lu.assertNotNil(list.calls[1], where) end
  for where in pairs(calls) do lu.assertNotNil(lists()[where], where) end
end

function TestMetaWords:test_every_word_is_taken()
  for where, list in pairs(lists()) do
    for _, word in ipairs(list.words) do
      local taken, message = false, ""
      for _, call in ipairs(list.calls) do
        message = message_of(call, word)
        taken = taken or listed(message, word) == nil
      end
      lu.assertTrue(taken, ("%s = '%s': %s"):format(where, word, message))
    end
  end
end

function TestMetaWords:test_another_word_is_refused_with_these()
  for where, list in pairs(lists()) do
    local all, message, words = {}, "", {}
    for _, call in ipairs(list.calls) do
      message = message_of(call, "nosuchword")
      for _, word in ipairs(listed(message, "nosuchword") or {}) do all[word] = true end
    end
    for _, word in ipairs(list.words) do words[word] = true end
    lu.assertEquals(fixtures.sorted_keys(all), fixtures.sorted_keys(words), where .. ": " .. message)
  end
end
