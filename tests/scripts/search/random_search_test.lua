local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestRandomSearch = {}

-- libsvm has what these tests are about, and is a plugin that may be left out.
local function require_libsvm()
  lu.skipIf(not pcall(cf.learner, "libsvm"), "there is no libsvm")
end

local threefold = cf.splitter("kfold", { folds = 3, shuffle = false })

local function search(changes)
  return cf.random_search(fixtures.with({ learner = "knn", space = { k = { low = 1, high = 9 } }, candidates = 5,
    splitter = threefold, metric = "accuracy", seed = 1 }, changes))
end

local function names(value)
  return fixtures.column(value.candidates, "name")
end

local svm_space = { c = { low = 0.01, high = 100 }, kernel = { "rbf", "linear" },
  gamma = { low = 1e-4, high = 10, scale = "log" } }

function TestRandomSearch:test_a_draw_does_not_depend_on_how_many_there_are()
  require_libsvm()
  local few = names(search { learner = "libsvm", space = svm_space, candidates = 4 })
  local many = names(search { learner = "libsvm", space = svm_space, candidates = 20 })
  lu.assertEquals(#few, 4)
  lu.assertEquals(few, table.move(many, 1, 4, 1, {}))
end

function TestRandomSearch:test_the_draw_of_a_parameter_does_not_depend_on_the_others()
  require_libsvm()
  local one = search { learner = "libsvm", space = { c = svm_space.c } }
  local all = search { learner = "libsvm", space = svm_space }
  for i, candidate in ipairs(one.candidates) do
    lu.assertEquals(candidate.params.c, all.candidates[i].params.c)
  end
end

function TestRandomSearch:test_other_seeds_draw_other_candidates()
  require_libsvm()
  lu.assertNotEquals(names(search { learner = "libsvm", space = svm_space, seed = 1 }),
    names(search { learner = "libsvm", space = svm_space, seed = 2 }))
end

function TestRandomSearch:test_an_inactive_parameter_is_left_out_of_its_candidate()
  require_libsvm()
  local kernels = {}
  for _, candidate in ipairs(search { learner = "libsvm", space = svm_space, candidates = 30 }
    .candidates) do
    local params = candidate.params
    kernels[params.kernel] = true
    lu.assertEquals(params.gamma ~= nil, params.kernel == "rbf")
  end
  lu.assertEquals(kernels, { rbf = true, linear = true })
end

function TestRandomSearch:test_equal_draws_count_once()
  local value = search { space = { k = { low = 1, high = 3 } }, candidates = 50 }
  lu.assertEquals(#value.candidates, 3)
  lu.assertEquals(tostring(value), "random_search{knn, 3 candidates of 50 draws}")
end

function TestRandomSearch:test_integers_are_drawn_as_integers_within_their_range()
  require_libsvm()
  for _, candidate in ipairs(search { candidates = 50 }.candidates) do
    lu.assertEquals(math.type(candidate.params.k), "integer")
    lu.assertTrue(candidate.params.k >= 1 and candidate.params.k <= 9)
  end
end

-- The share of 400 draws of `name` that lie below `limit`.
local function share_below(name, range, limit)
  local below, value = 0, search { learner = cf.learner("libsvm", { kernel = "sigmoid" }),
    space = { [name] = range }, candidates = 400 }
  for _, candidate in ipairs(value.candidates) do
    if candidate.params[name] < limit then below = below + 1 end
  end
  return below / #value.candidates
end

function TestRandomSearch:test_the_declared_scale_is_used_unless_another_is_given()
  require_libsvm()
  -- libsvm declares c as searched on a logarithmic scale, and coef0 not: 1 is the middle of 0.01 .. 100
  -- on the one scale and at 0.0099 of the other.
  lu.assertAlmostEquals(share_below("c", { low = 0.01, high = 100 }, 1), 0.5, 0.08)
  lu.assertAlmostEquals(
    share_below("c", { low = 0.01, high = 100, scale = "linear" }, 1), 0.01, 0.02)
  lu.assertAlmostEquals(
    share_below("coef0", { low = 0.01, high = 100 }, 1), 0.01, 0.02)
end

function TestRandomSearch:test_declared_draws_from_what_the_plugin_declares()
  require_libsvm()
  local metrics, logical = {}, {}
  local value = search { learner = "libsvm", candidates = 40,
    space = { kernel = "declared", shrinking = "declared" } }
  for _, candidate in ipairs(value.candidates) do
    metrics[candidate.params.kernel] = true
    logical[candidate.params.shrinking] = true
  end
  lu.assertEquals(metrics, { linear = true, poly = true, rbf = true, sigmoid = true })
  lu.assertEquals(logical, { [true] = true, [false] = true })
end

function TestRandomSearch:test_parameters_of_a_pipeline_have_the_names_of_its_steps()
  local pipeline = cf.pipeline { cf.transform("standardize"), cf.learner("knn") }
  local value = search { learner = pipeline,
    space = { ["knn.k"] = { low = 1, high = 3 }, ["standardize.scale"] = "declared" } }
  lu.assertStrContains(value.candidates[1].name, "standardize{scale=")
end

function TestRandomSearch:test_all_outer_folds_search_the_same_candidates()
  local result = cf.evaluate { data = fixtures.iris(), learners = { s = search() },
    splitter = threefold, metrics = "accuracy" }
  local lists = {}
  for f, row in ipairs(result:tuning("s")) do
    lists[f] = {}
    for i, entry in ipairs(row.inner) do lists[f][i] = entry.candidate end
  end
  lu.assertEquals(#lists, 3)
  lu.assertEquals(lists[1], names(search()))
  lu.assertEquals(lists[2], lists[1])
  lu.assertEquals(lists[3], lists[1])
end

function TestRandomSearch:test_any_number_of_workers_gives_the_same_bits()
  local texts = {}
  for i, workers in ipairs { 1, 2, 7 } do
    local result = cf.evaluate { data = fixtures.iris(), learners = { s = search() },
      splitter = threefold, metrics = "accuracy", workers = workers }
    local lines = { result:to { csv = true } }
    for _, row in ipairs(result:tuning("s")) do
      for _, entry in ipairs(row.inner) do
        lines[#lines + 1] = ("%s %a"):format(entry.candidate, entry.mean)
      end
    end
    texts[i] = table.concat(lines, "\n")
  end
  lu.assertEquals(texts[2], texts[1])
  lu.assertEquals(texts[3], texts[1])
end

function TestRandomSearch:test_bad_spaces_are_refused()
  require_libsvm()
  local cases = {
    { {}, "option 'space' must be { name = ... } and name a parameter" },
    { { K = { 1 } }, "cannot change 'knn': unknown parameter 'K'; did you mean 'k'? known: "
      .. "distance, k, p, weights" },
    { { k = 5 }, "'k' must be a list of values, a range { low = , high = , scale = } or "
      .. "\"declared\"" },
    { { k = "declared" }, "'k' has no declared bound 'high' (integer >= 1, default 5); give high = ..." },
    { { k = { low = 0, high = 3 } },
      "'k': low = 0 is outside of the declared range: integer >= 1, default 5" },
    { { k = { low = 1, high = 2.5 } }, "'k': high = 2.5 is not an integer, but the parameter is: "
      .. "integer >= 1, default 5" },
    { { k = { low = 3, high = 3 } }, "'k': low = 3 is not below high = 3" },
    { { p = { low = 1, high = math.huge } }, "'p': high must be finite" },
    { { k = { low = 1, high = 3, scale = "cubic" } }, "'k': scale = 'cubic' is not one of log, linear" },
    { { k = { low = 1, hihg = 3 } }, "'k': unknown option 'hihg'; did you mean 'high'? known: high, "
      .. "low, scale" },
    { { k = { 1, nil, 3 } }, "the values of 'k': element 2 of 3 is nil; leave it out" },
  }
  for _, case in ipairs(cases) do
    lu.assertEquals(fixtures.message(search, { space = case[1] }), "random_search: " .. case[2])
  end
  lu.assertStrContains(fixtures.message(search, { space = { distance = { low = 1, high = 2 } } }),
    "random_search: 'distance' has no range: one of ")
  lu.assertStrContains(fixtures.message(search, { learner = "libsvm", space = { c = { high = 3 } } }),
    "random_search: 'c': a logarithmic scale cannot start at low = 0; give low above 0, or scale = "
    .. "\"linear\"")
  lu.assertEquals(fixtures.message(search, { candidates = 0 }),
    "random_search: candidates = 0 is out of range; use 1 or more")
end

function TestRandomSearch:test_a_drawn_value_that_is_no_choice_is_told()
  lu.assertStrContains(fixtures.message(search, { space = { distance = { "euclid" } } }),
    "distance = 'euclid' is not a choice")
end

function TestRandomSearch:test_the_chosen_model_can_be_saved()
  local data = fixtures.iris()
  local model = search():fit(data, { seed = 1 })
  local path = os.tmpname()
  model:save(path)
  lu.assertEquals(cf.load(path):predict(data):labels(), model:predict(data):labels())
  os.remove(path)
end
