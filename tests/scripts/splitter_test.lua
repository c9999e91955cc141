local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestSplitter = {}

-- 60 rows in 12 groups of 2 to 8; the class depends on x and on the group.
local function grouped()
  local x, class, group = {}, {}, {}
  for i = 1, 60 do
    group[i] = "g" .. (i * i) % 12 + i % 7
    x[i] = (i * 7) % 60 / 10
    class[i] = (x[i] + #group[i]) % 3 < 1.5 and "a" or "b"
  end
  return cf.dataset { name = "grouped", target = "class", groups = "group", columns = {
    { name = "x", values = x }, { name = "class", values = class },
    { name = "group", values = group, type = "categorical" },
  } }, group
end

local function assert_whole(groups, train, test)
  local trained = {}
  for _, row in ipairs(train) do trained[groups[row]] = true end
  for _, row in ipairs(test) do lu.assertNil(trained[groups[row]]) end
end

-- A splitter in Lua sees neither rows ids nor groups, so the inner splits are asked for as a search
-- asks for them: of the training rows of each outer split.
function TestSplitter:test_inner_splits_never_tear_a_group_apart()
  local data, groups = grouped()
  for _, params in ipairs { { folds = 4 }, { folds = 3, stratify = true } } do
    local kfold = cf.splitter("kfold", params)
    for seed = 1, 10 do
      local outer = cf.split(kfold, data, { seed = seed })
      for o = 1, #outer do
        local train, test = outer:rows(o)
        assert_whole(groups, train, test)
        local inner = cf.split(cf.splitter("kfold", { folds = 3 }), outer:train(o), { seed = seed })
        for i = 1, #inner do assert_whole(groups, inner:rows(i)) end
      end
    end
  end
end

function TestSplitter:test_splits_are_those_of_an_evaluation_with_the_same_seed()
  local iris, kfold = fixtures.iris(), cf.splitter("kfold", { folds = 4 })
  local result = cf.evaluate { data = iris, learners = "naive_bayes", splitter = kfold, metrics = "accuracy", seed = 7 }
  local tested = {}
  for _, row in ipairs(result:predictions()) do
    tested[row.fold] = tested[row.fold] or {}
    table.insert(tested[row.fold], row.row)
  end
  local splits = cf.split(kfold, iris, { seed = 7 })
  for i = 1, #splits do lu.assertEquals(select(2, splits:rows(i)), tested[i]) end
end

-- A splitter in Lua that ignores what it is given about groups.
local function every_third(changes)
  return cf.splitter(fixtures.with({ name = "every_third", split = function(input)
    local folds = {}
    for row = 1, input.n do folds[row] = row % 3 + 1 end
    return { folds = folds }
  end }, changes))
end

function TestSplitter:test_a_splitter_in_lua_may_not_tear_groups_apart()
  local data = grouped()
  local said = "of the same group trains; keep the rows of a group together (input.groups has them), or make the "
    .. "splitter with ignore_groups = true"
  lu.assertStrContains(fixtures.message(cf.split, every_third(), data), "cannot use the splits of 'every_third' on "
    .. "dataset 'grouped': split 1 tests row ")
  lu.assertStrContains(fixtures.message(cf.split, every_third(), data), said)
  lu.assertStrContains(fixtures.message(cf.evaluate, { data = data, learners = "knn", metrics = "accuracy",
    splitter = every_third() }), said)
  -- Also inside a search, whose outer folds keep groups together.
  local search = cf.grid_search { learner = "knn", grid = { k = { 1 } }, metric = "accuracy", splitter = every_third() }
  local result = cf.evaluate { data = data, learners = { s = search }, metrics = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  lu.assertEquals(#result:failures(), 3)
  lu.assertStrContains(result:failures()[1].message, said)
  lu.assertEquals(#cf.split(every_third { ignore_groups = true }, data), 3)
  lu.assertEquals(#cf.split(every_third(), fixtures.iris()), 3)  -- no groups
end

-- Lists of rows are checked, too.
function TestSplitter:test_lists_of_a_splitter_in_lua_may_not_tear_groups_apart()
  local lists = cf.splitter { name = "halves", split = function(input)
    local train, test = {}, {}
    for row = 1, input.n do table.insert(row % 2 == 0 and test or train, row) end
    return { splits = { { train = train, test = test } } }
  end }
  lu.assertStrContains(fixtures.message(cf.split, lists, (grouped())), "split 1 tests row ")
end

-- Row r of the data below is in group r // 2, with x = the group's number: if inner folds tore a
-- group apart, one neighbour would find the twin of every row and be right.
function TestSplitter:test_a_search_on_grouped_data_never_sees_the_rest_of_a_group()
  local x, class, group = {}, {}, {}
  for i = 1, 40 do
    local g = (i - 1) // 2
    x[i], group[i], class[i] = g, g, g % 2 == 0 and "even" or "odd"
  end
  local columns = { { name = "x", values = x }, { name = "class", values = class },
    { name = "group", values = group } }
  local search = cf.grid_search { learner = "knn", grid = { k = { 1 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 4 }) }
  local function inner_accuracies(data)
    local result = cf.evaluate { data = data, learners = { s = search }, metrics = { "accuracy" },
      splitter = cf.splitter("kfold", { folds = 5, shuffle = false }) }
    local means = {}
    for _, tuning in ipairs(result:tuning("s")) do means[#means + 1] = tuning.inner[1].mean end
    return means
  end
  -- Neighbours of a whole group are of groups with other numbers, most of them of the other class.
  local whole = inner_accuracies(cf.dataset { name = "twins", target = "class", groups = "group",
    columns = columns })
  lu.assertEquals(#whole, 5)
  for _, mean in ipairs(whole) do lu.assertTrue(mean < 0.5) end
  table.remove(columns, 3)
  local sum = 0
  for _, mean in ipairs(inner_accuracies(cf.dataset { name = "torn", target = "class", columns = columns })) do
    sum = sum + mean
  end
  lu.assertTrue(sum / 5 > 0.5, sum)
end

-- ---- OpenML split files ------------------------------------------------------------------------

local function same_splits(one, other)
  lu.assertEquals(#one, #other)
  for s = 1, #one do
    lu.assertEquals({ one:rows(s) }, { other:rows(s) })
    lu.assertEquals({ one:place(s) }, { other:place(s) })
  end
end

local function with_file(text, f)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  local ok, problem = pcall(f, path)
  os.remove(path)
  if not ok then error(problem, 0) end
end

function TestSplitter:test_a_splitter_in_lua_sees_groups_and_times_and_no_feature()
  local seen
  local mine = cf.splitter { name = "mine", split = function(input)
    seen = input
    return { folds = { 1, 1, 2, 2 } }
  end }
  local columns = {
    { name = "x", values = { 1, 2, 3, 4 } }, { name = "y", values = { "a", "b", "a", "b" } },
    { name = "who", values = { "p", "p", "q", "q" } },
    { name = "day", values = { "2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02" } },
  }
  cf.split(mine, cf.dataset { name = "d", target = "y", groups = "who", time = "day", columns = columns })
  lu.assertEquals(seen, { n = 4, name = "d", labels = { "a", "b", "a", "b" }, classes = { "a", "b" },
    groups = { "p", "p", "q", "q" },
    time = { "2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02" } })
  cf.split(mine, cf.dataset { name = "d", target = "y", columns = { columns[1], columns[2] } })
  lu.assertNil(seen.groups)
  lu.assertNil(seen.time)
end

function TestSplitter:test_dates_are_an_order_of_time()
  local data = cf.dataset { name = "d", target = "y", time = "day", columns = {
    { name = "y", values = { 1, 2, 3, 4 } },
    { name = "day", values = { "2026-02-01", "2025-12-31", "2026-01-31", "2026-10-02" } },
  } }
  local splits = cf.split(cf.splitter("time_series", { folds = 2, test_size = 1 }), data)
  lu.assertEquals({ splits:rows(1) }, { { 2, 3 }, { 1 } })
  lu.assertEquals({ splits:rows(2) }, { { 1, 2, 3 }, { 4 } })
end

function TestSplitter:test_openml_files_come_back_as_they_were_written()
  local data = fixtures.iris()
  for _, splitter in ipairs {
    cf.splitter("kfold", { folds = 10, repeats = 2, stratify = true }),
    cf.splitter("holdout", { repeats = 3 }), cf.splitter("bootstrap", { repeats = 3 }),
  } do
    local splits = cf.split(splitter, data, { seed = 3 })
    with_file("", function(path)
      splits:to_openml(path)
      same_splits(cf.read_openml_splits(path, data), splits)
      local file = assert(io.open(path, "rb"))
      lu.assertEquals(file:read("a"), splits:to_openml(true))
      file:close()
    end)
  end
end

function TestSplitter:test_openml_splits_are_a_splitter_and_the_splits_of_cells()
  local data = fixtures.iris()
  local splits = cf.split(cf.splitter("kfold", { folds = 3 }), data, { seed = 3 })
  with_file(splits:to_openml(true), function(path)
    local predefined = cf.splitter("predefined", { openml = path })
    same_splits(cf.split(predefined, data), splits)
    local result = cf.evaluate { data = data, learners = { "knn" }, splitter = predefined,
      metrics = { "accuracy" } }
    local scores = result:scores()
    lu.assertEquals(#scores, 3)
    local outcomes = cf.run { { learner = cf.learner "knn", metrics = { "accuracy" },
      splits = cf.read_openml_splits(path, data), split = 2 } }
    lu.assertTrue(outcomes:ok(1))
  end)
end

function TestSplitter:test_an_openml_file_does_not_fit_inner_rows()
  local data = fixtures.iris()
  local splits = cf.split(cf.splitter("kfold", { folds = 3 }), data, { seed = 3 })
  with_file(splits:to_openml(true), function(path)
    lu.assertEquals(
      fixtures.message(cf.split, cf.splitter("predefined", { openml = path }), splits:train(1)),
      ("cannot use the splits of '%s' on some rows of dataset 'iris': their row ids refer to the "
        .. "whole dataset; use a splitter that makes splits of any rows, such as kfold"):format(path))
    lu.assertEquals(fixtures.message(function()
      cf.split("kfold", splits:train(1)):to_openml(true)
    end), "cannot write the splits of 'iris' for OpenML: they are splits of some of its rows only; "
      .. "split the whole dataset")
  end)
end

function TestSplitter:test_openml_groups_may_be_ignored()
  local data = cf.dataset { name = "d", groups = "g", columns = {
    { name = "x", values = { 1, 2, 3 } }, { name = "g", values = { 1, 1, 2 } } } }
  with_file("@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n@attribute repeat numeric\n"
    .. "@attribute fold numeric\n@data\nTRAIN,0,0,0\nTEST,1,0,0\n", function(path)
      lu.assertStrContains(fixtures.message(cf.read_openml_splits, path, data),
        "split 1 tests row 2 while row 1 of the same group trains")
      lu.assertEquals(#cf.read_openml_splits(path, data, { ignore_groups = true }), 1)
      lu.assertEquals(#cf.split(
        cf.splitter("predefined", { openml = path, ignore_groups = true }), data), 1)
    end)
end

function TestSplitter:test_mistakes_are_told()
  lu.assertEquals(fixtures.message(cf.read_openml_splits, 3, fixtures.iris()),
    "read_openml_splits: expected the path of a file, got a number")
  lu.assertEquals(fixtures.message(cf.read_openml_splits, "a.arff"),
    "read_openml_splits: expected a dataset, got a nil")
  lu.assertEquals(fixtures.message(cf.splitter, "predefined", { openml = 3 }),
    "splitter 'predefined': option 'openml' must be a string")
  lu.assertEquals(fixtures.message(cf.splitter, "predefined", { openml = "a", column = "b" }),
    "splitter 'predefined': options 'openml' and 'column' are both given; give one")
  lu.assertStrContains(fixtures.message(cf.read_openml_splits, "/nowhere.arff", fixtures.iris()),
    "cannot read '/nowhere.arff': there is no such file")
end

-- ---- .632 and .632+ ----------------------------------------------------------------------------

function TestSplitter:test_bootstrap_632_is_what_its_parts_say()
  local data = fixtures.iris()
  local e = cf.bootstrap_632 { learner = cf.learner("knn", { k = 1 }), data = data, repeats = 20,
    seed = 4 }
  -- One neighbour knows every training row by heart; classes of 50 rows: 1 - 3 * (1/3)^2.
  lu.assertEquals(e.training_error, 0)
  lu.assertAlmostEquals(e.no_information_error, 2 / 3, 0.01)
  lu.assertTrue(e.out_of_bag_error > 0.02 and e.out_of_bag_error < 0.09)
  lu.assertEquals(e.rows_used + e.rows_left_out, 150)
  -- Efron and Tibshirani 1997, by hand from the parts.
  local r = e.out_of_bag_error / e.no_information_error
  local w = 0.632 / (1 - 0.368 * r)
  lu.assertAlmostEquals(e.relative_overfitting, r, 1e-12)
  lu.assertAlmostEquals(e.weight, w, 1e-12)
  lu.assertAlmostEquals(e.estimate, w * e.out_of_bag_error, 1e-12)
  local plain = cf.bootstrap_632 { learner = cf.learner("knn", { k = 1 }), data = data,
    repeats = 20, seed = 4, method = "632" }
  lu.assertAlmostEquals(plain.estimate, 0.632 * e.out_of_bag_error, 1e-12)
end

-- The same mean over rows of means over samples, from the splits themselves.
function TestSplitter:test_out_of_bag_errors_are_averaged_row_by_row()
  local data = fixtures.separable()
  local e = cf.bootstrap_632 { learner = "featureless", data = data, repeats = 15, seed = 2 }
  local splits = cf.split(cf.splitter("bootstrap", { repeats = 15 }), data,
    { seed = 2 })
  local truth, sums, counts = data:target(), {}, {}
  for s = 1, #splits do
    local train, test = splits:rows(s)
    local high = 0
    for _, row in ipairs(train) do high = high + (truth[row] == "high" and 1 or 0) end
    for _, row in ipairs(test) do
      -- Ties go to the lower class, which is "high" by name.
      local predicted = 2 * high >= #train and "high" or "low"
      sums[row] = (sums[row] or 0) + (predicted == truth[row] and 0 or 1)
      counts[row] = (counts[row] or 0) + 1
    end
  end
  local total, rows = 0, 0
  for row, sum in pairs(sums) do total, rows = total + sum / counts[row], rows + 1 end
  lu.assertAlmostEquals(e.out_of_bag_error, total / rows, 1e-12)
  lu.assertEquals(e.training_error, 0.5)
end

function TestSplitter:test_mistakes_of_bootstrap_632_are_told()
  local data = fixtures.separable()
  lu.assertEquals(fixtures.message(cf.bootstrap_632, { learner = "knn", data = data, loss = "mae" }),
    "bootstrap_632: loss = 'mae' is not one of error_rate, squared")
  lu.assertEquals(fixtures.message(cf.bootstrap_632, { learner = "knn", data = data,
    loss = "squared" }), "cannot estimate the error on 'separable': loss = 'squared' is for a "
      .. "regression, the task is classification")
  lu.assertEquals(fixtures.message(cf.bootstrap_632, { learner = "knn", data = data, method = "64" }),
    "bootstrap_632: method = '64' is not one of 632+, 632")
end

-- 10^10 repeats of 20 rows would take 800 GB before anything ran.
function TestSplitter:test_repeats_have_a_limit()
  for _, id in ipairs { "kfold", "holdout", "bootstrap" } do
    lu.assertEquals(fixtures.message(cf.splitter, id, { repeats = 10000000000 }),
      ("cannot make splitter '%s': repeats = 10000000000 is out of range; it must be an integer in "
        .. "[1, 1000000]"):format(id))
  end
end

-- Coordinates ----------------------------------------------------------------------------------------

-- 40 rows in four squares of side 10, with a feature.
local function places(changes)
  local x, y, a, class = {}, {}, {}, {}
  for i = 1, 40 do
    x[i], y[i] = i % 2 * 10 + i / 10, i // 2 % 2 * 10 + i / 10
    a[i], class[i] = i * 7 % 11, i % 3 == 0 and "p" or "q"
  end
  return cf.dataset(fixtures.with({ name = "places", target = "class",
    columns = { { name = "x", values = x }, { name = "y", values = y }, { name = "a", values = a },
      { name = "class", values = class } } }, changes))
end

function TestSplitter:test_columns_of_spatial_blocks_are_no_features_and_make_the_blocks()
  local data = places()
  local splits = cf.split(cf.splitter("spatial_blocks", { columns = { "x", "y" }, size = 10, folds = 4 }), data)
  lu.assertEquals(#splits, 4)
  for s = 1, 4 do
    lu.assertEquals(splits:train(s):features(), { "a" })
    local x, y = splits:test(s):column("x"), splits:test(s):column("y")
    for i = 2, #x do lu.assertEquals({ x[i] // 10, y[i] // 10 }, { x[1] // 10, y[1] // 10 }) end
  end
  local declared = places { coordinates = { "x", "y" } }
  lu.assertEquals(declared:roles().coordinates, { "x", "y" })
  lu.assertEquals(declared:features(), { "a" })
  same_splits(cf.split(cf.splitter("spatial_blocks", { size = 10, folds = 4 }), declared), splits)
  lu.assertEquals(declared:with_roles { coordinates = false }:features(), { "x", "y", "a" })
  lu.assertNotEquals(declared:hash(), data:hash())
end

function TestSplitter:test_coordinates_reach_inner_splits_workers_and_stores()
  local data, path = places { coordinates = { "x", "y" } }, fixtures.new_store()
  local blocks = cf.splitter("spatial_blocks", { size = 10, folds = 4 })
  local search = cf.grid_search { learner = cf.learner("knn"), grid = { k = { 1, 3 } },
    splitter = blocks:with { folds = 3 }, metric = "accuracy" }
  local function evaluate(more)
    return cf.evaluate(fixtures.with({ data = data, learners = { tuned = search, knn = "knn" }, splitter = blocks,
      metrics = "accuracy", seed = 1 }, more))
  end
  local plain = evaluate {}
  lu.assertEquals(#plain:failures(), 0)
  lu.assertEquals(evaluate { store = path }:scores(), plain:scores())
  lu.assertEquals(cf.stored { store = path }.results[1]:scores(), plain:scores())
  lu.assertEquals(cf.stored { store = path }.results[1]:splits():train(1):roles().coordinates, { "x", "y" })
  fixtures.remove_store(path)
end

function TestSplitter:test_splitters_in_lua_see_coordinates()
  local seen
  local own = cf.splitter { name = "own", split = function(input)
    seen = input.coordinates
    local folds = {}
    for i = 1, input.n do folds[i] = i % 2 + 1 end
    return { folds = folds }
  end }
  local data = places { coordinates = { "y" } }
  cf.split(own, data)
  lu.assertEquals(seen, { data:column("y") })
end

function TestSplitter:test_mistakes_with_coordinates_are_told()
  lu.assertEquals(fixtures.message(cf.splitter, "spatial_blocks", { columns = {} }),
    "splitter 'spatial_blocks': option 'columns' names one or two columns, as in { \"x\", \"y\" }")
  lu.assertEquals(fixtures.message(cf.splitter, "spatial_blocks", { columns = { "x" }, x = { 1 } }),
    "splitter 'spatial_blocks': options 'columns' and 'x' or 'y' are both given; give one")
  lu.assertEquals(fixtures.message(places, { coordinates = { "class" } }),
    "cannot make dataset 'places': coordinates 'class' is of type categorical; it must be numeric")
  lu.assertStrContains(fixtures.message(places, { coordinates = { "z" } }), "coordinates 'z' is not a column")
  lu.assertStrContains(fixtures.message(cf.split, cf.splitter("spatial_blocks", { size = 1 }), places()),
    "there are no coordinates; name their columns, as in columns = { \"x\", \"y\" }")
  local search = cf.grid_search { learner = cf.learner("knn"), grid = { k = { 1, 3 } }, metric = "accuracy",
    splitter = cf.splitter("spatial_blocks", { columns = { "x", "y" }, size = 10, folds = 2 }) }
  lu.assertStrContains(fixtures.message(cf.evaluate, { data = places(), learners = { s = search },
    metrics = "accuracy", splitter = cf.splitter("kfold", { folds = 2 }) }),
    "the coordinate 'x' is a feature of it; read the data with coordinates = { \"x\", \"y\" }")
end
