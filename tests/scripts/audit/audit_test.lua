-- Planted leaks are found and named; what is clean is left alone.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestAudit = {}

local kfold = cf.splitter("kfold", { folds = 5, stratify = false })
local knn = cf.pipeline { cf.transform("standardize"), cf.learner("knn") }

-- A number from 0 to 1 that depends on its place alone.
local function uniform(...) return cf.seed(7, ...) % 1000003 / 1000003 end

-- 100 rows, two classes, of which x tells something and z nothing.
local function columns_of(n)
  local x, z, y = {}, {}, {}
  for i = 1, n or 100 do
    local yes = uniform("y", i) < 0.5
    x[i] = uniform("x", i) + (yes and 0.6 or 0)
    z[i] = 50 * uniform("z", i)
    y[i] = yes and "yes" or "no"
  end
  return { { name = "x", values = x }, { name = "z", values = z }, { name = "y", values = y } }
end

local function data_with(more, options)
  local given = { name = "planted", target = "y", columns = columns_of() }
  for _, column in ipairs(more or {}) do table.insert(given.columns, 1, column) end
  return cf.dataset(fixtures.with(given, options))
end

local function audit(given)
  given.data = given.data or data_with()
  given.learners = given.learners or { one = knn }
  given.splitter = given.splitter or kfold
  given.seed = 3
  return cf.audit(given)
end

-- The findings of a kind; there must be one, and it is given back.
local function only(result, kind)
  local found = {}
  for _, row in ipairs(result:findings()) do
    if row.kind == kind then found[#found + 1] = row end
  end
  lu.assertEquals(#found, 1, tostring(result))
  return found[1]
end

local function mean_of(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + value end
  return sum / #values
end

-- `data` with every feature changed by f(values) = a function of one value.
local function mapped(data, f)
  local columns = {}
  for j, name in ipairs(data:features()) do
    local values = data:column(name)
    local change = f(values, name)
    for i, value in ipairs(values) do values[i] = change(value) end
    columns[j] = { name = name, values = values }
  end
  columns[#columns + 1] = { name = "y", values = data:target() }
  return cf.dataset { name = data:name(), target = "y", columns = columns }
end

local function scaled(data)
  return mapped(data, function(values)
    local high = math.max(table.unpack(values))
    return function(value) return value / high end
  end)
end

-- A transform that gives the features of f(data), a list of { name =, values = }.
local function applying(name, f)
  return cf.transform { name = name, fit = function(data) return f(data, true) end,
    apply = function(state, data) return f(data, false, state) end }
end

-- ---- before the split -------------------------------------------------------------------------------

function TestAudit:test_scaling_before_the_split_is_found_by_running_it_again()
  local found = only(audit { prepare = scaled }, "prepare")
  lu.assertEquals({ found.severity, found.stage, found.columns }, { "leak", "prepare", "x, z" })
  lu.assertStrMatches(found.message, "column 'x' changes in %d+ of %d+ untouched rows when other test "
    .. "rows get other features, and 2 columns in all; make it a step of a pipeline, which is fitted on "
    .. "training rows only")
end

function TestAudit:test_filling_in_before_the_split_is_found()
  local values = {}
  for i = 1, 100 do values[i] = i % 9 == 0 and cf.null or uniform("gap", i) end
  local function fill(data)
    return mapped(data, function(list)
      local known = {}
      for _, value in ipairs(list) do
        if value ~= cf.null then known[#known + 1] = value end
      end
      local mean = mean_of(known)
      return function(value) return value == cf.null and mean or value end
    end)
  end
  local raw = data_with { { name = "gap", values = values } }
  local found = only(audit { data = raw, prepare = fill }, "prepare")
  lu.assertEquals({ found.severity, found.columns }, { "leak", "gap" })
  -- The same data without the function still look filled in.
  found = only(audit { data = fill(raw) }, "filled_before_split")
  lu.assertEquals({ found.severity, found.columns }, { "risk", "gap" })
end

function TestAudit:test_features_chosen_with_all_targets_are_found()
  local more = {}
  for j = 1, 40 do
    local values = {}
    for i = 1, 100 do values[i] = uniform("noise", j, i) end
    more[j] = { name = "n" .. j, values = values }
  end
  -- The two features whose class means lie farthest apart.
  local function choose(data)
    local target, order = data:target(), data:features()
    local apart = {}
    for _, name in ipairs(order) do
      local sums, counts = { yes = 0, no = 0 }, { yes = 0, no = 0 }
      for i, value in ipairs(data:column(name)) do
        sums[target[i]], counts[target[i]] = sums[target[i]] + value, counts[target[i]] + 1
      end
      apart[name] = math.abs(sums.yes / counts.yes - sums.no / counts.no)
    end
    table.sort(order, function(a, b) return apart[a] > apart[b] end)
    local columns = { { name = "y", values = target } }
    for j = 1, 2 do columns[j + 1] = { name = order[j], values = data:column(order[j]) } end
    return cf.dataset { name = "chosen", target = "y", columns = columns }
  end
  local raw = cf.dataset { name = "many", target = "y", columns = table.move(columns_of(), 3, 3, 41,
    more) }
  local found = only(audit { data = raw, prepare = choose }, "prepare")
  lu.assertEquals({ found.severity, found.splits }, { "leak", 3 })
  lu.assertStrMatches(found.message, "column 'n%d+' is missing then when .*")
end

function TestAudit:test_oversampling_before_the_split_is_found()
  local function twice(data)
    local columns = columns_of()
    for _, column in ipairs(columns) do
      local values = column.name == "y" and data:target() or data:column(column.name)
      for i = 1, 30 do values[#values + 1] = values[i] end
      column.values = values
    end
    return cf.dataset { name = "more", target = "y", columns = columns }
  end
  local result = audit { prepare = twice }
  local found = only(result, "rows_made_before_split")
  lu.assertEquals({ found.severity, found.stage, found.count }, { "leak", "prepare", 30 })
  lu.assertEquals(found.message, "it makes 130 rows of 100 before the split, 30 of them copies of others; "
    .. "rows made of test rows train then: use a transform such as oversample or smote in a pipeline, "
    .. "which changes training rows only")
  lu.assertEquals(only(result, "duplicates").severity, "risk")
end

function TestAudit:test_rows_drawn_twice_by_select_are_found_by_the_split()
  local found = only(audit { prepare = function(data)
    local rows = data:row_ids()
    for i = 1, 40 do rows[#rows + 1] = i end
    return data:select(rows)
  end }, "overlap")
  lu.assertEquals({ found.severity, found.stage }, { "leak", "splitter 'kfold'" })
  lu.assertStrContains(found.message, "both trained on and tested in")
end

-- Cities with the share of "yes" in them.
local function with_cities(encode)
  local columns, city, share, sums, counts = columns_of(), {}, {}, {}, {}
  for i, y in ipairs(columns[3].values) do
    city[i] = cf.seed(1, "city", i) % 12
    sums[city[i]] = (sums[city[i]] or 0) + (y == "yes" and 1 or 0)
    counts[city[i]] = (counts[city[i]] or 0) + 1
  end
  for i, c in ipairs(city) do share[i] = encode and sums[c] / counts[c] or c end
  columns[#columns + 1] = { name = "city", values = share }
  return cf.dataset { name = "cities", target = "y", columns = columns }
end

function TestAudit:test_a_target_encoded_on_all_rows_is_found()
  local found = only(audit { data = with_cities(true) }, "target_encoded")
  lu.assertEquals({ found.severity, found.stage, found.columns }, { "leak", "data", "city" })
  lu.assertEquals(found.message, "column 'city' is the mean of the target (the share of 'yes') over all "
    .. "rows with the same value, test rows included; encode the target in a transform, which is fitted "
    .. "on training rows only")
  lu.assertTrue(audit { data = with_cities(false) }:passed())
end

-- Each matched set has one case and size(set) - 1 controls, so that the means of the target in the sets are by design;
-- value(set, size) is the same for all rows of a set.
local function matched(size, value, numeric)
  local y, set, age, x = {}, {}, {}, {}
  for s = 1, 100 do
    local rows = size(s)
    for i = 1, rows do
      y[#y + 1] = i == 1 and "case" or "control"
      if numeric then y[#y] = i == 1 and rows - 1 or -1 end
      set[#set + 1], age[#age + 1], x[#x + 1] = "s" .. s, value(s, rows), uniform("x", s, i)
    end
  end
  return cf.dataset { name = "matched", target = "y", groups = "set", columns = { { name = "age", values = age },
    { name = "x", values = x }, { name = "y", values = y }, { name = "set", values = set } } }
end

function TestAudit:test_what_is_constant_in_matched_sets_is_not_an_encoding()
  local function age(s) return 20 + math.floor(60 * uniform("age", s)) end
  local function exact_age(s) return uniform("age", s) end
  local function one_of(n) return function(s) return 2 + math.floor(n * uniform("size", s)) end end
  local cases = {
    pairs = matched(one_of(1), age), ["exact ages"] = matched(one_of(1), exact_age),
    ["one to two"] = matched(function() return 3 end, exact_age), ["one to one or two"] = matched(one_of(2), age),
    ["one to one to four"] = matched(one_of(4), age), ["sizes"] = matched(one_of(6), function(_, n) return n end),
    ["weights"] = matched(one_of(2), function(_, n) return 0.5 / n end),
    ["one larger set"] = matched(function(s) return s == 7 and 3 or 2 end,
      function(s) return s == 7 and 99 or age(s) end),
    numbers = matched(one_of(3), age, true),
  }
  for name, data in pairs(cases) do
    for _, row in ipairs(audit { data = data, folds = 1, near = false, splitter = cf.splitter("kfold", { folds = 5 }),
      learners = { one = "featureless" } }:findings()) do
      lu.assertNotEquals(row.kind, "target_encoded", name .. ": " .. row.message)
    end
  end
end

-- 400 rows of 30 cities, some large and some small; the target is a class, or a number with `numeric`.
-- encode{ sum =, n =, y =, mean =, rate =, code = } gives the column "v".
local function encoded_cities(encode, options)
  options = options or {}
  local n, cities = 400, 30
  local city, y, sums, counts, total = {}, {}, {}, {}, 0
  local function rate_of(c) return 0.1 + 0.8 * uniform("rate", c) end
  for i = 1, n do
    local c = math.floor(cities * uniform("city", i) ^ 1.5) + 1
    local noise = uniform("target", i)
    city[i], y[i] = c, options.numeric and 10 * (rate_of(c) + noise) or noise < rate_of(c) and 1 or 0
    sums[c], counts[c], total = (sums[c] or 0) + y[i], (counts[c] or 0) + 1, total + y[i]
  end
  local v, x, names, target = {}, {}, {}, {}
  for i, c in ipairs(city) do
    v[i] = encode { sum = sums[c], n = counts[c], y = y[i], mean = total / n, rate = rate_of(c), code = c }
    x[i], names[i] = uniform("x", i), "city " .. c
    target[i] = options.numeric and y[i] or y[i] == 1 and "yes" or "no"
  end
  local columns = { { name = "v", values = v }, { name = "x", values = x }, { name = "y", values = target } }
  if not options.dropped then columns[4] = { name = "city", values = names } end
  return cf.dataset { name = "cities", target = "y", columns = columns }
end

-- What the audit finds about encodings: "leak share" and so on with its message, or nil.
local function encoding_found(encode, options)
  local data = encoded_cities(encode, options)
  for _, row in ipairs(audit { data = data, folds = 1, near = false,
    learners = { one = "featureless" } }:findings()) do
    if row.kind == "target_encoded" then
      lu.assertEquals(row.columns, "v")
      return row.severity, row.message
    end
  end
end

local function rounded(digits, f)
  return function(row) return tonumber(("%%.%df"):format(digits):format(f(row))) end
end

local function share(row) return row.sum / row.n end
local function shrunk(row) return (row.sum + 10 * row.mean) / (row.n + 10) end
local function log_odds(row) return math.log((row.sum + 0.5) / (row.n - row.sum + 0.5)) end
local function without_itself(row) return row.n > 1 and (row.sum - row.y) / (row.n - 1) or row.mean end

function TestAudit:test_encodings_of_the_target_are_found_however_they_are_written()
  local ways = {
    share, rounded(8, share), rounded(4, share), rounded(3, share),
    function(row) return (string.unpack("f", string.pack("f", share(row)))) end,
    function(row) return tonumber(("%.8g"):format(share(row))) end,
    function(row) return 100 * share(row) end,
    rounded(1, function(row) return 100 * share(row) end),
    function(row) return 1 - share(row) end,
    shrunk, rounded(4, shrunk), without_itself, rounded(5, without_itself),
    function(row) return (row.sum - row.y + 5 * row.mean) / (row.n + 4) end,
  }
  for k, way in ipairs(ways) do
    for _, numeric in ipairs { false, true } do
      lu.assertEquals(encoding_found(way, { numeric = numeric }), "leak", ("%d %s"):format(k, numeric))
    end
  end
  lu.assertEquals(encoding_found(function(row) return (row.sum + 1) / (row.n + 2) end), "leak")
  lu.assertEquals(encoding_found(log_odds), "leak")
  lu.assertEquals(encoding_found(rounded(4, log_odds)), "leak")
end

function TestAudit:test_encodings_are_found_where_the_column_itself_was_dropped()
  for k, way in ipairs { share, rounded(8, share), rounded(4, share), function(row)
    return 100 * share(row)
  end } do
    for _, numeric in ipairs { false, true } do
      lu.assertEquals(encoding_found(way, { numeric = numeric, dropped = true }), "leak", k)
    end
  end
end

-- Any rising function, here of the share alone.
function TestAudit:test_the_order_of_the_means_in_a_column_is_a_risk()
  local severity, message = encoding_found(function(row) return math.exp(3 * share(row)) end)
  lu.assertEquals(severity, "risk")
  lu.assertEquals(message, "column 'v' has the order of the means of the target (the share of 'yes') in the "
    .. "levels of column 'city', more exactly than in any of 2000 draws of other targets; if it was made "
    .. "of the target, it knows that of test rows; encode the target in a transform, which is fitted on "
    .. "training rows only")
end

function TestAudit:test_an_encoding_says_what_it_is()
  local function message(way, options)
    local _, text = encoding_found(way, options)
    return (text:gsub("; encode the target.*", ""))
  end
  lu.assertEquals(message(rounded(4, share)), "column 'v' is the mean of the target (the share of 'yes') in "
    .. "the levels of column 'city', to the digits that it is written with, test rows included")
  lu.assertStrContains(message(function(row) return 1 - share(row) end), "(the share of 'no')")
  lu.assertStrContains(message(rounded(4, share), { dropped = true }), " over all rows with the same value, ")
  lu.assertStrContains(message(shrunk), ", with every level shrunk towards one number, ")
  lu.assertStrContains(message(log_odds), "is the weight of evidence (the logarithm of the odds) of the ")
  lu.assertStrContains(message(without_itself), " without the row itself, so that it reveals the target of ")
  lu.assertStrContains(message(shrunk, { numeric = true }), "is the mean of the target in the levels of ")
end

-- Features of a city may go with the target, even as its true rate; they do not know these rows.
function TestAudit:test_what_only_goes_with_the_target_is_no_encoding()
  local other = {}
  local ways = {
    function(row) return row.code end, function(row) return row.rate end,
    rounded(2, function(row) return row.rate end), rounded(1, function(row) return row.rate end),
    function(row) return 100 * uniform("density", row.code) end, function(row) return row.n end,
    function(row)  -- the share of as many other people there
      if not other[row.code] then
        local hits = 0
        for i = 1, row.n do hits = hits + (uniform("o", row.code, i) < row.rate and 1 or 0) end
        other[row.code] = hits / row.n
      end
      return other[row.code]
    end,
  }
  for k, way in ipairs(ways) do
    for _, options in ipairs { {}, { numeric = true }, { dropped = true },
      { numeric = true, dropped = true } } do
      lu.assertNil(encoding_found(way, options), k)
    end
  end
end

function TestAudit:test_a_target_encoding_in_prepare_is_named_with_the_targets_as_cause()
  local function encode(data)
    local target, sums, counts = data:target(), {}, {}
    local values = data:column("city")
    for i, c in ipairs(values) do
      sums[c] = (sums[c] or 0) + (target[i] == "yes" and 1 or 0)
      counts[c] = (counts[c] or 0) + 1
    end
    for i, c in ipairs(values) do values[i] = sums[c] / counts[c] end
    return cf.dataset { name = "encoded", target = "y", columns = {
      { name = "x", values = data:column("x") }, { name = "city", values = values },
      { name = "y", values = target },
    } }
  end
  local found = only(audit { data = with_cities(false), prepare = encode }, "prepare")
  lu.assertEquals({ found.severity, found.columns }, { "leak", "z" == found.columns and "z" or "city" })
  lu.assertStrContains(found.message, "column 'city' changes")
  lu.assertStrContains(found.message, " when ")
end

function TestAudit:test_columns_scaled_over_all_rows_look_like_it()
  local data = mapped(data_with(), function(values)
    local mean, squares = mean_of(values), 0
    for _, value in ipairs(values) do squares = squares + (value - mean) ^ 2 end
    local deviation = math.sqrt(squares / #values)
    return function(value) return (value - mean) / deviation end
  end)
  local result = audit { data = data }
  local columns = {}
  for _, row in ipairs(result:findings()) do columns[#columns + 1] = row.kind .. " " .. row.columns end
  lu.assertEquals(columns, { "scaled_before_split x, z" })
  lu.assertTrue(result:passed("leak"))
  lu.assertFalse(result:passed())
end

function TestAudit:test_a_prepare_that_looks_at_each_row_alone_passes()
  local result = audit { prepare = function(data)
    return mapped(data, function() return function(value) return math.log(1 + value) end end)
  end }
  lu.assertEquals(result:findings(), {})
end

function TestAudit:test_a_prepare_that_leaves_out_rows_by_a_mean_of_all_is_found()
  local function trimmed(data)
    local values, kept = data:column("z"), {}
    local mean = mean_of(values)
    for i, value in ipairs(values) do
      if value < 1.6 * mean then kept[#kept + 1] = i end
    end
    return data:select(kept)
  end
  local found = only(audit { prepare = trimmed }, "prepare")
  lu.assertStrMatches(found.message, "it leaves out %d+ more and %d+ fewer of the other rows when other "
    .. "test rows get other features; make it a step .*")
  -- By a fixed limit it is not a leak.
  lu.assertEquals(audit { prepare = function(data)
    local kept = {}
    for i, value in ipairs(data:column("z")) do
      if value < 40 then kept[#kept + 1] = i end
    end
    return data:select(kept)
  end }:findings(), {})
end

function TestAudit:test_a_prepare_that_draws_without_a_seed_is_told()
  local calls = 0
  local found = only(audit { prepare = function(data)
    calls = calls + 1
    local by = calls
    return mapped(data, function() return function(value) return value + by end end)
  end }, "not_reproducible")
  lu.assertEquals({ found.severity, found.stage }, { "risk", "prepare" })
end

-- ---- what functions hold ----------------------------------------------------------------------------

local function divided_by(name, divisor)
  return applying(name, function(data, fit)
    if fit then return true end
    local columns = {}
    for j, feature in ipairs(data:features()) do
      local values = data:column(feature)
      for i, value in ipairs(values) do values[i] = value / divisor(feature) end
      columns[j] = { name = feature, values = values }
    end
    return columns
  end)
end

function TestAudit:test_a_transform_that_holds_the_whole_dataset_is_named()
  local everything = data_with()
  local step = divided_by("by_largest", function(feature)
    return math.max(table.unpack(everything:column(feature)))
  end)
  local found = only(audit { data = everything, learners = { one = cf.pipeline { step, "knn" } } },
    "captured")
  lu.assertEquals({ found.severity, found.learner, found.stage }, { "leak", "one", "by_largest" })
  lu.assertStrContains(found.message, " change when test rows change in 'everything', the whole dataset "
    .. "that 'divisor' holds; use only the data that a function is given")
end

function TestAudit:test_a_dataset_that_is_held_and_not_used_is_no_leak()
  local everything = data_with()
  local step = applying("names", function(data)
    assert(everything:name() == "planted")
    return data:features()
  end)
  lu.assertEquals(audit { data = everything, learners = { one = cf.pipeline { step, knn } } }:findings(),
    {})
end

function TestAudit:test_a_mean_of_all_rows_in_a_transform_is_recognised()
  local data = data_with()
  local means = { x = mean_of(data:column("x")), z = 10 }
  local step = divided_by("by_mean", function(feature) return means[feature] end)
  local found = only(audit { data = data, learners = { one = cf.pipeline { step, "knn" } } },
    "captured_statistic")
  lu.assertEquals({ found.severity, found.stage, found.columns }, { "leak", "by_mean", "x" })
  lu.assertEquals(found.message, "'means.x', which 'divisor' holds, is the mean of column 'x' over all "
    .. "rows, test rows included; compute it in fit from the rows that it is given")
end

-- A learner that knows the class of every row by its id.
local function memory(labels)
  return cf.learner { name = "memory", fit = function() return true end,
    predict = function(_, rows)
      local answer = {}
      for i, id in ipairs(rows:row_ids()) do answer[i] = labels[id] end
      return answer
    end }
end

function TestAudit:test_a_learner_that_knows_labels_by_row_is_named()
  local data = data_with()
  local labels = data:target()
  local found = only(audit { data = data, learners = { one = memory(labels) } }, "captured")
  lu.assertEquals({ found.severity, found.stage, found.columns }, { "leak", "memory", "y" })
  lu.assertStrMatches(found.message, "the predictions for %d+ of 20 test rows change when test "
    .. "rows change in 'labels', column 'y' of all rows that 'predict' holds; use only the data that a "
    .. "function is given")
  -- The same list is back in its place.
  lu.assertEquals(labels, data:target())
end

function TestAudit:test_labels_in_a_global_variable_are_found_too()
  local data = data_with()
  -- luacheck: push globals planted_labels
  planted_labels = data:target()
  local learner = cf.learner { name = "memory", fit = function() return true end,
    predict = function(_, rows)
      local answer = {}
      for i, id in ipairs(rows:row_ids()) do answer[i] = planted_labels[id] end
      return answer
    end }
  local found = only(audit { data = data, learners = { one = learner } }, "captured")
  planted_labels = nil
  -- luacheck: pop
  lu.assertStrContains(found.message, "'planted_labels', column 'y' of all rows that a global variable")
end

function TestAudit:test_a_search_over_the_whole_dataset_is_named()
  local data = data_with()
  local inner = cf.splitter("kfold", { folds = 4 })
  -- It chooses k by the test rows as well, whatever rows it is given.
  local tuned = { resolve = function(_, _, context)
    local best, most = nil, -1
    for _, k in ipairs { 1, 3, 5, 9, 15, 25 } do
      local result = cf.evaluate { data = data, learners = { one = knn:with { k = k } },
        splitter = inner, metrics = "accuracy", seed = context.seed, keep = "none" }
      local mean = result:summary()[1].mean
      if mean > most then best, most = k, mean end
    end
    return knn:with { k = best }
  end }
  local found = only(audit { data = data, learners = { tuned = tuned } }, "captured")
  lu.assertEquals({ found.severity, found.learner }, { "leak", "tuned" })
  lu.assertStrContains(found.message, "'data', the whole dataset that 'resolve' holds")
end

function TestAudit:test_learners_made_from_all_rows_are_found_if_a_function_makes_them()
  local function make(data)
    local largest = math.max(table.unpack(data:column("z")))
    return { one = cf.pipeline { divided_by("by_largest", function(feature)
      return feature == "z" and largest or 1
    end), "knn" } }
  end
  local found
  for _, row in ipairs(audit { learners = make }:findings()) do
    if row.kind == "refit" then found = row end
  end
  lu.assertEquals({ found.severity, found.stage, found.learner }, { "leak", "learners", "one" })
  lu.assertStrContains(found.message, "when the features of other test rows become noise")
end

function TestAudit:test_a_search_over_all_rows_in_a_function_of_learners_is_told_once()
  local inner = cf.splitter("kfold", { folds = 4 })
  local function make(data)
    local best, most = nil, -1
    for _, k in ipairs { 1, 3, 5, 9, 15, 25 } do
      local result = cf.evaluate { data = data, learners = { one = knn:with { k = k } },
        splitter = inner, metrics = "accuracy", seed = 3, keep = "none" }
      local mean = result:summary()[1].mean
      if mean > most then best, most = k, mean end
    end
    return { tuned = knn:with { k = best } }
  end
  local kinds = {}
  for _, row in ipairs(audit { learners = make, folds = 5 }:findings()) do
    kinds[#kinds + 1] = row.kind .. " " .. row.stage
  end
  lu.assertEquals(kinds, { "refit learners" })
end

function TestAudit:test_raw_data_that_are_held_are_told_as_a_risk()
  local raw = data_with()
  local data = mapped(raw, function() return function(value) return 2 * value end end)
  local step = divided_by("by_raw", function(feature)
    return math.max(table.unpack(raw:column(feature)))
  end)
  local found = only(audit { data = data, learners = { one = cf.pipeline { step, "knn" } } }, "captured")
  lu.assertEquals({ found.severity, found.stage }, { "risk", "by_raw" })
  lu.assertStrContains(found.message, "in 'raw', a dataset 'planted' with the same number of rows that 'divisor' holds")
end

-- The rows are not listed here, so that only the effect can be seen.
function TestAudit:test_a_learner_that_knows_labels_by_a_feature_is_told_as_a_risk()
  local data = data_with()
  local labels, of_feature = data:target(), {}
  for i, x in ipairs(data:column("x")) do of_feature[("%.6f"):format(x)] = labels[i] end
  local function knowing(name, answer_of)
    return cf.learner { name = name, fit = function(train) return train:classes()[1] end,
      predict = function(state, rows)
        local answer = rows:column("x")
        for i, x in ipairs(answer) do answer[i] = answer_of(x) or state end
        return answer
      end }
  end
  local found = only(audit { data = data, learners = {
    one = knowing("by_feature", function(x) return of_feature[("%.6f"):format(x)] end),
    never = knowing("never", function() end) } }, "blind")
  lu.assertEquals({ found.severity, found.stage }, { "risk", "by_feature" })
  lu.assertEquals(found.message, "it predicts 20 of 20 test rows right, and just the same when all its "
    .. "training rows have other targets: if it is not a fixed rule, it knows targets of test rows")
end

function TestAudit:test_a_function_of_learners_that_fails_on_changed_data_is_told()
  local calls = 0
  local found = only(audit { folds = 1, learners = function()
    calls = calls + 1
    if calls > 1 then error("no second time") end
    return { one = knn }
  end }, "failed_on_noise")
  lu.assertEquals(found.message, "cannot be compared, as it fails with changed test rows: no second time")
end

-- No bundled plugin leaks, so that training rows are changed here: the first step that sees them is named.
function TestAudit:test_the_stage_is_the_first_step_or_member_that_differs()
  local native, stages = require "crossfold.native", require "crossfold.audit.stages"
  local perturbed_splits = require "crossfold.audit.perturbed_splits"
  local data = data_with()
  local splits = cf.split(kfold, data, { seed = 1 })
  local place = perturbed_splits.choose(splits, 1, 1)[1]
  local function stage_of(value, what)
    local changed = native.change_rows(data, splits:train(place.split):row_ids(), 5, what)
    return (stages.find(value, { data = data, splits = splits },
      { data = changed, splits = native.splits_over(splits, changed) }, place, 1))
  end
  local features, target = { features = true }, { target = true }
  local discretized = cf.pipeline { cf.transform("min_max"), cf.transform("select", { k = 1 }), "knn" }
  lu.assertEquals(stage_of(discretized, features), "min_max")
  lu.assertEquals(stage_of(cf.learner("featureless"), target), "featureless")
  lu.assertEquals(stage_of(cf.voting { learners = { "featureless", knn } }, features), "standardize")
  lu.assertEquals(stage_of(cf.voting { learners = { "naive_bayes", knn } }, target), "naive_bayes")
end

-- ---- predictions ------------------------------------------------------------------------------------

-- Divides by the largest value of the rows that it is given.
local by_batch = applying("by_batch", function(data, fit)
  if fit then return true end
  local columns = {}
  for j, feature in ipairs(data:features()) do
    local values = data:column(feature)
    local largest = math.max(table.unpack(values))
    for i, value in ipairs(values) do values[i] = value / largest end
    columns[j] = { name = feature, values = values }
  end
  return columns
end)

function TestAudit:test_predictions_that_depend_on_the_batch_are_found()
  local found = only(audit { learners = { one = cf.pipeline { by_batch, "naive_bayes" } } }, "batch")
  lu.assertEquals({ found.severity, found.stage, found.learner, found.columns },
    { "leak", "by_batch", "one", "x, z" })
  lu.assertStrMatches(found.message, "the predictions for %d+ of %d+ rows depend on which other rows are "
    .. "predicted with them; predict each row from its own features and the fitted state")
end

function TestAudit:test_a_transform_that_learns_from_what_it_is_applied_to_is_found()
  local step = cf.transform { name = "running", fit = function() return { n = 0, sum = 0 } end,
    apply = function(state, data)
      local values = data:column("x")
      for i, value in ipairs(values) do
        state.n, state.sum = state.n + 1, state.sum + value
        values[i] = value - state.sum / state.n
      end
      return { { name = "x", values = values } }
    end }
  local found = only(audit { learners = { one = cf.pipeline { step, "knn" } } }, "batch")
  lu.assertEquals({ found.severity, found.learner, found.stage }, { "leak", "one", "running" })
end

function TestAudit:test_a_learner_that_draws_without_a_seed_is_told_and_not_called_leaking()
  local calls = 0
  local learner = cf.learner { name = "moody", fit = function()
    calls = calls + 1
    return calls % 2 == 0 and "yes" or "no"
  end, predict = function(state, rows) return fixtures.repeated(state, #rows) end }
  local result = audit { learners = { one = learner } }
  local found = only(result, "not_reproducible")
  lu.assertEquals({ found.severity, found.stage }, { "risk", "moody" })
  lu.assertTrue(result:passed("leak"))
  local text = tostring(result)
  lu.assertStrContains(text, "skipped: refit of learner 'one': two equal fits differ")
  lu.assertStrContains(text, "\nno leak was found in what could be checked, 1 risk")
end

function TestAudit:test_a_learner_that_fails_is_told()
  local found = only(audit { learners = { one = cf.learner("debug", { action = "throw_in_fit",
    when_row = -1 }) } }, "failed")
  lu.assertEquals(found.severity, "note")
  lu.assertStrContains(found.message, "cannot be audited: fit debug: ")
end

function TestAudit:test_a_learner_in_lua_that_normalises_the_test_rows_is_named_by_itself()
  local learner = cf.learner { name = "above_mean", fit = function() return true end,
    predict = function(_, rows)
      local values, answer = rows:column("x"), {}
      local mean = mean_of(values)
      for i, value in ipairs(values) do answer[i] = value > mean and "yes" or "no" end
      return answer
    end }
  lu.assertEquals(only(audit { learners = { one = learner } }, "batch").stage, "predict")
end

-- ---- rows -------------------------------------------------------------------------------------------

function TestAudit:test_a_splitter_that_overlaps_is_a_leak()
  local overlapping = cf.splitter { name = "careless", split = function()
    local train, test = {}, {}
    for i = 1, 80 do train[i] = i end
    for i = 1, 21 do test[i] = 79 + i end
    return { splits = { { train = train, test = test } } }
  end }
  local result = audit { splitter = overlapping }
  local found = only(result, "overlap")
  lu.assertEquals({ found.severity, found.stage }, { "leak", "splitter 'careless'" })
  lu.assertStrContains(found.message, "row 80 is both trained on and tested in")
  lu.assertFalse(result:passed())
end

function TestAudit:test_a_splitter_that_draws_without_a_seed_is_told()
  local calls = 0
  local moody = cf.splitter { name = "moody", split = function(input)
    calls = calls + 1
    local folds = {}
    for i = 1, input.n do folds[i] = (i + calls * (i % 3)) % 4 + 1 end
    return { folds = folds }
  end }
  lu.assertEquals(only(audit { splitter = moody }, "not_reproducible").stage, "splitter 'moody'")
end

local function patients(n, each)
  local list = {}
  for i = 1, n do list[i] = "p" .. (i - 1) // each end
  return list
end

function TestAudit:test_groups_that_a_splitter_tears_are_a_leak()
  local by_row = cf.splitter { name = "by_row", ignore_groups = true, split = function(input)
    local folds = {}
    for i = 1, input.n do folds[i] = i % 4 + 1 end
    return { folds = folds }
  end }
  local data = data_with({ { name = "patient", values = patients(100, 4) } }, { groups = "patient" })
  local found = only(audit { data = data, splitter = by_row }, "groups")
  lu.assertEquals({ found.severity, found.stage, found.columns, found.count },
    { "leak", "splitter 'by_row'", "patient", 25 })
  lu.assertEquals(found.message, "25 groups of column 'patient' have rows in training and test, 25 of 25 "
    .. "test rows; use a splitter that keeps groups together")
  lu.assertEquals(audit { data = data }:findings(), {})  -- kfold keeps them
end

function TestAudit:test_a_column_of_patients_that_is_no_group_is_a_risk()
  local data = data_with { { name = "patient", values = patients(100, 4) } }
  local learner = cf.pipeline { cf.transform("one_hot"), "knn" }
  local found = only(audit { data = data, learners = { one = learner } }, "group_candidate")
  lu.assertEquals({ found.severity, found.columns }, { "risk", "patient" })
  lu.assertStrContains(found.message, "if it is one, read the data with groups = \"patient\"")
end

-- The rows of the planted data, and 30 of them again with `jitter` on x and z.
local function with_copies(jitter)
  local columns = columns_of()
  for _, column in ipairs(columns) do
    for i = 1, 30 do
      local value = column.values[3 * i]
      column.values[100 + i] = column.name == "y" and value
        or value * (1 + jitter * (uniform("jitter", column.name, i) - 0.5))
    end
  end
  return cf.dataset { name = "copies", target = "y", columns = columns }
end

function TestAudit:test_copies_across_a_split_are_a_risk()
  local found = only(audit { data = with_copies(0) }, "duplicates")
  lu.assertEquals({ found.severity, found.stage }, { "risk", "data" })
  lu.assertStrMatches(found.message, "%d+ of 26 test rows %([%d.]+ %%%) have the features of a training "
    .. "row, (%d+) of them with the same target; remove the copies, or give them a common group")
  lu.assertStrMatches(found.rows, "%d+ = %d+, .*")
end

function TestAudit:test_copies_with_some_noise_are_a_risk()
  local found = only(audit { data = with_copies(1e-4) }, "near_duplicates")
  lu.assertEquals(found.severity, "risk")
  lu.assertStrMatches(found.message, "%d+ of 26 test rows %([%d.]+ %%%) are 20 times nearer to a training "
    .. "row than is usual, about [%d.]+ by chance; copies with some noise should have a common group")
end

function TestAudit:test_equal_rows_of_few_values_are_no_risk()
  local a, y = {}, {}
  for i = 1, 60 do a[i], y[i] = i % 4, uniform("few", i) < 0.5 and "p" or "q" end
  local data = cf.dataset { name = "few", target = "y", columns = {
    { name = "a", values = a }, { name = "y", values = y } } }
  local found = only(audit { data = data, learners = { one = "naive_bayes" } }, "duplicates")
  lu.assertEquals(found.severity, "note")
  lu.assertStrContains(found.message, "; the features have so few values that this is to be expected")
end

function TestAudit:test_training_on_later_rows_is_a_risk_where_the_time_is_known()
  local days = {}
  for i = 1, 100 do days[i] = i end
  local data = data_with({ { name = "day", values = days } }, { time = "day" })
  local found = only(audit { data = data }, "time")
  lu.assertEquals({ found.severity, found.stage, found.columns }, { "risk", "splitter 'kfold'", "day" })
  lu.assertEquals(audit { data = data, splitter = cf.splitter("time_series", { folds = 4 }) }:findings(),
    {})
end

-- A date of 2026 and a time of day for row i, later with every row.
local function date_of(i, clock)
  local month, day = (i - 1) // 28 + 1, (i - 1) % 28 + 1
  return ("2026-%02d-%02d%s"):format(month, day, clock and (" %02d:30"):format(i % 24) or "")
end

function TestAudit:test_the_time_may_be_dates()
  for _, clock in ipairs { "never", "always", "sometimes" } do
    local days = {}
    for i = 1, 100 do
      days[i] = date_of(i, clock == "always" or clock == "sometimes" and i % 3 == 0)
    end
    local data = data_with({ { name = "day", values = days } }, { time = "day" })
    local found = only(audit { data = data }, "time")
    lu.assertEquals({ found.severity, found.columns }, { "risk", "day" })
    local numbers = {}
    for i = 1, 100 do numbers[i] = i end
    local same = only(audit { data = data_with({ { name = "day", values = numbers } },
      { time = "day" }) }, "time")
    lu.assertEquals({ found.message, found.count, found.fold }, { same.message, same.count, same.fold })
    lu.assertEquals(audit { data = data, splitter = cf.splitter("time_series", { folds = 4 }) }:findings(),
      {})
  end
end

-- A date alone is its midnight, and Z and parts of seconds say nothing else.
function TestAudit:test_dates_of_several_forms_are_the_same_time()
  local days = {}
  for i = 1, 100 do
    days[i] = ({ "2026-02-28", "2026-02-28T00:00", "2026-02-28 00:00:00.0Z" })[i % 3 + 1]
  end
  local data = data_with({ { name = "day", values = days } }, { time = "day" })
  lu.assertEquals(audit { data = data }:findings(), {})
end

-- ---- columns ----------------------------------------------------------------------------------------

function TestAudit:test_a_copy_of_the_target_is_a_leak_under_any_name()
  local code = {}
  for i, label in ipairs(data_with():target()) do code[i] = label == "yes" and 17 or 4 end
  local found = only(audit { data = data_with { { name = "code", values = code } } }, "target_copy")
  lu.assertEquals({ found.severity, found.stage, found.columns }, { "leak", "data", "code" })
  lu.assertEquals(found.message, "column 'code' is the target under other names: each of its values "
    .. "belongs to one class, and each class to one value; leave it out")
end

function TestAudit:test_a_column_that_is_filled_in_for_one_class_only_is_a_leak()
  local closed = {}
  for i, label in ipairs(data_with():target()) do
    closed[i] = label == "yes" and uniform("closed", i) or cf.null
  end
  local learner = cf.pipeline { cf.transform("impute"), "knn" }
  local found = only(audit { data = data_with { { name = "closed", values = closed } },
    learners = { one = learner } }, "target_copy")
  lu.assertStrContains(found.message, "column 'closed' is missing in all rows of one class and there only")
end

-- A numeric target and features of it.
local function numbers(extra)
  local x, y, more = {}, {}, {}
  for i = 1, 60 do
    x[i] = uniform("a", i)
    y[i] = 3 * x[i] + uniform("b", i)
    more[i] = extra(y[i])
  end
  return cf.dataset { name = "numbers", target = "y", columns = { { name = "x", values = x },
    { name = "more", values = more }, { name = "y", values = y } } }
end

function TestAudit:test_a_numeric_target_in_another_unit_or_order_is_a_leak()
  local function message(extra)
    local found = only(audit { data = numbers(extra), learners = { one = "ridge" } }, "target_copy")
    lu.assertEquals({ found.severity, found.columns }, { "leak", "more" })
    return found.message
  end
  lu.assertStrContains(message(function(y) return 32 + 1.8 * y end),
    "column 'more' is the target in another unit: their correlation is 1.0000")
  lu.assertStrContains(message(function(y) return -math.exp(y) end),
    "column 'more' puts the rows into the order of the target: their rank correlation is -1.0000")
  local result = audit { learners = { one = "ridge" },
    data = numbers(function(y) return y + uniform("noise", y * 1e6 // 1 | 0) end) }
  lu.assertTrue(result:passed("risk"))
  -- It takes rows out of a fit on all rows, which rounds.
  lu.assertEquals(only(result, "rounding").severity, "note")
end

function TestAudit:test_one_column_that_tells_every_class_is_a_risk()
  local score = {}
  for i, label in ipairs(data_with():target()) do
    score[i] = (label == "yes" and 10 or 0) + uniform("score", i)
  end
  local found = only(audit { data = data_with { { name = "score", values = score } } },
    "target_predictor")
  lu.assertEquals({ found.severity, found.columns }, { "risk", "score" })
  lu.assertStrMatches(found.message, "column 'score' alone predicts 100.0 %% of the classes, the next "
    .. "best column [%d.]+ %%; make sure that it is known before the target is")
end

function TestAudit:test_a_row_number_in_rows_sorted_by_class_is_a_risk()
  local columns = columns_of()
  local id = {}
  for i = 1, 100 do
    id[i] = 1000 + i
    columns[3].values[i] = i <= 45 and "no" or "yes"
  end
  table.insert(columns, 1, { name = "id", values = id })
  local data = cf.dataset { name = "sorted", target = "y", columns = columns }
  local found = only(audit { data = data }, "id_order")
  lu.assertEquals({ found.severity, found.columns }, { "risk", "id" })
  lu.assertEquals(found.message, "column 'id' is a number of the row, and the rows are in the order of "
    .. "the target, so that it reveals the target; leave it out")
end

-- `n` columns "c1" .. of make(j) = a list of values.
local function many_columns(n, make)
  local list = {}
  for j = 1, n do list[j] = { name = "c" .. j, values = make(j) } end
  return list
end

function TestAudit:test_one_leak_in_many_columns_is_one_finding()
  local target = data_with():target()
  local copies = many_columns(60, function(j)
    local values = {}
    for i, label in ipairs(target) do values[i] = label == "yes" and j or -j end
    return values
  end)
  local found = only(audit { data = data_with(copies) }, "target_copy")
  lu.assertEquals(found.columns, "c60, c59, c58, c57, c56 and 55 more")
  lu.assertEquals(found.message, "column 'c60' is the target under other names: each of its values belongs "
    .. "to one class, and each class to one value; leave it out; 59 other columns are like it: c59, c58, "
    .. "c57, c56, c55 and 54 more")
  -- Other leaks are findings of their own.
  local gone = {}
  for i, label in ipairs(target) do gone[i] = label == "yes" and uniform("g", i) or cf.null end
  copies[61] = { name = "gone", values = gone }
  local kinds = {}
  for _, row in ipairs(audit { data = data_with(copies),
    learners = { one = cf.pipeline { cf.transform("impute"), "knn" } } }:findings()) do
    kinds[#kinds + 1] = row.kind == "target_copy" and row.columns or nil
  end
  lu.assertEquals(kinds, { "gone", "c60, c59, c58, c57, c56 and 55 more" })
end

function TestAudit:test_columns_that_look_like_groups_are_one_finding_that_counts_its_splits()
  local names = many_columns(2, function(j)
    local values = patients(100, 4)
    for i, value in ipairs(values) do values[i] = j .. value end
    return values
  end)
  local found = only(audit { data = data_with(names),
    learners = { one = cf.pipeline { cf.transform("one_hot"), "knn" } } }, "group_candidate")
  lu.assertEquals({ found.columns, found.splits }, { "c2, c1", 3 })
  lu.assertStrContains(found.message, "; 1 other column is like it: c1")
end

function TestAudit:test_means_of_all_columns_in_a_transform_are_one_finding()
  local data = data_with(many_columns(12, function(j)
    local values = {}
    for i = 1, 100 do values[i] = uniform("m", j, i) end
    return values
  end))
  local means = {}
  for _, name in ipairs(data:features()) do means[name] = mean_of(data:column(name)) end
  local step = divided_by("by_mean", function(feature) return means[feature] end)
  local found = only(audit { data = data, learners = { one = cf.pipeline { step, "knn" } } },
    "captured_statistic")
  lu.assertStrMatches(found.columns, "c1, c10, c11, c12, c2 and 9 more")
  lu.assertStrContains(found.message, "; 13 other columns are like it: c10, c11, c12, c2, c3 and 8 more")
end

-- ---- what is clean, and the result ------------------------------------------------------------------

function TestAudit:test_searches_ensembles_and_adjustments_pass()
  local inner = cf.splitter("kfold", { folds = 3, stratify = true })
  local result = cf.audit {
    data = fixtures.iris(), splitter = cf.splitter("kfold", { folds = 5, stratify = true }), seed = 2,
    folds = 2,
    learners = {
      search = cf.grid_search { learner = knn, grid = { k = { 1, 5, 15 } }, splitter = inner,
        metric = "accuracy" },
      voting = cf.voting { learners = { knn, "decision_tree" } },
      stacking = cf.stacking { learners = { knn, "naive_bayes" }, combiner = "naive_bayes",
        splitter = inner },
      bagging = cf.bagging { learner = "decision_tree", n = 3, features = 0.5 },
      calibrated = cf.pipeline { "naive_bayes", cf.calibration { method = "platt", splitter = inner } },
      smote = cf.pipeline { cf.transform("smote"), knn },
    },
  }
  lu.assertTrue(result:passed("risk"), tostring(result))
end

function TestAudit:test_the_result_prints_and_writes_what_it_has()
  local data = data_with()
  local result = audit { data = data, learners = { one = memory(data:target()) }, folds = 1 }
  local text = tostring(result)
  lu.assertStrContains(text, "audit of 'planted': 100 rows, 1 learner, 1 of 5 splits of splitter 'kfold', "
    .. "seed 3\nLEAK  captured: learner 'one', stage 'memory': ")
  lu.assertStrContains(text, "\nskipped: time: the data name no time\n")
  lu.assertStrContains(text, "\n1 leak")
  lu.assertStrContains(result:to { csv = true },
    "severity,kind,learner,stage,repeat_,fold,splits,columns,rows,count,waived,message\n"
    .. "leak,captured,one,memory,1,")
  lu.assertStrContains(result:to { json = true }, '"kind": "captured"')
  lu.assertEquals(fixtures.message(result.passed, result, "all"),
    "passed: 'all' is not one of leak, risk, note")
end

function TestAudit:test_a_risk_does_not_pass_until_it_is_waived()
  local function of(waive) return audit { data = with_copies(0), waive = waive } end
  local plain = of(nil)
  lu.assertFalse(plain:passed())
  lu.assertTrue(plain:passed("leak"))
  lu.assertNil(only(plain, "duplicates").waived)
  lu.assertNotStrContains(tostring(plain), "waived")
  local waived = of { "duplicates", "time" }
  lu.assertTrue(waived:passed())
  lu.assertTrue(only(waived, "duplicates").waived)
  local text = tostring(waived)
  lu.assertStrContains(text, "\nRISK  duplicates (waived): ")
  lu.assertStrContains(text, "\nwaived: duplicates, time (not found)\nno leak was found, 1 risk (1 waived)")
  lu.assertFalse(of({ "time" }):passed())
end

function TestAudit:test_a_leak_is_never_waived()
  local data = data_with()
  local result = audit { data = data, learners = { one = memory(data:target()) }, waive = { "captured" } }
  lu.assertFalse(result:passed())
  lu.assertNil(only(result, "captured").waived)
  lu.assertStrContains(tostring(result), "\nwaived: captured (not where it is a leak)\n1 leak")
end

function TestAudit:test_the_result_says_what_was_not_looked_for()
  local days = {}
  for i = 1, 100 do days[i] = i end
  local plain = audit {}
  local timed = audit { prepare = function(data) return data end,
    data = data_with({ { name = "day", values = days } }, { time = "day" }) }
  local function whats(result)
    local list = {}
    for i, row in ipairs(result:unseen()) do
      list[i] = row.what:match("^[^:,]+")
      lu.assertStrContains(tostring(result), ("\nnot looked for: %s; %s\n"):format(row.what, row.instead))
    end
    return list
  end
  lu.assertEquals(whats(plain), { "what was done to the data before", "columns from the future",
    "groups of rows that no column names", "labels that are wrong", "rows to be predicted that do not look like these",
    "settings that were chosen by test scores before" })
  lu.assertEquals(whats(timed), { "what was done to the data before 'prepare' got them",
    "columns that are known only after the time of their row", "groups of rows that no column names",
    "labels that are wrong", "rows to be predicted that do not look like these",
    "settings that were chosen by test scores before" })
  lu.assertStrContains(plain:unseen()[1].what, "a choice of features")
end

function TestAudit:test_the_same_call_prints_the_same_for_any_number_of_workers()
  local data = with_copies(1e-4)
  local learners = { one = cf.pipeline { by_batch, "naive_bayes" }, two = memory(data:target()), three = knn }
  local one = tostring(audit { data = data, learners = learners, workers = 1 })
  lu.assertEquals(tostring(audit { data = data, learners = learners, workers = 3 }), one)
end

function TestAudit:test_wrong_options_are_refused()
  local function message(change)
    return fixtures.message(cf.audit, fixtures.with({ data = data_with(), learners = { one = knn },
      splitter = kfold }, change))
  end
  lu.assertStrContains(message { fold = 3 }, "audit: unknown option 'fold'; did you mean 'folds'?")
  lu.assertEquals(message { folds = 0 }, "audit: folds = 0 is out of range; use 1 or more")
  lu.assertEquals(message { near = { ratio = 2 } },
    "audit: near: ratio = 2 is out of range; use a number between 0 and 1")
  lu.assertStrContains(message { waive = { "duplicate" } },
    "audit: waive: 'duplicate' is not the name of a finding; did you mean 'duplicates'?")
  lu.assertEquals(message { waive = { "refit" } },
    "audit: waive: 'refit' cannot be waived; it is always a leak")
  lu.assertEquals(message { prepare = function() return 7 end },
    "audit: prepare returned a number; it must return a dataset")
  lu.assertEquals(message { learners = {} }, "audit: option 'learners' names no learner")
  lu.assertEquals(message { data = cf.dataset { name = "none", columns = { { name = "a",
    values = { 1, 2 } } } } },
    "cannot audit 'none': the dataset has no target; read it with target = \"<column>\"")
end

-- ---- what the data seem to be -------------------------------------------------------------------------

local function wine_audit(changes)
  return cf.audit(fixtures.with({ data = cf.read(data_folder .. "/wine.csv", { target = "class" }),
    learners = "naive_bayes", splitter = cf.splitter("kfold", { folds = 5, stratify = true }), folds = 1, near = false,
    seed = 1 }, changes))
end

function TestAudit:test_labels_that_look_wrong_are_a_risk_when_they_are_asked_for()
  local data = cf.read(data_folder .. "/wine.csv", { target = "class" })
  local labels, columns = data:target(), {}
  for i = 5, 170, 15 do labels[i] = labels[i] == "class_1" and "class_2" or "class_1" end
  for j, name in ipairs(data:features()) do columns[j] = { name = name, values = data:column(name) } end
  columns[#columns + 1] = { name = "class", values = labels }
  local result = wine_audit { data = cf.dataset { name = "wine", target = "class", columns = columns }, labels = true }
  local row = only(result, "label_issues")
  lu.assertEquals({ row.severity, row.stage, row.count }, { "risk", "data", 14 })
  lu.assertEquals(row.rows, "20, 50, 65, 170, 95, 35, 110, 80, 140, 155")
  lu.assertEquals(row.message, "14 of 178 labels look wrong to 'random_forest', and about 8.3 % of all are; look at "
    .. "these rows, the most suspicious first")
  lu.assertEquals(#result.label_issues:rows(), 14)
  lu.assertFalse(result:passed())
  lu.assertTrue(wine_audit { labels = { learner = "naive_bayes", method = "both" },
    waive = { "label_issues" } }:passed())
end

function TestAudit:test_new_rows_that_differ_are_a_risk_when_they_are_given()
  local data = cf.read(data_folder .. "/wine.csv", { target = "class" })
  local some, others = {}, {}
  for i = 1, #data do table.insert(i % 3 == 0 and others or some, i) end
  local same = wine_audit { data = data:select(some), new = data:select(others) }
  lu.assertTrue(same:passed())
  local first, last = {}, {}
  for i = 1, #data do table.insert(i <= 100 and first or last, i) end
  local other = wine_audit { data = data:select(first), new = { data = data:select(last), learner = "naive_bayes" } }
  local row = only(other, "shifted")
  lu.assertEquals({ row.severity, row.columns, row.count }, { "risk", "hue", 78 })
  lu.assertEquals(row.message, "the rows of 'wine' differ from these (area under the ROC curve 0.93, p = 0.0100), most "
    .. "in column 'hue'; scores here need not hold there")
  lu.assertStrContains(tostring(other), ", new rows\n")
  lu.assertEquals(other.adversarial_validation.p, 0.01)
end

function TestAudit:test_so_few_permutations_of_new_rows_that_nothing_could_be_found_are_refused()
  local data = cf.read(data_folder .. "/wine.csv", { target = "class" })
  lu.assertEquals(fixtures.message(wine_audit, { data = data, new = { data = data, permutations = 98 } }),
    "audit: option 'new': 98 permutations cannot show a difference at level 0.01; use permutations = 99 or more")
end

function TestAudit:test_labels_of_numbers_are_refused()
  lu.assertEquals(fixtures.message(wine_audit, { data = cf.read(data_folder .. "/diabetes_regr.csv",
    { target = "target" }), labels = true, learners = "knn", splitter = cf.splitter("kfold", { folds = 5 }) }),
    "audit: option 'labels' needs classes, and the target of 'diabetes_regr' is not categorical; leave it out")
end

function TestAudit:test_the_report_has_findings_and_what_was_asked()
  local page = wine_audit { labels = true }:report()
  for _, text in ipairs { "audit of &#39;wine&#39;: 178 rows", "Labels that look wrong", "not looked for: ",
    "Provenance" } do
    lu.assertTrue(page:find(text, 1, true) ~= nil, text)
  end
end
