-- What does not depend on the names that a script gives, nor on the order of its learners: the seeds of all random
-- numbers come from definitions.
local lu = require "luaunit"
local cf = require "crossfold"
local native = require "crossfold.native"
local fixtures = require "fixtures"

TestNames = {}

-- 36 rows, two classes that overlap, so that other random numbers give other predictions.
local function noisy(task)
  local x, z, y = {}, {}, {}
  for i = 1, 36 do
    x[i], z[i] = (i * 7) % 11 + i % 2, (i * i) % 13
    y[i] = (i * 5) % 7 < 3 + i % 2 and "low" or "high"
    if task == "regression" then y[i] = x[i] * z[i] + (i * 5) % 7 end
  end
  return cf.dataset { name = "noisy", target = "y",
    columns = { { name = "x", values = x }, { name = "z", values = z }, { name = "y", values = y } } }
end

local kfold = cf.splitter("kfold", { folds = 2 })

-- All that an evaluation found, by the key of a learner; `named` gives the key a name.
local function found(learners, named, changes)
  local given, key_of = {}, {}
  for key, value in pairs(learners) do given[named(key)], key_of[named(key)] = value, key end
  local result = cf.evaluate(fixtures.with({ data = noisy(), learners = given, splitter = kfold, metrics = "accuracy",
    keep = "probabilities", seed = 5 }, changes))
  local by_key = {}
  local function add(rows, ...)
    for _, row in ipairs(rows) do
      local text = key_of[row.learner]
      by_key[text] = by_key[text] or {}
      local line = {}
      for i, field in ipairs { "repeat_", "fold", "row", ... } do
        local value = row[field]
        line[i] = math.type(value) == "float" and ("%a"):format(value) or tostring(value)
        if type(value) == "table" then
          local numbers = {}
          for c, p in ipairs(value) do numbers[c] = ("%a"):format(p) end
          line[i] = table.concat(numbers, " ")
        end
      end
      table.insert(by_key[text], table.concat(line, " "))
    end
  end
  add(result:predictions(), "predicted", "probabilities")
  add(result:failures(), "message")
  return by_key
end

local function as_it_is(key) return key end
local function other(key) return "z" .. (100 - key:byte()) .. key end  -- which turns the order round

local function assert_nothing_changes(learners, changes)
  local first = found(learners, as_it_is, changes)
  for key in pairs(learners) do lu.assertNotNil(first[key], key) end
  lu.assertEquals(found(learners, other, changes), first)
end

-- The bundled learners for these data.
local function bundled(data)
  local learners = {}
  for _, component in ipairs(native.components()) do
    if component.kind == "learner" and component.id:find("^crossfold%.") then
      local ok, made = pcall(cf.learner, component.short_id)
      if ok and pcall(native.check_learner, made, data) then learners[component.short_id] = made end
    end
  end
  return learners
end

function TestNames:test_no_learner_of_a_plugin_sees_its_name()
  for task, metric in pairs { classification = "accuracy", regression = "mse" } do
    local learners = bundled(noisy(task))
    for _, id in ipairs { "random_forest", "mlp", "decision_tree" } do lu.assertNotNil(learners[id], id) end
    assert_nothing_changes(learners, { data = noisy(task), metrics = metric })
  end
end

local forest = cf.learner("random_forest", { trees = 3 })
local network = cf.learner("mlp", { hidden = { 3 }, epochs = 5 })
local jitter = cf.transform { name = "jitter", fit = function(_, context) return context.seed end,
  apply = function(seed, data)
    local values = data:column "x"
    for i = 1, #values do values[i] = values[i] + ((seed >> 8) + i) % 7 end
    return { "z", { name = "x2", values = values } }
  end }
local function search(kind, base, grid)
  return cf[kind] { learner = base, grid = grid, splitter = cf.splitter("kfold", { folds = 2 }), metric = "accuracy" }
end

-- `name` gives learners inside their names.
local function composites(name)
  return {
    voting = cf.voting { learners = { forest, forest, network }, vote = "probabilities" },
    bagging = cf.bagging { learner = forest, n = 3, features = 0.5 },
    stacking = cf.stacking { learners = { forest, network }, combiner = "mlp", splitter = kfold },
    conformal = cf.conformal { learner = forest, method = "aps", splitter = kfold, randomized = true },
    calibrated = cf.pipeline { network, cf.calibration { method = "platt", splitter = kfold } },
    threshold = cf.pipeline { jitter, forest, cf.threshold { metric = "accuracy", splitter = kfold } },
    transformed = cf.pipeline { jitter, "standardize", forest },
    lua = cf.learner { name = "dice", fit = function(_, context) return context.seed end,
      predict = function(seed, data)
        local labels = {}
        for i = 1, #data do labels[i] = (seed >> i) % 2 == 0 and "low" or "high" end
        return labels
      end },
    grid = search("grid_search", forest, { max_depth = { 1, 2 }, features_per_node = { 1, 2 } }),
    random = cf.random_search { learner = forest, space = { max_depth = { 1, 2, 3 } }, candidates = 3, splitter = kfold,
      metric = "accuracy" },
    around = search("grid_search", cf.bagging { learner = network, n = 2 }, { features = { 0.5, 1 } }),
    choice = search("grid_search", cf.choice { [name "a"] = forest, [name "b"] = network }, {
      { choice = { name "a" }, [name "a" .. ".max_depth"] = { 1, 2 } }, { choice = { name "b" } } }),
    inside = cf.bagging { n = 2, replace = false, rows = 0.8, learner = search("grid_search", cf.choice {
      [name "a"] = cf.bagging { learner = forest, n = 2 }, [name "b"] = network },
      { choice = { name "b", name "a" } }) },
  }
end

function TestNames:test_no_composite_sees_its_name()
  local first, second = found(composites(as_it_is), as_it_is), found(composites(other), other)
  for key, predictions in pairs(first) do
    lu.assertEquals(#predictions, #noisy(), key .. predictions[1])
    lu.assertEquals(second[key], predictions, key)
  end
  lu.assertEquals(fixtures.sorted_keys(second), fixtures.sorted_keys(first))
end

function TestNames:test_members_have_random_numbers_of_their_own_in_any_place()
  local function predictions(learners) return found({ v = cf.voting { learners = learners } }, as_it_is) end
  lu.assertEquals(predictions { forest, network, "knn" }, predictions { "knn", forest, network })
  local twice = cf.voting { learners = { forest, forest } }:fit(noisy(), { seed = 1 })
  lu.assertNotEquals(twice.models[1]:predict(noisy()):probabilities(), twice.models[2]:predict(noisy()):probabilities())
end

function TestNames:test_equal_learners_have_equal_scores_unless_they_get_seeds()
  local learners = { a = forest, b = forest, c = forest, d = forest:with { max_depth = 2 } }
  local all = found(learners, as_it_is, { seeds = { c = 2 } })
  lu.assertEquals(all.b, all.a)
  lu.assertNotEquals(all.c, all.a)
  lu.assertEquals(found({ x = forest }, as_it_is, { seeds = { x = 2 } }).x, all.c)
  lu.assertEquals(found({ x = forest }, as_it_is).x, all.a)
  local function refused(seeds)
    return fixtures.message(cf.evaluate, { data = noisy(), learners = { a = forest }, splitter = kfold,
      metrics = "accuracy", seeds = seeds })
  end
  lu.assertEquals(refused { forest = 1 }, "evaluate: option 'seeds': there is no learner 'forest'; known: a")
  lu.assertEquals(refused { a = "two" }, "evaluate: seeds.a is two; give an integer")
end

function TestNames:test_a_default_that_is_written_down_changes_nothing()
  local dice = cf.learner { name = "dice", params = { k = { type = "integer", default = 3 } },
    fit = function(_, context) return context.seed end,
    predict = function(seed, data)
      local labels = {}
      for i = 1, #data do labels[i] = (seed >> i) % 2 == 0 and "low" or "high" end
      return labels
    end }
  local scale = cf.transform "standardize"
  local all = found({ a = forest, b = forest:with { min_leaf = 1, bootstrap = true }, c = dice, d = dice:with { k = 3 },
    e = cf.pipeline { scale, network }, f = cf.pipeline { scale:with { center = true }, network },
    g = cf.bagging { learner = dice, n = 2 }, h = cf.bagging { learner = dice:with { k = 3 }, n = 2 } }, as_it_is)
  for one, same in pairs { a = "b", c = "d", e = "f", g = "h" } do lu.assertEquals(all[same], all[one]) end
end

-- A search that chooses the setting that the learner has gives the predictions of the learner.
function TestNames:test_a_search_of_one_candidate_is_the_learner()
  local both = found({ plain = forest, tuned = search("grid_search", forest, { min_leaf = { 1 } }) }, as_it_is)
  lu.assertEquals(both.tuned, both.plain)
end

function TestNames:test_studies_see_no_names()
  local function numbers(name)
    local given = { [name] = forest, m = network }
    local curve = cf.learning_curve { data = noisy(), learners = given, metrics = "accuracy", trials = 2,
      sizes = { 9, 18 } }
    local parts = cf.variance { data = noisy(), learners = given, metric = "accuracy", splitter = kfold,
      sources = { split = 2, seed = 2 } }
    local error_ = cf.bias_variance { data = noisy(), learners = given, rounds = 3 }
    local list = {}
    for _, rows in ipairs { curve:summary(), parts:rows(), error_:rows() } do
      for _, row in ipairs(rows) do
        if row.learner == name then
          for _, field in ipairs { "size", "mean", "sd", "variance", "estimate", "bias", "error" } do
            list[#list + 1] = tostring(row[field])
          end
        end
      end
    end
    return list
  end
  local first = numbers "a"
  lu.assertTrue(#first > 20)
  lu.assertEquals(numbers "z", first)
end

function TestNames:test_the_seed_of_a_path_is_that_of_the_definition()
  lu.assertEquals(require("crossfold.learner").seed(7, forest), cf.seed(7, "learner", "random_forest"))
end
