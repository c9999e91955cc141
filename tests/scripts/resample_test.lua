local lu = require "luaunit"
local cf = require "crossfold"

TestResample = {}

-- 24 rows of class "many" and 6 of class "few"; x tells the row.
function TestResample:setUp()
  local x, y = {}, {}
  for i = 1, 30 do
    x[i] = i + 0.5
    y[i] = i <= 24 and "many" or "few"
  end
  self.data = cf.dataset {
    name = "unbalanced", target = "y",
    columns = { { name = "x", values = x },
                { name = "y", values = y, levels = { "many", "few" } } },
  }
  self.splitter = cf.splitter("kfold", { folds = 3, stratify = true })
end

local function behind(transform, learner)
  return cf.pipeline { cf.transform(transform), cf.learner(learner) }
end

-- 16 rows of "many" and 4 of "few" train in each fold; the baseline predicts their shares.
function TestResample:test_the_training_rows_are_balanced()
  for _, transform in ipairs { "oversample", "undersample", "smote" } do
    local result = cf.evaluate {
      data = self.data, learners = { behind(transform, "featureless") }, splitter = self.splitter,
      metrics = { "accuracy" }, seed = 1, keep = "probabilities",
    }
    for _, row in ipairs(result:predictions()) do
      lu.assertEquals(row.probabilities, { 0.5, 0.5 }, transform)
    end
  end
end

-- Every row is tested once, as what it is, in the fold that it is in without resampling.
function TestResample:test_the_test_folds_are_left_alone()
  local function tested(learner)
    local result = cf.evaluate {
      data = self.data, learners = { learner }, splitter = self.splitter, metrics = { "accuracy" },
      seed = 1,
    }
    local rows, n = {}, 0
    for _, row in ipairs(result:predictions()) do
      lu.assertNil(rows[row.row])
      rows[row.row], n = { fold = row.fold, truth = row.truth }, n + 1
    end
    return rows, n
  end
  local expected, n_expected = tested(cf.learner("featureless"))
  lu.assertEquals(n_expected, 30)
  for _, transform in ipairs { "oversample", "undersample", "smote" } do
    local rows, n = tested(behind(transform, "featureless"))
    lu.assertEquals(n, 30)
    lu.assertEquals(rows, expected)
  end
end

function TestResample:test_a_model_predicts_exactly_the_rows_that_it_is_given()
  local rows = self.data:select { 3, 28 }
  for _, transform in ipairs { "oversample", "undersample", "smote" } do
    local model = behind(transform, "featureless"):fit(self.data, { seed = 1 })
    local prediction = model:predict(rows)
    lu.assertEquals(prediction:row_ids(), { 3, 28 })
    lu.assertEquals(prediction:truth(), { "many", "few" })
  end
end

function TestResample:test_a_class_that_cannot_be_filled_fails_the_fold_with_its_name()
  local data = cf.dataset {
    name = "lonely", target = "y",
    columns = { { name = "x", values = { 1, 2, 3, 4, 5, 6, 7, 8 } },
                { name = "y", values = { "a", "a", "a", "a", "a", "a", "b", "b" } } },
  }
  local result = cf.evaluate {
    data = data, learners = { behind("smote", "featureless") },
    splitter = cf.splitter("kfold", { folds = 2, stratify = true }), metrics = { "accuracy" },
    seed = 1,
  }
  lu.assertEquals(#result:failures(), 2)
  lu.assertEquals(result:failures()[1].stage, "resample smote")
  lu.assertEquals(result:failures()[1].message,
    "class 'b' has one training row, which has no neighbour")
end
