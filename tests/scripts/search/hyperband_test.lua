local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestHyperband = {}

local threefold = cf.splitter("kfold", { folds = 3, stratify = true })

local function search(changes)
  return cf.hyperband(fixtures.with({ learner = "knn",
    space = { k = { low = 1, high = 9 }, distance = { "chebyshev", "euclidean", "manhattan" } }, min_resource = 0.3,
    splitter = threefold, metric = "accuracy", seed = 1 }, changes))
end

local function sizes_of(value)
  return fixtures.column(value:plan(fixtures.iris()).brackets, "sizes")
end

local function forest(changes)
  return search(fixtures.with({ learner = "random_forest",
    space = { min_leaf = { low = 1, high = 100000 }, max_depth = { low = 1, high = 100 } },
    resource = "trees" }, changes))
end

function TestHyperband:test_brackets_are_those_of_the_paper()
  -- Li et al. 2018, algorithm 1 with R = 81 and eta = 3: ceil(5/5 81), ceil(5/4 27), ceil(5/3 9), ceil(5/2 3), 5.
  lu.assertEquals(sizes_of(forest { min_resource = 1, max_resource = 81 }),
    { { 81, 27, 9, 3, 1 }, { 34, 11, 3, 1 }, { 15, 5, 1 }, { 8, 2 }, { 5 } })
  -- The table of mlr3hyperband's page on its tuner: eta = 2, r_min = 1, r_max = 8.
  lu.assertEquals(sizes_of(forest { min_resource = 1, max_resource = 8, factor = 2 }),
    { { 8, 4, 2, 1 }, { 6, 3, 1 }, { 4, 2 }, { 4 } })
end

function TestHyperband:test_a_plan_has_the_brackets_and_their_cells()
  local value = forest { min_resource = 1, max_resource = 8, factor = 2 }
  lu.assertEquals(tostring(value:plan(fixtures.iris())), "22 of 22 candidates on 3 inner folds: at most 105 cells per "
    .. "search, in brackets of 8, 6, 4, 4 candidates with 4, 3, 2, 1 rounds")
end

function TestHyperband:test_candidates_with_the_whole_resource_have_the_scores_of_a_random_search()
  local data = fixtures.iris()
  local value = search()
  local _, detail = value:fit(data, { seed = 1 })
  local random = cf.random_search { learner = "knn", space = value.given.space, splitter = threefold,
    metric = "accuracy", seed = 1, candidates = 5 }
  local _, all = random:fit(data, { seed = 1 })
  local compared, best = 0, 0
  for c, entry in ipairs(detail.inner) do
    lu.assertEquals(entry.candidate, all.inner[c].candidate)
    if entry.resource == 1 then
      lu.assertEquals(entry.mean, all.inner[c].mean)
      compared, best = compared + 1, math.max(best, entry.mean)
    end
  end
  lu.assertEquals(compared, 3)  -- one of two in the first bracket, both of the second: one draw came twice
  lu.assertEquals(detail.mean, best)
  lu.assertEquals(detail.cells, 3 * (2 + 1 + 2))
end

function TestHyperband:test_brackets_and_rounds_are_in_the_detail()
  local _, detail = search { min_resource = 0.1 }:fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(#detail.brackets, 3)
  lu.assertEquals(detail.brackets[1][1].candidates, 5)
  lu.assertAlmostEquals(detail.brackets[1][1].resource, 1 / 9, 1e-15)
  lu.assertEquals(detail.brackets[3][1].resource, 1)
  lu.assertEquals(detail.inner[1].bracket, 1)
  lu.assertEquals(detail.inner[#detail.inner].bracket, 3)
end

function TestHyperband:test_a_small_space_is_shared_among_the_brackets()
  local value = search { space = { k = { low = 1, high = 6 } }, min_resource = 0.1 }
  lu.assertEquals(#value.candidates, 6)
  lu.assertEquals(sizes_of(value), { { 3, 1, 1 }, { 1, 1 }, { 2 } })
end

function TestHyperband:test_candidates_that_fail_are_not_chosen_and_a_bracket_without_any_is_left_out()
  local _, detail = search { space = { k = { low = 1, high = 90 } }, min_resource = 0.1 }
    :fit(fixtures.iris(), { seed = 2 })
  local failed = 0
  for _, entry in ipairs(detail.inner) do
    if entry.failure then failed = failed + 1 end
  end
  lu.assertTrue(failed > 0)
  lu.assertNotNil(detail.mean)
end

function TestHyperband:test_any_number_of_workers_gives_the_same_bits()
  local texts = {}
  for i, workers in ipairs { 1, 2, 7 } do
    local result = cf.evaluate { data = fixtures.iris(), learners = { s = search() }, splitter = threefold,
      metrics = "accuracy", workers = workers }
    texts[i] = result:to { csv = true } .. tostring(result:tuning("s"))
  end
  lu.assertEquals(texts[2], texts[1])
  lu.assertEquals(texts[3], texts[1])
end

function TestHyperband:test_bad_options_are_refused()
  lu.assertEquals(fixtures.message(search, { min_resource = 2 }),
    "hyperband: min_resource = 2 is out of range; rows are a share above 0, at most 1")
  lu.assertEquals(fixtures.message(search, { factor = 1 }), "hyperband: factor = 1 is out of range; use 2 or more")
  lu.assertEquals(fixtures.message(forest, { min_resource = 1 }),
    "hyperband: option 'max_resource' is missing: the value of 'trees' in the last round")
  lu.assertEquals(fixtures.message(function() search():session() end),
    "hyperband:session: its candidates do not get one score each, so there is nothing to report; use model_search, "
    .. "random_search or grid_search")
end
