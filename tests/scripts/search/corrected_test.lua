-- The corrected score of a search: bootstrap bias corrected cross-validation.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestCorrected = {}

local threefold = cf.splitter("kfold", { folds = 3 })

local function search(changes)
  local options = fixtures.with({ learner = "knn", grid = { k = { 1, 5, 15, 31 } }, splitter = threefold,
    metric = "accuracy" }, changes)
  return (options.error and cf.race_search or options.min_resource and cf.halving_search or cf.grid_search)(options)
end

local function found_by(changes, data)
  return (select(2, search(changes):fit(data or fixtures.iris(), { seed = 1 })))
end

-- A learner whose predictions of row i are right as `right[i]` says; x is the number of the row.
local function scripted(right)
  return cf.learner {
    name = "scripted", params = { which = { type = "integer", low = 1, high = #right, default = 1 } },
    fit = function(_, context) return context.params.which end,
    predict = function(which, rows)
      local labels = {}
      for i, x in ipairs(rows:column("x")) do labels[i] = right[which][x] == 1 and "a" or "b" end
      return { labels = labels }
    end,
  }
end

local function numbered(n, extra)
  local x, y = {}, {}
  for i = 1, n do x[i], y[i] = i, "a" end
  local columns = { { name = "x", values = x }, { name = "y", values = y, levels = { "a", "b" } } }
  local given = { name = "rows", target = "y", columns = columns }
  if extra then
    columns[3] = { name = "extra", values = extra.values }
    given[extra.role] = "extra"
  end
  return cf.dataset(given)
end

-- The mean left-out score of the choice over all n^n samples of n rows, which are equally likely.
local function exact_value(right, n)
  local sum, count = 0, 0
  local drawn = {}
  local function score()
    local best, most, left, hits = 1, -1, 0, 0
    for c = 1, #right do
      local sum_of_c = 0
      for i = 1, n do sum_of_c = sum_of_c + (drawn[i] or 0) * right[c][i] end
      if sum_of_c > most then best, most = c, sum_of_c end
    end
    for i = 1, n do
      if not drawn[i] or drawn[i] == 0 then left, hits = left + 1, hits + right[best][i] end
    end
    if left > 0 then sum, count = sum + hits / left, count + 1 end
  end
  local function draw(left)
    if left == 0 then return score() end
    for i = 1, n do
      drawn[i] = (drawn[i] or 0) + 1
      draw(left - 1)
      drawn[i] = drawn[i] - 1
    end
  end
  draw(n)
  return sum / count
end

function TestCorrected:test_the_value_is_the_mean_left_out_score_of_the_choice_over_all_samples()
  local right = { { 1, 1, 0, 1, 0 }, { 1, 0, 1, 1, 0 }, { 0, 1, 1, 0, 1 } }
  local found = found_by({ learner = scripted(right), grid = { which = { 1, 2, 3 } },
    splitter = cf.splitter("kfold", { folds = 5 }) }, numbered(5))
  local exact = exact_value(right, 5)
  lu.assertAlmostEquals(found:corrected { samples = 20000 }.value, exact, 0.01)
  lu.assertTrue(exact < 0.6)  -- what the search saw
end

function TestCorrected:test_the_sentence_and_the_fields_say_the_same()
  local fixed = found_by():corrected { samples = 200, seed = 3, confidence = 0.9 }
  lu.assertEquals(tostring(fixed), ("The accuracy of '%s' is %s (90 %% interval %s to %s) after correction for the "
    .. "choice among 4 candidates; before, pooled over the inner folds, it was %s, which is optimistic by %s."):format(
    fixed.candidate, cf.format_number(fixed.value, 4), cf.format_number(fixed.low, 4),
    cf.format_number(fixed.high, 4), cf.format_number(fixed.pooled, 4), cf.format_number(fixed.optimism, 4)))
  lu.assertAlmostEquals(fixed.optimism, fixed.pooled - fixed.value, 1e-15)
  lu.assertEquals(fixed.units, 150)
  local share = 0
  for _, one in ipairs(fixed.chosen) do share = share + one.share end
  lu.assertAlmostEquals(share, 1, 1e-12)
end

function TestCorrected:test_a_metric_whose_lower_values_are_better_is_corrected_upward()
  local by_accuracy, by_error = found_by(), found_by { metric = "error_rate" }
  local a, e = by_accuracy:corrected { samples = 100 }, by_error:corrected { samples = 100 }
  lu.assertAlmostEquals(a.value, 1 - e.value, 1e-12)
  lu.assertAlmostEquals(a.optimism, e.optimism, 1e-12)
end

-- As accuracy or error, by a function; `of_rows` false makes a metric that has no score of each row.
local function in_lua(of_rows)
  return cf.metric {
    name = "mine", direction = "higher", score = function(truth, predicted)
      if not of_rows and #truth == 1 then return nil, "one row is too few" end
      local right = 0
      for i = 1, #truth do right = right + (truth[i] == predicted[i] and 1 or 0) end
      return right / #truth
    end,
  }
end

function TestCorrected:test_a_metric_in_lua_gives_what_the_native_one_gives()
  local native_one = found_by():corrected { samples = 30 }
  for _, of_rows in ipairs { true, false } do
    local own = found_by { metric = in_lua(of_rows) }:corrected { samples = 30 }
    lu.assertAlmostEquals(own.value, native_one.value, 1e-12)
    lu.assertAlmostEquals(own.low, native_one.low, 1e-12)
  end
end

function TestCorrected:test_a_metric_that_is_not_a_mean_over_rows_is_scored_on_the_drawn_rows()
  local native_one = found_by { metric = "f1_macro" }:corrected { samples = 30 }
  local own = found_by { metric = cf.metric { name = "own f1", direction = "higher",
    score = function(truth, predicted, info)
      if #truth == 1 then return nil, "one row is too few" end
      local sum = 0
      for _, class in ipairs(info.classes) do
        local both, either = 0, 0
        for i = 1, #truth do
          both = both + (truth[i] == class and predicted[i] == class and 2 or 0)
          either = either + (truth[i] == class and 1 or 0) + (predicted[i] == class and 1 or 0)
        end
        if either == 0 then return nil, "a class is missing" end
        sum = sum + both / either
      end
      return sum / #info.classes
    end } }:corrected { samples = 30 }
  lu.assertAlmostEquals(native_one.value, own.value, 1e-12)
  lu.assertAlmostEquals(native_one.pooled, own.pooled, 1e-12)
end

function TestCorrected:test_the_workers_and_a_store_change_nothing()
  local store = fixtures.new_store()
  local outer, values = cf.splitter("holdout", { test_share = 0.3 }), {}
  for i, how in ipairs { { workers = 1 }, { workers = 3 }, { store = store }, { store = store } } do
    local result = cf.evaluate { data = fixtures.iris(), learners = { s = search { metric = "log_loss",
      grid = { k = { 5, 15, 31 } } } }, splitter = outer, metrics = "accuracy", seed = 4,
      workers = how.workers, store = how.store }
    values[i] = result:tuning("s")[1]:corrected { samples = 50 }
  end
  fixtures.remove_store(store)
  for i = 2, 4 do
    lu.assertEquals(values[i].value, values[1].value)
    lu.assertEquals(values[i].high, values[1].high)
  end
end

function TestCorrected:test_rows_of_a_group_are_drawn_together()
  local groups = {}
  for i = 1, 30 do groups[i] = (i + 2) // 3 end
  local right = { {}, {} }
  for i = 1, 30 do right[1][i], right[2][i] = i % 2, i % 3 == 0 and 0 or 1 end
  local found = found_by({ learner = scripted(right), grid = { which = { 1, 2 } },
    splitter = "leave_one_group_out" },
    numbered(30, { role = "groups", values = groups }))
  local fixed = found:corrected { samples = 50 }
  lu.assertEquals(fixed.units, 10)
  lu.assertTrue(fixed.draws_groups)
end

function TestCorrected:test_the_repeats_of_a_row_are_drawn_together()
  local fixed = found_by { splitter = cf.splitter("kfold", { folds = 3, repeats = 4 }) }:corrected { samples = 50 }
  lu.assertEquals(fixed.units, 150)
end

function TestCorrected:test_rows_in_order_of_time_are_refused()
  local right = { { 1, 0, 1, 1, 0, 1 }, { 0, 1, 1, 1, 0, 0 } }
  local found = found_by({ learner = scripted(right), grid = { which = { 1, 2 } } },
    numbered(6, { role = "time", values = { 1, 2, 3, 4, 5, 6 } }))
  lu.assertEquals(fixtures.message(found.corrected, found), "corrected: the rows are in order of time, so they are "
    .. "not exchangeable; evaluate the search in an outer loop over time, with cf.evaluate")
end

function TestCorrected:test_inner_folds_in_order_of_the_rows_are_refused()
  local found = found_by { splitter = cf.splitter("time_series", { folds = 3, order = "rows" }),
    grid = { k = { 1, 5 } } }
  for _, method in ipairs { "corrected", "confidence_set" } do
    lu.assertEquals(fixtures.message(found[method], found), method .. ": the folds of "
      .. "'time_series{folds=3,order=rows}' are in the order of the rows, so they are not exchangeable; evaluate the "
      .. "search in an outer loop over time, with cf.evaluate")
  end
end

function TestCorrected:test_groups_on_both_sides_of_an_inner_fold_are_refused()
  local groups, right = {}, { {}, {} }
  for i = 1, 12 do
    groups[i], right[1][i], right[2][i] = (i + 1) // 2, i % 2, i % 3 == 0 and 0 or 1
  end
  local torn = cf.splitter { name = "torn", ignore_groups = true, split = function(input)
    local folds = {}
    for i = 1, input.n do folds[i] = i % 2 + 1 end
    return { folds = folds }
  end }
  local found = found_by({ learner = scripted(right), grid = { which = { 1, 2 } }, splitter = torn },
    numbered(12, { role = "groups", values = groups }))
  for _, method in ipairs { "corrected", "confidence_set" } do
    lu.assertEquals(fixtures.message(found[method], found), "cannot use the splits of 'torn' on dataset 'rows': split "
      .. "1 tests row 2 while row 1 of the same group trains; search with inner folds that keep the rows of a group "
      .. "together, as those of kfold")
  end
end

function TestCorrected:test_a_search_that_keeps_no_predictions_says_why()
  local found = found_by { keep_inner = false }
  lu.assertEquals(fixtures.message(found.corrected, found),
    "corrected: the predictions of the candidates were not kept: keep_inner = false")
end

function TestCorrected:test_predictions_beyond_the_limit_are_kept_only_if_asked_for()
  local kept_predictions = require "crossfold.search.kept_predictions"
  local limit = kept_predictions.limits.alone
  kept_predictions.limits.alone = 4 * 150 * 4 - 1  -- four candidates, 150 labels of four bytes
  local without, with = found_by(), found_by { keep_inner = true }
  kept_predictions.limits.alone = 4 * 150 * 4
  local within = found_by()
  kept_predictions.limits.alone = limit
  lu.assertEquals(fixtures.message(without.corrected, without), "corrected: the predictions of the candidates were "
    .. "not kept: they take 0.0 MiB, and a search keeps up to 0.0 MiB; give it keep_inner = true")
  lu.assertEquals(with:corrected { samples = 30 }.value, within:corrected { samples = 30 }.value)
end

function TestCorrected:test_a_result_from_a_store_names_the_way()
  local store = fixtures.new_store()
  cf.evaluate { data = fixtures.iris(), learners = { s = search() }, splitter = "holdout", metrics = "accuracy",
    seed = 4, store = store }
  local row = cf.stored { store = store }.results[1]:tuning("s")[1]
  fixtures.remove_store(store)
  lu.assertEquals(fixtures.message(row.corrected, row), "corrected: a result that was read from a store has no "
    .. "predictions of the candidates; run its script again with the store, which fits nothing again")
end

function TestCorrected:test_a_failed_candidate_takes_no_part()
  local fixed = found_by { grid = { k = { 1, 5, 120 } } }:corrected { samples = 30 }
  lu.assertEquals(fixed.candidates, 2)
end

function TestCorrected:test_candidates_that_a_halving_dropped_before_are_named()
  local fixed = found_by { grid = { k = { 1, 2, 3, 5, 9, 15 } }, min_resource = 0.3 }:corrected { samples = 30 }
  lu.assertEquals(fixed.candidates, 2)
  lu.assertStrContains(tostring(fixed), "The search dropped 4 other candidates before; the correction does not know of "
    .. "that.")
end

function TestCorrected:test_a_race_is_corrected_for_those_that_were_left()
  local found = found_by { error = 0.2, splitter = cf.splitter("kfold", { folds = 5, repeats = 2 }),
    grid = { k = { 1, 5, 95 } } }
  local fixed = found:corrected { samples = 30 }
  lu.assertEquals(fixed.candidates, 2)
  lu.assertStrContains(tostring(fixed), "The search dropped 1 other candidate before")
end

function TestCorrected:test_a_score_that_most_samples_lack_is_undefined()
  local x, y = {}, {}
  for i = 1, 24 do x[i], y[i] = (i * 7) % 24, i <= 2 and "a" or "b" end
  local data = cf.dataset { name = "rare", target = "y", columns = { { name = "x", values = x },
    { name = "y", values = y } } }
  local fixed = found_by({ metric = "roc_auc", grid = { k = { 1, 5 } }, splitter = cf.splitter("kfold",
    { folds = 2, stratify = true }) }, data):corrected { samples = 100 }
  lu.assertNil(fixed.value)
  lu.assertStrMatches(tostring(fixed), "The roc_auc of 'knn{k=%d}' cannot be corrected for the choice: roc_auc is "
    .. "undefined in %d+ of 100 bootstrap samples%.")
end

function TestCorrected:test_every_rule_of_choice_is_repeated()
  for _, rule in ipairs { "one_se", "within_noise", "simplest in the set" } do
    local found = found_by { choose = rule, simplest = { k = "higher" } }
    local fixed = found:corrected { samples = 20 }
    lu.assertEquals(fixed.candidate, found.candidate)
    lu.assertTrue(fixed.low <= fixed.value and fixed.value <= fixed.high)
  end
end

-- Scaled down to the spread of a mean over all rows it covered 92 to 94 % (tests/bench/bbc_cv_coverage.md).
function TestCorrected:test_there_is_no_narrower_interval()
  local found = found_by()
  lu.assertErrorMsgContains("corrected: unknown option 'method'", found.corrected, found, { method = "rescaled" })
end

function TestCorrected:test_options_out_of_range_are_refused()
  local found = found_by()
  lu.assertEquals(fixtures.message(found.corrected, found, { confidence = 1 }),
    "corrected: confidence = 1 is out of range; use a number between 0 and 1")
  lu.assertEquals(fixtures.message(found.corrected, found, { samples = 5 }),
    "corrected: samples = 5 is out of range; use 20 or more")
end

function TestCorrected:test_tuning_rows_of_an_evaluation_are_corrected_too()
  local result = cf.evaluate { data = fixtures.iris(), learners = { s = search() }, splitter = threefold,
    metrics = "accuracy", seed = 4 }
  for _, row in ipairs(result:tuning("s")) do
    lu.assertEquals(row:corrected { samples = 20 }.units, 100)
  end
end
