-- prediction:coverage and result:coverage.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local function message(f, ...) return fixtures.message(f, ...) end

local function sets() return cf.conformal { learner = "naive_bayes", method = "aps" } end

local function evaluated(options)
  options.data = options.data or fixtures.iris()
  options.splitter = options.splitter or cf.splitter("kfold", { folds = 3 })
  options.metrics, options.seed = options.metrics or "accuracy", 5
  options.learners = options.learners or { sets = sets(), plain = "naive_bayes" }
  return cf.evaluate(options)
end

-- Counts again what is in the sets of a prediction.
local function covered(prediction, wanted)
  local truth, count, all = prediction:truth(), 0, 0
  for i, set in ipairs(prediction:sets()) do
    if wanted(i, truth[i]) then
      all = all + 1
      for _, class in ipairs(set) do
        if class == truth[i] then count = count + 1 end
      end
    end
  end
  return count / all
end

TestCoverage = {}

function TestCoverage:test_it_is_measured_for_all_rows_for_values_and_for_blocks()
  local data = fixtures.iris()
  local prediction = sets():fit(data):predict(data, { coverage = 0.9 })
  local found = prediction:coverage { by = "class", blocks = 4 }
  local names, rows = {}, {}
  for i, line in ipairs(found.lines) do names[i], rows[i] = line.name, line.rows end
  lu.assertEquals(names, { "all rows", "setosa", "versicolor", "virginica", "rows 1 to 37", "rows 38 to 75",
    "rows 76 to 112", "rows 113 to 150" })
  lu.assertEquals(rows, { 150, 50, 50, 50, 37, 38, 37, 38 })
  lu.assertEquals(found.lines[1].coverage, covered(prediction, function() return true end))
  lu.assertEquals(found.lines[4].coverage, covered(prediction, function(_, class) return class == "virginica" end))
  lu.assertEquals(found.lines[8].coverage, covered(prediction, function(i) return i > 112 end))
end

-- Wilson's interval of 145 of 150 rows, as cf.stats has it.
function TestCoverage:test_the_interval_is_that_of_a_proportion()
  local data = fixtures.iris()
  local all = sets():fit(data):predict(data, { coverage = 0.9 }):coverage { confidence = 0.8 }.lines[1]
  local interval = cf.stats.accuracy_interval { correct = all.covered, n = 150, confidence = 0.8 }
  lu.assertEquals({ all.low, all.high }, { interval.low, interval.high })
end

function TestCoverage:test_blocks_are_in_the_order_of_time()
  local x, y, t = {}, {}, {}
  for i = 1, 30 do x[i], y[i], t[i] = i % 7 + 0.5, i % 11 + 0.5, 100 - i end
  local columns = { { name = "x", values = x }, { name = "y", values = y } }
  local known = cf.dataset { name = "known", target = "y", columns = columns }
  columns[3] = { name = "t", values = t }
  local new = cf.dataset { name = "new", target = "y", time = "t", columns = columns }
  local model = cf.conformal { learner = "ridge", method = "cv_plus" }:fit(known)
  local found = model:predict(new, { coverage = 0.8 }):coverage { blocks = 3 }
  lu.assertEquals({ found.lines[2].name, found.lines[4].name }, { "rows 30 to 21", "rows 10 to 1" })
end

function TestCoverage:test_values_that_are_below_by_more_than_chance_are_named()
  -- The noise of `b` is ten times that of `a`, which has most rows.
  local x, y, part = {}, {}, {}
  for i = 1, 400 do
    x[i], part[i] = i % 10 + 0.0, i % 8 == 0 and "b" or "a"
    y[i] = x[i] + (part[i] == "b" and 10 or 1) * math.sin(i * i)
  end
  local data = cf.dataset { name = "rows", target = "y", columns = { { name = "x", values = x },
    { name = "y", values = y }, { name = "part", values = part } } }
  local learner = cf.pipeline { cf.transform("one_hot"), cf.conformal { learner = "least_squares", method = "cv_plus",
    coverage = 0.8 } }
  local result = evaluated { data = data, learners = { ls = learner }, metrics = "rmse" }
  lu.assertStrContains(result:coverage { by = "part" }:sentence(), "Below 0.8 by more than chance (Bonferroni): b. "
    .. "Coverage is guaranteed on average over all rows, not in each part.")
end

function TestCoverage:test_of_groups_there_is_no_interval()
  local data = fixtures.iris()
  local rows = {}
  for i = 1, 150 do rows[i] = ("g%02d"):format(i % 25) end
  local columns = { { name = "class", values = data:column("class") }, { name = "g", values = rows } }
  for _, name in ipairs(data:features()) do columns[#columns + 1] = { name = name, values = data:column(name) } end
  local grouped = cf.dataset { name = "grouped", target = "class", groups = "g", columns = columns }
  local found = sets():fit(grouped):predict(grouped, { coverage = 0.9 }):coverage()
  lu.assertNil(found.lines[1].low)
  lu.assertEquals(found.lines[1].undefined, "the rows of a group depend on each other")
  lu.assertStrContains(found:sentence(), "There is no interval of it: the rows of a group depend on each other.")
end

function TestCoverage:test_of_rows_that_were_tested_repeatedly_there_is_no_interval()
  local result = evaluated { splitter = cf.splitter("kfold", { folds = 3, repeats = 2 }) }
  local all = result:coverage { learner = "sets" }.lines[1]
  lu.assertEquals({ all.rows, all.low, all.undefined }, { 300, nil, "rows were tested repeatedly" })
end

function TestCoverage:test_it_is_the_same_for_any_workers_and_from_a_store()
  local path, saved = fixtures.new_store(), fixtures.new_store()
  local first = evaluated { workers = 1 }
  local text = tostring(first:coverage { learner = "sets", by = "class", blocks = 5 })
  local second = evaluated { workers = 3, store = path }
  lu.assertEquals(tostring(second:coverage { learner = "sets", by = "class", blocks = 5 }), text)
  first:save(saved)
  for _, store in ipairs { path, saved } do
    local stored = cf.stored { store = store }.results[1]
    lu.assertEquals(tostring(stored:coverage { learner = "sets", by = "class", blocks = 5 }), text)
  end
  fixtures.remove_store(path)
  fixtures.remove_store(saved)
end

function TestCoverage:test_it_is_written_as_csv()
  local csv = evaluated {}:coverage { learner = "sets" }:to { csv = true }
  lu.assertEquals(csv:match("^[^\n]+"), "part,rows,coverage,low,high,mean size")
end

function TestCoverage:test_the_report_has_a_section_of_it()
  local result = evaluated {}
  local page = result:report()
  lu.assertStrContains(page, '<h2 id="intervals-and-class-sets">Intervals and class sets</h2>')
  lu.assertStrContains(page, result:coverage { learner = "sets" }:sentence():match("^[^\n]+"))
  lu.assertStrContains(page, "class = virginica")
  lu.assertStrContains(evaluated { learners = { plain = "naive_bayes" } }:report(),
    "Intervals and class sets: no learner gives intervals or class sets (cf.conformal makes one that does)")
end

function TestCoverage:test_it_is_refused_without_intervals_or_sets()
  local data = fixtures.iris()
  local prediction = cf.learner("naive_bayes"):fit(data):predict(data)
  lu.assertEquals(message(prediction.coverage, prediction), "coverage: the prediction has neither intervals nor sets; "
    .. "make it with model:predict(data, { coverage = 0.9 }) of a model of cf.conformal")
  local result = evaluated {}
  lu.assertEquals(message(result.coverage, result, { learner = "plain" }), "coverage: learner 'plain' has neither "
    .. "intervals nor sets on 'iris'; evaluate cf.conformal{ learner = ... }, and keep the predictions")
end

function TestCoverage:test_columns_with_many_values_and_too_many_blocks_are_refused()
  local diabetes = cf.read(fixtures.folder .. "/diabetes_regr.csv", { target = "target" })
  local prediction = cf.conformal { learner = "ridge", method = "cv_plus" }:fit(diabetes):predict(diabetes,
    { coverage = 0.9 })
  lu.assertEquals(message(prediction.coverage, prediction, { by = "bmi" }), "coverage: column 'bmi' has 163 different "
    .. "values, more than 50; use a column with fewer, as ranges of it")
  lu.assertEquals(message(prediction.coverage, prediction, { blocks = 443 }), "coverage: blocks = 443 is out of range; "
    .. "use 2 to 442, the number of rows")
end
