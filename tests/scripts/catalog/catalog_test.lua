local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local message = fixtures.message

TestCatalog = {}

function TestCatalog:setUp()
  self.files = {}
  self.catalog = cf.catalog(self:file())
end

function TestCatalog:tearDown()
  for _, path in ipairs(self.files) do fixtures.remove_store(path) end
end

function TestCatalog:file()
  self.files[#self.files + 1] = fixtures.new_store()
  return self.files[#self.files]
end

-- A store with one evaluation on iris, which is returned, too.
function TestCatalog:store(more)
  local path = self:file()
  return path, cf.evaluate(fixtures.with({ data = fixtures.iris(), store = path, metrics = { "accuracy", "brier" },
    learners = { knn = cf.learner("knn", { k = 5 }), bayes = "naive_bayes" }, seed = 1,
    splitter = cf.splitter("kfold", { folds = 5 }) }, more))
end

local function pick(rows, names)
  local made = {}
  for i, row in ipairs(rows) do
    made[i] = {}
    for n, name in ipairs(names) do made[i][n] = row[name] or false end
  end
  return made
end

function TestCatalog:test_best_has_the_means_and_intervals_of_the_result()
  local path, result = self:store()
  self.catalog:add(path, { who = "ann" })
  local best, intervals = self.catalog:best { metric = "brier" }, {}
  for _, row in ipairs(result:interval { metric = "brier" }) do intervals[row.learner] = row end
  lu.assertEquals(#best, 2)
  for _, row in ipairs(best) do
    local expected = intervals[row.learner]
    lu.assertEquals({ row.score, row.low, row.high, row.method, row.covers, row.confidence, row.design },
      { expected.mean, expected.low, expected.high, expected.method, expected.covers, 0.95, "5 folds" })
    lu.assertEquals({ row.who, row.dataset_hash, row.folds }, { "ann", fixtures.iris():hash(), 5 })
  end
  lu.assertEquals(pick(best, { "rank", "learner", "settings" }),
    { { 1, "knn", "knn{k=5}" }, { 2, "bayes", "naive_bayes" } })
end

function TestCatalog:test_the_table_says_what_the_intervals_are()
  local path = self:store { learners = { knn = cf.learner("knn", { k = 5 }) } }
  self.catalog:add(path, { who = "ann" })
  local lines = {}
  for line in tostring(self.catalog:best()):gmatch("[^\n]+") do lines[#lines + 1] = line end
  lu.assertEquals({ table.unpack(lines, 5) }, {
    "(accuracy on iris: corrected_t: 95 % interval for the procedure)",
    "(brier on iris: corrected_t: 95 % interval for the procedure)" })
end

function TestCatalog:test_a_run_that_is_repeated_is_ranked_once()
  local path, result = self:store { metrics = "accuracy" }
  self:store { metrics = "accuracy", store = path }
  self.catalog:add(path)
  lu.assertEquals(#self.catalog:best(), #result:summary())
end

function TestCatalog:test_a_score_without_an_interval_says_why()
  local path = self:store { learners = "knn", metrics = "accuracy", splitter = cf.splitter("kfold",
    { folds = 5, shuffle = false }) }
  self.catalog:add(path)
  local row = self.catalog:best()[1]
  lu.assertEquals({ row.low, row.method, row.undefined }, { nil, nil, "nobody knows whether these splits were drawn at "
    .. "random; name a method if they were, as in result:interval{ method = \"corrected_t\" }" })
end

function TestCatalog:test_a_learner_that_fails_has_no_rank_and_the_reason()
  local path = self:store { learners = { knn = "knn", fails = cf.learner("debug", { action = "throw_in_fit" }) },
    metrics = "accuracy" }
  self.catalog:add(path)
  local rows = self.catalog:best()
  lu.assertEquals(pick(rows, { "rank", "learner", "defined", "failed" }),
    { { 1, "knn", 5, 0 }, { false, "fails", 0, 5 } })
  lu.assertNil(rows[2].score)
  lu.assertStrContains(rows[2].undefined, "failed at fit debug")
end

function TestCatalog:test_ensembles_and_searches_are_ranked_too()
  local path = self:store { metrics = "accuracy", learners = {
    vote = cf.voting { learners = { "knn", "naive_bayes" } },
    search = cf.grid_search { learner = "knn", grid = { k = { 1, 5 } }, metric = "accuracy",
      splitter = cf.splitter("kfold", { folds = 3 }) } } }
  self.catalog:add(path)
  local names = {}
  for _, row in ipairs(self.catalog:best()) do names[row.learner] = row.score ~= nil end
  lu.assertEquals(names, { vote = true, search = true })
end

function TestCatalog:test_scores_on_different_splits_are_marked()
  self.catalog:add { (self:store { seed = 1, metrics = "accuracy" }), (self:store { seed = 2, metrics = "accuracy" }) }
  local best = self.catalog:best()
  local splits = {}
  for _, row in ipairs(best) do splits[row.splits] = true end
  local n = 0
  for _ in pairs(splits) do n = n + 1 end
  lu.assertEquals(n, 2)
  lu.assertStrContains(tostring(best),
    "\n(accuracy on iris: scores with different splits were measured on different splits of the rows)")
end

function TestCatalog:test_two_people_who_ran_the_same_agree()
  self.catalog:add(self:store(), { who = "ann" })
  self.catalog:add(self:store(), { who = "bob" })
  local names = { "learner", "first", "second", "cells", "same_inputs", "equal", "reason" }
  lu.assertEquals(pick(self.catalog:agree(), names),
    { { "bayes", "ann", "bob", 5, 5, 5, false }, { "knn", "ann", "bob", 5, 5, 5, false } })
end

function TestCatalog:test_other_metrics_do_not_make_cells_differ()
  self.catalog:add { (self:store { metrics = "accuracy" }), (self:store { metrics = { "accuracy", "f1_macro" } }) }
  for _, row in ipairs(self.catalog:agree()) do lu.assertEquals({ row.cells, row.equal }, { 5, 5 }) end
end

function TestCatalog:test_two_people_who_do_not_agree_see_why()
  local forest = { forest = cf.learner("random_forest", { trees = 3 }) }
  local own = cf.splitter("kfold", { folds = 5, shuffle = false })
  self.catalog:add { (self:store { learners = forest, splitter = own, seed = 1 }),
    (self:store { learners = forest, splitter = own, seed = 2 }) }
  local found = self.catalog:agree()
  lu.assertEquals(pick(found, { "learner", "cells", "same_inputs", "reason" }), { { "forest", 5, 0, "seed" } })
  lu.assertTrue(found[1].different > 0)
  lu.assertStrMatches(found[1].finding, "repeat 1, fold %d: seed %d+ and %d+")
  lu.assertStrContains(tostring(found), "\nforest on iris, seed: " .. found[1].finding)
end

function TestCatalog:test_inner_cells_are_compared_if_asked_for()
  local search = { search = cf.grid_search { learner = "knn", grid = { k = { 1, 5 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) } }
  self.catalog:add { (self:store { learners = search }), (self:store { learners = search }) }
  local inner = 0
  for _, row in ipairs(self.catalog:agree { inner = true }) do
    if row.inner then inner = inner + row.equal end
  end
  lu.assertEquals(inner, 2 * 3 * 5)
  for _, row in ipairs(self.catalog:agree()) do lu.assertFalse(row.inner) end
end

function TestCatalog:test_hashes_are_found()
  self.catalog:add(self:store(), { who = "ann" })
  local found = self.catalog:find(fixtures.iris():hash():sub(1, 10))
  lu.assertEquals(pick(found, { "what", "name", "who", "cells" }), { { "dataset", "iris", "ann", 10 } })
  lu.assertEquals(tostring(self.catalog:find "ffffffffffff"), "nothing has the hash 'ffffffffffff'")
end

function TestCatalog:test_a_query_gives_rows_in_the_order_of_its_columns()
  self.catalog:add(self:store(), { who = "ann" })
  local found = self.catalog:query "SELECT who, count(fold) AS n FROM cells JOIN stores ON id = store GROUP BY who"
  lu.assertEquals(pick(found, found:columns()), { { "ann", 10 } })
  lu.assertEquals(found:to { csv = true }, "who,n\nann,10\n")
end

function TestCatalog:test_a_store_that_cannot_be_read_has_a_problem_and_the_others_are_added()
  local path, none = self:store(), self:file()
  local added = self.catalog:add { none, path }
  lu.assertEquals(added[1].problem, ("cannot open store '%s': there is no such file; a run with --store makes it")
    :format(none))
  lu.assertEquals({ added[2].runs, added[2].cells, added[2].problem }, { 1, 10, nil })
end

function TestCatalog:test_without_stores_those_of_the_catalog_are_read_again()
  local path = self:store()
  self.catalog:add(path, { who = "ann" })
  self:store { store = path, learners = "decision_tree" }
  lu.assertEquals(self.catalog:list()[1].state, "changed")
  local added = self.catalog:add()
  lu.assertEquals({ added[1].runs, added[1].cells, added[1].who }, { 1, 15, "ann" })
  lu.assertEquals(self.catalog:list()[1].state, "current")
end

function TestCatalog:test_a_run_that_ends_while_its_store_is_added_has_its_scores()
  local native = require "crossfold.native"
  local path = self:store()
  local stored_runs, calls = native.stored_runs, 0
  native.stored_runs = function(store)
    calls = calls + 1
    if calls == 3 then -- the scores have been read
      cf.evaluate { data = fixtures.iris(), learners = { tree = "decision_tree" }, metrics = "accuracy", seed = 2,
        splitter = cf.splitter("kfold", { folds = 5 }), store = path }
    end
    local runs, ended = stored_runs(store)
    return runs, calls < 3 and ended or ended + 1
  end
  local added = self.catalog:add(path)
  native.stored_runs = stored_runs
  lu.assertEquals(added[1].scores, 5)
end

function TestCatalog:test_a_metric_in_lua_has_a_section_for_each_store()
  for i, direction in ipairs { "higher", "lower" } do
    self.catalog:add((self:store { learners = "knn",
      metrics = cf.metric { name = "mine", direction = direction, score = function() return i / 4 end } }))
  end
  local _, sections = self.catalog:page():gsub("mine on iris %(as [^ ]+ computes it%)", "")
  lu.assertTrue(sections >= 2)
  lu.assertStrContains(self.catalog:page(), "Best first; lower is better.")
  lu.assertStrContains(self.catalog:page(), "Best first; higher is better.")
end

function TestCatalog:test_the_page_escapes_names()
  local path = self:store { learners = { ["<b>knn</b>"] = "knn" }, metrics = "accuracy" }
  self.catalog:add(path, { who = "<ann>" })
  local page = self.catalog:page { title = "Team & friends" }
  lu.assertStrContains(page, "<title>Team &amp; friends</title>")
  lu.assertStrContains(page, "&lt;b&gt;knn&lt;/b&gt;")
  lu.assertStrContains(page, "&lt;ann&gt;")
  lu.assertNotStrContains(page, "<b>knn</b>")
  lu.assertStrContains(page, "Best first; higher is better.")
end

function TestCatalog:test_unknown_names_are_refused_with_those_that_are_known()
  self.catalog:add((self:store { learners = "knn" }))
  lu.assertStrMatches(message(self.catalog.best, self.catalog, { metric = "accurac" }),
    ".*cannot find metric 'accurac' in catalog '[^']*': no score is of it; did you mean 'accuracy'%? "
    .. "known: accuracy, brier")
  lu.assertStrMatches(message(cf.catalog, 7), ".*catalog: expected the path of a catalog, got a number")
end
