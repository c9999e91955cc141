local lu = require "luaunit"
local cf = require "crossfold"
local metric = require "crossfold.metric"
local native = require "crossfold.native"

TestRowScores = {}

local function prediction(weights)
  local columns, roles = { { name = "truth", values = { "a", "b", "a", "b" } } }, { target = "truth" }
  if weights then
    columns[2] = { name = "weight", values = weights }
    roles.weights = "weight"
  end
  return native.prediction(native.dataset("lists", columns, roles), {
    labels = { "a", "a", "a", "b" },
    probabilities = { { 0.5, 0.5 }, { 0.75, 0.25 }, { 1, 0 }, { 0.25, 0.75 } },
  })
end

local function rows_of(name, weights) return metric.row_scores(cf.metric(name), prediction(weights)) end

function TestRowScores:test_a_mean_over_rows_has_one_score_a_row()
  lu.assertEquals(rows_of("accuracy"), { 1, 0, 1, 1 })
  local losses = rows_of("log_loss")
  lu.assertAlmostEquals(losses[2], -math.log(0.25), 1e-15)
  lu.assertAlmostEquals((losses[1] + losses[2] + losses[3] + losses[4]) / 4,
    metric.score(cf.metric("log_loss"), prediction()), 1e-15)
end

function TestRowScores:test_weights_are_apart()
  local scores, weights = rows_of("accuracy", { 1, 2, 3, 4 })
  lu.assertEquals(scores, { 1, 0, 1, 1 })
  lu.assertEquals(weights, { 1, 2, 3, 4 })
end

function TestRowScores:test_what_is_not_a_mean_over_rows_has_none()
  local scores, reason = rows_of("roc_auc")
  lu.assertNil(scores)
  lu.assertStrContains(reason, "it is not a mean over rows: of one row alone, ")
  scores, reason = rows_of("f1_macro")
  lu.assertNil(scores)
  lu.assertStrContains(reason, "it is not a mean over rows")
end

local function hits(per_row)
  return cf.metric { name = "hits", direction = "higher", score = function(truth, predicted)
    local n = 0
    for i, class in ipairs(truth) do n = n + (class == predicted[i] and 1 or 0) end
    return per_row and n / #truth or n
  end }
end

function TestRowScores:test_metrics_in_lua_are_asked_about_each_row()
  lu.assertEquals(metric.row_scores(hits(true), prediction()), { 1, 0, 1, 1 })
  local scores, reason = metric.row_scores(hits(false), prediction())
  lu.assertNil(scores)
  lu.assertEquals(reason, "it is not a mean over rows")
end
