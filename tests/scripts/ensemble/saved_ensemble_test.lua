local lu = require "luaunit"
local cf = require "crossfold"
local ensemble_model = require "crossfold.ensemble.model"
local fixtures = require "fixtures"

local path = os.tmpname()

local function read_bytes()
  local file = assert(io.open(path, "rb"))
  local bytes = file:read("a")
  file:close()
  return bytes
end

local function write_bytes(bytes)
  local file = assert(io.open(path, "wb"))
  assert(file:write(bytes))
  assert(file:close())
end

local function mine()
  return cf.learner {
    name = "mine",
    fit = function(data) return data:classes()[1] end,
    predict = function(class, rows) return fixtures.repeated(class, #rows) end,
  }
end

local function folds() return cf.splitter("kfold", { folds = 3 }) end

local function voting()
  return cf.voting {
    learners = { "knn", cf.pipeline { "standardize", "naive_bayes" } },
    vote = "probabilities", weights = { 2, 0.5 },
  }
end

-- 12 rows, a number and a category with a level that no row has.
local function mixed()
  return cf.dataset {
    name = "mixed", target = "class",
    columns = {
      { name = "x", values = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } },
      { name = "zone", values = { 1, 2, 10, 1, 2, 10, 1, 2, 10, 1, 2, 10 },
        levels = { "10", "2", "1", "7" } },
      { name = "class", values = { "b", "b", "a", "b", "a", "a", "b", "a", "a", "b", "a", "a" },
        levels = { "b", "a" } },
    },
  }
end

local function line()
  local x, y = {}, {}
  for i = 1, 20 do x[i], y[i] = i * 0.37, i * i * 0.1 end
  return cf.dataset { name = "line", target = "y", columns = {
    { name = "x", values = x }, { name = "y", values = y } } }
end

-- Saves `model`, and what came back predicts the same numbers and tells the same of itself.
local function check_same(model, rows)
  model:save(path)
  local loaded = cf.load(path)
  local expected, actual = model:predict(rows), loaded:predict(rows)
  lu.assertEquals(#actual, #rows)
  lu.assertEquals(actual:labels(), expected:labels())
  lu.assertEquals(actual:values(), expected:values())
  local p, q = expected:probabilities() or {}, actual:probabilities() or {}
  lu.assertEquals(#q, #p)
  for i, row in ipairs(p) do
    for c, number in ipairs(row) do assert(q[i][c] == number, "another probability") end
  end
  for i, number in ipairs(expected:values() or {}) do
    assert(actual:values()[i] == number, "another value")
  end
  lu.assertEquals(tostring(loaded), tostring(model))
  lu.assertEquals(loaded:classes(), model:classes())
  lu.assertEquals(loaded:features(), model:features())
  lu.assertEquals(loaded:target(), model:target())
  local bytes = read_bytes()
  loaded:save(path)
  assert(read_bytes() == bytes, "what was loaded is saved as other bytes")
  return loaded
end

TestSavedEnsemble = {}

function TestSavedEnsemble:tearDown() os.remove(path) end

function TestSavedEnsemble:test_a_loaded_voting_predicts_the_same()
  local iris = fixtures.iris()
  local loaded = check_same(voting():fit(iris, { seed = 3 }), iris)
  lu.assertEquals(tostring(loaded), "model of voting{knn, standardize|naive_bayes}")
  lu.assertEquals(loaded:classes(), { "setosa", "versicolor", "virginica" })
  lu.assertEquals(loaded:target(), "class")
  lu.assertEquals(loaded:features(), iris:features())
end

function TestSavedEnsemble:test_votes_of_majorities_and_means_come_back()
  check_same(cf.voting { learners = { cf.learner("knn", { distance = "gower" }), "naive_bayes" } }
    :fit(mixed()), mixed())
  check_same(cf.voting { learners = { cf.learner("knn", { k = 3 }), "featureless" },
    weights = { 0.1, 0.7 } }:fit(line()), line())
end

function TestSavedEnsemble:test_a_loaded_bagging_predicts_the_same()
  local iris = fixtures.iris()
  check_same(cf.bagging { learner = "naive_bayes", n = 7 }:fit(iris, { seed = 2 }), iris)
  check_same(cf.bagging { learner = "naive_bayes", n = 7, rows = 0.5, features = 0.5,
    vote = "probabilities" }:fit(iris, { seed = 2 }), iris)
  check_same(cf.bagging { learner = cf.learner("knn", { k = 2 }), n = 3 }:fit(line()), line())
end

function TestSavedEnsemble:test_a_loaded_stacking_predicts_the_same()
  local iris = fixtures.iris()
  local learners = { "knn", "naive_bayes" }
  for _, probabilities in ipairs { true, false } do
    for _, passthrough in ipairs { true, false } do
      check_same(cf.stacking {
        learners = learners, combiner = "naive_bayes", splitter = folds(),
        probabilities = probabilities, passthrough = passthrough,
      }:fit(iris, { seed = 9 }), iris)
    end
  end
  check_same(cf.stacking { learners = { "knn", "featureless" }, combiner = "knn",
    splitter = folds() }:fit(line(), { seed = 9 }), line())
end

function TestSavedEnsemble:test_members_may_be_searches_and_ensembles()
  local iris = fixtures.iris()
  local search = cf.grid_search {
    learner = "knn", grid = { k = { 1, 5 } }, splitter = folds(), metric = "accuracy",
  }
  local nested = cf.bagging { learner = cf.voting { learners = { search, "naive_bayes" } }, n = 2,
    features = 0.5, replace = false, rows = 0.8 }
  check_same(cf.stacking { learners = { nested, search }, combiner = voting(), splitter = folds() }
    :fit(iris, { seed = 5 }), iris)
end

function TestSavedEnsemble:test_a_target_of_booleans_comes_back()
  local data = cf.dataset { name = "flags", target = "y", columns = {
    { name = "x", values = { 1, 2, 3, 4, 5, 6 } },
    { name = "y", values = { true, true, false, true, false, false } } } }
  local loaded = check_same(cf.voting { learners = { "knn", "naive_bayes" } }:fit(data), data)
  lu.assertEquals(loaded:classes(), { "false", "true" })
end

function TestSavedEnsemble:test_no_rows_give_no_predictions()
  local iris = fixtures.iris()
  voting():fit(iris):save(path)
  lu.assertEquals(#cf.load(path):predict(iris:select {}), 0)
end

function TestSavedEnsemble:test_a_loaded_ensemble_is_scored_like_any_other()
  local iris = fixtures.iris()
  local model = voting():fit(iris)
  model:save(path)
  local score = require("crossfold.native").score
  local prediction = cf.load(path):predict(iris)
  lu.assertEquals(prediction:classes(), { "setosa", "versicolor", "virginica" })
  lu.assertEquals(prediction:truth()[150], "virginica")
  lu.assertEquals(score(cf.metric("accuracy"), prediction),
    score(cf.metric("accuracy"), model:predict(iris)))
end

-- The file has other columns, another order and levels that look like numbers.
function TestSavedEnsemble:test_like_reads_rows_for_an_ensemble()
  local model = cf.voting { learners = { "naive_bayes", "featureless" } }:fit(mixed())
  write_bytes("note,zone,x\nhello,10,3\nthere,1,4\n")
  local rows = cf.read(path, { like = model })
  lu.assertEquals(rows:column("zone"), { "10", "1" })
  lu.assertEquals(rows:column("x"), { 3, 4 })
  local labels = model:predict(rows):labels()
  model:save(path)
  local loaded = cf.load(path)
  lu.assertEquals(loaded:predict(rows):labels(), labels)
  write_bytes("zone,x\n10,3\n")
  lu.assertEquals(cf.read(path, { like = loaded }):column("zone"), { "10" })
  lu.assertEquals(fixtures.message(cf.read, path, { like = {} }),
    "read (csv): option 'like' must be a model, got a table")
end

function TestSavedEnsemble:test_a_missing_feature_is_named()
  local model = cf.bagging { learner = "naive_bayes", n = 2, features = 0.5 }:fit(fixtures.iris())
  lu.assertEquals(fixtures.message(model.predict, model, fixtures.separable()), "cannot predict with "
    .. "'bagging{naive_bayes, n=2, features=0.5}' on dataset 'separable': it has no feature 'sepal length (cm)', "
    .. "which the model was trained on; known: x")
  lu.assertEquals(fixtures.message(model.predict, model, 5), "predict: expected a dataset, got a number")
end

function TestSavedEnsemble:test_a_learner_written_in_lua_is_refused_by_name()
  local iris = fixtures.iris()
  local message = ("cannot save model '%s': learner 'mine' cannot be saved (it is written in Lua); fit "
    .. "it again where it is needed"):format(path)
  os.remove(path)
  for _, model in ipairs {
    mine():fit(iris),
    cf.voting { learners = { "knn", mine() } }:fit(iris),
    cf.bagging { learner = cf.voting { learners = { mine() } }, n = 2 }:fit(iris),
    cf.stacking { learners = { "knn" }, combiner = mine(), splitter = folds() }:fit(iris),
  } do
    lu.assertEquals(fixtures.message(model.save, model, path), message)
    lu.assertNil(io.open(path))
  end
end

function TestSavedEnsemble:test_a_native_member_that_cannot_be_saved_is_named()
  local model = cf.voting { learners = { "knn", "debug" } }:fit(fixtures.iris())
  write_bytes("old")
  lu.assertEquals(fixtures.message(model.save, model, path),
    ("cannot save model '%s': learner 'debug' cannot be saved (it offers no crossfold.serialize/1); "
      .. "fit it again where it is needed"):format(path))
  lu.assertEquals(read_bytes(), "old")
end

function TestSavedEnsemble:test_errors_have_the_position_of_the_script()
  local model = voting():fit(fixtures.iris())
  for _, call in ipairs {
    function() model:save("/nowhere/x.cfm") end,
    function() model:predict(fixtures.separable()) end,
  } do
    local _, problem = pcall(call)
    lu.assertStrMatches(problem, ".-saved_ensemble_test%.lua:%d+: cannot .*")
  end
  lu.assertEquals(fixtures.message(model.save, model, {}),
    "save: expected the path of a file, got a table")
end

-- One byte after "CFXENSEM" is the format.
function TestSavedEnsemble:test_a_newer_format_is_told()
  cf.voting { learners = { "featureless" } }:fit(fixtures.separable()):save(path)
  local bytes = read_bytes()
  write_bytes(bytes:sub(1, 8) .. "\2" .. bytes:sub(10))
  lu.assertEquals(fixtures.message(cf.load, path), ("cannot load model '%s': it has format 2, Crossfold "
    .. "%s reads up to 1; use a newer Crossfold"):format(path, cf._VERSION))
end

function TestSavedEnsemble:test_every_truncation_and_every_flipped_byte_is_refused()
  cf.voting { learners = { "featureless" } }:fit(fixtures.separable()):save(path)
  local bytes = read_bytes()
  local damaged = "cannot load model 'f': it is damaged or cut short; save it again"
  for n = 8, #bytes - 1 do
    lu.assertEquals(fixtures.message(ensemble_model.from_bytes, bytes:sub(1, n), "f"), damaged)
  end
  for n = 0, 7 do
    lu.assertFalse(pcall(ensemble_model.from_bytes, bytes:sub(1, n), "f"))
  end
  for i = 13, #bytes do
    local flipped = bytes:sub(1, i - 1) .. string.char(bytes:byte(i) ~ (1 << i % 8)) .. bytes:sub(i + 1)
    lu.assertEquals(fixtures.message(ensemble_model.from_bytes, flipped, "f"), damaged)
  end
  lu.assertEquals(fixtures.message(ensemble_model.from_bytes, bytes .. "\0", "f"), damaged)
end
