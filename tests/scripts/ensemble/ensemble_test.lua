-- Voting, bagging and stacking. The expected numbers are worked out by hand from the small data, or
-- computed again here in another way.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

-- A learner in Lua that answers every row with the same.
local function constant(answer)
  return cf.learner { name = "constant", fit = function() end, predict = function(_, rows)
    local kind, value = next(answer)
    local list = {}
    for i = 1, #rows do list[i] = value end
    return { [kind] = list }
  end }
end

-- Predicts the mean of the training target, and notes the rows that it was fitted on.
local function mean_learner(seen)
  return cf.learner { name = "mean",
    fit = function(data)
      local sum = 0
      for _, y in ipairs(data:target()) do sum = sum + y end
      if seen then seen[#seen + 1] = { rows = data:row_ids(), features = data:features() } end
      return sum / #data
    end,
    predict = function(mean, rows)
      local values = {}
      for i = 1, #rows do values[i] = mean end
      return { values = values }
    end }
end

-- y = 1 .. 6, with the folds 1 1 2 2 3 3.
local function six()
  return cf.dataset { name = "six", target = "y", columns = {
    { name = "x", values = { 6, 5, 4, 3, 2, 1 } }, { name = "z", values = { 0, 1, 0, 1, 0, 1 } },
    { name = "y", values = { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 } } } }
end
local pairs_of_rows = cf.splitter("predefined", { list = { 1, 1, 2, 2, 3, 3 } })

local function bytes(result)
  local parts = {}
  for _, row in ipairs(result:scores()) do
    parts[#parts + 1] = row.value and string.pack("d", row.value) or row.undefined
  end
  return table.concat(parts, "|")
end

local function evaluate(changes)
  return cf.evaluate(fixtures.with({ data = fixtures.iris(),
    splitter = cf.splitter("kfold", { folds = 4, stratify = true }), metrics = { "accuracy", "log_loss" },
    seed = 5 }, changes))
end

TestVoting = {}

-- Classes of `separable`: high, low.
local high, low = constant { labels = "high" }, constant { labels = "low" }

local function vote_on_separable(options)
  local data = fixtures.separable()
  return cf.voting(options):fit(data, { seed = 1 }):predict(data)
end

function TestVoting:test_the_majority_wins_and_gives_its_shares()
  local p = vote_on_separable { learners = { low, high, low } }
  lu.assertEquals(p:labels()[1], "low")
  lu.assertEquals(p:probabilities()[12], { 1 / 3, 2 / 3 })
  lu.assertEquals(#p:truth(), 12)
end

function TestVoting:test_weights_count_as_so_many_votes()
  local p = vote_on_separable { learners = { low, high, low }, weights = { 1, 2.5, 1 } }
  lu.assertEquals(p:labels()[1], "high")
  lu.assertEquals(p:probabilities()[1], { 2.5 / 4.5, 2 / 4.5 })
end

function TestVoting:test_equal_votes_go_to_the_lower_class_index()
  lu.assertEquals(vote_on_separable { learners = { low, high } }:labels()[1], "high")
end

function TestVoting:test_probabilities_are_averaged_with_the_weights()
  -- high: (0.9 + 3 x 0.2) / 4 = 0.375
  local p = vote_on_separable { vote = "probabilities", weights = { 1, 3 }, learners = {
    constant { probabilities = { 0.9, 0.1 } }, constant { probabilities = { 0.2, 0.8 } } } }
  lu.assertAlmostEquals(p:probabilities()[1][1], 0.375, 1e-15)
  lu.assertEquals(p:labels()[1], "low")
end

function TestVoting:test_values_are_averaged_with_the_weights()
  local data = six()
  local voting = cf.voting { learners = { constant { values = 1 }, constant { values = 4 } },
    weights = { 2, 1 } }
  lu.assertEquals(voting:fit(data):predict(data):values(), { 2.0, 2.0, 2.0, 2.0, 2.0, 2.0 })
end

function TestVoting:test_one_learner_alone_is_itself()
  local data = fixtures.iris()
  local alone = cf.learner("naive_bayes"):fit(data):predict(data)
  local p = cf.voting { learners = { "naive_bayes" }, vote = "probabilities" }:fit(data):predict(data)
  lu.assertEquals(p:probabilities(), alone:probabilities())
  lu.assertEquals(p:labels(), alone:labels())
end

function TestVoting:test_it_equals_the_votes_of_separate_models()
  local data = fixtures.iris()
  local learners = { cf.learner("knn"), cf.learner("naive_bayes"),
    cf.pipeline { "standardize", cf.learner("knn", { k = 1 }) } }
  local votes = {}
  for l, learner in ipairs(learners) do votes[l] = learner:fit(data):predict(data):labels() end
  local labels = cf.voting { learners = learners }:fit(data):predict(data):labels()
  for i, label in ipairs(labels) do
    local agree = (votes[1][i] == label and 1 or 0) + (votes[2][i] == label and 1 or 0)
      + (votes[3][i] == label and 1 or 0)
    lu.assertTrue(agree >= 2 or (votes[1][i] ~= votes[2][i] and votes[1][i] ~= votes[3][i]))
  end
end

function TestVoting:test_no_rows_give_an_empty_prediction()
  local data = fixtures.iris()
  lu.assertEquals(#cf.voting { learners = { "knn" } }:fit(data):predict(data:select {}), 0)
end

function TestVoting:test_rows_without_a_target_can_be_predicted()
  local new = cf.dataset { name = "new", columns = { { name = "x", values = { 2, 11 } } } }
  local model = cf.voting { learners = { cf.learner("knn", { k = 1 }), high, low } }
    :fit(fixtures.separable())
  lu.assertEquals(model:predict(new):labels(), { "low", "high" })
end

function TestVoting:test_a_learner_without_probabilities_is_named()
  lu.assertEquals(fixtures.message(vote_on_separable,
    { learners = { "knn", high }, vote = "probabilities" }),
    "learner 'constant' of the ensemble gives no probabilities; use vote = \"majority\"")
end

function TestVoting:test_bad_options_are_refused()
  local function message(options) return fixtures.message(cf.voting, options) end
  lu.assertEquals(message { learners = {} }, "voting: option 'learners' names no learner")
  lu.assertEquals(message { learners = { "knn", 5 } },
    "voting: option 'learners': learner 2: expected a learner, got a number")
  lu.assertEquals(message { learners = { "knn" }, vote = "hard" },
    "voting: vote = 'hard' is not one of majority, probabilities, mean")
  lu.assertEquals(message { learners = { "knn" }, weights = { 1, 2 } },
    "voting: there are 2 weights for 1 learners")
  lu.assertEquals(message { learners = { "knn" }, weights = { -1 } },
    "voting: weight 1 is -1; weights are numbers from 0")
  lu.assertEquals(message { learners = { "knn" }, weights = { 0 } },
    "voting: the weights must have a sum above 0 that is finite")
  lu.assertEquals(fixtures.message(vote_on_separable, { learners = { "knn" }, vote = "mean" }),
    "voting: vote = 'mean' is for numbers; the target of 'separable' has classes")
end

function TestVoting:test_data_without_a_target_is_refused()
  local bare = cf.dataset { name = "bare", columns = { { name = "x", values = { 1, 2 } } } }
  local voting = cf.voting { learners = { high } }
  lu.assertEquals(fixtures.message(voting.fit, voting, bare),
    "voting: dataset 'bare' has no target; read it with target = \"<column>\"")
  lu.assertEquals(fixtures.message(voting.fit, voting, 5), "voting:fit: expected a dataset, got an integer")
end

TestBagging = {}

local function distinct(rows)
  local set, n = {}, 0
  for _, id in ipairs(rows) do
    if not set[id] then set[id], n = true, n + 1 end
  end
  return n
end

function TestBagging:test_the_prediction_is_the_mean_of_the_samples_means()
  local data, seen = six(), {}
  local values = cf.bagging { learner = mean_learner(seen), n = 7 }:fit(data):predict(data):values()
  local sum = 0
  for _, sample in ipairs(seen) do
    local total = 0
    for _, id in ipairs(sample.rows) do total = total + id end  -- y of row i is i
    sum = sum + total / #sample.rows
  end
  lu.assertEquals(#seen, 7)
  lu.assertAlmostEquals(values[1], sum / 7, 1e-15)
end

function TestBagging:test_a_bootstrap_sample_has_as_many_rows_and_two_thirds_of_them()
  local seen = {}
  cf.bagging { learner = mean_learner(seen), n = 600 }:fit(six(), { seed = 2 })
  local share = 0
  for _, sample in ipairs(seen) do
    lu.assertEquals(#sample.rows, 6)
    share = share + distinct(sample.rows) / 6 / 600
  end
  -- 1 - (5/6)^6 = 0.6651; one sample has sd 0.137, so the mean of 600 has 0.0056.
  lu.assertAlmostEquals(share, 1 - (5 / 6) ^ 6, 0.02)
end

function TestBagging:test_without_replacement_no_row_comes_twice()
  local seen = {}
  cf.bagging { learner = mean_learner(seen), n = 20, rows = 0.5, replace = false }:fit(six())
  for _, sample in ipairs(seen) do
    lu.assertEquals(#sample.rows, 3)
    lu.assertEquals(distinct(sample.rows), 3)
  end
end

function TestBagging:test_features_are_drawn_anew_for_each_sample()
  local seen, data = {}, six()
  local model = cf.bagging { learner = mean_learner(seen), n = 20, features = 0.5 }:fit(data)
  local counts = { x = 0, z = 0 }
  for _, sample in ipairs(seen) do
    lu.assertEquals(#sample.features, 1)
    counts[sample.features[1]] = counts[sample.features[1]] + 1
  end
  lu.assertTrue(counts.x > 0 and counts.z > 0)
  lu.assertEquals(#model:predict(data):values(), 6)
end

function TestBagging:test_sample_t_does_not_depend_on_their_number()
  local few, many = {}, {}
  cf.bagging { learner = mean_learner(few), n = 3 }:fit(six(), { seed = 9 })
  cf.bagging { learner = mean_learner(many), n = 8 }:fit(six(), { seed = 9 })
  for t = 1, 3 do lu.assertEquals(few[t], many[t]) end
end

function TestBagging:test_a_class_that_a_sample_lacks_has_no_vote_there()
  -- Samples of one row: the votes are the shares of the classes among the drawn rows.
  local data, drawn = fixtures.separable(), { high = 0, low = 0 }
  local first = cf.learner { name = "first",
    fit = function(rows)
      local class = rows:target()[1]
      drawn[class] = drawn[class] + 1
      return class
    end,
    predict = function(class, rows) return fixtures.repeated(class, #rows) end }
  local p = cf.bagging { learner = first, n = 9, rows = 1 / 12 }:fit(data):predict(data)
  lu.assertEquals(p:probabilities()[1], { drawn.high / 9, drawn.low / 9 })
  local bayes = cf.bagging { learner = "naive_bayes", n = 5, rows = 1 / 12, vote = "probabilities" }
    :fit(data):predict(data):probabilities()[1]
  lu.assertEquals((bayes[1] * 5) % 1, 0.0)
end

function TestBagging:test_a_search_with_copies_of_rows_is_refused_and_works_without()
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 3 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local bagging = cf.bagging { learner = search, n = 2 }
  lu.assertStrContains(fixtures.message(bagging.fit, bagging, fixtures.iris()),
    "is both trained on and tested in fold")
  local apart = cf.bagging { learner = search, n = 2, replace = false, rows = 0.6 }
  lu.assertEquals(#apart:fit(fixtures.iris()):predict(fixtures.iris()), 150)
end

function TestBagging:test_bad_options_are_refused()
  local function message(options) return fixtures.message(cf.bagging, options) end
  lu.assertEquals(message { learner = "knn" }, "bagging: option 'n' is missing")
  lu.assertEquals(message { learner = "knn", n = 0 },
    "bagging: n = 0 is out of range; use 1 to 100000")
  lu.assertEquals(message { learner = "knn", n = 2, rows = 1.5 },
    "bagging: rows = 1.5 is out of range; use a share above 0, at most 1")
  lu.assertEquals(message { learner = "knn", n = 2, features = 0 },
    "bagging: features = 0 is out of range; use a share above 0, at most 1")
  lu.assertEquals(message { learner = "knn", n = 2, vote = "all" },
    "bagging: vote = 'all' is not one of majority, probabilities, mean")
end

TestStacking = {}

-- Notes the columns that it is fitted on and the rows that it predicts.
local function watching(fitted, predicted)
  return cf.learner { name = "watching",
    fit = function(data)
      for _, name in ipairs(data:features()) do fitted[name] = data:column(name) end
      return data:features()
    end,
    predict = function(features, rows)
      for _, name in ipairs(features) do predicted[name] = rows:column(name) end
      return { values = rows:column(features[#features]) }
    end }
end

function TestStacking:test_the_combiner_learns_from_out_of_fold_predictions()
  local fitted, predicted, data = {}, {}, six()
  local model = cf.stacking { learners = { mean_learner() }, combiner = watching(fitted, predicted),
    splitter = pairs_of_rows }:fit(data)
  -- Means of the rows outside 1-2, 3-4, 5-6.
  lu.assertEquals(fitted, { ["learner 1"] = { 4.5, 4.5, 3.5, 3.5, 2.5, 2.5 } })
  -- The learner itself is fitted again on all rows.
  lu.assertEquals(model:predict(data):values(), { 3.5, 3.5, 3.5, 3.5, 3.5, 3.5 })
  lu.assertEquals(predicted["learner 1"], { 3.5, 3.5, 3.5, 3.5, 3.5, 3.5 })
end

function TestStacking:test_passthrough_shows_the_features_too()
  local fitted, data = {}, six()
  cf.stacking { learners = { mean_learner(), constant { values = 7 } }, passthrough = true,
    combiner = watching(fitted, {}), splitter = pairs_of_rows }:fit(data)
  lu.assertEquals(fitted.x, data:column("x"))
  lu.assertEquals(fitted.z, data:column("z"))
  lu.assertEquals(fitted["learner 2"], { 7.0, 7.0, 7.0, 7.0, 7.0, 7.0 })
end

function TestStacking:test_classes_may_be_seen_as_categories()
  local fitted = {}
  local learner = cf.learner("knn", { k = 1 })
  local combiner = cf.learner { name = "note",
    fit = function(data) fitted[1] = data:column("learner 1") end,
    predict = function(_, rows) return rows:column("learner 1") end }
  local data = fixtures.separable()
  local p = cf.stacking { learners = { learner }, combiner = combiner, probabilities = false,
    splitter = cf.splitter("leave_one_out") }:fit(data):predict(data)
  -- Rows 6 and 8 are as near to row 7; the tie goes to row 6, which is low.
  local expected = data:target()
  expected[7] = "low"
  lu.assertEquals(fitted[1], expected)
  lu.assertEquals(p:labels(), data:target())
end

-- The same steps by hand, with cf.run and datasets made from lists.
function TestStacking:test_it_equals_its_steps_done_by_hand()
  local data = fixtures.iris()
  local learners = { cf.learner("knn"), cf.learner("naive_bayes") }
  local folds = cf.splitter("kfold", { folds = 5 })
  local combiner = cf.learner("knn", { k = 9 })
  local splits = cf.split(folds, data, { seed = 3 })

  local function columns(probabilities_of_row, target)
    local list = { { name = "target", values = target } }
    for l = 1, 2 do
      for c = 1, 3 do
        local column = { name = ("p%d%d"):format(l, c), values = {} }
        for i = 1, 150 do column.values[i] = probabilities_of_row[l][i][c] end
        list[#list + 1] = column
      end
    end
    return cf.dataset { columns = list, target = "target" }
  end

  local out_of_fold, refitted = { {}, {} }, {}
  for l, learner in ipairs(learners) do
    for s = 1, #splits do
      local p = learner:fit(splits:train(s)):predict(splits:test(s))
      for i, id in ipairs(p:row_ids()) do out_of_fold[l][id] = p:probabilities()[i] end
    end
    refitted[l] = learner:fit(data):predict(data):probabilities()
  end
  local by_hand = combiner:fit(columns(out_of_fold, data:target()))
    :predict(columns(refitted, data:target()))

  local stacked = cf.stacking { learners = learners, combiner = combiner, splitter = folds }
    :fit(data, { seed = 3 }):predict(data)
  lu.assertEquals(stacked:probabilities(), by_hand:probabilities())
  lu.assertEquals(stacked:labels(), by_hand:labels())
end

function TestStacking:test_every_training_row_must_be_tested_once()
  local function message(splitter)
    local stacking = cf.stacking { learners = { "knn" }, combiner = "knn", splitter = splitter }
    return fixtures.message(stacking.fit, stacking, fixtures.iris(), { seed = 1 })
  end
  lu.assertStrMatches(message(cf.splitter("holdout")),
    "stacking: the splitter never tests row %d+, so it has no out%-of%-fold prediction")
  lu.assertStrMatches(message(cf.splitter("kfold", { folds = 3, repeats = 2 })),
    "stacking: the splitter tests row %d+ more than once")
end

function TestStacking:test_a_learner_that_fails_in_an_inner_fold_is_named()
  local stacking = cf.stacking { learners = { cf.learner("debug", { action = "throw_in_fit" }) },
    combiner = "knn", splitter = cf.splitter("kfold", { folds = 3 }) }
  lu.assertStrMatches(fixtures.message(stacking.fit, stacking, fixtures.iris()),
    "learner 'debug{.*}': inner fold 1 failed at fit debug: .*")
end

function TestStacking:test_a_learner_without_probabilities_is_named()
  local stacking = cf.stacking { learners = { high }, combiner = "knn", splitter = "leave_one_out" }
  lu.assertEquals(fixtures.message(stacking.fit, stacking, fixtures.separable()),
    "learner 'constant' of the ensemble gives no probabilities; use probabilities = false")
end

function TestStacking:test_bad_options_are_refused()
  local function message(options) return fixtures.message(cf.stacking, options) end
  lu.assertEquals(message { learners = { "knn" }, combiner = "knn" },
    "stacking: option 'splitter' is missing")
  lu.assertEquals(message { learners = { "knn" }, combiner = 5, splitter = "kfold" },
    "stacking: option 'combiner': expected a learner, got a number")
  lu.assertEquals(message { learners = { nil, "knn" }, combiner = "knn", splitter = "kfold" },
    "stacking: option 'learners': element 1 of 2 is nil; leave it out")
end

function TestStacking:test_an_inner_fold_column_must_be_no_feature()
  local stacking = cf.stacking { learners = { mean_learner() }, combiner = mean_learner(),
    splitter = cf.splitter("predefined", { column = "z" }) }
  lu.assertEquals(fixtures.message(stacking.fit, stacking, six()),
    "cannot stack on 'six': the fold column 'z' is a feature of it; read the data with folds = \"z\"")
end

TestNested = {}

local function everything()
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 5 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local bagging = cf.bagging { learner = "naive_bayes", n = 4, features = 0.5 }
  local stacking = cf.stacking { learners = { search, bagging, "naive_bayes" }, combiner = "knn",
    splitter = cf.splitter("kfold", { folds = 3 }), passthrough = true }
  return { search, bagging, stacking,
    cf.voting { learners = { stacking, bagging, search }, vote = "probabilities" } }
end

function TestNested:test_workers_do_not_change_a_bit()
  local one = bytes(evaluate { learners = everything(), workers = 1 })
  lu.assertEquals(bytes(evaluate { learners = everything(), workers = 2 }), one)
end

function TestNested:test_names_tell_what_is_inside()
  local list = everything()
  lu.assertEquals(tostring(list[2]), "bagging{naive_bayes, n=4, features=0.5}")
  lu.assertEquals(tostring(list[3]), "stacking{grid_search{knn, 2 candidates}, "
    .. "bagging{naive_bayes, n=4, features=0.5}, naive_bayes -> knn}")
end

function TestNested:test_an_evaluated_ensemble_equals_its_own_fit()
  local data = fixtures.iris()
  local voting = cf.voting { learners = { "knn", "naive_bayes" }, vote = "probabilities" }
  local splitter = cf.splitter("kfold", { folds = 3 })
  local result = evaluate { learners = { voting }, splitter = splitter, keep = "probabilities" }
  local splits = cf.split(splitter, data, { seed = 5 })
  local expected = voting:fit(splits:train(1)):predict(splits:test(1)):probabilities()
  local got = {}
  for _, p in ipairs(result:predictions()) do
    if p.fold == 1 then got[#got + 1] = p.probabilities end
  end
  lu.assertEquals(got, expected)
end

function TestNested:test_a_member_that_fails_fails_its_fold_only()
  local bad = cf.learner("debug", { action = "throw_in_predict", when_row = 0 })
  local result = evaluate { learners = { v = cf.voting { learners = { "knn", bad } } } }
  lu.assertEquals(#result:failures(), 1)
  lu.assertEquals(result:failures()[1].stage, "predict v")
  lu.assertEquals(result:summary()[1].defined, 3)
end

function TestNested:test_a_member_for_another_task_is_refused_before_anything_runs()
  lu.assertStrContains(fixtures.message(evaluate, { data = six(), metrics = { cf.metric { name = "m",
    direction = "lower", score = function() return 0 end } },
    splitter = cf.splitter("kfold", { folds = 2 }),
    learners = { v = cf.voting { learners = { "naive_bayes" } } } }), "naive_bayes")
end

function TestNested:test_weights_of_the_rows_reach_every_member()
  -- Row 1 counts three times, so `low` has the majority.
  local data = cf.dataset { name = "weighted", target = "y", weights = "w", columns = {
    { name = "x", values = { 1, 2, 3 } }, { name = "w", values = { 3, 1, 1 } },
    { name = "y", values = { "low", "high", "high" } } } }
  local p = cf.voting { learners = { "featureless" }, vote = "probabilities" }:fit(data):predict(data)
  lu.assertEquals(p:probabilities()[1], { 0.4, 0.6 })
end
