local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestLabelIssues = {}

-- A learner whose probabilities are columns of the data, named after the classes.
local function oracle(name)
  return cf.learner {
    name = name or "oracle", fit = function(data) return data:classes() end,
    predict = function(classes, data)
      local columns, rows = {}, {}
      for c, class in ipairs(classes) do columns[c] = data:column("p_" .. class) end
      for i = 1, #data do
        rows[i] = {}
        for c in ipairs(classes) do rows[i][c] = columns[c][i] end
      end
      return { probabilities = rows }
    end,
  }
end

local halves = { folds = 2 }

local function evaluated(data, splitter, learner, keep)
  return cf.evaluate { data = data, learners = { learner or oracle() }, metrics = { "accuracy" },
    splitter = splitter or cf.splitter("kfold", halves), keep = keep or "probabilities", seed = 1 }
end

-- Sixty rows whose probabilities of a, b and c have two digits.
local function sixty()
  local labels = "cccaacbcabbaabbaccbacbbbbbbbaccbaabbcccacaaccbcbbcbbbbaccaaa"
  local ab = { 0.44, 0.15, 0.47, 0.3, 0.31, 0.59, 0.7, 0.06, 0.58, 0.08, 0.39, 0.25, 0.3, 0.05, 0.17, 0.67, 0.57, 0.2,
    0.5, 0.09, 0.58, 0, 0.43, 0.56, 0.15, 0.82, 0.13, 0.76, 0.72, 0.18, 0.52, 0.13, 0.01, 0.18, 0.04, 0.16, 0.42, 0.05,
    0.65, 0.2, 0.12, 0.35, 0.11, 0.63, 0.35, 0.38, 0.3, 0.67, 0.55, 0.41, 0.2, 0.8, 0.11, 0.41, 0.01, 0.99, 0.73, 0.11,
    0.67, 0.02, 0.05, 0.32, 0.22, 0.15, 0.09, 0.1, 0.89, 0.11, 0.26, 0.15, 0.39, 0.51, 0.24, 0.62, 0.35, 0.14, 0.09,
    0.81, 0.89, 0.06, 0.62, 0.01, 0.74, 0.05, 0.65, 0.22, 0.32, 0.05, 0.07, 0.18, 0.74, 0.06, 0.8, 0.11, 0.74, 0.09,
    0.71, 0.12, 0.24, 0.13, 0.39, 0.6, 0.01, 0.88, 0.89, 0.01, 0.22, 0.63, 0.89, 0.02, 0.23, 0.22, 0.43, 0.44, 0.5,
    0.42, 0.67, 0.2, 0.31, 0.36 }
  local a, b, c, y = {}, {}, {}, {}
  for i = 1, #labels do
    a[i], b[i], y[i] = ab[2 * i - 1], ab[2 * i], labels:sub(i, i)
    c[i] = math.floor(100 * (1 - a[i] - b[i]) + 0.5) / 100
  end
  return cf.dataset { name = "sixty", target = "y", columns = { { name = "p_a", values = a },
    { name = "p_b", values = b }, { name = "p_c", values = c }, { name = "y", values = y } } }
end

local function rows_of(issues)
  local rows = fixtures.column(issues:rows(), "row")
  table.sort(rows)
  return rows
end

-- Expected values: equations 1 to 3 and section 3.2 of Northcutt, Jiang and Chuang (JAIR 70, 2021), written with
-- numpy 1.24: t_j = P[lab == j, j].mean(); C counts argmax(where(P >= t, P, -1)); Q = C / C.sum(1) * n.
function TestLabelIssues:testJointAndThresholdsAreThoseOfNumpy()
  local issues = evaluated(sixty()):label_issues()
  local classes = issues:classes()
  local expected = {
    { "a", 17, 0.5858823529411764, 9, 17 - 11.769230769230768 },
    { "b", 23, 0.37478260869565216, 11, 23 - 11.5 },
    { "c", 20, 0.4120000000000001, 9, 20 - 10.588235294117647 },
  }
  for i, row in ipairs(expected) do
    lu.assertEquals({ classes[i].class, classes[i].rows, classes[i].confident }, { row[1], row[2], row[4] })
    lu.assertAlmostEquals(classes[i].threshold, row[3], 1e-12)
    lu.assertAlmostEquals(classes[i].wrong, row[5], 1e-12)
  end
  local joint, q = issues:joint(), {
    a = { 11.769230769230768, 3.9230769230769234, 1.3076923076923077 },
    b = { 5.2272727272727275, 11.5, 6.2727272727272725 },
    c = { 3.5294117647058827, 5.882352941176471, 10.588235294117647 },
  }
  for label, row in pairs(q) do
    for c, class in ipairs { "a", "b", "c" } do lu.assertAlmostEquals(joint[label][class], row[c], 1e-12) end
  end
  lu.assertAlmostEquals(issues.share, (5.230769230769232 + 11.5 + 9.411764705882353) / 60, 1e-12)
end

-- Expected values: as above; of rows with the label as their most probable class none counts.
function TestLabelIssues:testEachMethodFindsTheRowsOfNumpy()
  local result = evaluated(sixty())
  local expected = {
    by_noise_rate = { 2, 3, 7, 8, 10, 11, 12, 13, 19, 30, 32, 33, 35, 37, 39, 41, 46, 47, 48, 49, 53, 57, 60 },
    by_class = { 2, 3, 6, 7, 8, 10, 11, 12, 13, 15, 19, 30, 32, 33, 35, 37, 39, 46, 47, 48, 49, 53, 57, 60 },
    both = { 2, 3, 7, 8, 10, 11, 12, 13, 19, 30, 32, 33, 35, 37, 39, 46, 47, 48, 49, 53, 57, 60 },
    confident_joint = { 3, 7, 8, 11, 12, 13, 15, 19, 27, 30, 32, 33, 35, 37, 39, 41, 46, 47, 48, 49, 53, 57 },
  }
  for method, rows in pairs(expected) do
    lu.assertEquals(rows_of(result:label_issues { method = method }), rows, method)
  end
end

function TestLabelIssues:testSumsOfTheJointAreTheCountsOfTheLabels()
  local soybean = cf.read(data_folder .. "/soybean_weka.csv", { target = "class" })
  for seed = 1, 5 do
    local issues = cf.label_issues { data = soybean, learner = "naive_bayes", seed = seed }
    local joint = issues:joint()
    for _, row in ipairs(issues:classes()) do
      local sum = 0
      for _, rows in pairs(joint[row.class]) do sum = sum + rows end
      lu.assertAlmostEquals(sum, row.rows, 1e-9)
    end
  end
end

function TestLabelIssues:testAClassWithoutAConfidentRowKeepsItsLabels()
  -- Thresholds are 0.75, 0.9 and 0.25 of one row of class "c", which "a" wins; that of "b" has none.
  local data = cf.dataset { name = "few", target = "y", columns = {
    { name = "p_a", values = { 0.9, 0.6, 0.1, 0.1 } }, { name = "p_b", values = { 0.1, 0.4, 0.9, 0.9 } },
    { name = "y", values = { "a", "a", "b", "b" } } } }
  local issues = evaluated(data):label_issues()
  lu.assertEquals(issues:joint(), { a = { a = 2.0, b = 0.0 }, b = { a = 0.0, b = 2.0 } })
  lu.assertEquals(issues:rows(), {})
  lu.assertEquals(issues:sentence(),
    "About 0.0 % of the 4 labels of 'few' are wrong, as 'oracle' sees it, and no row looks wrong.")
end

function TestLabelIssues:testRepeatsAreAveragedAndRowsCountOnce()
  local data = sixty()
  local once = evaluated(data):label_issues()
  local twice = evaluated(data, cf.splitter("kfold", { folds = 2, repeats = 3 })):label_issues()
  lu.assertEquals(rows_of(twice), rows_of(once))
  lu.assertEquals(twice.n_rows, 60)
end

function TestLabelIssues:testRowsWithoutAPredictionAreSaidToBeLeftOut()
  local issues = evaluated(sixty(), cf.splitter("holdout", { test_share = 0.5 })):label_issues()
  lu.assertEquals(issues.n_rows, 30)
  lu.assertEquals(issues:notes()[2], "30 rows were not judged, because no model predicted them")
end

function TestLabelIssues:testRankBySelfConfidenceSortsByTheProbabilityOfTheLabel()
  local rows = evaluated(sixty()):label_issues { rank = "self_confidence" }:rows()
  for i = 2, #rows do lu.assertTrue(rows[i - 1].self_confidence <= rows[i].self_confidence) end
  rows = evaluated(sixty()):label_issues():rows()
  for i = 2, #rows do lu.assertTrue(rows[i - 1].margin <= rows[i].margin) end
  lu.assertAlmostEquals(rows[1].margin, rows[1].self_confidence - rows[1].probability, 1e-15)
end

-- Planted flips ------------------------------------------------------------------------------------

local function uniform(...) return ((cf.seed(...) >> 11) + 0.5) * 2.0 ^ -53 end

-- `data` where a share of the labels is that of the next class, and the set of these rows.
local function flipped(data, share, seed)
  local labels, classes, columns, wrong, next_of, n = data:target(), data:classes(), {}, {}, {}, 0
  for c, class in ipairs(classes) do next_of[class] = classes[c % #classes + 1] end
  for i, label in ipairs(labels) do
    if uniform(seed, i) < share then labels[i], wrong[i], n = next_of[label], true, n + 1 end
  end
  for j, name in ipairs(data:features()) do columns[j] = { name = name, values = data:column(name) } end
  columns[#columns + 1] = { name = "y", values = labels }
  return cf.dataset { name = "flipped", target = "y", columns = columns }, wrong, n
end

-- Precision and recall of the rows that are found.
local function found(issues, wrong, n)
  local hits, rows = 0, issues:rows()
  for _, row in ipairs(rows) do if wrong[row.row] then hits = hits + 1 end end
  return hits / #rows, hits / n
end

-- Three classes of a plane whose means are 4 standard deviations apart.
local function clouds(n, seed)
  local x, z, y = {}, {}, {}
  for i = 1, n do
    local c = i % 3
    local radius = math.sqrt(-2 * math.log(uniform(seed, i, 1)))
    local angle = 2 * math.pi * uniform(seed, i, 2)
    x[i] = 4 * math.cos(2 * math.pi * c / 3) / math.sqrt(3) + radius * math.cos(angle)
    z[i] = 4 * math.sin(2 * math.pi * c / 3) / math.sqrt(3) + radius * math.sin(angle)
    y[i] = ({ "a", "b", "c" })[c + 1]
  end
  return cf.dataset { name = "clouds", target = "y", columns = { { name = "x", values = x },
    { name = "z", values = z }, { name = "y", values = y } } }
end

function TestLabelIssues:testPlantedFlipsOfSimulatedDataAreFound()
  local precision, recall, share = 0, 0, 0
  for seed = 1, 5 do
    local data, wrong, n = flipped(clouds(600, seed), 0.1, seed)
    local issues = cf.label_issues { data = data, learner = "naive_bayes", seed = seed }
    local p, r = found(issues, wrong, n)
    precision, recall, share = precision + p / 5, recall + r / 5, share + issues.share / n * #data / 5
  end
  lu.assertTrue(precision > 0.7, precision)
  lu.assertTrue(recall > 0.9, recall)
  lu.assertTrue(share > 0.9 and share < 1.4, share)
end

function TestLabelIssues:testPlantedFlipsOfRealDataAreFound()
  fixtures.skip_if_sanitized()
  for name, least in pairs { breast_cancer = { 0.7, 0.85 }, wine = { 0.85, 0.8 } } do
    local data, wrong, n = flipped(cf.read(("%s/%s.csv"):format(data_folder, name), { target = "class" }), 0.05, 3)
    local precision, recall = found(cf.label_issues { data = data, seed = 1 }, wrong, n)
    lu.assertTrue(precision > least[1] and recall > least[2], ("%s: %g, %g"):format(name, precision, recall))
  end
end

-- Refusals -----------------------------------------------------------------------------------------

function TestLabelIssues:testLabelsWithoutProbabilitiesAreRefused()
  lu.assertEquals(fixtures.message(function()
    evaluated(fixtures.iris(), nil, "naive_bayes", "labels"):label_issues()
  end), "cannot find label issues of 'naive_bayes' on 'iris': its predictions are labels, and labels alone do not say "
    .. "how sure the learner is; evaluate a learner that has probabilities with keep = \"probabilities\"")
end

function TestLabelIssues:testResultsWithoutPredictionsNeedProbabilities()
  lu.assertEquals(fixtures.message(function()
    evaluated(fixtures.iris(), nil, "naive_bayes", "none"):label_issues()
  end), "label_issues: no predictions were kept; evaluate with keep = \"probabilities\"")
end

function TestLabelIssues:testProbabilitiesThatAreLabelsAreRefused()
  lu.assertEquals(fixtures.message(cf.label_issues, { data = fixtures.iris(), learner = cf.learner("knn", { k = 1 }) }),
    "cannot find label issues of 'knn{k=1}' on 'iris': every probability is 0 or 1, which says nothing of how sure the "
    .. "learner is; use a learner that gives shares, such as random_forest, or cf.calibration")
end

function TestLabelIssues:testNumbersAreRefused()
  local data = cf.read(data_folder .. "/diabetes_regr.csv", { target = "target" })
  lu.assertEquals(fixtures.message(cf.label_issues, { data = data }), "cannot find label issues of 'diabetes_regr': "
    .. "its target is not categorical; residuals show numbers that look wrong")
end

function TestLabelIssues:testOverconfidentProbabilitiesAreMentioned()
  local data = cf.read(data_folder .. "/breast_cancer.csv", { target = "class" })
  local issues = cf.label_issues { data = data, learner = "naive_bayes", seed = 1 }
  lu.assertEquals(issues:notes()[1], "the probabilities are too high: the most probable class has 99.5 % on average "
    .. "and is the label in 93.1 % of the rows, so compare with a learner in cf.calibration")
end

-- Output -------------------------------------------------------------------------------------------

function TestLabelIssues:testAResultOfAStoreGivesTheSame()
  local path = fixtures.new_store()
  local result = evaluated(fixtures.iris(), nil, "naive_bayes")
  result:save(path)
  lu.assertEquals(cf.stored { store = path }.results[1]:label_issues():rows(), result:label_issues():rows())
  fixtures.remove_store(path)
end

function TestLabelIssues:testReportHasTheRowsAndTheSentence()
  local issues = evaluated(sixty()):label_issues()
  local page = issues:report()
  lu.assertStrContains(page, "Labels that look wrong")
  lu.assertStrContains(page, "Most often a label &#39;b&#39; should be &#39;c&#39;")
  lu.assertEquals(select(2, issues:to { csv = true }:gsub("\n", "")), #issues:rows() + 1)
end
