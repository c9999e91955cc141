-- Splits that come back say nothing new: intervals and tests over them are those of the different ones.
local lu = require "luaunit"
local cf = require "crossfold"
local native = require "crossfold.native"

TestDistinctSplits = {}

-- `n` groups of 4 + g rows; x says something about y.
local function grouped(n)
  local x, y, groups = {}, {}, {}
  for g = 1, n do
    for i = 1, 4 + g do
      local u = (cf.seed(7, g, i) >> 11) * 2.0 ^ -53
      groups[#groups + 1], y[#y + 1] = "g" .. g, i % 2 == 0 and "a" or "b"
      x[#x + 1] = u + (y[#y] == "a" and 0.4 or 0)
    end
  end
  return cf.dataset { name = "grouped", target = "y", groups = "g", columns = { { name = "x", values = x },
    { name = "y", values = y }, { name = "g", values = groups } } }
end

local function evaluated(splitter, data)
  return cf.evaluate { data = data or grouped(6), splitter = splitter, metrics = "accuracy", seed = 1,
    learners = { bayes = "naive_bayes", tree = cf.learner("decision_tree", { max_depth = 1 }) } }
end

-- The splits of kfold, each of them `times` times.
local function copies(times)
  local splits, lists = cf.split(cf.splitter("kfold", { folds = 5 }), grouped(6), { seed = 1 }), {}
  return cf.splitter { name = "copies", split = function()
    for i = 1, times * #splits do
      local train, test = splits:rows((i - 1) % #splits + 1)
      lists[i] = { train = train, test = test }
    end
    return { splits = lists }
  end }
end

local function assert_alike(a, b, keys)
  for _, key in ipairs(keys) do lu.assertAlmostEquals(a[key], b[key], 1e-12, key) end
end

function TestDistinctSplits:testIntervalsAndTestsAreThoseOfTheDifferentSplits()
  local one, three = evaluated(copies(1)), evaluated(copies(3))
  local design = three:splits():design()
  lu.assertEquals({ design.size, design.distinct }, { 15, 5 })
  local asked = { method = "corrected_t", learner = "bayes" }
  local first, second = one:interval(asked)[1], three:interval(asked)[1]
  assert_alike(first, second, { "mean", "low", "high", "se", "n" })
  lu.assertEquals(second.caution, "10 of 15 splits are the same as others and count once")
  lu.assertEquals(three:notes(), { "only 5 of the 15 splits are different, so further repeats add little or nothing; "
    .. "intervals and tests count the different ones" })
  first, second = cf.compare(one):rows()[1], cf.compare(three):rows()[1]
  lu.assertEquals({ second.splits, second.distinct }, { 15, 5 })
  assert_alike(first, second, { "difference", "df", "p", "low", "high", "p_alike", "p_better" })
  lu.assertStrContains(tostring(cf.compare(three)), "corrected by 1/5 + ")
  local unpaired = { paired = false, test = "unpaired_t" }
  assert_alike(cf.compare(one, unpaired):rows()[1], cf.compare(three, unpaired):rows()[1], { "p", "low", "high" })
end

function TestDistinctSplits:testAllPairsAtOnceCountTheSame()
  local scores, sizes = { { 0.8, 0.7, 0.9 }, { 0.7, 0.65, 0.7 } }, { { 8, 8, 8 }, { 2, 2, 2 } }
  local p = native.corrected_t_of_pairs(scores, sizes[1], sizes[2], { 1, 2, 3 }, { 1 }, { 2 }, 1e-12, 80)[1]
  for _, list in ipairs { scores[1], scores[2], sizes[1], sizes[2] } do table.move(list, 1, 3, 4) end
  local function again(same_as)
    return native.corrected_t_of_pairs(scores, sizes[1], sizes[2], same_as, { 1 }, { 2 }, 1e-12, 80)[1]
  end
  lu.assertAlmostEquals(again { 1, 2, 3, 1, 2, 3 }, p, 1e-12)
  lu.assertTrue(again { 1, 2, 3, 4, 5, 6 } < p / 2)
end

-- Six groups of 5 to 10 rows: no more than a few divisions into five folds are about even.
function TestDistinctSplits:testFewGroupsHaveFewFolds()
  local data = grouped(6)
  local result = evaluated(cf.splitter("kfold", { folds = 5, repeats = 20 }), data)
  local distinct = result:splits():design().distinct
  lu.assertTrue(distinct < 50, distinct)
  lu.assertEquals(result:interval { learner = "bayes", method = "corrected_t" }[1].n, distinct)
  local many = evaluated(cf.splitter("kfold", { folds = 5, repeats = 20 }), grouped(40))
  lu.assertEquals(many:splits():design().distinct, 100)
  lu.assertEquals(many:notes(), {})
end

function TestDistinctSplits:testFiveTimesTwoFoldsMustBeFiveDivisions()
  local result = evaluated(cf.splitter("kfold", { folds = 2, repeats = 5 }), grouped(3))
  local row = cf.compare(result, { test = "five_by_two_f" }):rows()[1]
  lu.assertNil(row.p)
  lu.assertEquals(row.undefined, ("the 10 splits are %d different ones, and the test takes 5 different divisions into "
    .. "halves"):format(result:splits():design().distinct))
end

function TestDistinctSplits:testRepeatsUntilTheIntervalIsNarrowMustBeDifferent()
  lu.assertErrorMsgContains("makes the same splits for every seed", cf.repeat_until, { data = grouped(6),
    learner = "naive_bayes", metric = "accuracy", width = 0.1, splitter = cf.splitter("kfold", { folds = 6 }) })
end

function TestDistinctSplits:testRepeatsOfLeavingOneGroupOutAreOneRepeat()
  local one, three = evaluated(cf.splitter("kfold", { folds = 6 })),
    evaluated(cf.splitter("kfold", { folds = 6, repeats = 3 }))
  lu.assertEquals(three:splits():design().distinct, 6)
  local o = { method = "corrected_t", learner = "bayes" }
  assert_alike(one:interval(o)[1], three:interval(o)[1], { "mean", "low", "high" })
  assert_alike(cf.compare(one):rows()[1], cf.compare(three):rows()[1], { "p", "low", "high" })
end
