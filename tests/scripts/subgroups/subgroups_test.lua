local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestSubgroups = {}

local message = fixtures.message

-- A learner without randomness: it predicts the column `guess`.
local function copies(probabilities)
  return cf.learner { name = "copies", fit = function() return {} end, predict = function(_, data)
    local labels, guesses = {}, data:column("guess")
    for i, guess in ipairs(guesses) do labels[i] = guess end
    if not probabilities then return { labels = labels } end
    local p = {}
    for i, label in ipairs(labels) do p[i] = label == "no" and { 0.8, 0.2 } or { 0.2, 0.8 } end
    return { probabilities = p }
  end }
end

-- Rows { level, number of rows, number that are right } as a result with these rows tested once per repeat.
local function result_of(parts, o)
  o = o or {}
  local level, guess, y, who, size = {}, {}, {}, {}, {}
  for p, one in ipairs(parts) do
    for i = 1, one[2] do
      local truth = i % 2 == 0 and "yes" or "no"
      local wrong = truth == "yes" and "no" or "yes"
      level[#level + 1], y[#y + 1] = one[1], truth
      guess[#guess + 1] = i <= one[3] and truth or wrong
      who[#who + 1], size[#size + 1] = ("%d.%d"):format(p, i // (o.group_size or 2)), i + 0.5
    end
  end
  local columns = { { name = "level", values = level, type = "categorical" },
    { name = "guess", values = guess, type = "categorical" }, { name = "y", values = y, type = "categorical" },
    { name = "size", values = size }, { name = "who", values = who, type = "categorical" } }
  local data = cf.dataset { name = "people", target = "y", groups = o.groups and "who" or nil, columns = columns }
  return cf.evaluate { data = data, learners = { copies = copies(o.probabilities) }, metrics = "accuracy", seed = 1,
    keep = o.probabilities and "probabilities" or "labels",
    splitter = cf.splitter(o.groups and "leave_one_group_out" or "kfold",
      not o.groups and { folds = 5, repeats = o.repeats or 1 } or nil) }
end

local function row_of(found, level)
  for _, row in ipairs(found:rows()) do
    if row.level == level then return row end
  end
end

-- Wilson's intervals of 45 of 50 and of 90 of 100: 0.7864 to 0.9565 and 0.8256 to 0.9448 (R: prop.test(correct =
-- FALSE)); the permutation test of equal shares has p = 1.
function TestSubgroups:test_each_level_has_its_score_its_interval_and_a_test_against_the_rest()
  local found = result_of({ { "a", 50, 45 }, { "b", 100, 90 } }):subgroups { by = "level" }
  local a, b = row_of(found, "a"), row_of(found, "b")
  lu.assertEquals({ a.value, a.rows, b.value, b.rows }, { 0.9, 50, 0.9, 100 })
  lu.assertAlmostEquals(a.low, 0.7864, 5e-5)
  lu.assertAlmostEquals(a.high, 0.9565, 5e-5)
  lu.assertAlmostEquals(b.low, 0.8256, 5e-5)
  lu.assertAlmostEquals(b.high, 0.9448, 5e-5)
  lu.assertEquals({ a.p, a.p_adjusted, a.difference, a.test }, { 1, 1, 0, "permutation" })
  lu.assertEquals(found.interval, "wilson")
  lu.assertEquals(found:sentence(), ("The accuracy of 'copies' is the same in all levels of level. The gap is 0.0000, "
    .. "95 %% interval 0.0000 to %s. No level differs from the rest beyond chance (smallest p = 1.0000)."):format(
      cf.format_number(found.gap.high, 4)))
end

-- Fisher's exact test of 20 of 40 against 58 of 60: p = 3.4e-08 (R: fisher.test), far below 1 / 2001.
function TestSubgroups:test_a_worse_level_is_found_with_the_gap()
  local found = result_of({ { "a", 40, 20 }, { "b", 60, 58 } }):subgroups { by = "level" }
  lu.assertEquals({ found.worst, found.best }, { "a", "b" })
  lu.assertAlmostEquals(found.gap.estimate, 58 / 60 - 0.5, 1e-12)
  lu.assertTrue(found.gap.low > 0.25 and found.gap.high < 0.65)
  lu.assertAlmostEquals(row_of(found, "a").p, 1 / 2001, 1e-12)
  lu.assertEquals(row_of(found, "a").p_adjusted, row_of(found, "a").p)
  lu.assertStrContains(found:sentence(), "By level, the accuracy of 'copies' is worst for 'a' (0.5000, 95 % interval ")
  lu.assertStrContains(found:sentence(), "Different from the rest beyond chance: 'a' (p = 0.0005), 'b' (p = 0.0005).")
end

-- fairlearn#1242: levels of a few rows.
function TestSubgroups:test_a_level_with_too_few_rows_is_undefined_and_never_a_number()
  local found = result_of({ { "a", 40, 30 }, { "b", 60, 50 }, { "tiny", 3, 0 } }):subgroups { by = "level" }
  local tiny = row_of(found, "tiny")
  lu.assertEquals(tiny, { level = "tiny", rows = 3, undefined = "3 rows, fewer than min_rows = 20" })
  lu.assertEquals(found.worst, "a")
  lu.assertStrContains(found:sentence(), "Not judged: 'tiny' (3 rows, fewer than min_rows = 20).")
  local none = result_of({ { "a", 5, 3 }, { "b", 6, 5 } }):subgroups { by = "level" }
  lu.assertNil(none.worst)
  lu.assertNil(none.gap.estimate)
  lu.assertEquals(none:sentence(), "Levels of level cannot be compared: there is no level with at least 20 rows. Not "
    .. "judged: 'a' (5 rows, fewer than min_rows = 20), 'b' (6 rows, fewer than min_rows = 20).")
end

function TestSubgroups:test_p_values_of_several_levels_are_adjusted()
  local result = result_of { { "a", 40, 28 }, { "b", 60, 50 }, { "c", 50, 45 } }
  local found = result:subgroups { by = "level" }
  local p = fixtures.column(found:rows(), "p")
  for i, adjusted in ipairs(cf.stats.adjust_p(p, { method = "holm" })) do
    lu.assertEquals(found:rows()[i].p_adjusted, adjusted)
  end
  lu.assertStrContains(found:sentence(), "p-values adjusted as by Holm")
end

function TestSubgroups:test_a_perfect_level_has_an_interval_all_the_same()
  local found = result_of({ { "a", 30, 30 }, { "b", 60, 50 } }):subgroups { by = "level" }
  lu.assertEquals(row_of(found, "a").high, 1)
  lu.assertTrue(row_of(found, "a").low < 0.9)
  local drawn = result_of({ { "a", 30, 30 }, { "b", 60, 50 } }):subgroups { by = "level", interval = "bootstrap" }
  lu.assertEquals(row_of(drawn, "a").interval_undefined, "every sample has the same score, so how it varies is not "
    .. "known")
  lu.assertEquals(drawn.gap.undefined, "every sample has the same score, so how it varies is not known")
end

function TestSubgroups:test_conditions_functions_and_bins_part_the_rows()
  local result = result_of { { "a", 50, 40 }, { "b", 50, 45 } }
  local rows = result:subgroups { by = "size > 25 and level = a" }:rows()
  lu.assertEquals({ rows[1].level, rows[1].rows, rows[2].level, rows[2].rows },
    { "size > 25 and level = a", 26, "not (size > 25 and level = a)", 74 })
  local by_function = result:subgroups { by = function(row) return row.size < 30 and row.level or nil end }:rows()
  lu.assertEquals({ by_function[1].level, by_function[1].rows, by_function[2].level, by_function[3].level,
    by_function[3].rows }, { "a", 29, "b", "(missing)", 42 })
  local binned = result:subgroups { by = "size", bins = 4 }:rows()
  lu.assertEquals({ binned[1].level, binned[1].rows, binned[4].level, binned[4].rows },
    { "<= 13.5", 26, "> 38.5", 24 })
  lu.assertEquals(message(result.subgroups, result, { by = "size" }), "subgroups: option 'by': column 'size' has 50 "
    .. "different numbers; give bins = 4, a condition as in by = \"size > 25.5\", or a function")
  lu.assertEquals(message(result.subgroups, result, { by = "level", bins = 4 }), "subgroups: option 'by': column "
    .. "'level' is not numeric, so it has no bins; leave 'bins' out")
  lu.assertStrContains(message(result.subgroups, result, { by = "levle" }), "cannot find column 'levle' in "
    .. "dataset 'people': there is no such column; did you mean 'level'?")
  lu.assertEquals(message(result.subgroups, result, { by = function() return {} end }), "subgroups: option 'by': the "
    .. "function returned a table for row 1; return a string, a number, a boolean or nil")
end

-- Rows with a number that is missing in each third row.
local function with_gaps()
  local size, guess, y = {}, {}, {}
  for i = 1, 90 do
    size[i], y[i] = i % 3 == 0 and cf.null or i, i % 2 == 0 and "yes" or "no"
    guess[i] = i % 5 == 0 and "no" or y[i]
  end
  local data = cf.dataset { name = "gaps", target = "y", columns = { { name = "size", values = size },
    { name = "guess", values = guess, type = "categorical" }, { name = "y", values = y, type = "categorical" } } }
  return cf.evaluate { data = data, learners = { copies = copies() }, metrics = "accuracy", seed = 1,
    splitter = cf.splitter("kfold", { folds = 5 }) }
end

local function levels_of(found)
  local list = {}
  for i, row in ipairs(found:rows()) do list[i] = ("%s: %d"):format(row.level, row.rows) end
  return list
end

function TestSubgroups:test_rows_without_an_entry_neither_meet_a_condition_nor_its_contrary()
  lu.assertEquals(levels_of(with_gaps():subgroups { by = "size > 45" }),
    { "size > 45: 30", "not (size > 45): 30", "(missing): 30" })
  lu.assertEquals(levels_of(with_gaps():subgroups { by = "guess = no and size <= 45" })[3], "(missing): 30")
end

function TestSubgroups:test_entries_of_one_text_are_one_level()
  local result = result_of { { "a", 50, 40 }, { "b", 50, 45 } }
  local found = result:subgroups { by = function(row) return row.level == "a" and 1 or row.size < 20 and "1" or 2 end }
  lu.assertEquals(levels_of(found), { "1: 69", "2: 31" })
  lu.assertStrContains(tostring(found), "By a function, the accuracy of 'copies' is worst for '2' (0.8387, ")
  found = result:subgroups { by = function(row)
    return row.level == "a" and true or row.size < 20 and "true" or nil
  end }
  lu.assertEquals(levels_of(found), { "true: 69", "(missing): 31" })
  found = result:subgroups { by = function(row)
    if row.level == "a" then return "(missing)" end
    return row.size < 30 and "b" or nil
  end }
  lu.assertEquals(levels_of(found), { "b: 29", "(missing): 71" })
end

function TestSubgroups:test_metrics_that_are_not_means_have_bootstrap_intervals_and_tests()
  local result = result_of({ { "a", 60, 45 }, { "b", 60, 54 } }, { probabilities = true })
  local found = result:subgroups { by = "level", metric = "roc_auc", samples = 200 }
  local a = row_of(found, "a")
  lu.assertAlmostEquals(a.value, 0.75, 0.05)
  lu.assertTrue(a.low < a.value and a.value < a.high)
  lu.assertEquals({ a.test, found.interval }, { "bootstrap", "bootstrap" })
  lu.assertEquals(message(result.subgroups, result, { by = "level", metric = "roc_auc", interval = "wilson" }),
    "subgroups: interval = 'wilson' needs rows that are right or wrong: the metric is not a mean over rows; use "
    .. "'bootstrap'")
end

function TestSubgroups:test_a_metric_in_lua_has_an_interval_if_it_is_a_mean_over_rows()
  local function share(truth, predicted)
    local right = 0
    for i, class in ipairs(truth) do right = right + (class == predicted[i] and 1 or 0) end
    return right / #truth
  end
  local result = result_of { { "a", 50, 40 }, { "b", 50, 45 } }
  local mean = cf.metric { name = "share", direction = "higher", score = share }
  lu.assertNotNil(row_of(result:subgroups { by = "level", metric = mean }, "a").low)
  local squared = cf.metric { name = "squared", direction = "higher",
    score = function(t, p) return share(t, p) ^ 2 end }
  local a = row_of(result:subgroups { by = "level", metric = squared }, "a")
  lu.assertAlmostEquals(a.value, 0.64, 1e-12)
  lu.assertEquals(a.interval_undefined, "the metric is written in Lua and is not a mean over rows")
end

-- A repeat adds predictions, but no rows.
function TestSubgroups:test_a_row_that_is_predicted_repeatedly_is_drawn_as_one()
  local once = result_of({ { "a", 50, 40 }, { "b", 50, 45 } }):subgroups { by = "level", interval = "bootstrap" }
  local often = result_of({ { "a", 50, 40 }, { "b", 50, 45 } }, { repeats = 5 }):subgroups { by = "level" }
  local a, b = row_of(once, "a"), row_of(often, "a")
  lu.assertEquals({ b.rows, often.interval }, { 50, "bootstrap" })
  lu.assertAlmostEquals(b.high - b.low, a.high - a.low, 0.03)
  lu.assertAlmostEquals(row_of(often, "b").p, row_of(once, "b").p, 0.05)
end

-- Groups of 10 rows of which all are right or all are wrong are 5 observations, not 50.
function TestSubgroups:test_groups_are_drawn_whole()
  local parts = { { "a", 100, 60 }, { "b", 100, 80 } }
  local rows = result_of(parts):subgroups { by = "level", interval = "bootstrap", min_rows = 5 }
  local groups = result_of(parts, { groups = true, group_size = 10 }):subgroups { by = "level", min_rows = 5 }
  local narrow, wide = row_of(rows, "a"), row_of(groups, "a")
  lu.assertEquals({ wide.groups, groups.units }, { 11, "groups" })
  lu.assertTrue(wide.high - wide.low > 2 * (narrow.high - narrow.low))
  lu.assertTrue(wide.p > 0.1 and narrow.p < 0.01)
  local few = result_of(parts, { groups = true, group_size = 10 }):subgroups { by = "level" }
  lu.assertEquals(row_of(few, "a").undefined, "11 groups, fewer than min_rows = 20")
end

function TestSubgroups:test_the_seed_decides_about_the_samples_and_options_are_checked()
  local result = result_of { { "a", 50, 40 }, { "b", 50, 45 } }
  local function low(seed)
    return row_of(result:subgroups { by = "level", interval = "bootstrap", seed = seed }, "a").low
  end
  lu.assertEquals(low(1), low(1))
  lu.assertEquals(message(result.subgroups, result, { by = "level", samples = 1 }), "cannot compare subgroups: samples "
    .. "is 1; use 2 to 100000")
  lu.assertEquals(message(result.subgroups, result, { by = "level", min_rows = 1 }), "subgroups: min_rows = 1; use 2 "
    .. "or more")
  lu.assertEquals(message(result.subgroups, result, { by = "size", bins = 1 }), "subgroups: bins = 1; use 2 to 100")
end

function TestSubgroups:test_forms()
  local found = result_of({ { "a", 50, 40 }, { "b", 50, 45 }, { "c", 2, 1 } }):subgroups { by = "level" }
  lu.assertStrContains(tostring(found), "accuracy of 'copies' on 'people' by level\nlevel  rows   value")
  lu.assertStrContains(tostring(found), found:sentence())
  lu.assertStrContains(found:to { csv = true }, "level,rows,groups,value,low,high,difference,p,p_adjusted,test,")
  lu.assertStrContains(found:to { csv = true }, '\nc,2,,,,,,,,,"2 rows, fewer than min_rows = 20",')
  lu.assertStrContains(found:to { json = true }, '"level": "a"')
  local made = cf.plot.subgroups(found)
  lu.assertEquals(made.note, "Bars: 95 % Wilson's intervals of the levels. Line: all rows. c: 2 rows, fewer than "
    .. "min_rows = 20.")
  lu.assertStrMatches(made:svg(), "<%?xml .*</svg>\n")
  local page = found:report()
  lu.assertStrContains(page, (found:sentence():gsub("'", "&#39;")))
  lu.assertStrContains(page, "Scores by subgroup")
end

function TestSubgroups:test_a_stored_result_has_subgroups()
  local data = fixtures.iris()
  local path = fixtures.new_store()
  local o = { data = data, learners = { "knn" }, metrics = "accuracy", seed = 1, store = path,
    splitter = cf.splitter("kfold", { folds = 5 }) }
  local live, by = cf.evaluate(o), "'petal width (cm)' > 1.5"
  local stored = cf.stored({ store = path }).results[1]
  lu.assertEquals(stored:subgroups { by = by }:rows(), live:subgroups { by = by }:rows())
  fixtures.remove_store(path)
end
