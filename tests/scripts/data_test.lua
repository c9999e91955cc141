local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestData = {}

function TestData:test_a_file_is_read_with_its_target()
  local iris = fixtures.iris()
  lu.assertEquals(#iris, 150)
  lu.assertEquals(iris:task(), "classification")
  lu.assertEquals(iris:classes(), { "setosa", "versicolor", "virginica" })
  lu.assertEquals(#iris:features(), 4)
  lu.assertEquals(tostring(iris), "dataset 'iris': 150 rows, 4 features")
end

-- A terminal takes what follows ESC, or U+009B, for a command.
function TestData:test_names_send_no_commands_to_a_terminal()
  local name = "a\27[31mb\u{9b}c"
  local data = cf.dataset{ name = name, target = "y", columns = { { name = "x" .. name, values = { 1, 2, 3, 4 } },
    { name = "y", values = { 1, 2, 3, 5 } } } }
  local splits = cf.split("leave_one_out", data)
  for _, text in ipairs { tostring(data), tostring(splits), tostring(data:describe()),
      fixtures.message(cf.read, "/nowhere/" .. name), fixtures.message(data.values, data, name) } do
    lu.assertNil(text:find("[\27\155]"), text)
  end
end

function TestData:test_a_missing_file_is_named()
  lu.assertStrContains(fixtures.message(cf.read, "/nowhere/x.csv", { target = "y" }),
    "cannot read '/nowhere/x.csv'")
end

function TestData:test_an_unknown_option_is_told_with_the_nearest()
  lu.assertEquals(fixtures.message(cf.read, "x.csv", { targets = "y" }),
    "read (csv): unknown option 'targets'; did you mean 'target'? known: comment, coordinates, costs, decimal, "
    .. "drop_missing, duplicate_names, encoding, folds, format, groups, header, infinite, like, memory_map, missing, "
    .. "most_bytes, names, positive, quote, ragged, row_costs, separator, skip_lines, strata, target, thousands, "
    .. "threads, time, types, weights")
end

function TestData:test_a_misspelt_target_is_told_with_the_nearest()
  local message = fixtures.message(cf.read, data_folder .. "/iris.csv", { target = "clas" })
  lu.assertStrContains(message, "did you mean 'class'?")
end

function TestData:test_missing_cells_come_back_as_null()
  local data = cf.dataset { columns = {
    { name = "a", values = { 1.5, cf.null, 0 / 0 } },
    { name = "b", values = { "x", cf.null, "y" } },
    { name = "c", values = { true, false, cf.null } },
    { name = "d", values = { 7, cf.null, 9 } },
  } }
  lu.assertEquals(data:column("a"), { 1.5, cf.null, cf.null })
  lu.assertEquals(data:column("b"), { "x", cf.null, "y" })
  lu.assertEquals(data:column("c"), { true, false, cf.null })
  lu.assertEquals(data:column("d"), { 7, cf.null, 9 })
end

function TestData:test_numbers_can_be_classes_and_keep_their_order()
  local data = cf.dataset {
    target = "y",
    columns = { { name = "x", values = { 1, 2, 3 } },
      { name = "y", values = { 10, 9, 10 }, type = "categorical" } },
  }
  lu.assertEquals(data:classes(), { "9", "10" })
  lu.assertEquals(data:target(), { "10", "9", "10" })
end

function TestData:test_declared_levels_keep_their_order()
  local data = cf.dataset {
    target = "y",
    columns = { { name = "y", values = { "b", "a" }, levels = { "b", "c", "a" } } },
  }
  lu.assertEquals(data:classes(), { "b", "c", "a" })
end

function TestData:test_a_value_outside_the_levels_is_named()
  lu.assertEquals(fixtures.message(cf.dataset, { columns = {
    { name = "y", values = { "b", "q" }, levels = { "a", "b" } } } }),
    "cannot make column 'y': row 2 is 'q', which is not one of its levels")
end

function TestData:test_a_list_as_the_type_of_a_column_is_its_levels_in_their_order()
  local function column(more)
    more.name, more.values = "size", { "m", "s", cf.null }
    return cf.dataset { columns = { more } }
  end
  local data = column { type = { "s", "m", "l" } }
  lu.assertEquals(data:describe():column("size").type, "ordered categorical")
  lu.assertEquals(data:describe():column("size").levels, 3)
  lu.assertEquals(data:column("size"), { "m", "s", cf.null })
  lu.assertEquals(column { levels = { "s", "m", "l" } }:describe():column("size").type, "categorical")
  lu.assertNotEquals(data:hash(), column { levels = { "s", "m", "l" } }:hash())
  lu.assertEquals(fixtures.message(column, { type = { "s", "l" } }),
    "cannot make column 'size': row 1 is 'm', which is not one of its levels")
  lu.assertEquals(fixtures.message(column, { type = {} }),
    "dataset: column 'size': the list of levels in 'type' is empty; name all levels in their order")
  lu.assertEquals(fixtures.message(column, { type = { "s" }, levels = { "s" } }),
    "dataset: column 'size': 'type' has the levels in their order; leave 'levels' out")
end

function TestData:test_a_selection_sees_its_rows_only()
  local part = fixtures.separable():select { 3, 1, 12 }
  lu.assertEquals(#part, 3)
  lu.assertEquals(part:row_ids(), { 3, 1, 12 })
  lu.assertEquals(part:column("x"), { 3, 1, 12 })
  lu.assertEquals(part:select { 2 }:row_ids(), { 1 })
end

function TestData:test_rows_without_an_entry_are_dropped_from_lists()
  local data = cf.dataset { target = "y", drop_missing = { "target" }, columns = {
    { name = "x", values = { 1, 2, 3 } }, { name = "y", values = { "a", cf.null, "b" } } } }
  lu.assertEquals(data:column("x"), { 1, 3 })
  lu.assertEquals(data:dropped_rows(), 1)
end

function TestData:test_a_filter_keeps_rows_with_their_ids()
  local data = cf.dataset { target = "y", columns = {
    { name = "x", values = { 1, cf.null, 3, 4 } }, { name = "y", values = { "a", "b", "b", "a" } } } }
  local kept = data:filter(function(row) return row.x ~= cf.null and row.y == "b" end)
  lu.assertEquals(kept:row_ids(), { 3 })
  lu.assertEquals(kept:column("x"), { 3 })
  lu.assertEquals(data:select { 4, 1, 3 }:filter(function(_, id) return id ~= 1 end):row_ids(), { 4, 3 })
  lu.assertEquals(#data:filter(function() return false end), 0)
  lu.assertEquals(kept:hash(), data:select { 3 }:hash())
  lu.assertNotEquals(kept:hash(), data:hash())
  lu.assertNotEquals(kept:hash(), data:select { 2 }:hash())
end

function TestData:test_a_filter_tells_what_is_wrong()
  local data = fixtures.separable()
  local function message(keep) return fixtures.message(data.filter, data, keep) end
  lu.assertEquals(message(function(row) return row.z > 1 end),
    "cannot find column 'z' in dataset 'separable': there is no such column; known: x, y")
  lu.assertEquals(message(function(row) return row.x > 1 or nil end),
    "filter: the function returned a nil for row 1; return true or false")
  lu.assertEquals(message(function(row) row.x = 1 end), "filter: cannot set 'x': a dataset never changes")
  lu.assertEquals(message("x > 1"),
    "filter: expected a function of a row, got a string; write function(row) return ... end")
  local hidden = data:without_target()
  lu.assertEquals(#hidden:filter(function(row) return row.x > 10 end), 2)
  lu.assertEquals(fixtures.message(hidden.filter, hidden, function(row) return row.y == "low" end),
    "cannot read column 'y': rows to predict show features only")
end

function TestData:test_other_roles_are_other_data()
  local data = cf.dataset { target = "y", groups = "g", columns = {
    { name = "x", values = { 1, 2, 3 } }, { name = "g", values = { 1, 1, 2 } },
    { name = "y", values = { "a", "b", "b" } } } }
  local other = data:with_roles { target = "x", groups = false, strata = "y" }
  lu.assertEquals(other:roles(), { target = "x", strata = "y" })
  lu.assertEquals({ other:task(), other:features() }, { "regression", { "g" } })
  lu.assertEquals(data:roles(), { target = "y", groups = "g" })
  lu.assertNotEquals(other:hash(), data:hash())
  lu.assertEquals(other:with_roles { target = "y", groups = "g", strata = false }:hash(), data:hash())
  lu.assertEquals(data:select { 3, 1 }:with_roles { weights = "x" }:row_ids(), { 3, 1 })
  lu.assertEquals(data:with_roles { row_costs = { a = "x", b = "g" }, groups = false }:features(), {})
  local costs = { { 0, 1 }, { 5, 0 } }
  lu.assertEquals(data:with_roles { costs = costs }:with_roles { groups = false }:costs(), costs)
  lu.assertNil(data:with_costs(costs):with_roles { target = "g", groups = "y" }:costs())
end

function TestData:test_roles_that_cannot_be_are_refused()
  local function message(given)
    local data = fixtures.separable()
    return fixtures.message(data.with_roles, data, given)
  end
  lu.assertEquals(message { groups = "z" },
    "cannot make dataset 'separable': groups 'z' is not a column; known: x, y")
  lu.assertStrContains(message { weight = "x" }, "with_roles: unknown option 'weight'; did you mean 'weights'?")
  lu.assertEquals(message { groups = true },
    "with_roles: option 'groups' is true; name a column, or use false for none")
  lu.assertStrContains(fixtures.message(function() fixtures.separable():without_target():with_roles {} end),
    "their target is hidden")
end

function TestData:test_a_row_outside_is_refused()
  lu.assertEquals(fixtures.message(function() fixtures.separable():select { 13 } end),
    "cannot select row 13 of 'separable': it has rows 1 to 12")
end

function TestData:test_rows_to_predict_hide_the_target()
  local hidden = fixtures.separable():without_target()
  lu.assertEquals(hidden:column("x")[1], 1)
  lu.assertEquals(fixtures.message(function() return hidden:column("y") end),
    "cannot read column 'y': rows to predict show features only")
  lu.assertStrContains(fixtures.message(function() return hidden:target() end),
    "their target is hidden")
  lu.assertStrContains(fixtures.message(function() return cf.learner("knn"):fit(hidden) end),
    "their target is hidden")
end

function TestData:test_equal_content_has_an_equal_hash()
  lu.assertEquals(fixtures.iris():hash(), fixtures.iris():hash())
  lu.assertNotEquals(fixtures.iris():hash(), fixtures.separable():hash())
end

function TestData:test_a_hole_in_a_column_or_a_list_of_columns_is_refused()
  lu.assertEquals(fixtures.message(cf.dataset, { columns = {
    { name = "a", values = { 1, nil, 3 } } } }),
    "cannot make column 'a': row 2 is a nil; cells are numbers, strings, booleans or cf.null")
  local a, b = { name = "a", values = { 1 } }, { name = "b", values = { 1 } }
  lu.assertEquals(fixtures.message(cf.dataset, { columns = { a, nil, b } }),
    "dataset: option 'columns': element 2 of 3 is nil; leave it out")
end

function TestData:test_levels_make_numbers_classes()
  local data = cf.dataset { target = "y", columns = {
    { name = "y", values = { 2, 1 }, levels = { "2", "1" } } } }
  lu.assertEquals(data:classes(), { "2", "1" })
end

function TestData:test_minus_zero_and_zero_are_one_class()
  local data = cf.dataset { target = "y", columns = {
    { name = "y", values = { 0.0, -0.0, 1.5 }, type = "categorical" } } }
  lu.assertEquals(data:classes(), { "0", "1.5" })
end

function TestData:test_a_destroyed_dataset_in_a_finalizer_is_an_error()
  local name, problem = fixtures.separable().name, nil
  do
    local box = {}
    setmetatable(box, { __gc = function() problem = fixtures.message(name, box.data) end })
    box.data = fixtures.separable()  -- younger than the finalizer, so it goes first
  end
  collectgarbage()
  collectgarbage()
  lu.assertStrContains(problem, "crossfold.Dataset expected, got userdata")
end
