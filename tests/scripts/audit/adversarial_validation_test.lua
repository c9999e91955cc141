local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestAdversarialValidation = {}

local function uniform(...) return ((cf.seed(...) >> 11) + 0.5) * 2.0 ^ -53 end

-- Rows with a number, whose mean is `mean`, a category, missing entries and a target that is no part of the features.
local function rows(n, seed, mean, changes)
  local x, level, y, group = {}, {}, {}, {}
  for i = 1, n do
    x[i] = uniform(seed, i, 1) < 0.1 and cf.null or uniform(seed, i, 2) + (mean or 0)
    level[i] = uniform(seed, i, 3) < 0.5 and "a" or "b"
    y[i] = seed  -- would give away everything
    group[i] = ("%d-%d"):format(seed, i // 4)
  end
  local o = fixtures.with({ name = "rows " .. seed, target = "y",
    columns = { { name = "x", values = x }, { name = "level", values = level }, { name = "y", values = y },
      { name = "group", values = group } } }, changes)
  if not o.groups then table.remove(o.columns) end
  return cf.dataset(o)
end

local function validate(changes)
  return cf.adversarial_validation(fixtures.with({ old = rows(60, 1), new = rows(40, 2), permutations = 19, seed = 3,
    learner = "naive_bayes" }, changes))
end

function TestAdversarialValidation:testRowsOfOneKindDoNotDiffer()
  local found = validate()
  lu.assertFalse(found:differs())
  lu.assertStrContains(found:sentence(), "no difference between old and new rows is shown.")
end

function TestAdversarialValidation:testAColumnThatMovedIsNamed()
  local found = validate { new = rows(40, 2, 0.5), learner = nil }
  lu.assertEquals(found.p, 1 / 20)
  lu.assertEquals(found:columns()[1].column, "x")
  lu.assertTrue(found:columns()[1].auc > 0.75 and found:columns()[2].auc < 0.65)
  lu.assertAlmostEquals(found:columns()[1].mean_new - found:columns()[1].mean_old, 0.5, 0.15)
  lu.assertStrContains(found:sentence(), "the new rows differ from the old ones. Column 'x' shows it best, alone with "
    .. "an area of 0.8")
end

-- `n` rows with the one number `x`.
local function constant(n, x, name)
  local values = {}
  for i = 1, n do values[i] = x end
  return cf.dataset { name = name, columns = { { name = "x", values = values } } }
end

-- Every area is 0.5, so every permutation is as high.
function TestAdversarialValidation:testColumnsThatAreConstantShowNoDifference()
  local found = validate { old = constant(55, 1, "old"), new = constant(55, 1, "new"), learner = nil,
    permutations = 99 }
  lu.assertAlmostEquals(found.auc, 0.5, 1e-12)
  lu.assertEquals(found.p, 1)
  lu.assertEquals(found:sentence(), "A classifier ranks the 55 new rows above the 55 old ones with an area of 0.50 "
    .. "under the ROC curve (0.5 is chance), p = 1.0000 by 99 permutations: no difference between old and new rows is "
    .. "shown.")
end

function TestAdversarialValidation:testRowsThatAreSeparatedHaveTheSmallestP()
  local found = validate { old = constant(30, 1, "old"), new = constant(30, 2, "new") }
  lu.assertEquals({ found.auc, found.p }, { 1, 1 / 20 })
  lu.assertEquals(found:sentence(), "A classifier ranks the 30 new rows above the 30 old ones with an area of 1.00 "
    .. "under the ROC curve (0.5 is chance), p = 0.0500 by 19 permutations: the new rows differ from the old ones. "
    .. "Column 'x' shows it best, alone with an area of 1.00.")
end

-- One that covers was not found: the interval that was here left out 0.5 in 16 to 24 % of data without any change.
function TestAdversarialValidation:testThereIsNoIntervalAndAReason()
  local found = validate { new = rows(40, 2, 0.1) }
  lu.assertEquals({ found.low, found.high }, {})
  lu.assertNotStrContains(tostring(found), "interval")
  lu.assertEquals(found.undefined, "the permutations test whether the area is 0.5, and no interval is known to hold "
    .. "for the models of all folds")
end

function TestAdversarialValidation:testADifferenceIsOneAtTheLevelOfTheConfidence()
  local o = { new = rows(40, 2, 0.15), permutations = 99, confidence = 0.99 }
  local strict = validate(o)
  o.confidence = 0.8
  local mild = validate(o)
  lu.assertEquals(strict.p, mild.p)
  lu.assertTrue(mild.p > 0.01 and mild.p <= 0.2, mild.p)
  lu.assertFalse(strict:differs())
  lu.assertTrue(mild:differs())
  lu.assertStrContains(strict:sentence(), "no difference between old and new rows is shown.")
end

function TestAdversarialValidation:testTheTargetIsNotUsed()
  for _, row in ipairs(validate():columns()) do lu.assertNotEquals(row.column, "y") end
  -- The target of the old rows is a feature of new rows that were read without one.
  local new = rows(40, 2):with_roles { target = false }
  lu.assertEquals(validate { new = new }:columns(), validate():columns())
end

function TestAdversarialValidation:testPIsTheRankAmongThePermutations()
  local found = validate { permutations = 39 }
  local as_high = 0
  for _, auc in ipairs(found:permuted()) do if auc >= found.auc then as_high = as_high + 1 end end
  lu.assertEquals(#found:permuted(), 39)
  lu.assertEquals(found.p, (1 + as_high) / 40)
end

function TestAdversarialValidation:testPIsUniformUnderTheNull()
  fixtures.skip_if_sanitized()
  -- 200 data sets; tests/bench/adversarial_validation.md has 1,000. Bounds are 4 standard errors.
  local counts, levels = { 0, 0, 0 }, { 0.05, 0.25, 0.5 }
  for seed = 1, 200 do
    local found = validate { old = rows(30, 2 * seed), new = rows(30, 2 * seed + 1), seed = seed, columns = 0,
      folds = 3 }
    for k, level in ipairs(levels) do if found.p <= level then counts[k] = counts[k] + 1 end end
  end
  for k, level in ipairs(levels) do
    lu.assertAlmostEquals(counts[k] / 200, level, 4 * math.sqrt(level * (1 - level) / 200))
  end
end

function TestAdversarialValidation:testOldRowsAreRankedByHowNewTheyLook()
  local old = validate { new = rows(40, 2, 0.5) }:old_rows()
  lu.assertEquals(#old, 60)
  for i = 2, 60 do lu.assertTrue(old[i - 1].probability >= old[i].probability) end
  local x = rows(60, 1):column("x")
  lu.assertTrue(x[old[1].row] > 0.7, x[old[1].row])
end

function TestAdversarialValidation:testGroupsArePermutedWhole()
  local grouped = { groups = "group" }
  local found = validate { old = rows(60, 1, 0, grouped), new = rows(40, 2, 0, grouped) }
  lu.assertTrue(found.by_group)
  lu.assertFalse(found:differs())
  lu.assertEquals(#found:notes(), 1)
end

function TestAdversarialValidation:testWorkersDoNotMatter()
  lu.assertEquals(tostring(validate { workers = 1 }), tostring(validate { workers = 2 }))
end

function TestAdversarialValidation:testManyRowsAreSampledAndThatIsSaid()
  local found = validate { rows = 20 }
  lu.assertEquals({ found.rows_old, found.rows_new }, { 20, 20 })
  lu.assertEquals(found:notes()[1], "20 of 60 old and 20 of 40 new rows were drawn; 'rows' is the limit")
end

function TestAdversarialValidation:testColumnsOfOneSideAreSaidToBeLeftOut()
  local wide = cf.dataset { name = "wide", columns = { { name = "x", values = { 1, 2, 3, 4, 5 } },
    { name = "extra", values = { 1, 2, 3, 4, 5 } } } }
  lu.assertEquals(validate { new = wide }:notes()[1],
    "2 columns were not compared, because the other data lack them: level, extra")
end

function TestAdversarialValidation:testReportHasTheSentenceAndTheColumns()
  local found = validate()
  local page = found:report()
  lu.assertTrue(page:find("Old and new rows", 1, true) ~= nil)
  lu.assertTrue(page:find("no difference between old and new rows is shown.", 1, true) ~= nil)
  lu.assertEquals(select(2, found:to { csv = true }:gsub("\n", "")), 3)
end

-- Refusals -----------------------------------------------------------------------------------------

local function message(changes) return fixtures.message(validate, changes) end

function TestAdversarialValidation:testWhatCannotBeComparedIsRefused()
  local other = cf.dataset { name = "other", columns = { { name = "z", values = { 1, 2, 3, 4, 5 } } } }
  lu.assertEquals(message { new = other },
    "cannot compare 'other' with 'rows 1': they have no feature in common; name the columns alike")
  local strings = cf.dataset { name = "strings", columns = { { name = "x", values = { "1", "2", "3", "4", "5" } } } }
  lu.assertEquals(message { new = strings }, "cannot compare 'strings' with 'rows 1': column 'x' has values of type "
    .. "number in one and string in the other; read both with the same types")
  lu.assertEquals(message { new = rows(4, 2) }, "cannot compare 'rows 2' with 'rows 1': one of them has 4 rows, and "
    .. "each of 5 folds needs one; use more rows or fewer folds")
end

function TestAdversarialValidation:testGroupsThatDependAreRefused()
  local grouped = rows(40, 2, 0, { groups = "group" })
  lu.assertEquals(message { new = grouped },
    "cannot compare 'rows 2' with 'rows 1': only one of them names groups; read both with groups = \"<column>\"")
  lu.assertEquals(message { old = grouped, new = grouped }, "cannot compare 'rows 2' with 'rows 2': group '2-0' is in "
    .. "both, so its rows depend on each other; leave it out of one with data:filter")
end

function TestAdversarialValidation:testOptionsOutOfRangeAreRefused()
  lu.assertEquals(message { permutations = 5 },
    "adversarial_validation: permutations = 5 is out of range; use 19 or more")
  lu.assertEquals(message { confidence = 0.99 }, "adversarial_validation: 19 permutations cannot show a difference at "
    .. "level 0.01; use permutations = 99 or more")
  lu.assertEquals(message { confidence = 1 }, "adversarial_validation: confidence = 1 is outside (0, 1); use 0.95")
end
