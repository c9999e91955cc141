-- Learners with scores instead of probabilities: what ranks uses the scores, what needs probabilities is refused.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

-- 90 rows of two classes that overlap; one column is noise.
local function data()
  local x, z, y = {}, {}, {}
  for i = 1, 90 do
    y[i] = i % 3 == 0 and "yes" or "no"
    x[i] = (i * 37 % 101) / 50 + (y[i] == "yes" and 0.7 or 0)
    z[i] = (i * 61 % 97) / 50
  end
  return cf.dataset { name = "overlap", target = "y",
    columns = { { name = "x", values = x }, { name = "z", values = z }, { name = "y", values = y } } }
end

local function evaluate(learner, metrics, changes)
  return cf.evaluate(fixtures.with({ data = data(), learners = { a = learner }, metrics = metrics, seed = 3,
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }), keep = "probabilities" }, changes))
end

-- The share of pairs of a positive and a negative row that the scores put into order; a tie is half a pair.
local function auc_of(prediction)
  local truth, scores = prediction:truth(), prediction:scores()
  local won, pairs_ = 0, 0
  for i, a in ipairs(truth) do
    for j, b in ipairs(truth) do
      if a == "yes" and b == "no" then
        local p, q = scores[i][2], scores[j][2]
        won, pairs_ = won + (p > q and 1 or p == q and 0.5 or 0), pairs_ + 1
      end
    end
  end
  return won / pairs_
end

local svms = {
  libsvm = cf.learner("libsvm"),
  liblinear = cf.learner("liblinear", { solver = "l2_squared_hinge" }),
  piped = cf.pipeline { cf.transform "standardize", cf.learner("libsvm", { kernel = "linear" }) },
}

local function mean_of(result) return result:summary()[1].mean end

TestScores = {}

function TestScores:test_the_metrics_of_ranks_use_the_decision_values()
  for name, learner in pairs(svms) do
    local result = evaluate(learner, { "roc_auc", "accuracy" })
    local splits, sum = result:splits(), 0
    for s = 1, 3 do
      local prediction = learner:fit(splits:train(s)):predict(splits:test(s))
      lu.assertNil(prediction:values(), name)
      sum = sum + auc_of(prediction)
    end
    lu.assertAlmostEquals(mean_of(result), sum / 3, 1e-12, name)
    lu.assertNil(result:predictions()[1].probabilities)
  end
end

-- 150 rows of three classes. The tie rule of the label is that of the votes.
function TestScores:test_the_highest_score_of_three_classes_is_the_label()
  local iris = fixtures.iris()
  for _, learner in ipairs { svms.libsvm, svms.liblinear } do
    local prediction = learner:fit(iris):predict(iris)
    local classes, labels = iris:classes(), prediction:labels()
    for i, row in ipairs(prediction:scores()) do
      local best = 1
      for c = 2, 3 do best = row[c] > row[best] and c or best end
      lu.assertEquals(labels[i], classes[best])
    end
  end
end

function TestScores:test_curves_of_ranks_use_them_and_others_are_refused()
  local result = evaluate(svms.libsvm, { "roc_auc" })
  for _, kind in ipairs { "roc", "precision_recall", "det", "lift" } do
    lu.assertTrue(#result:curve(kind):rows() > 10, kind)  -- labels alone have 3 points
  end
  lu.assertEquals(fixtures.message(result.curve, result, "reliability"), "cannot draw a curve: the learner has scores "
    .. "instead of probabilities; use a curve of ranks such as roc, or a learner with probabilities")
end

function TestScores:test_all_ways_to_run_give_the_same_scores()
  local path = os.tmpname()
  os.remove(path)
  local plain = mean_of(evaluate(svms.libsvm, { "roc_auc" }))
  lu.assertEquals(mean_of(evaluate(svms.libsvm, { "roc_auc" }, { isolate = "worker" })), plain)
  for _ = 1, 2 do lu.assertEquals(mean_of(evaluate(svms.libsvm, { "roc_auc" }, { store = path })), plain) end
  local sum = 0
  for _, row in ipairs(cf.rescore { store = path, metrics = { "roc_auc" } }:scores()) do sum = sum + row.value end
  lu.assertAlmostEquals(sum / 3, plain, 1e-12)
  lu.assertNil(cf.rescore { store = path, metrics = "log_loss" }:scores()[1].value)
  os.remove(path)
end

function TestScores:test_what_needs_probabilities_is_refused_before_anything_runs()
  for _, metric in ipairs { "log_loss", "brier" } do
    lu.assertEquals(fixtures.message(evaluate, "libsvm", { metric }), "cannot use metric '" .. metric
      .. "' with learner 'libsvm': it needs probabilities, and the learner has scores, which only rank the rows; "
      .. "use a metric of ranks such as roc_auc, or give the learner probabilities, as libsvm has them with "
      .. "probability = true")
  end
  local calibrated = cf.pipeline { "libsvm", cf.calibration { method = "platt" } }
  lu.assertStrContains(fixtures.message(calibrated.fit, calibrated, data()), "gives no probabilities")
end

function TestScores:test_with_probabilities_nothing_changes()
  local learner = cf.learner("libsvm", { probability = true })
  lu.assertEquals(#evaluate(learner, { "log_loss", "roc_auc" }):predictions()[1].probabilities, 2)
  lu.assertNil(learner:fit(data()):predict(data()):scores())
end
