-- Predictions of other tools: read, checked, scored as by their own tool, compared with learners here, kept in stores.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local here = debug.getinfo(1, "S").source:match("^@(.*)/")

-- Rows of a CSV file as tables by name of column.
local function read_rows(path)
  local rows, names = {}, nil
  for line in io.lines(path) do
    local fields = {}
    for field in line:gmatch("[^,]+") do fields[#fields + 1] = field end
    if names then
      local row = {}
      for i, name in ipairs(names) do row[name] = fields[i] end
      rows[#rows + 1] = row
    end
    names = names or fields
  end
  return rows
end

-- Two classifiers of scikit-learn (see scikit_learn.py).
local function iris_options(changes)
  return fixtures.with({ data = fixtures.iris(), file = here .. "/iris_scikit_learn.csv", learner_column = "learner",
    row = "row", first_row = 0, fold = "fold", label = "y_pred", truth = "y_true", probabilities = "p_*" }, changes)
end

local function import_iris(changes) return cf.import_predictions(iris_options(changes)) end

-- 8 rows of two classes.
local function small_data(fields)
  return cf.dataset(fixtures.with({ name = "small", target = "y",
    columns = { { name = "x", values = { 1, 2, 3, 4, 5, 6, 7, 8 } },
      { name = "id", values = { "a", "b", "c", "d", "e", "f", "g", "h" } },
      { name = "y", values = { "no", "yes", "no", "yes", "no", "yes", "no", "yes" } } } }, fields))
end

-- Predictions of `data`, 6 of 8 right, in 4 folds of 2 rows; `columns` are added, `changes` are other options.
local function small(columns, changes)
  return fixtures.with({ data = small_data(), learner = "theirs", row = "row", fold = "fold", label = "label",
    metrics = "accuracy", predictions = fixtures.with({
      row = { 1, 2, 3, 4, 5, 6, 7, 8 }, fold = { 1, 1, 2, 2, 3, 3, 4, 4 },
      label = { "no", "yes", "no", "yes", "yes", "yes", "no", "no" },
    }, columns) }, changes)
end

local function import(columns, changes) return cf.import_predictions(small(columns, changes)) end

local function without(options, name)
  options[name] = nil
  return options
end

local function problem(columns, changes) return fixtures.message(import, columns, changes) end

TestScores = {}

-- Compares with what scikit-learn printed of the same predictions.
local function assert_scores(result, dataset, n)
  local found, compared = {}, 0
  for _, row in ipairs(result:scores()) do
    found[("%s %d %d %s"):format(row.learner, row.repeat_, row.fold, row.metric)] = row.value
  end
  for _, row in ipairs(read_rows(here .. "/scores_scikit_learn.csv")) do
    if row.dataset == dataset then
      local key = ("%s %s %s %s"):format(row.learner, row["repeat"], row.fold, row.metric)
      local theirs = tonumber(row.value)
      lu.assertAlmostEquals(found[key], theirs, 1e-13 * math.max(1, math.abs(theirs)), key)
      compared = compared + 1
    end
  end
  lu.assertEquals(compared, n)
end

function TestScores:test_classifiers_have_the_scores_that_scikit_learn_gives_them()
  assert_scores(import_iris { metrics = { "accuracy", "log_loss", "f1_macro", "matthews_correlation",
    cf.metric("roc_auc", { average = "ovo" }) } }, "iris", 50)
end

function TestScores:test_repeated_folds_of_a_regression_have_the_scores_that_scikit_learn_gives_them()
  local lines, path = {}, os.tmpname()
  for line in io.lines(fixtures.folder .. "/diabetes_regr.csv") do lines[#lines + 1] = line end
  local file = assert(io.open(path, "w"))
  file:write(table.concat(lines, "\n", 1, 61), "\n"):close()
  local data = cf.read(path, { target = "target", format = "csv" })
  os.remove(path)
  assert_scores(cf.import_predictions { data = data, file = here .. "/diabetes_scikit_learn.csv", learner = "ridge",
    row = "row", first_row = 0, fold = "fold", repeat_ = "repeat", label = "predicted",
    metrics = { "rmse", "r2" } }, "diabetes", 16)
end

function TestScores:test_the_default_metrics_fit_the_predictions()
  local function metrics_of(result)
    local names, seen = {}, {}
    for _, row in ipairs(result:scores()) do
      if not seen[row.metric] then seen[row.metric], names[#names + 1] = true, row.metric end
    end
    return names
  end
  lu.assertEquals(metrics_of(import_iris()), { "accuracy", "log_loss" })
  lu.assertEquals(metrics_of(cf.import_predictions(without(small(), "metrics"))), { "accuracy" })
end

function TestScores:test_nothing_is_fitted()
  local fold = import():folds()[1]
  lu.assertEquals({ fold.n_train, fold.n_test, fold.fit_seconds, fold.predict_seconds }, { 6, 2 })
end

TestEntries = {}

function TestEntries:test_rows_may_count_from_0()
  lu.assertEquals(import({ row = { 0, 1, 2, 3, 4, 5, 6, 7 } }, { first_row = 0 }):pooled()[1].value, 0.75)
end

function TestEntries:test_without_a_column_of_rows_they_are_in_the_order_of_the_data()
  lu.assertEquals(cf.import_predictions(without(small(), "row")):pooled()[1].value, 0.75)
end

function TestEntries:test_rows_may_be_named_by_a_column_of_the_data()
  local reversed = import({ name = { "h", "g", "f", "e", "d", "c", "b", "a" } }, { row = "name", key = "id" })
  lu.assertEquals(reversed:pooled()[1].value, 0.25)
end

function TestEntries:test_the_labels_of_weka_have_the_number_of_the_class()
  local weka = { "1:no", "2:yes", "1:no", "2:yes", "2:yes", "2:yes", "1:no", "1:no" }
  lu.assertEquals(import { label = weka }:pooled()[1].value, 0.75)
end

function TestEntries:test_numbers_name_classes_that_are_numbers()
  local data = cf.dataset { name = "digits", target = "y", columns = { { name = "x", values = { 1, 2, 3, 4 } },
    { name = "y", values = { 0, 1, 0, 1 }, type = "categorical" } } }
  local result = cf.import_predictions { data = data, learner = "theirs", label = "p", fold = "fold",
    predictions = { p = { 0, 1, 1, 1 }, fold = { 1, 1, 2, 2 } } }
  lu.assertEquals(result:pooled()[1].value, 0.75)
end

function TestEntries:test_one_column_is_enough_for_two_classes()
  local p = { 0.25, 0.75, 0.25, 0.75, 0.75, 0.75, 0.25, 0.25 }
  local result = import({ p = p }, { probabilities = { yes = "p" } })
  lu.assertEquals(result:predictions()[5].probabilities, { 0.25, 0.75 })
end

function TestEntries:test_without_labels_the_most_probable_class_is_predicted()
  local o = small({ q = { 0.9, 0.1, 0.9, 0.1, 0.1, 0.1, 0.9, 0.9 }, p = { 0.1, 0.9, 0.1, 0.9, 0.9, 0.9, 0.1, 0.1 } },
    { probabilities = { "q", "p" } })
  lu.assertEquals(cf.import_predictions(without(o, "label")):pooled()[1].value, 0.75)
end

-- Entries 3 and 8 have the other class; entry 5 is a tie, which either class has won.
function TestEntries:test_labels_that_contradict_their_probabilities_are_refused()
  local columns = { p_no = { .9, .2, .3, .2, .5, .2, .9, .2 }, p_yes = { .1, .8, .7, .8, .5, .8, .1, .8 } }
  local changes = { probabilities = "p_*", metrics = { "accuracy", "log_loss" } }
  lu.assertEquals(problem(columns, changes), "cannot import 'predictions': a label is not the most probable class "
    .. "(entries 3 and 8); in entry 3 'no' has the probability 0.3 and 'yes' 0.7; if a threshold or costs chose the "
    .. "labels, say decided = true; else check the columns of option 'probabilities'")
  changes.decided = true
  lu.assertEquals(import(columns, changes):summary()[1].mean, 0.75)
end

function TestEntries:test_probabilities_of_few_digits_are_rescaled_on_request()
  local columns = { q = { 0.3, 0, 0, 0, 0, 0, 0, 0 }, p = { 0.69, 1, 1, 1, 1, 1, 1, 1 } }
  local changes = { probabilities = { "q", "p" }, decided = true }
  lu.assertEquals(problem(columns, changes), "cannot import 'predictions': probabilities do not sum to 1 (entry 1); "
    .. "rescale = true divides them by their sum")
  local found = import(columns, fixtures.with(changes, { rescale = true })):predictions()[1].probabilities
  lu.assertAlmostEquals(found[1], 0.3 / 0.99, 1e-15)
end

function TestEntries:test_a_fold_without_predictions_failed()
  local result = import { label = { cf.null, cf.null, "no", "yes", "yes", "yes", "no", "no" } }
  lu.assertEquals(result:failures(), { { learner = "theirs", dataset = "small", repeat_ = 1, fold = 1,
    stage = "fit theirs", cause = "script", message = "table 'predictions' has no predictions of this fold" } })
  lu.assertEquals(result:summary()[1].mean, (1 + 0.5 + 0.5) / 3)
end

TestFolds = {}

function TestFolds:test_learners_may_number_the_same_folds_differently()
  local result = cf.import_predictions { data = small_data(), learner_column = "l", row = "row", fold = "fold",
    label = "label", metrics = "accuracy", predictions = {
      l = { "a", "a", "a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b", "b", "b" },
      row = { 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8 },
      fold = { 1, 1, 2, 2, 3, 3, 4, 4, 9, 9, 8, 8, 7, 7, 6, 6 },
      label = { "no", "yes", "no", "yes", "yes", "yes", "no", "no",
        "no", "yes", "no", "yes", "yes", "yes", "no", "no" },
    } }
  lu.assertEquals(fixtures.column(result:scores(), "value"), { 1, 1, 0.5, 0.5, 1, 1, 0.5, 0.5 })
end

function TestFolds:test_learners_with_other_folds_are_refused()
  lu.assertEquals(fixtures.message(cf.import_predictions, { data = small_data(), learner_column = "l", row = "row",
    fold = "fold", label = "label", predictions = {
      l = { "a", "a", "a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b", "b", "b" },
      row = { 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8 },
      fold = { 1, 1, 2, 2, 3, 3, 4, 4, 1, 2, 2, 1, 3, 3, 4, 4 },
      label = { "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no", "no" },
    } }), "cannot import 'predictions': 'b' has no fold with the same rows as in 'a' (folds 1 and 2); predictions are "
    .. "only comparable on the same folds")
end

function TestFolds:test_folds_are_those_of_the_same_splits_here()
  local data = small_data()
  local splits = cf.split(cf.splitter("kfold", { folds = 4, repeats = 2 }), data, { seed = 3 })
  local columns = { row = {}, fold = {}, rep = {}, label = {} }
  for s = 1, #splits do
    local repeat_, fold = splits:place(s)
    local _, test = splits:rows(s)
    for _, row in ipairs(test) do
      local i = #columns.row + 1
      columns.row[i], columns.fold[i], columns.rep[i], columns.label[i] = row, fold, repeat_, "no"
    end
  end
  lu.assertTrue(import(columns, { repeat_ = "rep" }):splits():same(splits))
  local no_folds = without(small(columns, { repeat_ = "rep", splits = splits }), "fold")
  lu.assertTrue(cf.import_predictions(no_folds):splits():same(splits))
end

function TestFolds:test_splits_that_overlap_are_declared()
  local data = small_data()
  local splits = cf.split(cf.splitter("bootstrap", { repeats = 3 }), data, { seed = 3 })
  local columns, sizes = { row = {}, fold = {}, label = {} }, {}
  for s = 1, #splits do
    local train, test = splits:rows(s)
    sizes[s] = { #train, #test }
    for _, row in ipairs(test) do
      local i = #columns.row + 1
      columns.row[i], columns.fold[i], columns.label[i] = row, s, "no"
    end
  end
  local found = {}
  for s, fold in ipairs(import(columns, { splits = splits }):folds()) do found[s] = { fold.n_train, fold.n_test } end
  lu.assertEquals(found, sizes)
end

function TestFolds:test_some_rows_are_a_holdout_on_request()
  local columns = { row = { 6, 7, 8 }, label = { "no", "yes", "yes" }, fold = { 1, 1, 1 } }
  lu.assertEquals(problem(columns), "cannot import 'predictions': no prediction (rows 1, 2, 3, 4 and 5); predictions "
    .. "of some of the rows need partial = true")
  local fold = import(columns, { partial = true }):folds()[1]
  lu.assertEquals({ fold.n_train, fold.n_test }, { 5, 3 })
end

function TestFolds:test_without_folds_all_rows_are_one_test_set_and_nothing_is_fitted_on_it()
  local result = cf.import_predictions(without(small(), "fold"))
  local fold = result:folds()[1]
  lu.assertEquals({ #result:folds(), fold.n_test, fold.n_train }, { 1, 8 })
  lu.assertEquals(fixtures.message(cf.evaluate, { data = small_data(), learners = "featureless",
    splitter = result:splits(), metrics = "accuracy" }), "cannot fit on a split of 'small': it has no training rows, "
    .. "as of predictions that were imported without folds; name their column of folds, or use another splitter")
  lu.assertEquals(fixtures.message(cf.run, { { learner = "featureless", splits = result:splits() } }):match("^[^:]*"),
    "cannot fit on a split of 'small'")
end

function TestFolds:test_torn_groups_are_noted()
  local data = small_data { groups = "id", columns = {
    { name = "x", values = { 1, 2, 3, 4, 5, 6, 7, 8 } }, { name = "id", values = { 1, 2, 3, 4, 1, 2, 3, 4 } },
    { name = "y", values = { "no", "yes", "no", "yes", "no", "yes", "no", "yes" } } } }
  lu.assertEquals(import({}, { data = data }):notes(),
    { "rows of one group are on both sides of a split, so the scores may be too good" })
end

TestRefusals = {}

function TestRefusals:test_all_problems_are_reported_at_once()
  lu.assertEquals(problem { row = { 1, 2, 3, 4, 5, 6, 7, 9 },
    label = { "no", "ja", "no", "ja", "yes", "yes", "no", "no" } },
    "cannot import 'predictions': 2 problems: (1) row number not in 1 .. 8 (entry 8); (2) 'ja' is not a class of "
    .. "'small' (entries 2 and 4); the classes are no, yes")
end

function TestRefusals:test_rows_from_0_are_recognised()
  lu.assertEquals(problem { row = { 0, 1, 2, 3, 4, 5, 6, 7 } }, "cannot import 'predictions': row number not in "
    .. "1 .. 8 (entry 1); tools that count rows from 0 need first_row = 0")
end

function TestRefusals:test_each_row_is_predicted_once()
  lu.assertEquals(problem { row = { 1, 2, 3, 4, 5, 6, 7, 7 } }, "cannot import 'predictions': 2 problems: (1) several "
    .. "predictions of one row (row 7); name the column of repeats with repeat_, of learners with learner_column, or "
    .. "the splits with splits; (2) no prediction (row 8); predictions of some of the rows need partial = true")
end

function TestRefusals:test_probabilities_are_such()
  local columns = { q = { 1.5, 0.5, 0, 0, 0, 0, 0, 0 }, p = { 0.5, 0.25, 1, 1, 1, 1, 1, 1 } }
  local changes = { probabilities = { "q", "p" }, decided = true }
  lu.assertEquals(problem(columns, changes), "cannot import 'predictions': 2 problems: (1) a "
    .. "probability is not in 0 .. 1 (entry 1); (2) probabilities do not sum to 1 (entry 2)")
end

function TestRefusals:test_values_are_finite()
  local data = cf.dataset { name = "line", target = "y", columns = { { name = "x", values = { 1, 2, 3, 4 } },
    { name = "y", values = { 1.5, 2, 3, 4 } } } }
  lu.assertEquals(fixtures.message(cf.import_predictions, { data = data, learner = "theirs", label = "p",
    predictions = { p = { 1, 1 / 0, 3, -1 / 0 } } }),
    "cannot import 'predictions': a value is not a finite number (entries 2 and 4)")
end

function TestRefusals:test_the_true_target_is_that_of_the_data()
  lu.assertEquals(problem({ t = { "yes", "yes", "no", "yes", "no", "yes", "no", "yes" } }, { truth = "t" }),
    "cannot import 'predictions': the true target is not that of 'small' (row 1); check row, first_row and the order "
    .. "of the data")
end

function TestRefusals:test_a_column_that_is_missing_is_named()
  lu.assertEquals(problem({}, { label = "lable" }), "cannot import 'predictions': there is no column 'lable' (option "
    .. "'label'); did you mean 'label'? known: fold, label, row")
end

function TestRefusals:test_a_part_of_a_prediction_is_not_enough()
  lu.assertEquals(problem { label = { cf.null, "yes", "no", "yes", "yes", "yes", "no", "no" } },
    "cannot import 'predictions': a part of the prediction is missing (row 1); only all rows of a fold may have none, "
    .. "which means that it failed")
end

function TestRefusals:test_options_that_do_not_go_together()
  lu.assertEquals(fixtures.message(cf.import_predictions, without(small(), "label")),
    "import_predictions: option 'label' is missing; it names the column of predicted classes or values")
  lu.assertEquals(problem({}, { key = "id", row = "row", file = "preds.csv" }),
    "import_predictions: options 'file' and 'predictions' exclude each other; give one")
end

TestComparisons = {}

-- The same method, so the same predictions: see docs/coming_from/scikit_learn.md.
local function gaussian_nb() return cf.learner("naive_bayes", { min_sd = 0, var_smoothing = 1e-9 }) end

function TestComparisons:test_a_learner_on_the_imported_folds_is_compared_with_the_imported_one()
  local theirs = import_iris { metrics = { "accuracy", "log_loss" } }
  local ours = cf.evaluate { data = fixtures.iris(), learners = { ours = gaussian_nb() }, splitter = theirs:splits(),
    metrics = { "accuracy", "log_loss" } }
  local of_theirs, of_ours = theirs:scores(), ours:scores()
  for i, row in ipairs(of_ours) do lu.assertAlmostEquals(of_theirs[i].value, row.value, 1e-12) end
  local row = cf.compare({ theirs, ours }, { metric = "accuracy", learners = { "gaussian_nb", "ours" } }):rows()[1]
  lu.assertEquals({ row.test, row.difference, row.n_train, row.n_test }, { "corrected resampled t", 0, 120, 30 })
end

function TestComparisons:test_both_may_be_in_one_result()
  local theirs = import_iris()
  local learners = theirs:learners()
  learners.ours = gaussian_nb()
  local all = cf.evaluate { data = fixtures.iris(), learners = learners, splitter = theirs:splits(),
    metrics = "accuracy", keep = "probabilities" }
  lu.assertEquals(#all:scores(), 15)
  lu.assertStrContains(all:report {}, "imported from iris_scikit_learn.csv")
  lu.assertEquals(all:curve("roc", { learner = "logistic", positive = "virginica" }).positive, "virginica")
end

function TestComparisons:test_other_folds_are_refused_with_the_reason()
  local theirs = import_iris { metrics = "accuracy" }
  local five = cf.splitter("kfold", { folds = 5 })
  lu.assertEquals(fixtures.message(cf.evaluate, { data = fixtures.iris(), learners = theirs:learners(),
    splitter = five, metrics = "accuracy" }), "cannot evaluate 'gaussian_nb': it is the predictions imported from "
    .. "iris_scikit_learn.csv, which were made on other folds than these 5 splits of 'iris', so scores of the two are "
    .. "not pairs; evaluate all learners on the imported ones, with splitter = imported:splits()")
  local ours = cf.evaluate { data = fixtures.iris(), learners = "knn", splitter = five, metrics = "accuracy" }
  lu.assertStrContains(fixtures.message(cf.compare, { theirs, ours }),
    "were tested on different splits of dataset 'iris', so their scores are not pairs")
end

function TestComparisons:test_imported_predictions_cannot_be_fitted()
  local learner = import():learners().theirs
  lu.assertEquals(fixtures.message(learner.fit, learner, small_data()), "cannot fit 'theirs': it is the predictions "
    .. "imported from table 'predictions', not a method; use it in cf.evaluate with the splits that they were made on")
end

function TestComparisons:test_unknown_training_rows_give_no_unpaired_test()
  local a = cf.import_predictions(without(small(), "fold"))
  local row = cf.compare({ a, import({}, { learner = "b" }) }, { paired = false }):rows()[1]
  lu.assertEquals(row.undefined, "nobody knows the training rows of 'theirs', so there is no correction for them")
end

TestStores = {}

function TestStores:setUp() self.path = fixtures.new_store() end
function TestStores:tearDown() fixtures.remove_store(self.path) end

function TestStores:test_an_imported_result_is_found_again_with_its_source()
  local theirs = import_iris { store = self.path }
  local found = cf.stored { store = self.path }.results[1]
  lu.assertEquals(found:scores(), theirs:scores())
  lu.assertEquals(found:predictions(), theirs:predictions())
  lu.assertTrue(found:splits():same(theirs:splits()))
  lu.assertEquals(found:provenance().learners[1], { name = "gaussian_nb",
    learner = "imported from iris_scikit_learn.csv",
    -- sha256sum tests/scripts/import/iris_scikit_learn.csv
    imported_sha256 = "5d759c7aac94678a90ffe644761c2f563394ff6ec667f9230d0b4b187ebf1bea" })
end

function TestStores:test_a_result_that_is_saved_is_found_as_well()
  local theirs = import_iris()
  theirs:save(self.path)
  local found = cf.stored { store = self.path }.results[1]
  lu.assertEquals(found:scores(), theirs:scores())
  lu.assertEquals(found:provenance().learners, theirs:provenance().learners)
end

function TestStores:test_one_test_set_without_training_rows_is_found_again()
  local theirs = cf.import_predictions(without(small({}, { store = self.path }), "fold"))
  local found = cf.stored { store = self.path }.results[1]
  lu.assertEquals(found:scores(), theirs:scores())
  lu.assertTrue(found:splits():same(theirs:splits()))
end

function TestStores:test_the_predictions_are_scored_again()
  import_iris { store = self.path }
  local scores = cf.rescore { store = self.path, metrics = { "accuracy" } }:scores()
  lu.assertEquals({ #scores, scores[1].learner, scores[1].value }, { 10, "gaussian_nb", 0.9666666666666667 })
end

function TestStores:test_the_status_counts_imported_folds()
  import_iris { store = self.path }
  local rows = {}
  for i, row in ipairs(cf.store_status(self.path).learners) do
    rows[i] = { row.learner, row.imported, row.wanted, row.done, row.predictions }
  end
  lu.assertEquals(rows, { { "gaussian_nb", true, 5, 5, 5 }, { "logistic", true, 5, 5, 5 } })
end
