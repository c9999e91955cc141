-- Learners with validation rows: the same rows and the same bits wherever the cells run.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestValidation = {}

local iris = fixtures.iris()
local folds = cf.splitter("kfold", { folds = 4, stratify = true })

local function learners()
  return {
    boosted = cf.learner("adaboost", { rounds = 20, early_stopping_share = 0.25 }),
    network = cf.pipeline { cf.transform("standardize"),
      cf.learner("mlp", { epochs = 15, patience = 3, learning_rate = 0.02, early_stopping_share = 0.2 }) },
    tuned = cf.grid_search { learner = cf.learner("adaboost", { early_stopping_share = 0.25 }),
      grid = { rounds = { 2, 10 } }, metric = "accuracy",
      splitter = cf.splitter("kfold", { folds = 3 }) },
  }
end

local function evaluate(more)
  local given = fixtures.with({ data = iris, learners = learners(), splitter = folds, seed = 5,
    metrics = { "accuracy", "log_loss" } }, more)
  local result = cf.evaluate(given)
  lu.assertEquals(result:failures(), {})
  return result
end

function TestValidation:test_workers_and_processes_change_nothing()
  local plain = evaluate { workers = 1 }
  for _, more in ipairs { { workers = 3 }, { isolate = "worker" }, { isolate = "fresh" } } do
    local result = evaluate(more)
    lu.assertEquals(result:to { csv = true }, plain:to { csv = true })
    lu.assertEquals(result:predictions(), plain:predictions())
  end
end

function TestValidation:test_another_seed_holds_other_rows_out()
  lu.assertNotEquals(evaluate { seed = 6 }:to { csv = true }, evaluate { seed = 5 }:to { csv = true })
end

-- 4 folds of two learners, and 7 fits in each of the search.
function TestValidation:test_a_store_has_all_cells_and_gives_the_same()
  local name = os.tmpname()
  os.remove(name)
  local store = name .. ".cfdb"
  local first = evaluate { store = store }
  lu.assertEquals(cf.store_status(store).computed, 4 + 4 + 28)
  local again = evaluate { store = store }
  lu.assertEquals(cf.store_status(store).computed, 4 + 4 + 28)
  lu.assertEquals(cf.store_status(store).found, 4 + 4 + 28)
  lu.assertEquals(again:to { csv = true }, first:to { csv = true })
  lu.assertEquals(again:predictions(), evaluate():predictions())
  -- Another share is another cell.
  cf.evaluate { data = iris, splitter = folds, seed = 5, metrics = "accuracy", store = store,
    learners = { boosted = cf.learner("adaboost", { rounds = 20, early_stopping_share = 0.3 }) } }
  lu.assertEquals(cf.store_status(store).computed, 4 + 4 + 28 + 4)
  for _, ending in ipairs { "", "-wal", "-shm" } do os.remove(store .. ending) end
end

-- Each fold trains on one of two groups, of which no part can be held out.
function TestValidation:test_groups_of_the_dataset_stay_whole()
  local x, y, g = {}, {}, {}
  for i = 1, 20 do x[i], y[i], g[i] = i, i % 3 == 0 and "yes" or "no", i % 2 end
  local function failures(roles)
    return cf.evaluate { seed = 1, metrics = "accuracy",
      data = cf.dataset { name = "grouped", target = "y", groups = roles, columns = {
        { name = "x", values = x }, { name = "y", values = y }, { name = "g", values = g } } },
      learners = { cf.learner("adaboost", { early_stopping_share = 0.25 }) },
      splitter = cf.splitter(roles and "leave_one_group_out" or "kfold", roles and {} or { folds = 2 }),
    }:failures()
  end
  lu.assertEquals(failures(nil), {})
  local failed = failures("g")
  lu.assertEquals(#failed, 2)
  lu.assertEquals(failed[1].message, "cannot hold out validation rows: all training rows are of one group; leave out "
    .. "early_stopping_share")
end

function TestValidation:test_the_share_is_part_of_the_identity()
  local learner = cf.learner("adaboost", { rounds = 20, early_stopping_share = 0.25 })
  lu.assertEquals(tostring(learner), "adaboost{early_stopping_share=0.25,rounds=20}")
  lu.assertEquals(learner:params().early_stopping_share, 0.25)
  lu.assertEquals(tostring(learner:with { early_stopping_share = 0.5 }), "adaboost{early_stopping_share=0.5,rounds=20}")
  lu.assertNil(cf.learner("adaboost"):params().early_stopping_share)
end

function TestValidation:test_a_grid_may_vary_the_share()
  local search = cf.grid_search { learner = cf.learner("adaboost", { rounds = 10 }),
    grid = { early_stopping_share = { 0.2, 0.4 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local result = cf.evaluate { data = iris, learners = { search = search }, splitter = folds, metrics = "accuracy" }
  lu.assertEquals(#result:tuning("search")[1].inner, 2)
end

function TestValidation:test_a_model_is_saved_with_its_share()
  local learner = cf.learner("adaboost", { rounds = 20, early_stopping_share = 0.25 })
  local model = learner:fit(iris, { seed = 3 })
  local path = os.tmpname()
  model:save(path)
  local loaded = cf.load(path)
  os.remove(path)
  lu.assertEquals(tostring(loaded:learner()), tostring(learner))
  lu.assertEquals(loaded:predict(iris):probabilities(), model:predict(iris):probabilities())
end

function TestValidation:test_what_cannot_validate_is_refused_where_it_is_made()
  lu.assertErrorMsgContains("cannot make learner 'knn': it does not use validation rows; leave out "
    .. "early_stopping_share or use one of the learners that do: adaboost, mlp", function()
    cf.learner("knn", { early_stopping_share = 0.2 })
  end)
  lu.assertErrorMsgContains("cannot make learner 'adaboost': early_stopping_share = 0 is out of range; it must be a "
    .. "number in (0, 1), or none", function() cf.learner("adaboost", { early_stopping_share = 0 }) end)
end

-- A transform in Lua is fitted on all training rows, so it would know the validation rows.
function TestValidation:test_transforms_in_lua_before_it_are_refused()
  local constant = cf.transform { name = "constant", fit = function() return {} end,
    apply = function() return {} end }
  local expected = "pipeline: 'adaboost{early_stopping_share=0.25}' holds validation rows out, and "
  lu.assertErrorMsgContains(expected, function()
    cf.pipeline { constant, cf.learner("adaboost", { early_stopping_share = 0.25 }) }
  end)
  lu.assertNotNil(cf.pipeline { constant, cf.learner("adaboost") })
end
