-- cf.cross_predict, and results that do not depend on what cells share (see docs/sharing.md).
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestCrossPredict = {}

local function kfold(changes)
  return cf.splitter("kfold", fixtures.with({ folds = 5, stratify = true }, changes))
end

local function cross_predict(changes)
  return cf.cross_predict(fixtures.with({ data = fixtures.iris(), learner = "knn", splitter = kfold(),
    seed = 3 }, changes))
end

-- The predictions of cf.evaluate with the same options, where the learner goes by its own name:
-- { repeat = { row = prediction } }.
local function pooled(changes)
  local options = fixtures.with({ data = fixtures.iris(), splitter = kfold(), seed = 3, metrics = "accuracy" }, changes)
  options.learners, options.learner = { options.learner or "knn" }, nil
  local result = {}
  for _, p in ipairs(cf.evaluate(options):predictions()) do
    result[p.repeat_] = result[p.repeat_] or {}
    result[p.repeat_][p.row] = p.predicted
  end
  return result
end

local function by_row(predictions)
  local result = {}
  for i, label in ipairs(predictions:labels()) do result[i] = label end
  return result
end

function TestCrossPredict:test_gives_what_evaluate_gives_for_the_same_seed()
  for _, learner in ipairs { "knn", "naive_bayes", "random_forest", "mlp",
    cf.pipeline { cf.transform("standardize"), cf.learner("knn", { k = 3 }) } } do
    local made = cross_predict { learner = learner }
    lu.assertEquals(#made, 1)
    lu.assertEquals(by_row(made[1]), pooled { learner = learner }[1])
  end
end

function TestCrossPredict:test_each_repeat_is_a_prediction_of_its_own()
  local splitter = kfold { repeats = 3 }
  local made, expected = cross_predict { splitter = splitter }, pooled { splitter = splitter }
  lu.assertEquals(#made, 3)
  for r = 1, 3 do lu.assertEquals(by_row(made[r]), expected[r]) end
end

-- With one neighbour and without ties, leave-one-out predicts the class of the nearest other row.
function TestCrossPredict:test_leave_one_out_is_the_nearest_other_row()
  local data = cf.dataset {
    name = "line", target = "y",
    columns = { { name = "x", values = { 0, 1, 3, 7, 12, 13 } },
      { name = "y", values = { "a", "b", "a", "b", "a", "b" } } },
  }
  local made = cf.cross_predict { data = data, learner = cf.learner("knn", { k = 1 }),
    splitter = cf.splitter("leave_one_out") }
  lu.assertEquals(made[1]:labels(), { "b", "a", "b", "a", "b", "a" })
end

function TestCrossPredict:test_is_the_same_for_any_workers()
  local function run(workers)
    return by_row(cross_predict { learner = "random_forest", workers = workers }[1])
  end
  local one = run(1)
  lu.assertEquals(run(2), one)
  lu.assertEquals(run(7), one)
end

function TestCrossPredict:test_keeps_probabilities_if_asked()
  local with = cross_predict { keep = "probabilities" }[1]
  local without = cross_predict()[1]
  lu.assertEquals(by_row(with), by_row(without))
  lu.assertNotNil(with:probabilities())
  lu.assertNil(without:probabilities())
end

function TestCrossPredict:test_a_failed_fold_is_an_error()
  local learner = cf.learner("debug", { action = "throw_in_predict", when_row = 3 })
  lu.assertEquals(fixtures.message(cross_predict,
      { learner = learner, splitter = kfold { shuffle = false, stratify = false } }),
    "cannot predict across folds: 1 of 5 splits failed, the first is repeat 1, fold 4 at predict debug: "
      .. "thrown in predict, as asked; cf.evaluate keeps what did not fail")
end

function TestCrossPredict:test_refuses_what_is_no_learner_of_plugins()
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 3 } }, metric = "accuracy",
    splitter = kfold() }
  lu.assertStrContains(fixtures.message(cross_predict, { learner = search }),
    "is not a learner of plugins; use cf.evaluate, which keeps the predictions of any learner")
end

function TestCrossPredict:test_refuses_another_keep()
  lu.assertEquals(fixtures.message(cross_predict, { keep = "everything" }),
    "cross_predict: keep = 'everything' is not one of labels, probabilities")
end

TestSharing = {}

-- Inner scores by candidate.
local function inner(name, grid)
  local _, detail = cf.grid_search {
    learner = name, grid = grid, metric = "accuracy", splitter = kfold { folds = 3 },
  }:fit(fixtures.iris(), { seed = 5 })
  local scores = {}
  for _, entry in ipairs(detail.inner) do scores[entry.candidate] = entry.mean end
  return scores
end

-- Candidates of one family get the same random numbers, whatever else is in the grid.
function TestSharing:test_a_candidate_does_not_depend_on_the_others()
  local few = inner("random_forest", { trees = { 3, 9 } })
  local many = inner("random_forest", { trees = { 1, 3, 5, 9, 20 } })
  local n = 0
  for candidate, mean in pairs(few) do
    lu.assertEquals(many[candidate], mean)
    n = n + 1
  end
  lu.assertEquals(n, 2)
end
