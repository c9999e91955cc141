-- cf.check on learners and metrics in Lua with and without a defect, and on components of plugins.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestCheck = {}

-- The nearest training row, of numbers and names. `changes` replaces fit or predict.
local function nearest(changes)
  local function distance(state, columns, i, r)
    local sum = 0
    for j, column in ipairs(columns) do
      local a, b = column[i], state.columns[j][r]
      if type(a) == "number" and type(b) == "number" then
        sum = sum + (a - b) ^ 2
      elseif a ~= b then
        sum = sum + 1
      end
    end
    return sum
  end
  local function columns_of(data)
    local columns = {}
    for j, name in ipairs(data:features()) do columns[j] = data:column(name) end
    return columns
  end
  return cf.learner {
    name = "nearest",
    fit = changes.fit or function(data, context)
      if changes.refuse then changes.refuse(data) end
      local target = data:target()
      if changes.target then target = changes.target(target, context) end
      return { columns = columns_of(data), target = target }
    end,
    predict = function(state, data)
      local columns, said = columns_of(data), {}
      for i = 1, #data do
        local least, at = math.huge, 1
        for r = 1, #state.target do
          local d = distance(state, columns, i, r)
          if d < least then least, at = d, r end
        end
        said[i] = state.target[at]
      end
      if changes.answer then return changes.answer(said, data, state) end
      return said
    end,
  }
end

local function result_of(report, name)
  for _, result in ipairs(report.results) do
    if result.check == name then return result end
  end
  error("no result of " .. name)
end

-- The names of the checks that did not pass, in order, with ", " between them.
local function failed(report)
  local names = {}
  for _, result in ipairs(report.results) do
    if result.outcome == "failed" then names[#names + 1] = result.check end
  end
  return table.concat(names, ", ")
end

function TestCheck:test_a_good_learner_passes_and_what_it_lacks_is_skipped()
  local report = cf.check(nearest {})
  lu.assertTrue(report.passed)
  lu.assertEquals(report:summary(), "16 checks: 14 ok, 2 skipped")
  lu.assertEquals(result_of(report, "weights").text, "it does not use weights")
  lu.assertEquals(result_of(report, "error-contract").text, "it refuses nothing")
  lu.assertEquals(tostring(cf.check(nearest {}, { include = "^fit" })),
    "ok                fit-smoke  nearest\nok                fit-idempotent  nearest\n2 checks: 2 ok")
end

function TestCheck:test_labels_of_other_classes_are_worse_than_a_constant()
  local swap = { k0 = "k1", k1 = "k0", k2 = "k0" }
  local report = cf.check(nearest {
    answer = function(said)
      for i, label in ipairs(said) do said[i] = swap[label] or label end
      return said
    end,
  }, { include = "baseline" })
  lu.assertFalse(report.passed)
  lu.assertEquals(result_of(report, "beats-baseline").text,
    "on an easy classification of 2 classes the share of wrong labels is 1; a constant has 0.5; "
    .. "on an easy classification of 3 classes the share of wrong labels is 1; a constant has 0.667")
end

function TestCheck:test_a_constant_is_skipped_as_it_does_not_use_the_features()
  local report = cf.check("featureless", { include = "^beats" })
  lu.assertEquals(result_of(report, "beats-baseline").text, "it does not use the features")
  local constant = cf.learner {
    name = "first",
    fit = function(data) return data:target()[1] end,
    predict = function(state, data) return fixtures.repeated(state, #data) end,
  }
  lu.assertEquals(result_of(cf.check(constant), "beats-baseline").outcome, "failed")
end

function TestCheck:test_chance_that_is_not_of_the_seed_is_found()
  local count = 0
  local report = cf.check(nearest {
    target = function(target)
      count = count + 1
      target[1 + count % #target] = target[1]
      return target
    end,
  })
  lu.assertEquals(failed(report), "fit-idempotent")
  lu.assertEquals(result_of(report, "predict-subset").text,
    "needs fit-idempotent, which did not pass")
end

function TestCheck:test_chance_of_the_seed_is_not()
  local report = cf.check(nearest {
    target = function(target, context)
      target[1 + context.seed % #target] = target[1]
      return target
    end,
  })
  lu.assertEquals(failed(report), "")
end

function TestCheck:test_a_model_outside_of_the_state_is_found_by_interleaving()
  local last
  local report = cf.check(nearest {
    target = function(target)
      last = target
      return target
    end,
    answer = function(said, _, state)
      if state.target ~= last then said[1] = said[2] end
      return said
    end,
  })
  lu.assertEquals(result_of(report, "interleaved-instances").outcome, "failed")
end

function TestCheck:test_a_prediction_that_depends_on_the_others_is_found()
  local report = cf.check(nearest {
    answer = function(said)
      said[#said] = said[1]
      return said
    end,
  }, { include = "^predict" })
  lu.assertEquals(result_of(report, "predict-subset").text,
    "on a classification of 2 classes, after row 60 was predicted alone and not among all label 1 is "
    .. "'k1' instead of 'k0'; on a classification of 3 classes, after row 60 was predicted alone and "
    .. "not among all label 1 is 'k2' instead of 'k0'; on a regression, after row 60 was predicted "
    .. "alone and not among all value 1 is "
    .. result_of(report, "predict-subset").text:match("value 1 is (.*)$"))
end

function TestCheck:test_an_absent_class_is_found()
  local report = cf.check(nearest {
    answer = function(said)
      if #said > 0 and type(said[1]) == "string" then said[1] = "k0" end
      return said
    end,
  })
  lu.assertEquals(failed(report), "predict-subset, one-class, class-order")
  lu.assertEquals(result_of(report, "one-class").text:match("^[^;]*"),
    "on a classification of 2 classes, after a fit on rows of class 'k1' only, label 1 is 'k0', a "
    .. "class that no training row has")
end

function TestCheck:test_a_mistake_in_the_code_is_no_refusal()
  local report = cf.check(nearest {
    refuse = function(data)
      if data:task() == "regression" then return data.no_such_thing.at_all end
    end,
  }, { include = "smoke" })
  local text = result_of(report, "fit-smoke").text
  lu.assertStrContains(text, "on a regression it ended with '")
  lu.assertStrContains(text, "attempt to index a nil value")
end

function TestCheck:test_tasks_and_kinds_may_be_refused_in_words()
  local report = cf.check(nearest {
    refuse = function(data)
      if data:task() == "regression" then error("classes are expected", 0) end
    end,
  })
  lu.assertTrue(report.passed)
  local stubborn = cf.check(nearest { refuse = function() error("not today", 0) end })
  lu.assertEquals(result_of(stubborn, "fit-smoke").text, "it refuses every kind of data: 'not today'")
  lu.assertEquals(stubborn:summary(), "16 checks: 15 skipped, 1 failed")
end

function TestCheck:test_a_method_for_one_feature_is_tried_on_one()
  local report = cf.check(nearest {
    refuse = function(data)
      if #data:features() > 1 then error("it takes one feature only", 0) end
    end,
  })
  lu.assertTrue(report.passed)
  lu.assertEquals(report:summary(), "16 checks: 15 ok, 1 skipped")
end

function TestCheck:test_a_failure_that_calls_itself_a_refusal_is_found()
  local report = cf.check(nearest {
    refuse = function(data)
      if #data:features() < 2 then return end
      local first = data:column(data:features()[1])[1]
      error("there is no inverse, the pivot is " .. tostring(first), 0)
    end,
  }, { include = "smoke" })
  lu.assertStrMatches(result_of(report, "fit-smoke").text, "on a classification of 2 classes of 3 features "
    .. "it refuses with 'there is no inverse, the pivot is [%d.e-]+', and with other entries it ends with "
    .. "'there is no inverse, the pivot is [%d.e-]+'")
  report = cf.check(nearest {
    refuse = function(data)
      local n = #data:features()
      if n > 1 and n < 5 then error("it takes one feature only", 0) end
    end,
  }, { include = "smoke" })
  lu.assertEquals(result_of(report, "fit-smoke").text, "on a classification of 2 classes of 3 features "
    .. "it refuses with 'it takes one feature only', but not 6 features")
end

function TestCheck:test_a_learner_for_columns_of_its_own_is_told_where_names_are()
  local petals = cf.learner { name = "petals",
    fit = function(data) return data:column("petal length (cm)") end,
    predict = function() return {} end }
  lu.assertStrMatches(result_of(cf.check(petals), "fit-smoke").text, "it refuses every kind of data: .*cannot find "
    .. "column 'petal length %(cm%)' .*; the data of the checks have columns of their own: take names from "
    .. "data:features%(%)")
end

function TestCheck:test_an_error_that_is_no_text_is_found()
  local report = cf.check(nearest {
    refuse = function(data)
      for _, name in ipairs(data:features()) do
        for _, entry in ipairs(data:column(name)) do
          if entry == cf.null then error({ code = 3 }) end
        end
      end
    end,
  })
  lu.assertEquals(failed(report), "missing, error-contract")
  lu.assertEquals(result_of(report, "error-contract").text:match("^[^;]*"),
    "on a classification of 2 classes with missing entries it ended with an error that is a table, "
    .. "not a text")
  lu.assertStrContains(result_of(report, "missing").text, "it ended with an error that is a table")
end

function TestCheck:test_few_rows_that_give_nan_are_found()
  local report = cf.check(nearest {
    answer = function(said, _, state)
      if #state.target == 1 and type(said[1]) == "number" then said[1] = 0 / 0 end
      return said
    end,
  })
  lu.assertEquals(failed(report), "degenerate")
  lu.assertStrContains(result_of(report, "degenerate").text,
    "the learner's prediction is unusable: a value is not finite'")
end

function TestCheck:test_pipelines_and_composites_are_checked_here()
  for _, learner in ipairs {
    cf.pipeline { cf.transform("standardize"), cf.learner("knn") },
    cf.learner("knn", { k = 3 }),
    cf.voting { learners = { cf.learner("knn"), cf.learner("naive_bayes") } },
    cf.grid_search {
      learner = cf.learner("knn"), grid = { k = { 1, 3 } },
      splitter = cf.splitter("kfold", { folds = 3 }), metric = "accuracy",
    },
  } do
    local report = cf.check(learner, { exclude = "^beats" })
    lu.assertEquals(failed(report), "", tostring(learner))
    lu.assertTrue(#report.results > 10)
  end
end

function TestCheck:test_a_component_of_a_plugin_gets_the_checks_of_its_plugin()
  local report = cf.check("naive_bayes", { include = "^fit%-smoke$" })
  lu.assertEquals(tostring(report), "ok                file-arch\nok                load-now-local\n"
    .. "ok                descriptor-complete\nok                fit-smoke  crossfold.naive_bayes\n"
    .. "4 checks: 4 ok")
  lu.assertTrue(report.results[4].seconds > 0)
  lu.assertEquals(cf.check(cf.metric("accuracy"), { include = "nothing of that name" }):summary(),
    "0 checks")
end

function TestCheck:test_metrics_in_lua_are_checked()
  local function accuracy(direction, change)
    return cf.metric {
      name = "share", direction = direction,
      score = function(truth, predicted)
        local right = 0
        for i = 1, #truth do right = right + (truth[i] == predicted[i] and 1 or 0) end
        return change and change(right / #truth, truth) or right / #truth
      end,
    }
  end
  lu.assertEquals(cf.check(accuracy "higher"):summary(), "5 checks: 5 ok")
  lu.assertEquals(result_of(cf.check(accuracy "lower"), "metric-direction").text:match("^[^;]*"),
    "on a classification of 2 classes right predictions get 1 and wrong ones 0")
  local of_first = accuracy("higher", function(share, truth)
    return truth[1] == truth[2] and 0 / 0 or share
  end)
  lu.assertStrContains(result_of(cf.check(of_first), "metric-undefined").text,
    "metric 'share' returned nan; where no value exists it returns nil and a reason'")
  local count = 0
  local counting = accuracy("higher", function()
    count = count + 1
    return count
  end)
  lu.assertEquals(failed(cf.check(counting, { include = "idempotent" })), "fit-idempotent")
end

function TestCheck:test_wrong_options_are_told()
  lu.assertEquals(fixtures.message(cf.check, nearest {}, { strictness = 11 }),
    "check: strictness 11 is not between 1 and 10")
  lu.assertEquals(fixtures.message(cf.check, nearest {}, { sead = 1 }),
    "check: unknown option 'sead'; did you mean 'seed'? known: exclude, include, seed, strictness")
  lu.assertEquals(fixtures.message(cf.check, nearest {}, { include = "(" }),
    "check: cannot look for '(', a Lua pattern: unfinished capture")
  lu.assertEquals(fixtures.message(cf.check, 5),
    "check: expected a learner, a metric or a component of a plugin, got a number")
end
