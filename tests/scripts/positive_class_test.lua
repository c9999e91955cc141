-- The order of classes is the same however the data come, and the positive class is a role of the data.
local lu = require "luaunit"
local cf = require "crossfold"
local native = require "crossfold.native"
local fixtures = require "fixtures"

local message = fixtures.message

local function write(name, text)
  local path = fixtures.new_store() .. name
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end

-- Columns of 40 rows; the class is `first` where x is large, but for some rows.
local function columns(first, second)
  local x, y = {}, {}
  for i = 1, 40 do
    x[i] = i * 17 % 41 + 0.5
    y[i] = (x[i] + i % 7 * 5) > 30 and first or second
  end
  return x, y
end

local function dataset(first, second, roles)
  local x, y = columns(first, second)
  return cf.dataset(fixtures.with({ name = "d", target = "y",
    columns = { { name = "x", values = x }, { name = "y", values = y, type = "categorical" } } }, roles))
end

TestClassOrder = {}

-- The same labels as text, in a file, and as numbers.
local function doors(labels)
  local rows, x, values = { "x,y" }, {}, {}
  for i = 1, 24 do
    x[i], values[i] = i * 7 % 11, labels[i % #labels + 1]
    rows[i + 1] = ("%d,%s"):format(x[i], values[i])
  end
  local text = table.concat(rows, "\n") .. "\n"
  local csv = write(".csv", text)
  local arff = write(".arff", "@relation d\n@attribute x numeric\n@attribute y string\n@data\n"
    .. text:gsub("^[^\n]*\n", ""))
  local made = {
    csv = cf.read(csv, { target = "y", types = { y = "categorical" } }),
    arff = cf.read(arff, { target = "y", types = { y = "categorical" } }),
    dataset = cf.dataset { target = "y", columns = { { name = "x", values = x }, { name = "y", values = values } } },
  }
  os.remove(csv)
  os.remove(arff)
  return made
end

function TestClassOrder:test_labels_have_one_order_through_every_door()
  for _, case in ipairs {
    { { "10", "2" }, { "2", "10" } },
    { { "10", "2", "x" }, { "10", "2", "x" } },
    { { "01", "1", "1.0", "-1", "1e1" }, { "-1", "01", "1", "1.0", "1e1" } },
    { { "nan", "10", "2" }, { "10", "2", "nan" } },
    { { "9007199254740993", "9007199254740992", "3" }, { "3", "9007199254740992", "9007199254740993" } },
  } do
    for door, data in pairs(doors(case[1])) do lu.assertEquals(data:classes(), case[2], door) end
    lu.assertEquals(native.order_levels(case[1]), case[2])
  end
end

function TestClassOrder:test_numbers_and_booleans_in_lists_are_ordered_as_their_names()
  local function classes(values, type)
    return cf.dataset { target = "y", columns = { { name = "y", values = values, type = type } } }:classes()
  end
  lu.assertEquals(classes({ 10, 2, 2 }, "categorical"), { "2", "10" })
  lu.assertEquals(classes({ 2.5, -1.0, 10 }, "categorical"), { "-1", "2.5", "10" })
  lu.assertEquals(classes({ true, false }), { "false", "true" })
  -- Equal as floating-point numbers, and yet two classes.
  lu.assertEquals(classes({ 9007199254740993, 9007199254740992 }, "categorical"),
    { "9007199254740992", "9007199254740993" })
end

function TestClassOrder:test_metrics_curves_and_statistics_of_lists_have_it_too()
  local truth, predicted = { "2", "2", "2", "10", "10" }, { "2", "2", "10", "10", "10" }
  -- Recall of "10", the second: 2 of 2; of "2" it would be 2 of 3.
  lu.assertEquals(cf.score { truth = truth, predicted = predicted, metrics = "recall" }.recall, 1)
  lu.assertEquals(cf.curve("roc", { truth = truth, scores = { 1, 2, 3, 4, 5 } }).positive, "10")
end

function TestClassOrder:test_recall_is_the_same_through_every_door()
  local found = {}
  for _, data in pairs(doors { "10", "2" }) do
    local splitter = cf.splitter("kfold", { folds = 4 })
    found[#found + 1] = cf.evaluate { data = data, learners = { "knn" }, splitter = splitter, metrics = "recall",
      seed = 3 }:pooled()[1].value
  end
  lu.assertEquals(#found, 3)
  lu.assertEquals(found, fixtures.repeated(found[1], 3))
end

TestPositiveClass = {}

function TestPositiveClass:test_it_is_a_role_of_the_data()
  local data = dataset("bad", "good", { positive = "bad" })
  lu.assertEquals(data:roles().positive, "bad")
  lu.assertEquals(data:select { 1, 2, 3 }:roles().positive, "bad")
  lu.assertNil(data:with_roles { positive = false }:roles().positive)
  lu.assertNil(data:with_roles { target = "x" }:roles().positive)
  lu.assertEquals(dataset("bad", "good"):with_roles { positive = "good" }:roles().positive, "good")
  lu.assertEquals(data:hash(), dataset("bad", "good"):hash())
  lu.assertEquals(message(dataset, "bad", "good", { positive = "bda" }),
    "cannot make dataset 'd': positive = 'bda' is not a class; did you mean 'bad'? known: bad, good")
  local x = columns("a", "b")
  lu.assertEquals(message(cf.dataset, { target = "x", columns = { { name = "x", values = x } }, positive = "1" }),
    "cannot make dataset 'dataset': positive = '1' needs classes, and target 'x' is numeric; read it with types = { x "
    .. "= \"categorical\" }")
end

-- Every bundled metric of two classes that declares a positive class, and what it needs.
local function metrics_of_one_class()
  local found = {}
  for _, id in ipairs { "precision", "recall", "specificity", "false_positive_rate", "f_beta", "f1", "jaccard",
    "positive_likelihood_ratio", "negative_likelihood_ratio", "youden_j", "roc_auc", "gini", "average_precision",
    "pr_auc", "equal_error_rate", "lift" } do
    found[#found + 1] = cf.metric(id)
  end
  found[#found + 1] = cf.metric("expected_calibration_error", { of = "positive" })
  return found
end

-- Not stratified, because those depend on the order of the classes.
local folds = cf.splitter("kfold", { folds = 3 })

function TestPositiveClass:test_every_metric_of_the_first_class_is_that_of_swapped_labels()
  local metrics = metrics_of_one_class()
  local function pooled(data)
    local values = {}
    for _, row in ipairs(cf.evaluate { data = data, learners = { "naive_bayes" }, splitter = folds, metrics = metrics,
      keep = "probabilities", seed = 5 }:pooled()) do values[row.metric] = row.value end
    return values
  end
  -- "a" is the first class; under the name "c" it would be the second.
  local given, swapped, second = pooled(dataset("a", "b", { positive = "a" })), pooled(dataset("c", "b")),
    pooled(dataset("a", "b"))
  local differ = 0
  for name, value in pairs(swapped) do
    lu.assertAlmostEquals(given[name], value, 1e-12, name)
    if math.abs(second[name] - value) > 1e-6 then differ = differ + 1 end
  end
  lu.assertTrue(differ >= 9, differ)
end

function TestPositiveClass:test_scores_of_folds_of_searches_and_of_worker_processes_are_of_it()
  local data, plain = dataset("a", "b", { positive = "a" }), dataset("a", "b")
  local named = cf.metric("recall", { positive = "a" })
  for _, isolate in ipairs { "none", "worker" } do
    local function means(of, metric)
      local list = {}
      for _, row in ipairs(cf.evaluate { data = of, learners = { "naive_bayes" }, splitter = folds, metrics = metric,
        isolate = isolate, seed = 5 }:scores()) do list[#list + 1] = row.value end
      return list
    end
    lu.assertEquals(means(data, "recall"), means(plain, named))
    -- The parameter counts more than the data.
    lu.assertEquals(means(data, cf.metric("recall", { positive = "b" })), means(plain, "recall"))
  end
  local function chosen(of, metric)
    local search = cf.grid_search { learner = "knn", grid = { k = { 1, 3, 5, 9, 15 } }, splitter = folds,
      metric = metric }
    local list = {}
    for i, row in ipairs((select(2, search:fit(of, { seed = 4 }))).inner) do list[i] = row.mean end
    lu.assertEquals(#list, 5)
    return list
  end
  lu.assertEquals(chosen(data, "specificity"), chosen(plain, cf.metric("specificity", { positive = "a" })))
end

function TestPositiveClass:test_thresholds_and_curves_are_of_it()
  local data, plain = dataset("a", "b", { positive = "a" }), dataset("a", "b")
  local function threshold(of, positive)
    local detail = cf.pipeline { "naive_bayes", cf.threshold { metric = "f1", positive = positive, splitter = folds } }
      :fit(of, { seed = 2 }).detail
    return { detail.positive, detail.threshold, detail.value }
  end
  lu.assertEquals(threshold(data)[1], "a")
  lu.assertEquals(threshold(data), threshold(plain, "a"))
  local function curve(of, positive)
    local drawn = cf.evaluate { data = of, learners = { "naive_bayes" }, splitter = folds, metrics = "log_loss",
      keep = "probabilities", seed = 2 }:curve("precision_recall", { positive = positive })
    return { drawn.positive, drawn:rows() }
  end
  lu.assertEquals(curve(data), curve(plain, "a"))
  lu.assertEquals(curve(data, "b"), curve(plain))
end

function TestPositiveClass:test_tables_and_rows_name_the_class()
  local function evaluated(roles, metrics)
    return cf.evaluate { data = dataset("bad", "good", roles), learners = { "naive_bayes", "knn" }, splitter = folds,
      metrics = metrics, seed = 5 }
  end
  local result = evaluated({ positive = "bad" }, { "accuracy", "f1", "recall" })
  lu.assertStrContains(tostring(result), "f1 (bad)")
  lu.assertNotStrContains(tostring(result), "second class in order")
  lu.assertEquals(result:scores()[2].metric, "f1")
  lu.assertEquals({ result:scores()[1].positive, result:scores()[2].positive }, { nil, "bad" })
  lu.assertStrContains(result:to { csv = true }, "\nd,naive_bayes,1,1,f1,")
  lu.assertStrContains(result:to { csv = true }, "value,undefined,positive")
  lu.assertStrContains(result:to { latex = true }, "recall (bad)")
  lu.assertStrContains(tostring(cf.compare(result, { metric = "f1" })), "f1 (bad)")
  local plain = tostring(evaluated(nil, { "accuracy", "f1", "recall" }))
  lu.assertStrContains(plain, "(f1 (good), recall (good) are of the second class in order; give the data positive = "
    .. "\"bad\" if you mean the other one)")
  lu.assertNotStrContains(tostring(evaluated(nil, { "accuracy", "roc_auc", "matthews_correlation" })), "(good)")
end

function TestPositiveClass:test_a_metric_in_lua_gets_the_class()
  local hits = cf.metric { name = "hits", direction = "higher", positive = true, score = function(truth, predicted,
    info)
    local n = 0
    for i, class in ipairs(truth) do n = n + (class == info.positive and predicted[i] == class and 1 or 0) end
    return n
  end }
  local result = cf.evaluate { data = dataset("a", "b", { positive = "a" }), learners = { "naive_bayes" },
    splitter = folds, metrics = { hits, "recall" }, seed = 5 }
  lu.assertStrContains(tostring(result), "hits (a)")
  lu.assertEquals(result:pooled()[1].value, result:confusion("naive_bayes").counts[1][1])
end

function TestPositiveClass:test_another_class_refits_nothing_and_the_store_knows_both()
  local path = fixtures.new_store()
  local plain, given = dataset("a", "b"), dataset("a", "b", { positive = "a" })
  local function run(data)
    return cf.evaluate { data = data, learners = { "naive_bayes" }, splitter = folds, store = path, seed = 5,
      metrics = { "recall", "accuracy" }, keep = "probabilities" }
  end
  local first, second = run(plain), run(given)
  lu.assertEquals(cf.store_status(path).cells, 3)
  lu.assertNotEquals(first:summary()[1].mean, second:summary()[1].mean)
  local stored = cf.stored { store = path }.results
  for r, live in ipairs { first, second } do
    lu.assertEquals(stored[r]:summary()[1].mean, live:summary()[1].mean)
    lu.assertEquals(stored[r]:pooled(), live:pooled())
    lu.assertEquals(tostring(stored[r]), tostring(live))
  end
  -- One run: its last word on the data counts.
  for i, row in ipairs(cf.rescore { store = path, metrics = { "recall" } }:scores()) do
    lu.assertEquals(row.value, second:scores()[2 * i - 1].value)
  end
  local other = cf.evaluate { data = given, learners = { "knn" }, splitter = folds, metrics = { "recall", "accuracy" },
    seed = 5 }
  lu.assertStrContains(message(cf.compare, { first, other }, { metric = "recall" }),
    "is of class 'b', that of 'knn' of class 'a'")
  fixtures.remove_store(path)
end
