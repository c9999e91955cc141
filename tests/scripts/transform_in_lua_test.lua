local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestTransformInLua = {}

-- (x - shift) / scale for every feature; learn(values) gives shift and scale.
local function linear(learn, seen)
  return cf.transform {
    name = "linear",
    fit = function(data)
      local state = {}
      for _, name in ipairs(data:features()) do state[name] = { learn(data:column(name)) } end
      return state
    end,
    apply = function(state, data)
      if seen then seen[#seen + 1] = select(2, pcall(data.target, data)) end
      local columns = {}
      for j, name in ipairs(data:features()) do
        local values = data:column(name)
        for i, x in ipairs(values) do values[i] = (x - state[name][1]) / state[name][2] end
        columns[j] = { name = name, values = values }
      end
      return columns
    end,
  }
end

local function range(values)
  return math.min(table.unpack(values)), math.max(table.unpack(values)) - math.min(table.unpack(values))
end

local function labels(learner, data)
  local predicted = {}
  local result = cf.evaluate {
    data = data, learners = { one = learner }, metrics = "accuracy", seed = 3,
    splitter = cf.splitter("kfold", { folds = 5 }),
  }
  lu.assertEquals(#result:failures(), 0)
  for _, row in ipairs(result:predictions()) do predicted[row.row] = row.predicted end
  return predicted
end

-- The bundled min_max does the same arithmetic, so that every out-of-fold prediction must agree.
function TestTransformInLua:test_predictions_are_those_of_the_plugin_of_the_same_method()
  local iris = fixtures.iris()
  local knn = cf.learner("knn", { k = 3 })
  lu.assertEquals(labels(cf.pipeline { linear(range), knn }, iris),
    labels(cf.pipeline { cf.transform("min_max"), knn }, iris))
end

function TestTransformInLua:test_apply_never_sees_a_target()
  local seen = {}
  labels(cf.pipeline { linear(range, seen), "knn" }, fixtures.separable())
  lu.assertEquals(#seen, 10)  -- training and test rows of 5 folds
  for _, message in ipairs(seen) do lu.assertStrContains(message, "their target is hidden") end
end

function TestTransformInLua:test_searches_and_other_transforms_may_stand_behind_it()
  local search = cf.grid_search {
    learner = cf.pipeline { cf.transform("standardize"), cf.learner("knn") }, grid = { k = { 1, 3 } },
    splitter = cf.splitter("kfold", { folds = 3 }), metric = "accuracy",
  }
  lu.assertEquals(#labels(cf.pipeline { linear(range), search }, fixtures.iris()), 150)
  local both = cf.pipeline { linear(range), linear(range), cf.transform("standardize"), "knn" }
  lu.assertEquals(tostring(both), "linear|linear|standardize|knn")
  lu.assertEquals(#labels(both, fixtures.iris()), 150)
end

local thirds = cf.splitter("kfold", { folds = 3 })

-- A transform that keeps every feature and notes how many rows each of its fits saw.
local function counting(sizes)
  return cf.transform { name = "counting", fit = function(data) sizes[#sizes + 1] = #data end,
    apply = function(_, data) return data:features() end }
end

local function sizes_of_fits(after)
  local sizes = {}
  cf.pipeline { counting(sizes), after }:fit(fixtures.iris(), { seed = 1 })
  table.sort(sizes)
  return sizes
end

local function tree_search(value)
  return cf.grid_search { learner = value or "decision_tree", grid = { max_depth = { 1, 2, 5 } }, splitter = thirds,
    metric = "accuracy" }
end

-- Fitted once on all 150 rows, a transform would know the targets of the rows that the inner folds test.
function TestTransformInLua:test_it_is_fitted_inside_the_folds_of_what_stands_behind_it()
  lu.assertEquals(sizes_of_fits(tree_search()), { 100, 100, 100, 150 })
  local stacking = cf.stacking { learners = { "decision_tree" }, combiner = "naive_bayes", splitter = thirds }
  lu.assertEquals(sizes_of_fits(stacking), { 100, 100, 100, 150 })
  lu.assertEquals(sizes_of_fits(cf.voting { learners = { tree_search() } }), { 100, 100, 100, 150 })
  local calibrated = cf.pipeline { "naive_bayes", cf.calibration { method = "platt", splitter = thirds } }
  lu.assertEquals(sizes_of_fits(calibrated), { 100, 100, 100, 150 })
  lu.assertEquals(sizes_of_fits(cf.voting { learners = { "naive_bayes", "lda" } }), { 150 })  -- splits nothing
end

-- Labels that depend on nothing: each level of a column with many levels becomes the share of its rows of class a.
local function noise()
  local x, y = {}, {}
  for i = 1, 200 do
    x[i], y[i] = "level " .. cf.seed(1, i) % 60, cf.seed(2, i) % 2 == 0 and "a" or "b"
  end
  return cf.dataset { name = "noise", target = "y", columns = { { name = "x", values = x },
    { name = "y", values = y } } }
end

local target_mean = cf.transform {
  name = "target_mean",
  fit = function(data)
    local shares, counts, level, target = {}, {}, data:column("x"), data:target()
    for i, name in ipairs(level) do
      shares[name] = (shares[name] or 0) + (target[i] == "a" and 1 or 0)
      counts[name] = (counts[name] or 0) + 1
    end
    for name, count in pairs(counts) do shares[name] = shares[name] / count end
    return shares
  end,
  apply = function(shares, data)
    local values = data:column("x")
    for i, name in ipairs(values) do values[i] = shares[name] or 0.5 end
    return { { name = "mean", values = values } }
  end,
}

function TestTransformInLua:test_an_encoded_target_does_not_leak_into_the_inner_scores()
  local data = noise()
  local _, detail = cf.pipeline { target_mean, tree_search() }:fit(data, { seed = 1 })
  lu.assertEquals(#detail.inner, 3)
  for _, entry in ipairs(detail.inner) do lu.assertTrue(math.abs(entry.mean - 0.5) < 0.08, entry.mean) end
  -- A search over the pipeline is the same search.
  local _, same = tree_search(cf.pipeline { target_mean, "decision_tree" }):fit(data, { seed = 1 })
  lu.assertEquals(same, detail)
end

function TestTransformInLua:test_what_a_search_behind_it_chose_is_in_the_result()
  local result = cf.evaluate { data = noise(), learners = { one = cf.pipeline { target_mean, tree_search() } },
    splitter = thirds, metrics = "accuracy", seed = 1 }
  local rows = result:tuning("one")
  lu.assertEquals(#rows, 3)
  lu.assertStrContains(rows[1].candidate, "decision_tree{max_depth=")
  local again = cf.evaluate { data = noise(), learners = { one = cf.pipeline { target_mean, tree_search() } },
    splitter = thirds, metrics = "accuracy", seed = 1, workers = 3 }
  lu.assertEquals(again:scores(), result:scores())
  lu.assertEquals(again:tuning("one"), rows)
end

function TestTransformInLua:test_a_transform_that_fails_inside_puts_the_candidates_out_with_its_reason()
  local broken = cf.transform { name = "broken", fit = function() error("no table today", 0) end,
    apply = function() return {} end }
  local pipeline = cf.pipeline { broken, tree_search() }
  lu.assertEquals(fixtures.message(pipeline.fit, pipeline, noise(), { seed = 1 }), "cannot choose among 3 "
    .. "candidates: none could be evaluated; the first failed at fit broken: no table today")
end

function TestTransformInLua:test_transforms_of_plugins_may_stand_in_front_of_a_search()
  local behind = cf.pipeline { "standardize", tree_search() }
  lu.assertEquals(tostring(behind), "grid_search{standardize|decision_tree, 3 candidates}")
  local _, detail = behind:fit(fixtures.iris(), { seed = 1 })
  local _, same = tree_search(cf.pipeline { "standardize", "decision_tree" }):fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(detail, same)
  local both = cf.pipeline { linear(range), "standardize", tree_search() }
  lu.assertEquals(tostring(both), "grid_search{linear|standardize|decision_tree, 3 candidates}")
  lu.assertEquals(#labels(both, fixtures.iris()), 150)
  local stacking = cf.stacking { learners = { "lda" }, combiner = "lda", splitter = thirds, passthrough = true }
  lu.assertEquals(fixtures.message(cf.pipeline, { "standardize", stacking }), "pipeline: 'stacking{lda -> lda}' "
    .. "passes the features on to its combiner, so it takes no transforms before it; give them to the learners "
    .. "inside it")
end

-- What the learner after a transform sees of rows 1 and 2 of small data.
local function seen_through(apply)
  local seen = {}
  local spy = cf.learner {
    name = "spy",
    fit = function(data)
      for _, name in ipairs(data:features()) do seen[#seen + 1] = { name, data:column(name) } end
    end,
    predict = function() return {} end,
  }
  local data = cf.dataset { name = "small", target = "y", columns = {
    { name = "a", values = { 1, 2 } }, { name = "b", values = { 3, 4 } },
    { name = "y", values = { "p", "q" } },
  } }
  local made = cf.transform { name = "made", fit = function() end, apply = apply }
  cf.pipeline { made, spy }:fit(data)
  return seen
end

function TestTransformInLua:test_features_that_stay_come_first_and_levels_are_given_by_name()
  lu.assertEquals(seen_through(function()
    return { { name = "c", values = { "no", cf.null }, levels = { "yes", "no" } },
      { name = "d", values = { cf.null, 7 } }, "b" }
  end), { { "b", { 3, 4 } }, { "c", { "no", cf.null } }, { "d", { cf.null, 7 } } })
end

function TestTransformInLua:test_wrong_answers_of_apply_are_refused_with_their_place()
  local function refused(answer)
    return fixtures.message(seen_through, function() return answer end)
  end
  lu.assertStrContains(refused { "z" }, "transform 'made': 'z' is not a feature of 'small'")
  lu.assertStrContains(refused { { name = "c", values = { 1, "x" } } },
    "transform 'made': entry 2 of 'c' is a string, not a number")
  lu.assertStrContains(refused { { name = "c", values = { "x", "y" }, levels = { "x" } } },
    "transform 'made': entry 2 of 'c' is 'y', which is not one of its levels")
  lu.assertStrContains(refused { { name = "c", values = { 1 } } },
    "cannot make feature 'c': it has 1 values for 2 rows")
  lu.assertStrContains(refused(nil), "transform 'made': what apply returned: expected a list, got a nil")
end

function TestTransformInLua:test_a_transform_alone_is_not_a_pipeline()
  lu.assertError(cf.pipeline, { linear(range) })
  lu.assertEquals(fixtures.message(cf.transform, { name = "x", fit = print }),
    "transform: option 'apply' is missing")
end

function TestTransformInLua:test_the_model_cannot_be_saved_and_says_so()
  local model = cf.pipeline { linear(range), "knn" }:fit(fixtures.separable())
  lu.assertEquals(fixtures.message(model.save, model, "x.cfm"), "cannot save model 'x.cfm': learner "
    .. "'linear|knn' cannot be saved (it is written in Lua); fit it again where it is needed")
end
