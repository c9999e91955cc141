-- One dataset that cannot be split does not stop an evaluation of several.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local iris, separable = fixtures.iris(), fixtures.separable()
local kfold = cf.splitter("kfold", { folds = 8, stratify = true })
local refusal = "cannot split dataset 'separable' (12 rows) with 'kfold{folds=8,stratify=true}': class 'low' has 6 "
  .. "rows, fewer than the 8 folds; use at most 6 folds, stratify = \"as far as possible\", or stratify = false"

local function evaluate(more)
  return cf.evaluate(fixtures.with({ datasets = { separable, iris }, learners = { "naive_bayes", "knn" },
    splitter = kfold, metrics = "accuracy" }, more))
end

TestRefusedSplits = {}

function TestRefusedSplits:setUp() self.store = fixtures.new_store() end

function TestRefusedSplits:tearDown() fixtures.remove_store(self.store) end

function TestRefusedSplits:test_the_other_datasets_run_on()
  local result = evaluate()
  local failures = {}
  for i, learner in ipairs { "naive_bayes", "knn" } do
    failures[i] = { learner = learner, dataset = "separable", repeat_ = 1, fold = 1, stage = "split",
      cause = "data", message = refusal }
  end
  lu.assertEquals(result:failures(), failures)
  local alone = evaluate { datasets = { iris } }:summary()
  local rows = result:summary()
  lu.assertEquals({ rows[3], rows[4] }, alone)
  lu.assertEquals({ rows[1].dataset, rows[1].folds, rows[1].defined, rows[1].failed }, { "separable", 1, 0, 1 })
  lu.assertStrContains(tostring(result), "\n2 folds failed; the first: naive_bayes, repeat 1, fold 1, at split: "
    .. refusal)
end

function TestRefusedSplits:test_the_report_lists_it()
  local page = evaluate():report {}
  lu.assertStrContains(page, "class &#39;low&#39; has 6 rows, fewer than the 8 folds")
end

function TestRefusedSplits:test_one_dataset_alone_is_an_error()
  lu.assertEquals(fixtures.message(evaluate, { datasets = { separable } }), refusal)
end

function TestRefusedSplits:test_it_is_an_error_where_no_dataset_can_be_split()
  lu.assertEquals(fixtures.message(evaluate, { datasets = { a = separable, b = separable } }), refusal)
end

function TestRefusedSplits:test_on_error_stop_stops_there()
  lu.assertEquals(fixtures.message(evaluate, { on_error = "stop" }), refusal)
end

function TestRefusedSplits:test_a_fallback_has_no_splits_either()
  local result = evaluate { on_error = cf.learner("featureless") }
  lu.assertEquals(#result:failures(), 2)
  lu.assertNil(result:failures()[1].fallback)
end

function TestRefusedSplits:test_a_splitter_in_lua_may_refuse_too()
  local picky = cf.splitter { name = "picky", split = function(input)
    assert(input.n > 100, "too few rows for me")
    local folds = {}
    for i = 1, input.n do folds[i] = i % 3 + 1 end
    return { folds = folds }
  end }
  local failures = evaluate { splitter = picky }:failures()
  lu.assertEquals(#failures, 2)
  lu.assertEquals(failures[1].message, "too few rows for me")
end

function TestRefusedSplits:test_a_search_fails_there_like_any_learner()
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 3 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local failures = evaluate { learners = { search = search } }:failures()
  lu.assertEquals(#failures, 1)
  lu.assertEquals(failures[1].message, refusal)
end

function TestRefusedSplits:test_a_store_has_it_and_a_resumed_run_says_the_same()
  local live = evaluate { store = self.store }
  local found = cf.stored { store = self.store }
  lu.assertEquals(found.damaged, {})
  lu.assertEquals(tostring(found.results[1]), tostring(live))
  lu.assertEquals(found.results[1]:failures(), live:failures())
  local again = evaluate { store = self.store }
  lu.assertEquals(again:failures(), live:failures())
  lu.assertEquals(again:scores(), live:scores())
end

function TestRefusedSplits:test_a_saved_result_has_it()
  local live = evaluate()
  live:save(self.store)
  lu.assertEquals(tostring(cf.stored { store = self.store }.results[1]), tostring(live))
end

function TestRefusedSplits:test_a_comparison_leaves_it_out_and_says_so()
  local compared = cf.compare(evaluate { datasets = { separable, iris } })
  for _, row in ipairs(compared:rows()) do lu.assertEquals(row.dataset, "iris") end
  lu.assertStrContains(tostring(compared), "dataset 'separable' is left out: " .. refusal)
  local stored = evaluate { store = self.store }
  lu.assertEquals(tostring(cf.compare(cf.stored { store = self.store }.results[1])), tostring(cf.compare(stored)))
end
