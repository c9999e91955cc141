local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestBiasVariance = {}

local function decompose(changes)
  return cf.bias_variance(fixtures.with({ data = fixtures.iris(),
    learners = { tree = "decision_tree", bayes = "naive_bayes" }, rounds = 20, seed = 5 }, changes))
end

local function uniform(...) return ((cf.seed(...) >> 11) + 0.5) * 2.0 ^ -53 end

-- A number that depends on x and w, with noise.
local function numbers(n)
  local x, w, y = {}, {}, {}
  for i = 1, n do
    x[i], w[i] = uniform(1, i), uniform(2, i)
    y[i] = math.sin(6 * x[i]) + w[i] + uniform(3, i) / 2
  end
  return cf.dataset { name = "numbers", target = "y", columns = {
    { name = "x", values = x }, { name = "w", values = w }, { name = "y", values = y } } }
end

-- Class "in" right of x = 0.5, except for the rows with z > 0.75, where it is the other way round; every
-- tenth row has the wrong class.
local function flipped(n)
  local x, z, y = {}, {}, {}
  for i = 1, n do
    x[i], z[i] = uniform(1, i), uniform(2, i)
    local inside = (x[i] > 0.5) ~= (z[i] > 0.75)
    y[i] = inside ~= (i % 10 == 0) and "in" or "out"
  end
  return cf.dataset { name = "flipped", target = "y", columns = {
    { name = "x", values = x }, { name = "z", values = z }, { name = "y", values = y } } }
end

-- Four groups of six rows.
local function grouped()
  local x, y, group = {}, {}, {}
  for i = 1, 24 do
    x[i], y[i], group[i] = i, i % 2 == 0 and "even" or "odd", "g" .. (i - 1) // 6
  end
  return cf.dataset { name = "grouped", target = "y", groups = "group", columns = {
    { name = "x", values = x }, { name = "y", values = y }, { name = "group", values = group } } }
end

-- Says always the same, and notes the row ids of each training set and their classes.
local function recorder(seen)
  return cf.learner {
    name = "recorder",
    fit = function(data)
      seen[#seen + 1] = { ids = data:row_ids(), target = data:target() }
      return data:target()[1]
    end,
    predict = function(first, rows) return fixtures.repeated(first, #rows) end,
  }
end

-- Raises in the fits number `from` to `to`.
local function failing(from, to)
  local fits = 0
  return cf.learner {
    name = "failing",
    fit = function(data)
      fits = fits + 1
      if fits >= from and fits <= to then error("no fit today", 0) end
      return data:target()[1]
    end,
    predict = function(first, rows) return fixtures.repeated(first, #rows) end,
  }
end

function TestBiasVariance:test_the_parts_add_up_to_the_mean_error_of_the_models()
  local found = decompose()
  local means = found:evaluated():summary()
  for i, row in ipairs(found:rows()) do
    lu.assertEquals(row.learner, means[i].learner)
    lu.assertTrue(row.error > 0)
    lu.assertAlmostEquals(row.error, means[i].mean, 1e-15)
    for _, parts in ipairs { row.kohavi_wolpert, row.kohavi_wolpert_unbiased } do
      lu.assertAlmostEquals(parts.squared_bias + parts.variance, row.error, 1e-15)
    end
    lu.assertAlmostEquals(row.domingos.bias + row.domingos.net, row.error, 1e-15)
    lu.assertEquals({ row.training_sets, row.rounds, row.train_rows, row.test_rows },
      { 20, 20, 50, 50 })
  end
end

function TestBiasVariance:test_the_parts_of_the_squared_loss_add_up()
  local found = decompose { data = numbers(60), learners = { tree = "decision_tree", ridge = "ridge" } }
  local means = found:evaluated():summary()
  for i, row in ipairs(found:rows()) do
    lu.assertEquals(row.loss, "squared")
    lu.assertAlmostEquals(row.error, means[i].mean, 1e-15)
    lu.assertAlmostEquals(row.squared_bias + row.variance, row.error, 1e-15)
    lu.assertNil(row.domingos)
  end
end

-- What the functions of cf.stats say about the same predictions.
function TestBiasVariance:test_the_figures_are_those_of_the_formulas()
  local found = decompose { learners = { tree = "decision_tree" } }
  local truth, predictions = {}, {}
  for _, row in ipairs(found:evaluated():predictions()) do
    predictions[row.fold] = predictions[row.fold] or {}
    table.insert(predictions[row.fold], row.predicted)
    if row.fold == 1 then truth[#truth + 1] = row.truth end
  end
  local expected = cf.stats.bias_variance { truth = truth, predictions = predictions }
  local row = found:rows()[1]
  lu.assertEquals(row.kohavi_wolpert, expected.kohavi_wolpert)
  lu.assertEquals(row.domingos, expected.domingos)
end

function TestBiasVariance:test_the_rows_average_to_the_parts()
  local found = decompose { learners = { tree = "decision_tree" } }
  local sums = { error = 0, net_variance = 0, squared_bias = 0, spread = 0, biased = 0 }
  local rows = found:per_row()
  for _, row in ipairs(rows) do
    for key, sum in pairs(sums) do
      local value = row[key]
      if key == "biased" then value = value and 1 or 0 end
      sums[key] = sum + value
    end
  end
  local whole = found:rows()[1]
  lu.assertEquals(#rows, 50)
  lu.assertAlmostEquals(sums.error / 50, whole.error, 1e-14)
  lu.assertAlmostEquals(sums.biased / 50, whole.domingos.bias, 1e-14)
  lu.assertAlmostEquals(sums.net_variance / 50, whole.domingos.net, 1e-14)
  lu.assertAlmostEquals(sums.squared_bias / 50, whole.kohavi_wolpert.squared_bias, 1e-14)
  lu.assertAlmostEquals(sums.spread / 50, whole.kohavi_wolpert.variance, 1e-14)
end

function TestBiasVariance:test_a_row_tells_its_id_its_class_and_the_main_prediction()
  local data = fixtures.iris()
  local target = data:target()
  for _, row in ipairs(decompose { learners = { tree = "decision_tree" }, data = data }:per_row("tree")) do
    lu.assertEquals(row.truth, target[row.row])
    lu.assertEquals(row.biased, row.main ~= row.truth)
  end
end

function TestBiasVariance:test_rows_of_the_squared_loss()
  local found = decompose { data = numbers(60), learners = { tree = "decision_tree" } }
  local error_sum, variance_sum = 0, 0
  for _, row in ipairs(found:per_row()) do
    lu.assertAlmostEquals(row.squared_bias, (row.mean - row.truth) ^ 2, 1e-15)
    error_sum, variance_sum = error_sum + row.error, variance_sum + row.variance
  end
  lu.assertAlmostEquals(error_sum / 20, found:rows()[1].error, 1e-14)
  lu.assertAlmostEquals(variance_sum / 20, found:rows()[1].variance, 1e-14)
end

function TestBiasVariance:test_one_neighbour_varies_more_and_is_less_biased_than_a_stump()
  local found = decompose {
    data = flipped(150), rounds = 50,
    learners = { near = cf.learner("knn", { k = 1 }), stump = cf.learner("decision_tree", { max_depth = 1 }) },
  }
  local near, stump = table.unpack(found:rows())
  for _, method in ipairs { "kohavi_wolpert", "kohavi_wolpert_unbiased" } do
    lu.assertTrue(near[method].variance > stump[method].variance)
    lu.assertTrue(near[method].squared_bias < stump[method].squared_bias)
  end
  lu.assertTrue(near.domingos.variance > stump.domingos.variance)
  lu.assertTrue(near.domingos.bias < stump.domingos.bias)
end

function TestBiasVariance:test_the_same_bits_for_any_workers()
  local function run(workers)
    return decompose {
      learners = {
        forest = cf.learner("random_forest", { trees = 3 }),
        vote = cf.voting { learners = { "decision_tree", "naive_bayes" } },
        search = cf.grid_search { learner = "knn", grid = { k = { 1, 5 } },
          splitter = cf.splitter("kfold", { folds = 3 }), metric = "accuracy" },
      }, rounds = 4, workers = workers,
    }:to { json = true }
  end
  local one = run(1)
  lu.assertEquals(run(2), one)
  lu.assertEquals(run(7), one)
end

function TestBiasVariance:test_all_learners_see_the_same_training_sets_and_no_test_row()
  local first, second = {}, {}
  local found = decompose { learners = { a = recorder(first), b = recorder(second) }, rounds = 6 }
  local tested = {}
  for _, row in ipairs(found:per_row("a")) do tested[row.row] = true end
  lu.assertEquals(first, second)
  lu.assertEquals(#first, 6)
  for i, set in ipairs(first) do
    lu.assertEquals(#set.ids, 50)
    local known = {}
    for _, id in ipairs(set.ids) do
      lu.assertNil(tested[id])
      lu.assertNil(known[id])
      known[id] = true
    end
    if i > 1 then lu.assertNotEquals(set.ids, first[i - 1].ids) end
  end
end

local function class_counts(target)
  local counts = {}
  for _, class in ipairs(target) do counts[class] = (counts[class] or 0) + 1 end
  return counts
end

-- 50 of a pool of 100 rows with 33, 33 and 34 of the classes, or near it: 16 or 17 of each.
function TestBiasVariance:test_training_sets_keep_the_shares_of_the_classes()
  for _, replace in ipairs { false, true } do
    local sets = {}
    decompose { learners = { recorder(sets) }, rounds = 4, replace = replace }
    for _, set in ipairs(sets) do
      for _, count in pairs(class_counts(set.target)) do
        lu.assertTrue(count == 16 or count == 17)
      end
    end
  end
end

function TestBiasVariance:test_training_sets_with_replacement_repeat_rows()
  local sets = {}
  local found = decompose { learners = { recorder(sets) }, rounds = 3, replace = true,
    train_size = 150 }
  for _, set in ipairs(sets) do
    lu.assertEquals(#set.ids, 150)
    local distinct, known = 0, {}
    for _, id in ipairs(set.ids) do
      if not known[id] then distinct, known[id] = distinct + 1, true end
    end
    lu.assertTrue(distinct <= 100)
  end
  lu.assertStrContains(tostring(found),
    "3 training sets of 150 rows, drawn with replacement from 100; 50 test rows")
end

function TestBiasVariance:test_given_test_rows_are_the_test_rows()
  local iris = fixtures.iris()
  local odd, even = {}, {}
  for i = 1, 75 do odd[i], even[i] = 2 * i - 1, 2 * i end
  local found = decompose { data = iris:select(odd), test = iris:select(even), train_size = 30 }
  for i, row in ipairs(found:per_row("tree")) do lu.assertEquals(row.row, even[i]) end
  lu.assertEquals({ found:rows()[1].train_rows, found:rows()[1].test_rows }, { 30, 75 })
end

function TestBiasVariance:test_groups_are_not_torn_apart()
  for _, stratify in ipairs { false, true } do
    local data, sets = grouped(), {}
    local found = decompose { data = data, learners = { recorder(sets) }, rounds = 5,
      stratify = stratify }
    local group, tested = data:column("group"), {}
    for _, row in ipairs(found:per_row()) do tested[group[row.row]] = true end
    for _, set in ipairs(sets) do
      for _, id in ipairs(set.ids) do lu.assertNil(tested[group[id]]) end
    end
  end
end

-- Three of twelve rows are of stratum "b", of whom the test takes one and the pool keeps two of eight: one
-- of the four rows of each training set.
function TestBiasVariance:test_declared_strata_come_before_classes()
  local x, y, stratum = {}, {}, {}
  for i = 1, 12 do
    x[i], y[i], stratum[i] = i, i % 2 == 0 and "even" or "odd", i % 4 == 0 and "b" or "a"
  end
  local data, sets = cf.dataset { name = "layers", target = "y", strata = "stratum", columns = {
    { name = "x", values = x }, { name = "y", values = y }, { name = "stratum", values = stratum } } }, {}
  decompose { data = data, learners = { recorder(sets) }, rounds = 8 }
  for _, set in ipairs(sets) do
    local count = 0
    for _, id in ipairs(set.ids) do count = count + (stratum[id] == "b" and 1 or 0) end
    lu.assertEquals({ count, #set.ids }, { 1, 4 })
  end
end

function TestBiasVariance:test_a_fit_that_fails_is_counted()
  local found = decompose { learners = { failing = failing(4, 5), tree = "decision_tree" } }
  local failing_row, tree = table.unpack(found:rows())
  lu.assertEquals({ failing_row.training_sets, failing_row.rounds }, { 18, 20 })
  lu.assertEquals(tree.training_sets, 20)
  lu.assertEquals(#found:failures(), 2)
  local text = tostring(found)
  lu.assertStrContains(text, "18 of 20")
  lu.assertStrContains(text,
    "2 fits failed; the first: failing, training set 4, at fit failing: no fit today")
end

function TestBiasVariance:test_without_any_model_nothing_is_defined()
  local found = decompose { learners = { failing(1, 20) } }
  local row = found:rows()[1]
  lu.assertEquals(row.undefined, "every fit failed; the first at fit failing: no fit today")
  lu.assertNil(row.error)
  lu.assertEquals(found:per_row(), {})
  lu.assertStrContains(tostring(found), "0 of 20")
end

function TestBiasVariance:test_one_model_has_no_corrected_parts()
  local row = decompose { learners = { failing(1, 19) } }:rows()[1]
  lu.assertEquals(row.training_sets, 1)
  lu.assertEquals(row.kohavi_wolpert.variance, 0)
  lu.assertNil(row.kohavi_wolpert_unbiased.variance)
  lu.assertEquals(row.kohavi_wolpert_unbiased.undefined, "one model does not show how models vary")
end

function TestBiasVariance:test_texts_hold_the_figures()
  local found = decompose()
  local csv = found:to { csv = true }
  lu.assertEquals(csv:match("^[^\n]*"), "learner,loss,training_sets,rounds,train_rows,test_rows,error,"
    .. "kohavi_wolpert_squared_bias,kohavi_wolpert_variance,kohavi_wolpert_unbiased_squared_bias,"
    .. "kohavi_wolpert_unbiased_variance,domingos_bias,domingos_variance,domingos_unbiased,"
    .. "domingos_biased,domingos_net,undefined")
  lu.assertStrContains(found:to { json = true }, '"domingos_net"')
  local _, tables = found:to { latex = true }:gsub("\\begin{tabular}", "")
  lu.assertEquals(tables, 2)
  lu.assertEquals(decompose { method = "domingos" }:to { csv = true }:match("^[^\n]*"),
    "learner,loss,training_sets,rounds,train_rows,test_rows,error,domingos_bias,domingos_variance,"
    .. "domingos_unbiased,domingos_biased,domingos_net,undefined")
  local text = tostring(decompose { method = "kohavi_wolpert" })
  lu.assertStrContains(text, "Kohavi and Wolpert: error = bias^2 + variance")
  lu.assertNotStrContains(text, "Domingos")
end

function TestBiasVariance:test_a_result_is_not_changed_through_its_rows()
  local found = decompose()
  found:rows()[1].kohavi_wolpert.variance = 7
  found:per_row("tree")[1].error = 7
  lu.assertTrue(found:rows()[1].kohavi_wolpert.variance < 1)
  lu.assertTrue(found:per_row("tree")[1].error <= 1)
end

local function problem(changes) return fixtures.message(decompose, changes) end

function TestBiasVariance:test_sizes_out_of_range_are_refused()
  lu.assertEquals(problem { rounds = 1 }, "bias_variance: rounds = 1 is out of range; the spread of "
    .. "models needs 2 or more training sets")
  lu.assertEquals(problem { train_size = 100 }, "bias_variance: train_size = 100 leaves no choice in a "
    .. "pool of 100 rows: all training sets would be the same; use fewer rows, or replace = true")
  lu.assertEquals(problem { train_size = 0.001 }, "bias_variance: train_size = 0.001 of a pool of 100 "
    .. "rows gives training sets of 0; use at least 2 rows")
  lu.assertEquals(problem { train_size = 1 }, "bias_variance: train_size = 1 of a pool of 100 rows gives "
    .. "training sets of 1; use at least 2 rows")
  lu.assertEquals(problem { train_size = 10.5 },
    "bias_variance: train_size = 10.5 is neither a share between 0 and 1 nor a number of rows")
  lu.assertEquals(problem { test_share = 1.5 },
    "bias_variance: test_share = 1.5 is not between 0 and 1")
end

function TestBiasVariance:test_a_loss_that_does_not_fit_the_task_is_refused()
  lu.assertEquals(problem { loss = "squared" }, "bias_variance: loss = 'squared' is for numbers; the "
    .. "target of 'iris' has classes; use loss = \"zero_one\"")
  lu.assertEquals(problem { loss = "log" }, "bias_variance: loss = 'log' is not one of squared, zero_one")
  lu.assertEquals(problem { method = "webb" },
    "bias_variance: method = 'webb' is not one of domingos, kohavi_wolpert")
  lu.assertEquals(problem { data = numbers(30), learners = { tree = "decision_tree" }, method = "domingos" },
    "bias_variance: method is for the 0/1 loss; the squared loss has one decomposition; leave method out")
end

function TestBiasVariance:test_strata_that_cannot_be_kept_are_refused()
  lu.assertEquals(problem { data = numbers(30), learners = { tree = "decision_tree" }, stratify = true },
    "bias_variance: stratify = true needs classes or strata, which 'numbers' does not have")
end

function TestBiasVariance:test_test_rows_that_do_not_fit_are_refused()
  local iris, data = fixtures.iris(), grouped()
  lu.assertEquals(problem { test = iris, test_share = 0.3 },
    "bias_variance: give either 'test' or 'test_share'")
  lu.assertEquals(problem { test = fixtures.separable() }, "bias_variance: the test rows are of "
    .. "'separable', which is not the table of 'iris'; read both as one table and take the parts with "
    .. "data:select")
  lu.assertEquals(problem { data = iris, test = iris:select { 7, 9 } },
    "bias_variance: row 7 of the test rows is also in the data; leave it out")
  lu.assertEquals(problem { data = iris:select { 1, 2, 3, 4, 5 }, test = iris:select { 9, 8, 9 } },
    "bias_variance: row 9 of the test rows is also in the test rows before it; leave it out")
  lu.assertEquals(problem { data = data:select { 1, 2, 7, 8, 9, 10 }, test = data:select { 3, 13 } },
    "bias_variance: group 'g0' has rows in the data and in the test rows; keep each group on one side")
end

function TestBiasVariance:test_an_unknown_learner_has_no_rows()
  local found = decompose()
  lu.assertEquals(fixtures.message(found.per_row, found),
    "per_row: there are several learners; name one of bayes, tree")
  lu.assertStrContains(fixtures.message(found.per_row, found, "tre"),
    "per_row: there is no learner 'tre'; did you mean 'tree'?")
end
