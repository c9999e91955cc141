-- cf.describe and data:describe: facts of a dataset, and what is striking about it.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestDescribe = {}

local function data()
  local id, x, t = {}, {}, {}
  for i = 1, 40 do id[i], x[i], t[i] = 100 + i, i == 3 and cf.null or i % 4 + 0.5, i <= 37 and "a" or "b" end
  return cf.dataset { name = "d", target = "t", columns = {
    { name = "id", values = id }, { name = "x", values = x }, { name = "t", values = t },
  } }
end

function TestDescribe:test_facts_of_columns_and_classes()
  local report = cf.describe(data())
  lu.assertEquals({ report.name, report.task, report.rows, report.features },
    { "d", "classification", 40, 2 })
  local x = report:column("x")
  -- 40 values 0.5 + (0 .. 3), 10 each, without one 3.5: their sum is 80 - 3.5.
  lu.assertEquals({ x.type, x.role, x.missing, x.distinct, x.min, x.max }, { "f64", "feature", 1, 4, 0.5, 3.5 })
  lu.assertAlmostEquals(x.mean, 76.5 / 39, 1e-12)
  lu.assertAlmostEquals(x.missing_share, 0.025, 1e-12)
  lu.assertNil(x.most_frequent)
  lu.assertEquals(report:column("t").most_frequent,
    { { value = "a", count = 37, share = 0.925 }, { value = "b", count = 3, share = 0.075 } })
  lu.assertEquals(report.classes[2], { value = "b", count = 3, share = 0.075 })
end

-- 2^63 - 1 is not a double.
function TestDescribe:test_extremes_of_whole_numbers_are_integers()
  local k = cf.describe(cf.dataset { columns = { { name = "k", values = { -5, math.maxinteger } } } }):column("k")
  lu.assertEquals({ math.type(k.min), k.min, math.type(k.max), k.max }, { "integer", -5, "integer", math.maxinteger })
end

function TestDescribe:test_findings_have_kinds_columns_and_words()
  lu.assertEquals(fixtures.column(cf.describe(data(), { folds = 4 }).findings, "kind"),
    { "duplicate_rows", "contradicting_rows", "rare_class", "imbalance", "id" })
  local id = cf.describe(data()).findings[5]
  lu.assertEquals(id.columns, { "id" })
  lu.assertTrue(id.warning)
  lu.assertStrContains(id.message, "'id' has a different value in every row, like an id")
end

function TestDescribe:test_the_text_is_what_the_program_prints()
  local report = data():describe { most_frequent = 1 }
  local text = report:to { text = true }
  lu.assertEquals(tostring(report) .. "\n", text)
  lu.assertStrContains(text, "d: 40 rows, 3 columns, 2 features, classification\n")
  lu.assertStrContains(text, "a 37, ...")
  lu.assertStrContains(report:to { json = true }, '"task": "classification"')
end

function TestDescribe:test_rows_of_a_selection_only()
  lu.assertEquals(data():select { 1, 2, 4 }:describe().rows, 3)
end

function TestDescribe:test_mistakes_are_told()
  lu.assertStrContains(fixtures.message(cf.describe, "x"), "describe: expected a dataset, got a string")
  lu.assertStrContains(fixtures.message(cf.describe, data(), { fold = 3 }),
    "describe: unknown option 'fold'; did you mean 'folds'?")
  lu.assertStrContains(fixtures.message(cf.describe, data(), { folds = 1 }),
    "describe: option 'folds' must be at least 2")
  lu.assertStrContains(fixtures.message(cf.describe, data(), { threads = 0 }),
    "describe: option 'threads' must be between 1 and 4096")
  local report = cf.describe(data())
  lu.assertStrContains(fixtures.message(report.column, report, "y"),
    "column: there is no column 'y'; known: id, t, x")
  lu.assertStrContains(fixtures.message(report.to, report, {}), "to: give one of json, text")
  lu.assertStrContains(fixtures.message(function() data():without_target():describe() end),
    "their target is hidden")
end
