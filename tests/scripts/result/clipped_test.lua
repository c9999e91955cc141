local lu = require "luaunit"
local cf = require "crossfold"
local clipped = require "crossfold.result.clipped"

TestClipped = {}

-- 12 rows in 3 folds; a learner that is sure of class a, and wrong in rows 2, 5 and 8.
local function evaluated(keep, weights, given)
  local x, y = {}, {}
  for i = 1, 12 do x[i], y[i] = i, i % 3 == 2 and i < 9 and "b" or "a" end
  local columns = { { name = "x", values = x }, { name = "y", values = y } }
  if weights then columns[3] = { name = "w", values = weights } end
  return cf.evaluate { data = cf.dataset { name = "few", target = "y", weights = weights and "w", columns = columns },
    learners = { sure = cf.learner { name = "sure", fit = function() return {} end,
      predict = function(_, rows)
        local list = {}
        for i = 1, #rows do list[i] = given or { 1, 0 } end
        return { probabilities = list }
      end } }, metrics = { "log_loss", "brier" }, splitter = cf.splitter("kfold", { folds = 3 }), keep = keep }
end

local function found(result, place)
  return clipped.of(result.jobs[1], place or 1, result.plan.metrics[place or 1])
end

function TestClipped:test_rows_at_the_clip_are_counted_and_those_that_another_class_would_bring_there()
  local result = evaluated "probabilities"
  lu.assertEquals(found(result), { rows = 12, clipped = 3, exposed = 12, at = 1e-15 })
  lu.assertEquals(clipped.note(found(result), "log_loss"),
    "3 of 12 tested rows gave their class a probability of 1e-15 or less, where log_loss is clipped")
  lu.assertNil(found(result, 2))
  local unsure = found(evaluated("probabilities", nil, { 1 - 1e-14, 1e-14 }))
  lu.assertEquals({ unsure.clipped, unsure.exposed, clipped.note(unsure, "log_loss") }, { 0, 0 })
end

function TestClipped:test_without_probabilities_the_scores_say_how_many_at_most()
  lu.assertEquals(found(evaluated "none"), { rows = 12, clipped = 3, at = 1e-15 })
  lu.assertStrContains(clipped.note(found(evaluated "none"), "log_loss"), "up to 3 of 12 tested rows")
  lu.assertEquals(found(evaluated("none", nil, { 0.9, 0.1 })).clipped, 0)
end

function TestClipped:test_rows_of_weight_0_do_not_count()
  local weights = { 1, 0, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1 }
  lu.assertEquals(found(evaluated("probabilities", weights)), { rows = 11, clipped = 2, exposed = 11, at = 1e-15 })
  lu.assertStrContains(clipped.note(found(evaluated("none", weights)), "log_loss"), "nobody knows how many rows")
end
