local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

-- The learner 'debug' has a parameter that is a JSON object, 'settings'.
TestObjectParams = {}

local threefold = cf.splitter("kfold", { folds = 3, shuffle = false })

local function search(kind, changes)
  return kind(fixtures.with({ learner = cf.learner("debug", { settings = { b = 1 } }), splitter = threefold,
    metric = "accuracy" }, changes))
end

local function names(value)
  return fixtures.column(value.candidates, "name")
end

function TestObjectParams:test_a_table_is_an_object_with_sorted_names()
  local made = cf.learner("debug", { settings = {
    rate = 1.0, depth = 3, deep = { list = { "auto", 3, { x = true } }, none = cf.null, empty = {} },
    sizes = { 8, 4 }, mixed = { 1, 0.5 }, ["a b"] = "é\n" } })
  lu.assertEquals(tostring(made), [[debug{settings={"a b":"é\n",]]
    .. [["deep":{"empty":{},"list":["auto",3,{"x":true}],"none":null},"depth":3,"mixed":[1.0,0.5],]]
    .. [["rate":1.0,"sizes":[8,4]}}]])
  lu.assertEquals(made:params().settings, tostring(made):match("^debug{settings=(.*)}$"))
  lu.assertEquals(tostring(cf.learner("debug", { settings = made:params().settings })), tostring(made))
end

function TestObjectParams:test_entries_are_changed_by_dotted_names()
  local made = cf.learner("debug", { settings = { a = 1, b = { c = 2 } }, ["settings.a"] = "x" })
  lu.assertEquals(tostring(made), [[debug{settings={"a":"x","b":{"c":2}}}]])
  lu.assertEquals(tostring(made:with { ["settings.b.c"] = { 1, 2 }, ["debug.settings.d"] = {} }),
    [[debug{settings={"a":"x","b":{"c":[1,2]},"d":{}}}]])
  lu.assertEquals(tostring(made:with { settings = {} }), "debug{settings={}}")
end

function TestObjectParams:test_what_cannot_be_json_is_refused_with_its_path()
  local function assert_refused(settings, problem)
    lu.assertEquals(fixtures.message(cf.learner, "debug", { settings = settings }), problem)
  end
  assert_refused({ a = { 1, { b = print } } },
    "cannot read 'settings.a[2].b': a function is not a parameter value")
  assert_refused({ a = { b = 0 / 0 } }, "cannot read 'settings.a.b': a number is not finite")
  assert_refused({ a = "\xff" }, "cannot read 'settings.a': a string is not UTF-8")
  assert_refused({ a = { 1, x = 2 } },
    "cannot read 'settings.a': its keys are neither names nor the numbers 1, 2, 3, ... of a list")
  assert_refused({ a = { 1, nil, 3 } },
    "cannot read 'settings.a': its keys are neither names nor the numbers 1, 2, 3, ... of a list")
  local inside = {}
  inside.x = inside
  assert_refused(inside, ("cannot read 'settings%s': it is nested too deeply, or a table contains itself"):format(
    (".x"):rep(64)))
  assert_refused({ 1, 2 }, "cannot make learner 'debug': settings = {1, 2} is not a JSON object")
  assert_refused("a = 1", "cannot make learner 'debug': settings = 'a = 1' is not a JSON object")
end

function TestObjectParams:test_only_objects_take_tables_with_names()
  lu.assertEquals(fixtures.message(cf.learner, "knn", { k = { low = 1 } }),
    [[cannot make learner 'knn': k = {"low":1} is of the wrong type; it must be an integer >= 1]])
end

function TestObjectParams:test_a_grid_varies_entries_and_keeps_the_others()
  local made = search(cf.grid_search, { grid = { ["settings.a.b"] = { 1, "x" }, when_row = { 3, 4 } } })
  lu.assertEquals(names(made), {
    [[debug{settings={"a":{"b":1},"b":1},when_row=3}]], [[debug{settings={"a":{"b":1},"b":1},when_row=4}]],
    [[debug{settings={"a":{"b":"x"},"b":1},when_row=3}]], [[debug{settings={"a":{"b":"x"},"b":1},when_row=4}]],
  })
  local _, detail = made:fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(detail.chosen, { ["settings.a.b"] = 1, when_row = 3 })
end

function TestObjectParams:test_a_grid_varies_whole_objects()
  lu.assertEquals(names(search(cf.grid_search, { grid = { settings = { { a = 1 }, {} } } })),
    { [[debug{settings={"a":1}}]], "debug{settings={}}" })
end

function TestObjectParams:test_equal_objects_are_one_setting()
  lu.assertEquals(fixtures.message(search, cf.grid_search, { grid = { ["settings.b"] = { 2, 2 } } }),
    [[grid_search: the setting debug{settings={"b":2}} occurs twice]])
  lu.assertEquals(names(search(cf.grid_search, { grid = { ["settings.b"] = { 2, 2.0 } } })),
    { [[debug{settings={"b":2}}]], [[debug{settings={"b":2.0}}]] })
end

function TestObjectParams:test_a_space_draws_entries_of_the_type_of_its_bounds()
  local made = search(cf.random_search, { candidates = 20, seed = 1, space = {
    ["settings.depth"] = { low = 1, high = 9 }, ["settings.rate"] = { low = 0.01, high = 1, scale = "log" },
    ["settings.loss"] = { "a", "b" } } })
  for _, candidate in ipairs(made.candidates) do
    local params = candidate.params
    lu.assertEquals(math.type(params["settings.depth"]), "integer")
    lu.assertTrue(params["settings.depth"] >= 1 and params["settings.depth"] <= 9)
    lu.assertEquals(math.type(params["settings.rate"]), "float")
    lu.assertTrue(params["settings.rate"] >= 0.01 and params["settings.rate"] <= 1)
    lu.assertStrMatches(candidate.name, 'debug{settings={"b":1,"depth":%d,"loss":"[ab]","rate":[%d.e-]+}}')
  end
end

function TestObjectParams:test_the_range_of_an_entry_is_not_declared()
  lu.assertEquals(fixtures.message(search, cf.random_search, { space = { ["settings.a"] = "declared" } }),
    "random_search: 'settings.a' has no declared bound 'low' (an entry of the object 'settings'); give low = ...")
  lu.assertEquals(fixtures.message(search, cf.random_search, { space = { settings = { low = 1, high = 2 } } }),
    [[random_search: 'settings' has no range: object, default {}; give a list of values]])
  lu.assertEquals(fixtures.message(search, cf.random_search, { space = { ["when_row.a"] = { low = 1, high = 2 } } }),
    [[random_search: cannot change 'debug{settings={"b":1}}': unknown parameter 'when_row.a'; did you mean ]]
    .. "'when_row'? known: action, settings, sleep_ms, stage, when_row")
end

function TestObjectParams:test_an_entry_can_be_the_resource_of_halving()
  local made = search(cf.halving_search, { grid = { when_row = { 1, 2, 3, 4 } }, factor = 2,
    resource = "settings.trees", min_resource = 5, max_resource = 20 })
  local _, detail = made:fit(fixtures.separable(), { seed = 1 })
  local resources = fixtures.column(detail.rounds, "resource")
  lu.assertEquals(resources, { 10, 20 })
  lu.assertEquals(math.type(resources[1]), "integer")
  lu.assertEquals(detail.candidate, [[debug{settings={"b":1,"trees":20},when_row=1}]])
end

function TestObjectParams:test_a_choice_and_a_pipeline_have_the_entries_of_their_parts()
  local made = cf.choice { near = "knn", other = cf.pipeline { "standardize", "debug" } }
  local list = names(search(cf.grid_search, { learner = made, grid = {
    { choice = { "near" }, k = { 3 } }, { choice = { "other" }, ["other.settings.a"] = { 1 } } } }))
  lu.assertEquals(list, { "knn{k=3}", [[standardize|debug{settings={"a":1}}]] })
  lu.assertEquals(tostring(made:with { choice = "other", ["settings.x.y"] = true }),
    [[standardize|debug{settings={"x":{"y":true}}}]])
end

function TestObjectParams:test_results_name_the_entries()
  local result = cf.evaluate { data = fixtures.separable(), seed = 1, metrics = "accuracy", splitter = threefold,
    learners = { tuned = search(cf.grid_search, {
      grid = { ["settings.a"] = { 1, { x = { 2 } } }, when_row = { 1 } } }) } }
  local rows = result:tuning("tuned")
  lu.assertEquals(rows[1].chosen, { ["settings.a"] = 1, when_row = 1 })
  lu.assertEquals(rows[1].candidate, [[debug{settings={"a":1,"b":1},when_row=1}]])
  lu.assertEquals(rows[1].inner[2].candidate, [[debug{settings={"a":{"x":[2]},"b":1},when_row=1}]])
  local csv = cf.plot.grid(result, { learner = "tuned" }):csv()
  lu.assertStrContains(csv, "param settings.a")
  lu.assertStrContains(csv, [[{""x"":[2]}]])
end

function TestObjectParams:test_a_validation_curve_is_over_an_entry()
  local curve = cf.validation_curve { data = fixtures.separable(), learner = "debug", splitter = threefold,
    metric = "accuracy", parameter = "settings.a", values = { 1, 2 }, seed = 1 }
  lu.assertStrContains(tostring(curve), "settings.a")
end
