local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestSoak = {}

local function uniform(...) return ((cf.seed(...) >> 11) + 0.5) * 2.0 ^ -53 end

-- y is x in each subset, but -x in subset "odd" if `differs`; `n` rows of each.
local function two_subsets(n, differs, seed)
  local x, y, part = {}, {}, {}
  for i = 1, 2 * n do
    x[i], part[i] = uniform(seed, i, 1) - 0.5, i % 2 == 1 and "odd" or "even"
    y[i] = x[i] * (differs and i % 2 == 1 and -1 or 1) + 0.2 * uniform(seed, i, 2)
  end
  return cf.dataset { name = "two", target = "y", columns = { { name = "x", values = x },
    { name = "part", values = part }, { name = "y", values = y } } }
end

local function soak(data, changes)
  return cf.soak(fixtures.with({ data = data, subset = "part",
    learners = { line = cf.learner("ridge", { l2 = 0.001 }) }, metrics = "rmse", folds = 5, seed = 1 }, changes))
end

local function row_of(found, subset, compared)
  for _, row in ipairs(found:rows()) do
    if row.subset == subset and row.compared == compared then return row end
  end
end

function TestSoak:testSubsetsOfOtherPatternsHurt()
  local found = soak(two_subsets(60, true, 1))
  for _, subset in ipairs { "odd", "even" } do
    for _, compared in ipairs { "all", "other" } do
      local row = row_of(found, subset, compared)
      lu.assertEquals(row.verdict, "hurts")
      lu.assertTrue(row.other > row.all and row.all > row.same)
      lu.assertAlmostEquals(row.difference, row[compared] - row.same, 1e-12)
    end
  end
end

function TestSoak:testTheVerdictIsAtTheLevelOfTheConfidence()
  local data = two_subsets(60, true, 1)
  local p = row_of(soak(data), "odd", "all").p_adjusted
  local row = row_of(soak(data, { confidence = 1 - p / 2 }), "odd", "all")
  lu.assertEquals({ row.p_adjusted, row.verdict }, { p, "no difference shown" })
  lu.assertEquals(row_of(soak(data, { confidence = 1 - p }), "odd", "all").verdict, "hurts")
end

function TestSoak:testSubsetsOfTheSamePatternMakeNoDifference()
  for _, row in ipairs(soak(two_subsets(60, false, 2)):rows()) do
    lu.assertEquals(row.verdict, "no difference shown")
  end
end

function TestSoak:testMoreRowsOfTheSamePatternHelpASmallSubset()
  local x, y, part = {}, {}, {}
  for i = 1, 400 do
    x[i], part[i] = uniform(7, i), i <= 40 and "small" or "large"
    y[i] = math.sin(20 * x[i])
  end
  local found = soak(cf.dataset { name = "small", target = "y", columns = { { name = "x", values = x },
    { name = "part", values = part }, { name = "y", values = y } } }, { folds = 10,
    repeats = 3, learners = cf.learner("knn", { k = 3 }) })
  lu.assertEquals(row_of(found, "small", "all").verdict, "helps")
  lu.assertEquals(row_of(found, "small", "other").verdict, "helps")
  lu.assertEquals(row_of(found, "large", "other").verdict, "hurts")
end

function TestSoak:testNoTrainingRowIsInATestedFoldAndSubsetsAreAsNamed()
  local data = two_subsets(20, false, 3)
  local found = soak(data, { folds = 4 })
  local splits, parts, scores = found.evaluated:splits(), data:column("part"), found:scores()
  lu.assertEquals(#splits, 4 * 2 * 3)
  local tested = {}
  for s = 1, #splits do
    local test, place = splits:test(s):row_ids(), scores[s]
    for _, id in ipairs(test) do
      lu.assertEquals(parts[id], place.subset)
      tested[id] = place.fold
    end
    lu.assertEquals(#splits:train(s), place.n_train)
  end
  for s = 1, #splits do
    for _, id in ipairs(splits:train(s):row_ids()) do
      lu.assertNotEquals(tested[id], scores[s].fold)
      if scores[s].train == "same" then lu.assertEquals(parts[id], scores[s].subset) end
      if scores[s].train == "other" then lu.assertNotEquals(parts[id], scores[s].subset) end
    end
    if scores[s].train == "all" then lu.assertEquals(scores[s].n_train, 30) end
  end
end

function TestSoak:testTheColumnOfSubsetsIsNoFeature()
  local found = soak(two_subsets(20, false, 3), { folds = 2 })
  lu.assertEquals(found.evaluated:splits():train(1):features(), { "x" })
end

function TestSoak:testTheTestIsTheCorrectedTOverFolds()
  local found = soak(two_subsets(30, true, 4))
  local row, by_fold, differences = row_of(found, "odd", "all"), {}, {}
  for _, score in ipairs(found:scores()) do
    if score.subset == "odd" then
      by_fold[score.fold] = by_fold[score.fold] or {}
      by_fold[score.fold][score.train] = score.value
    end
  end
  for fold = 1, 5 do differences[fold] = by_fold[fold].all - by_fold[fold].same end
  local test = cf.stats.corrected_t(differences, { n_train = 24, n_test = 6 })
  lu.assertAlmostEquals(row.p, test.p, 1e-12)
  lu.assertAlmostEquals(row.low, test.low, 1e-12)
  local p = fixtures.column(found:rows(), "p")
  local adjusted = cf.stats.adjust_p(p)
  for i, one in ipairs(found:rows()) do lu.assertAlmostEquals(one.p_adjusted, adjusted[i], 1e-15) end
end

function TestSoak:testTheWorstSubsetIsThatOfTheDirectionOfTheMetric()
  local penguins = cf.read(data_folder .. "/penguins.csv", { target = "species", types = { year = "categorical" } })
  local found = cf.soak { data = penguins, subset = "year", learners = "naive_bayes",
    metrics = { "accuracy", "log_loss" }, folds = 5, seed = 1 }
  for _, worst in ipairs(found:worst()) do
    for _, row in ipairs(found:rows()) do
      if row.metric == worst.metric and row.metric == "accuracy" then lu.assertTrue(row[worst.train] >= worst.value) end
      if row.metric == worst.metric and row.metric == "log_loss" then lu.assertTrue(row[worst.train] <= worst.value) end
    end
  end
  lu.assertEquals(#found:worst(), 6)
end

function TestSoak:testGroupsStayTogether()
  local data = two_subsets(40, false, 5)
  local columns, group = {}, {}
  for i = 1, #data do group[i] = i // 4 end
  for j, name in ipairs { "x", "part", "y" } do columns[j] = { name = name, values = data:column(name) } end
  columns[4] = { name = "group", values = group }
  local found = soak(cf.dataset { name = "two", target = "y", groups = "group", columns = columns })
  for _, note in ipairs(found:notes()) do lu.assertNotStrContains(note, "both sides") end
end

function TestSoak:testSentencesAndReportSayWhatOtherSubsetsDo()
  local found = soak(two_subsets(60, true, 1))
  lu.assertStrMatches(found:sentences()[1], "On 'odd', training 'line' on all subsets instead of its own rows changes "
    .. "rmse by %+0%.%d+ %(95 %% interval 0%.%d+ to 0%.%d+, p = 0%.%d+ adjusted%): it hurts%.")
  lu.assertTrue(found:report():find("Training on other subsets", 1, true) ~= nil)
  lu.assertEquals(select(2, found:to { csv = true }:gsub("\n", "")), 5)
end

-- Refusals -----------------------------------------------------------------------------------------

function TestSoak:testWhatHasNoSubsetsIsRefused()
  local data = two_subsets(4, false, 1)
  lu.assertEquals(fixtures.message(soak, data), "cannot compare subsets of 'two': subset 'odd' has 4 rows, and each of "
    .. "5 folds tests some of them; use fewer folds, or leave it out with data:filter")
  lu.assertEquals(fixtures.message(soak, data:filter(function(row) return row.part == "odd" end)),
    "cannot compare subsets of 'two': column 'part' has one value only")
  lu.assertEquals(fixtures.message(soak, data, { subset = "y" }),
    "cannot compare subsets of 'two': the column of subsets is its target")
  lu.assertEquals(fixtures.message(soak, data:with_roles { groups = "part" }), "cannot compare subsets of 'two': "
    .. "column 'part' has its groups, which stay together, so that no subset could train for itself; "
    .. "use leave_one_group_out")
end
