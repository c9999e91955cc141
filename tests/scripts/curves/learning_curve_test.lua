local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestLearningCurve = {}

local function curve(changes)
  return cf.learning_curve(fixtures.with({ data = fixtures.iris(),
    learners = { nearest = cf.learner("knn", { k = 1 }), "naive_bayes" }, sizes = { 20, 40, 60, 90 }, trials = 4,
    metrics = "accuracy", seed = 3 }, changes))
end

local function message(changes) return fixtures.message(curve, changes) end

-- A learner that remembers the rows it was trained and asked on, by its own columns.
local function spy(seen)
  return cf.learner { name = "spy",
    fit = function(data)
      seen[#seen + 1] = { train = data:row_ids() }
      return seen[#seen]
    end,
    predict = function(state, rows)
      state.test = rows:row_ids()
      return fixtures.repeated("setosa", #rows)
    end }
end

local function set(list)
  local members = {}
  for _, value in ipairs(list) do members[value] = true end
  return members
end

local function spied(changes)
  local seen = {}
  changes = changes or {}
  changes.learners = spy(seen)
  local found = curve(changes)
  return seen, found
end

function TestLearningCurve:test_training_sets_are_nested_and_leave_the_test_rows_alone()
  local seen = spied()
  lu.assertEquals(#seen, 16)
  for t = 0, 3 do
    for s = 1, 4 do
      local cell = seen[4 * t + s]
      lu.assertEquals(#cell.train, ({ 20, 40, 60, 90 })[s])
      lu.assertEquals(cell.test, seen[4 * t + 1].test)
      lu.assertEquals(#cell.test, 50)
      local rows = set(cell.train)
      for _, row in ipairs(cell.test) do lu.assertNil(rows[row]) end
      for _, row in ipairs(s > 1 and seen[4 * t + s - 1].train or {}) do lu.assertTrue(rows[row]) end
    end
  end
  lu.assertNotEquals(seen[1].test, seen[5].test)
end

function TestLearningCurve:test_strata_keep_their_shares_at_every_size()
  local data = fixtures.iris()
  local classes = data:target()
  for _, cell in ipairs((spied())) do
    for _, part in ipairs { cell.train, cell.test } do
      local counts = {}
      for _, row in ipairs(part) do counts[classes[row]] = (counts[classes[row]] or 0) + 1 end
      for _, class in ipairs(data:classes()) do
        lu.assertAlmostEquals(counts[class], #part / 3, 1.001)
      end
    end
  end
end

function TestLearningCurve:test_all_learners_see_the_same_rows()
  local one, two = {}, {}
  curve { learners = { a = spy(one), b = spy(two) } }
  lu.assertEquals(one, two)
end

function TestLearningCurve:test_another_learner_changes_no_other_number()
  local function of(found)
    local values = {}
    for _, row in ipairs(found:rows()) do
      if row.learner == "naive_bayes" then values[#values + 1] = row.value end
    end
    return values
  end
  lu.assertEquals(of(curve { learners = "naive_bayes" }), of(curve()))
end

function TestLearningCurve:test_the_same_bits_for_any_workers()
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 3 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local function run(workers)
    return curve { learners = { search = search, forest = "random_forest" }, workers = workers,
      trials = 2 }:to { csv = true }
  end
  local one = run(1)
  lu.assertEquals(run(2), one)
  lu.assertEquals(run(5), one)
end

function TestLearningCurve:test_rows_and_summary_agree()
  local found = curve()
  local rows = found:rows()
  lu.assertEquals(#rows, 2 * 4 * 4)
  local first, values = found:summary()[1], {}
  for _, row in ipairs(rows) do
    if row.learner == first.learner and row.size == first.size then values[#values + 1] = row.value end
  end
  table.sort(values)
  lu.assertEquals(#values, 4)
  lu.assertAlmostEquals(first.mean, (values[1] + values[2] + values[3] + values[4]) / 4, 1e-15)
  lu.assertAlmostEquals(first.median, (values[2] + values[3]) / 2, 1e-15)
  lu.assertEquals({ first.min, first.max }, { values[1], values[4] })
  -- t(0.975, 3) = 3.182446305; the variance of the mean is sd^2 (1/4 + 50/100).
  -- At the ends the distance is that of t, by the spread that a share has there.
  local function distance(row, value)
    return math.abs(value - row.mean) * math.sqrt(row.mean * (1 - row.mean) / (value * (1 - value)))
  end
  lu.assertAlmostEquals(distance(first, first.high), 3.182446305 * first.sd * math.sqrt(0.75), 1e-9)
  lu.assertAlmostEquals(distance(first, first.low), 3.182446305 * first.sd * math.sqrt(0.75), 1e-9)
  local plain = found:summary { correction = "none", confidence = 0.8 }[1]
  lu.assertAlmostEquals(distance(plain, plain.high), 1.637744354 * plain.sd / 2, 1e-9)
end

-- A metric whose values are given, so that the summary is known.
local function scripted(values)
  local i = 0
  return cf.metric { name = "scripted", direction = "lower", score = function()
    i = i + 1
    return values[i]
  end }
end

function TestLearningCurve:test_the_mode_is_the_most_frequent_value_or_nothing()
  local function mode(values)
    return curve { learners = "naive_bayes", sizes = { 30 }, trials = #values,
      metrics = scripted(values) }:summary()[1].mode
  end
  lu.assertEquals(mode { 0.2, 0.1, 0.2, 0.3 }, 0.2)
  lu.assertNil(mode { 0.1, 0.2, 0.3 })
  lu.assertNil(mode { 0.1, 0.1, 0.2, 0.2 })
end

function TestLearningCurve:test_an_undefined_value_is_no_number_in_the_summary()
  local row = curve { learners = "naive_bayes", sizes = { 30 }, trials = 3,
    metrics = scripted { 0.2, nil, 0.4 } }:summary()[1]
  lu.assertEquals({ row.trials, row.defined }, { 3, 2 })
  lu.assertAlmostEquals(row.mean, 0.3, 1e-15)
end

function TestLearningCurve:test_schedules()
  local function sizes(changes)
    changes.trials, changes.learners = 1, "naive_bayes"
    local list = fixtures.column(curve(changes):rows(), "size")
    return list
  end
  local none = { from = 10, to = 90, points = 5 }
  local function schedule(name)
    return { data = fixtures.iris(), learners = "naive_bayes", metrics = "accuracy", trials = 1,
      schedule = name, from = none.from, to = none.to, points = none.points, seed = 3 }
  end
  local function of(name)
    return fixtures.column(cf.learning_curve(schedule(name)):rows(), "size")
  end
  lu.assertEquals(of("arithmetic"), { 10, 30, 50, 70, 90 })
  lu.assertEquals(of("geometric"), { 10, 17, 30, 52, 90 })  -- ratio 9^(1/4)
  lu.assertEquals(sizes { sizes = { 5, 7 } }, { 5, 7 })
end

function TestLearningCurve:test_test_rows_that_are_given_are_those_of_every_trial()
  local data = fixtures.iris()
  local first, second = {}, {}
  for i = 1, 150 do table.insert(i % 3 == 0 and second or first, i) end
  local seen = spied { data = data:select(first), test = data:select(second) }
  for _, cell in ipairs(seen) do lu.assertEquals(cell.test, second) end
  lu.assertStrContains(message { data = fixtures.separable(), test = data, sizes = { 3 } },
    "learning_curve: the test rows are of 'iris', which is not the table of 'separable'; read both as "
    .. "one table and take the parts with data:select")
end

function TestLearningCurve:test_rows_of_a_group_are_all_test_or_all_training_rows()
  local x, y, g = {}, {}, {}
  for i = 1, 60 do x[i], y[i], g[i] = i, i % 2 == 0 and "a" or "b", i // 4 end
  local data = cf.dataset { name = "grouped", target = "y", groups = "g", columns = {
    { name = "x", values = x }, { name = "y", values = y }, { name = "g", values = g } } }
  local seen = spied { data = data, sizes = { 10, 30 } }
  for _, cell in ipairs(seen) do
    local tested = {}
    for _, row in ipairs(cell.test) do tested[g[row]] = true end
    for _, row in ipairs(cell.train) do lu.assertNil(tested[g[row]]) end
    lu.assertTrue(#cell.test >= 20 and #cell.test < 24)
  end
end

-- More rows of the same ten groups are not what more data would be. Groups of one row are rows.
function TestLearningCurve:test_rows_of_the_same_groups_are_not_extrapolated()
  local function curve_of(rows_of_a_group)
    local x, y, g = {}, {}, {}
    for i = 1, 240 do
      y[i], g[i] = i % 2 == 0 and "a" or "b", "g" .. i // rows_of_a_group
      x[i] = (cf.seed(3, i) >> 11) * 2.0 ^ -53 + (y[i] == "a" and 0.5 or 0)
    end
    local data = cf.dataset { name = "grouped", target = "y", groups = "g", columns = {
      { name = "x", values = x }, { name = "y", values = y }, { name = "g", values = g } } }
    return cf.learning_curve { data = data, learners = { "naive_bayes", "lda" }, metrics = "accuracy",
      sizes = { 5, 10, 20, 40, 80, 120 }, trials = 5 }
  end
  local grouped = curve_of(24)
  local reason = "the rows come in 11 groups, and a larger training set has more rows of the same groups, which is not "
    .. "what more data would be; a law would need sizes in groups"
  local fit = grouped:fit("lda")
  lu.assertEquals({ fit.undefined, fit:at(5000).undefined, fit:rows_for(0.9).undefined }, { reason, reason, reason })
  lu.assertEquals(grouped:crossing("lda", "naive_bayes").undefined, reason)
  lu.assertStrContains(tostring(grouped), "(no power law is fitted: " .. reason .. ")")
  lu.assertNotNil(grouped:summary()[1].mean)
  lu.assertEquals(curve_of(1):notes(), {})
end

function TestLearningCurve:test_mistakes_are_told()
  lu.assertEquals(message { sizes = { 20, 120 } }, "learning_curve: size 2 needs 120 training rows, "
    .. "there are 100; use smaller sizes or fewer test rows")
  lu.assertEquals(message { sizes = { 20, 20 } },
    "learning_curve: size 2 is not a whole number greater than 20; list ascending numbers of rows")
  lu.assertEquals(message { sizes = {} },
    "learning_curve: option 'sizes' is empty; give the sizes, as { 50, 100 }")
  lu.assertEquals(message { from = 5 },
    "learning_curve: give either 'sizes' or a schedule with from, to and points")
  lu.assertEquals(message { trials = 0 }, "learning_curve: trials = 0 is out of range; use 1 or more")
  lu.assertEquals(message { test_share = 1.5 },
    "learning_curve: test_share = 1.5 is not between 0 and 1")
  lu.assertEquals(fixtures.message(cf.learning_curve, { data = fixtures.iris(), metrics = "accuracy",
    learners = "naive_bayes", schedule = "linear" }),
    "learning_curve: schedule = 'linear' is not one of arithmetic, geometric")
  lu.assertEquals(fixtures.message(cf.learning_curve, { data = fixtures.iris(), metrics = "accuracy",
    learners = "naive_bayes", from = 10, to = 12, points = 9 }),
    "learning_curve: 9 points from 10 to 12 rows meet at 10 rows; use fewer points")
  local regression = cf.dataset { name = "line", target = "y", columns = {
    { name = "x", values = { 1, 2, 3, 4, 5, 6 } },
    { name = "y", values = { 1.5, 2.5, 3.5, 4.5, 5.5, 6.5 } } } }
  lu.assertEquals(message { data = regression, learners = "knn", stratify = true, sizes = { 2 } },
    "cannot draw training sets of 'line': it has neither classes nor strata; use stratify = false")
end

function TestLearningCurve:test_a_failed_cell_is_data_and_its_size_no_point_of_the_fit()
  local found = curve { learners = { wide = cf.learner("knn", { k = 30 }) },
    sizes = { 20, 40, 60, 80, 90 } }
  lu.assertEquals(#found:failures(), 4)
  lu.assertStrContains(tostring(found), "4 cells failed; the first: wide, trial 1, 20 rows, at check knn: ")
  local fit = found:fit("wide")
  lu.assertEquals(fit.left_out, { 20 })
  lu.assertEquals(fit.sizes, { 40, 60, 80, 90 })
end

-- values[trial][size] in the order in which evaluate asks.
local function curve_of(by_trial, sizes, direction)
  local flat = {}
  for _, trial in ipairs(by_trial) do
    for _, value in ipairs(trial) do flat[#flat + 1] = value end
  end
  local i = 0
  local metric = cf.metric { name = "scripted", direction = direction or "higher",
    score = function()
      i = i + 1
      return flat[i]
    end }
  return curve { learners = "naive_bayes", sizes = sizes, trials = #by_trial, metrics = metric }
end

-- Accuracy 0.93 - 1.5 n^-0.8, shifted from trial to trial by shifts whose sd is 0.005.
local function lawful()
  local sizes, trials = { 10, 20, 40, 60, 80 }, {}
  for t, shift in ipairs { -0.005, 0, 0.005 } do
    trials[t] = {}
    for s, n in ipairs(sizes) do trials[t][s] = 0.93 - 1.5 * n ^ -0.8 + shift end
  end
  return curve_of(trials, sizes)
end

function TestLearningCurve:test_a_fit_answers_in_the_units_of_the_metric()
  local fit = lawful():fit("naive_bayes", { correction = "none" })
  lu.assertAlmostEquals(fit.a, 0.07, 1e-6)
  lu.assertAlmostEquals(fit.c, 0.8, 1e-5)
  local at = fit:at(1000)
  lu.assertAlmostEquals(at.estimate, 0.93 - 1.5 * 1000 ^ -0.8, 1e-6)
  -- t(0.975, 2) = 4.302652730, sd / sqrt(3).
  lu.assertAlmostEquals(at.high - at.estimate, 4.302652730 * 0.005 / math.sqrt(3), 1e-6)
  lu.assertAlmostEquals(at.estimate - at.low, at.high - at.estimate, 1e-9)
  lu.assertEquals(tostring(at), "scripted expected at 1000 rows: 0.924 (0.912 to 0.936)")
  local rows = fit:rows_for(0.9)
  lu.assertEquals(rows.rows, math.ceil((1.5 / 0.03) ^ (1 / 0.8)))
  lu.assertTrue(rows.low < rows.rows and rows.rows < rows.high)
  lu.assertEquals(tostring(rows), ("rows needed for 0.9: %d (%d to %d)"):format(rows.rows, rows.low,
    rows.high))
  lu.assertAlmostEquals(fit:asymptote().asymptote, 0.93, 1e-6)
end

-- The asymptote stands at its bound, and the band of the law with a free goes on beyond an accuracy of 0.
function TestLearningCurve:test_forecasts_stay_within_the_bounds_of_the_metric()
  local fit = curve { learners = { nearest = cf.learner("knn", { k = 1 }) }, sizes = { 10, 20, 40, 80 },
    trials = 3 }:fit("nearest")
  lu.assertTrue(fit.at_bound)
  for _, n in ipairs { 2, 1e6 } do
    local at = fit:at(n)
    lu.assertTrue(0 <= at.low and at.low < at.estimate and at.estimate < at.high and at.high <= 1, n)
  end
end

function TestLearningCurve:test_a_target_beyond_the_asymptote_is_unreachable()
  local fit = lawful():fit("naive_bayes", { correction = "none" })
  local answer = fit:rows_for(0.95)
  lu.assertTrue(answer.unreachable)
  lu.assertNil(answer.rows)
  lu.assertAlmostEquals(answer.asymptote, 0.93, 1e-6)
  lu.assertAlmostEquals(answer.se, 0.005 / math.sqrt(3), 1e-6)
  lu.assertEquals(tostring(answer), "0.95 is unreachable: asymptote 0.930 +/- 0.003")
  local close = fit:rows_for(0.935)
  lu.assertTrue(close.unreachable)
  lu.assertEquals(tostring(close), ("0.935 is unreachable: asymptote 0.930 +/- 0.003; its interval "
    .. "allows it from %d rows on"):format(math.ceil(close.low)))
end

function TestLearningCurve:test_what_is_no_power_law_has_a_reason_and_no_numbers()
  local falling = curve_of({ { 0.9, 0.8, 0.7, 0.6 } }, { 10, 20, 40, 80 }):fit("naive_bayes")
  lu.assertEquals(falling.undefined, "no power law: the error does not fall as the rows grow")
  lu.assertEquals(tostring(falling),
    "naive_bayes, scripted: no power law: the error does not fall as the rows grow")
  lu.assertEquals(falling:at(100).undefined, falling.undefined)
  lu.assertNil(falling:at(100).estimate)
  lu.assertEquals(falling:rows_for(0.95).undefined, falling.undefined)
  local few = curve_of({ { 0.6, 0.7, 0.8 } }, { 10, 20, 40 }):fit("naive_bayes")
  lu.assertEquals(few.undefined, "a power law needs 4 or more sizes, there are 3")
end

function TestLearningCurve:test_metrics_that_make_no_error_are_refused()
  local sizes = { 10, 20, 40, 80 }
  local big = curve_of({ { 5, 6, 7, 8 } }, sizes)
  lu.assertEquals(fixtures.message(big.fit, big, "naive_bayes"), "fit: metric 'scripted' is 5 somewhere, "
    .. "so it gives no error of 0 or more; fit another metric")
  local neither = curve_of({ { 5, 6, 7, 8 } }, sizes, "neither")
  lu.assertEquals(fixtures.message(neither.fit, neither, "naive_bayes"), "fit: metric 'scripted' has no "
    .. "better and no worse, so its curve is not an error curve")
  lu.assertStrContains(fixtures.message(big.fit, big, "naive"),
    "fit: there is no learner 'naive'; did you mean 'naive_bayes'? known: naive_bayes")
end

function TestLearningCurve:test_a_method_without_its_object_is_told()
  lu.assertEquals(fixtures.message(lawful().provenance), "provenance: expected its object, got a nil; call it "
    .. "with a colon, as in object:provenance(...)")
end

function TestLearningCurve:test_curves_cross_or_are_said_not_to()
  local found = cf.learning_curve {
    data = cf.read(fixtures.folder .. "/digits.csv", {
      target = "class", types = { class = "categorical" } }),
    learners = { a = "naive_bayes", b = cf.learner("knn", { k = 1 }) }, metrics = "accuracy",
    sizes = { 20, 40, 80, 160, 320 }, trials = 5, seed = 2,
  }
  local answer = found:crossing("a", "b", { to = 1000 })
  if answer.crosses == "yes" then
    lu.assertNotEquals(answer.better_before, answer.better_after)
    lu.assertAlmostEquals(found:fit("a"):at(answer.rows).estimate,
      found:fit("b"):at(answer.rows).estimate, 1e-2)
  elseif answer.crosses == "no" then
    lu.assertStrContains(tostring(answer), "a and b do not cross between 20 and 1000 rows: ")
  else
    lu.assertEquals(answer.crosses, "not decided")
    lu.assertStrContains(tostring(answer), "it is not decided whether a and b cross between 20 and 1000 rows: ")
  end
  lu.assertEquals(fixtures.message(found.crossing, found, "a", "b", { from = 10, to = 5 }),
    "crossing: 10 to 5 rows is not a range; use 0 < from < to")
end

function TestLearningCurve:test_a_curve_does_not_cross_itself()
  local found = lawful()
  lu.assertEquals(fixtures.message(found.crossing, found, "naive_bayes", "naive_bayes"),
    "crossing: 'naive_bayes' is named twice; name two learners")
end

-- Learner a 0.05 + 2 n^-0.5, b 0.10 + n^-0.5, whose laws meet at 400 rows; trials shift b alone, up and down
-- by `noise`.
local function meeting(noise)
  local i, sizes = 0, { 10, 20, 40, 60, 80 }
  local metric = cf.metric { name = "scripted", direction = "lower", score = function()
    i = i + 1  -- learner a trial by trial, then b
    local n, trial = sizes[(i - 1) % 5 + 1], (i - 1) // 5 + 1
    if trial <= 3 then return 0.05 + 2 * n ^ -0.5 end
    return 0.10 + n ^ -0.5 + noise * (trial - 5)
  end }
  return curve { learners = { a = "naive_bayes", b = "featureless" }, sizes = sizes, trials = 3,
    metrics = metric }
end

function TestLearningCurve:test_curves_whose_difference_is_told_on_both_sides_cross()
  local answer = meeting(0.0005):crossing("a", "b", { to = 10000, correction = "none" })
  lu.assertEquals(answer.crosses, "yes")
  lu.assertAlmostEquals(answer.rows, 400, 1)
  -- The difference 0.05 - n^-0.5 is t(0.975, 2) 0.0005 / sqrt(3) = 0.00124207 off at these.
  lu.assertAlmostEquals(answer.low, (0.05 + 0.00124207) ^ -2, 1)
  lu.assertAlmostEquals(answer.high, (0.05 - 0.00124207) ^ -2, 1.5)
  lu.assertEquals({ answer.better_before, answer.better_after }, { "b", "a" })
  lu.assertEquals(tostring(answer), ("a overtakes b at %d rows (%d to %d)"):format(answer.rows, answer.low,
    answer.high))
end

function TestLearningCurve:test_laws_that_meet_within_the_noise_are_not_told_to_cross()
  -- 0.03 t / sqrt(3) = 0.0745: more than the 0.05 by which a is ever better.
  local answer = meeting(0.03):crossing("a", "b", { to = 10000, correction = "none" })
  lu.assertEquals(answer.crosses, "not decided")
  lu.assertAlmostEquals(answer.rows, 400, 1)
  lu.assertAlmostEquals(answer.low, (0.05 + 0.0745242) ^ -2, 1)
  lu.assertNil(answer.high)
  lu.assertEquals({ answer.better_before, answer.better_after }, { "b", "a" })
  lu.assertEquals(tostring(answer), ("it is not decided whether a and b cross between 10 and 10000 rows: their "
    .. "laws do at %d rows, but from %d rows on the 95 %% interval of their difference holds 0"):format(
    answer.rows, answer.low))
  -- Below 64 rows b is reported to be better, and up to 300 the laws do not meet.
  local short = meeting(0.03):crossing("a", "b", { to = 300, correction = "none" })
  lu.assertEquals({ short.crosses, short.rows, short.better }, { "not decided", nil, "b" })
  lu.assertEquals(tostring(short), ("it is not decided whether a and b cross between 10 and 300 rows: the law of "
    .. "b is on the better side, but from %d rows on the 95 %% interval of their difference holds 0"):format(
    answer.low))
  lu.assertEquals(meeting(0.03):crossing("a", "b", { to = 60, correction = "none" }).crosses, "no")
end

function TestLearningCurve:test_laws_that_do_not_cross_are_said_not_to()
  local i, sizes = 0, { 10, 20, 40, 60, 80 }
  local metric = cf.metric { name = "scripted", direction = "lower", score = function()
    i = i + 1  -- learner a at five sizes, then b
    return (i <= 5 and 0.1 or 0.2) + sizes[(i - 1) % 5 + 1] ^ -0.5
  end }
  local found = curve { learners = { a = "naive_bayes", b = "featureless" }, sizes = sizes, trials = 1,
    metrics = metric }
  lu.assertEquals(tostring(found:crossing("a", "b")), "a and b do not cross between 10 and 800 rows: "
    .. "a is better at every size there (95 % intervals of their difference)")
end

function TestLearningCurve:test_weights_by_the_spread_need_three_trials()
  local found = curve { trials = 2 }
  lu.assertEquals(fixtures.message(found.fit, found, "nearest", { weights = "inverse_variance" }),
    "fit: weights = 'inverse_variance' are taken from the spread of 3 trials or more, there are 2; draw "
    .. "more trials or choose equal, rank or size")
end

function TestLearningCurve:test_the_text_of_a_fit_tells_how_many_sizes_it_lacks()
  local values, sizes = {}, { 5, 10, 20, 40, 80 }
  for s, n in ipairs(sizes) do values[s] = 0.1 + 0.8 * n ^ -0.5 end
  values[1] = math.huge
  lu.assertStrContains(tostring(curve_of({ values }, sizes, "lower"):fit("naive_bayes")),
    "(4 sizes, 1 left out, ")
end

function TestLearningCurve:test_rows_of_both_parts_are_refused_by_name()
  local iris = fixtures.iris()
  lu.assertEquals(message { data = iris, test = iris:select { 7, 8 } }, "learning_curve: row 7 of 'iris' "
    .. "is among the rows of 'data' and those of 'test'; give 'data' the other rows with data:select")
end

function TestLearningCurve:test_a_curve_can_be_written_in_three_forms()
  local found = curve()
  lu.assertStrContains(found:to { csv = true }, "learner,metric,size,trial,value,undefined")
  lu.assertStrContains(found:to { json = true }, "\"size\": 20")
  local plot = found:to { gnuplot = true }
  lu.assertStrContains(plot, "# size mean low high median min max\n# naive_bayes, accuracy\n20 ")
  lu.assertStrContains(plot, "\n\n\n# nearest, accuracy\n20 ")
  lu.assertEquals(fixtures.message(found.to, found, {}), "to: give one of csv, gnuplot, json")
end

TestPowerLaw = {}

function TestPowerLaw:test_a_law_without_numbers_answers_with_its_reason()
  local law = cf.stats.power_law { n = { 1, 2, 3 }, errors = { 0.3, 0.2, 0.1 } }
  lu.assertNil(law.a)
  lu.assertEquals(law.undefined, "a power law needs 4 or more sizes, there are 3")
  lu.assertEquals(law:at(10), { undefined = law.undefined })
  lu.assertEquals(law:rows_for(0.1), { undefined = law.undefined })
  lu.assertEquals(law:crossing(law), { undefined = law.undefined })
end

function TestPowerLaw:test_mistakes_are_told()
  local function problem(given) return fixtures.message(cf.stats.power_law, given) end
  lu.assertEquals(problem { n = { 1, 2 } }, "power_law: give either 'errors' or 'trials'")
  lu.assertEquals(problem { n = { 1, 2 }, errors = { 0.2, 0.1 }, weights = "late" },
    "power_law: weights = 'late' is not one of equal, inverse_variance, rank, size")
  lu.assertEquals(problem { n = { 1, 2 }, errors = { 0.2, 0.1 }, confidence = 95 },
    "power_law: confidence = 95 is not between 0 and 1")
  lu.assertEquals(problem { n = { 1, 2 }, trials = { 0.2, 0.1 } },
    "power_law: trial 1 is a number, not a list of errors")
  lu.assertEquals(problem { n = { 2, 1 }, errors = { 0.2, 0.1 } }, "cannot fit a power law: size 2 does "
    .. "not continue an ascending list of numbers above 0; sort the sizes and give each once")
end

TestValidationCurve = {}

local function validation(changes)
  return cf.validation_curve(fixtures.with({ data = fixtures.iris(), learner = "knn", parameter = "k",
    values = { 1, 5, 15 }, splitter = cf.splitter("kfold", { folds = 5, stratify = true }), metric = "accuracy",
    seed = 4 }, changes))
end

function TestValidationCurve:test_the_test_scores_are_those_of_an_evaluation()
  local found = validation()
  local rows = found:summary()
  lu.assertEquals({ rows[1].value, rows[2].value, rows[3].value }, { 1, 5, 15 })
  local splits = cf.split(cf.splitter("kfold", { folds = 5, stratify = true }), fixtures.iris(),
    { seed = 4 })
  local cells = {}
  for s = 1, 5 do
    cells[s] = { learner = cf.learner("knn", { k = 5 }), splits = splits, split = s,
      metrics = "accuracy" }
  end
  local outcomes = cf.run(cells)
  for s = 1, 5 do lu.assertEquals(found:rows()[5 + s].test, (outcomes:score(s, 1))) end
end

function TestValidationCurve:test_one_neighbour_knows_its_own_training_rows()
  local rows = validation():summary()
  lu.assertEquals(rows[1].train_mean, 1)
  lu.assertTrue(rows[3].train_mean < 1)
  lu.assertNil(validation { train_scores = false }:summary()[1].train_mean)
end

function TestValidationCurve:test_the_same_bits_for_any_workers()
  local function run(workers)
    return validation { learner = "random_forest", parameter = "trees", values = { 3, 6 },
      workers = workers }:to { json = true }
  end
  local one = run(1)
  lu.assertEquals(run(3), one)
end

function TestValidationCurve:test_a_fit_that_fails_is_data()
  local found = validation { values = { 5, 121 } }
  local rows = found:summary()
  lu.assertEquals({ rows[1].defined, rows[2].defined }, { 5, 0 })
  lu.assertNil(rows[2].mean)
  lu.assertStrContains(tostring(found), "5 fits failed; the first: k = 121: ")
end

function TestValidationCurve:test_mistakes_are_told()
  local function problem(changes) return fixtures.message(validation, changes) end
  lu.assertStrContains(problem { values = { 0, 3 } }, "validation_curve: cannot change 'knn': k = 0 is out of range")
  lu.assertStrContains(problem { parameter = "kk" }, "did you mean 'k'?")
  lu.assertEquals(problem { values = {} },
    "validation_curve: option 'values' is empty; give the values to try")
  lu.assertStrContains(problem { values = { 3, 3 } }, "value 2 is given twice")
  lu.assertEquals(problem { learner = cf.learner { fit = function() end, predict = function() end } },
    "validation_curve: cannot change 'lua': unknown parameter 'k'; none are known")
end
