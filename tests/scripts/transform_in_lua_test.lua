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

-- What the learner behind a transform sees of rows 1 and 2 of small data.
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
  lu.assertStrContains(refused { "z" }, "transform 'made': 'z' is no feature of 'small'")
  lu.assertStrContains(refused { { name = "c", values = { 1, "x" } } },
    "transform 'made': entry 2 of 'c' is a string, not a number")
  lu.assertStrContains(refused { { name = "c", values = { "x", "y" }, levels = { "x" } } },
    "transform 'made': entry 2 of 'c' is 'y', which is none of its levels")
  lu.assertStrContains(refused { { name = "c", values = { 1 } } },
    "cannot make feature 'c': it has 1 values for 2 rows")
  lu.assertStrContains(refused(nil), "transform 'made': what apply returned: expected a list, got a nil")
end

function TestTransformInLua:test_its_place_is_in_front()
  lu.assertEquals(fixtures.message(cf.pipeline, { cf.transform("standardize"), linear(range), "knn" }),
    "pipeline: step 2 is 'linear', a transform written in Lua; put it in front of all other steps")
  lu.assertError(cf.pipeline, { linear(range) })
  lu.assertEquals(fixtures.message(cf.transform, { name = "x", fit = print }),
    "transform: option 'apply' is missing")
end

function TestTransformInLua:test_the_model_cannot_be_saved_and_says_so()
  local model = cf.pipeline { linear(range), "knn" }:fit(fixtures.separable())
  lu.assertEquals(fixtures.message(model.save, model, "x.cfm"), "cannot save model 'x.cfm': learner "
    .. "'linear|knn' cannot be saved (it is written in Lua); fit it again where it is needed")
end
