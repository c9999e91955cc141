-- `columns` and `except` of transforms: the features that a step gets, while the others stay as they are.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestColumns = {}

local kfold = cf.splitter("kfold", { folds = 5 })
local lab_names = { "lab_a", "sex", "lab_b", "age" }

-- 24 rows with the features lab_a, sex, lab_b and age, in the order of `names`. `level` replaces one of sex.
local function patients(names, level)
  local values = { lab_a = {}, sex = {}, lab_b = {}, age = {} }
  local ill = {}
  for i = 1, 24 do
    values.lab_a[i] = i * 37 % 11
    values.sex[i] = i % 3 == 0 and "f" or "m"
    values.lab_b[i] = i * 53 % 17 / 8
    values.age[i] = 20 + i * 29 % 50
    ill[i] = i * 41 % 24 < 12 and "yes" or "no"
  end
  if level then values.sex[2] = level end
  local columns = {}
  for j, name in ipairs(names or lab_names) do columns[j] = { name = name, values = values[name] } end
  columns[#columns + 1] = { name = "ill", values = ill }
  return cf.dataset { name = "patients", target = "ill", columns = columns }
end

local function seen_features(steps)
  steps[#steps + 1] = "random_forest"
  return table.concat(fixtures.column(cf.pipeline(steps):fit(patients()):importance(), "feature"), " ")
end

local function evaluate(learners, more)
  return cf.evaluate(fixtures.with({ data = patients(), learners = learners, splitter = kfold, metrics = "accuracy",
    seed = 3 }, more))
end

local function predictions(learner, more)
  local result = evaluate({ one = learner }, more)
  lu.assertEquals(#result:failures(), 0)
  local labels = {}
  for _, row in ipairs(result:predictions()) do labels[row.row] = row.predicted end
  return labels
end

-- The hits of the nearest neighbour in leave-one-out, by a program of its own (30 lines of Python and its
-- standard library, without Crossfold): the chosen columns by the mean and population standard deviation
-- of the other 177 rows, as ColumnTransformer([("scale", StandardScaler(), names)], remainder="passthrough")
-- of scikit-learn scales them.
function TestColumns:test_the_hits_on_wine_are_those_of_another_program()
  local wine = cf.read(data_folder .. "/wine.csv", { target = "class" })
  local hits = {
    { nil, 170 }, { "missing_*", 137 }, { "proline", 158 }, { { "proline", "magnesium" }, 171 }, { "numeric", 170 },
  }
  for _, case in ipairs(hits) do
    local learner = cf.pipeline { cf.transform("standardize", { columns = case[1] }), cf.learner("knn", { k = 1 }) }
    local result = cf.evaluate { data = wine, learners = { knn = learner }, splitter = "leave_one_out",
      metrics = "accuracy" }
    lu.assertAlmostEquals(result:summary()[1].mean, case[2] / 178, 1e-12, tostring(learner))
  end
end

function TestColumns:test_the_text_of_a_pipeline_has_the_columns_in_one_order()
  local function text(params) return tostring(cf.transform("standardize", params)) end
  lu.assertEquals(text { columns = { "bmi", "age" } }, "standardize{columns=[age, bmi]}")
  lu.assertEquals(text { columns = "age, bmi", except = "lab_*" }, "standardize{columns=[age, bmi],except=[lab_*]}")
  lu.assertEquals(text { columns = { "age, in years" } }, "standardize{columns=[age\\, in years]}")
  lu.assertEquals(text { columns = cf.null }, "standardize")
  lu.assertEquals(cf.transform("standardize", { columns = { "bmi", "age" } }):params().columns, "age, bmi")
end

function TestColumns:test_columns_stand_in_the_order_of_the_data()
  local one_hot = cf.transform("one_hot", { columns = "sex" })
  lu.assertEquals(seen_features { cf.transform("standardize", { columns = { "age", "lab_a" } }), one_hot },
    "lab_a sex=f sex=m lab_b age")
  lu.assertEquals(seen_features { cf.transform("pca", { columns = { "age", "lab_b" } }), one_hot },
    "lab_a sex=f sex=m pc1 pc2")
  lu.assertEquals(seen_features { one_hot, cf.transform("pca", { columns = "lab_*" }) }, "pc1 pc2 sex=f sex=m age")
end

function TestColumns:test_names_patterns_types_and_except_are_one_choice()
  for _, params in ipairs {
    { columns = { "lab_a", "lab_b" } }, { columns = "lab_*" }, { columns = "numeric", except = "age" },
    { except = { "categorical", "age" } }, { columns = { "lab_a", "*_b" } },
  } do
    local learner = cf.pipeline { cf.transform("min_max", params), cf.transform("one_hot"), "knn" }
    lu.assertEquals(predictions(learner), predictions(cf.pipeline {
      cf.transform("min_max", { columns = "*", except = { "sex", "age" } }), cf.transform("one_hot"), "knn" }))
  end
end

function TestColumns:test_a_pattern_or_a_type_without_columns_leaves_the_rows_as_they_are()
  local plain = predictions(cf.pipeline { "one_hot", "knn" })
  for _, columns in ipairs { "blood_*", "bool" } do
    lu.assertEquals(predictions(cf.pipeline { cf.transform("pca", { columns = columns }), "one_hot", "knn" }), plain)
  end
end

function TestColumns:test_an_unknown_name_is_told_with_the_nearest()
  lu.assertEquals(fixtures.message(evaluate,
    { knn = cf.pipeline { cf.transform("pca", { columns = { "aeg" } }), "one_hot", "knn" } }),
    "cannot use transform 'pca{columns=[aeg]}' on dataset 'patients': 'columns' names 'aeg', which is not a "
    .. "feature here; did you mean 'age'? known: age, lab_a, lab_b, sex")
end

function TestColumns:test_what_changes_the_rows_takes_no_columns()
  for _, id in ipairs { "smote", "oversample", "undersample" } do
    lu.assertStrContains(fixtures.message(cf.transform, id, { columns = "numeric" }),
      "'columns' cannot choose features for a transform that changes which rows train; leave it out")
  end
end

function TestColumns:test_a_supervised_transform_chooses_among_its_columns_only()
  local seen = seen_features { cf.transform("select", { columns = "lab_*", k = 1, method = "anova_f" }) }
  lu.assertTrue(seen == "lab_a sex age" or seen == "sex lab_b age", seen)
end

function TestColumns:test_a_saved_model_finds_its_columns_in_another_order()
  local learner = cf.pipeline {
    cf.transform("pca", { columns = { "age", "lab_*" }, components = 2 }),
    cf.transform("one_hot", { columns = "categorical" }),
    "logistic_regression",
  }
  local model, path = learner:fit(patients()), os.tmpname()
  model:save(path)
  local loaded = cf.load(path)
  os.remove(path)
  lu.assertEquals(tostring(loaded), tostring(model))
  local expected = model:predict(patients()):probabilities()
  lu.assertEquals(loaded:predict(patients({ "age", "lab_b", "sex", "lab_a" })):probabilities(), expected)
  -- A level that the training data had not: one_hot takes it as missing, though pca would refuse such rows.
  local odd = loaded:predict(patients(nil, "unknown")):probabilities()
  lu.assertEquals(odd[1], expected[1])
  lu.assertNotEquals(odd[2], expected[2])
end

function TestColumns:test_workers_processes_and_shared_work_change_nothing()
  local learner = cf.pipeline {
    cf.transform("standardize", { columns = "lab_*" }), cf.transform("one_hot"), "knn",
  }
  local expected = predictions(learner)
  lu.assertEquals(predictions(learner, { workers = 2 }), expected)
  lu.assertEquals(predictions(learner, { isolate = "worker" }), expected)
  local beside = evaluate { one = learner, same = learner:with { ["knn.k"] = 1 },
    other = learner:with { ["standardize.columns"] = "age" } }
  local labels = {}
  for _, row in ipairs(beside:predictions()) do
    if row.learner == "one" then labels[row.row] = row.predicted end
  end
  lu.assertEquals(labels, expected)
end

function TestColumns:test_a_store_tells_one_choice_from_another()
  local store = fixtures.new_store()
  local function cells(columns)
    local learner = cf.pipeline { cf.transform("standardize", { columns = columns }), "one_hot", "knn" }
    local before = cf.store_status(store).cells
    evaluate({ one = learner }, { store = store })
    return cf.store_status(store).cells - before
  end
  cf.run({}, { store = store })
  local new = { cells(nil), cells("age"), cells({ "age", "age" }), cells("lab_*") }
  fixtures.remove_store(store)
  lu.assertEquals(new, { 5, 5, 0, 5 })
end

function TestColumns:test_a_search_chooses_the_columns()
  local search = cf.grid_search {
    learner = cf.pipeline { "standardize", "one_hot", "knn" }, splitter = cf.splitter("kfold", { folds = 3 }),
    grid = { ["standardize.columns"] = { "lab_*", { "age", "lab_a" } } }, metric = "accuracy",
  }
  local inner = evaluate({ search = search }):tuning("search")[1].inner
  lu.assertEquals(inner[1].candidate, "standardize{columns=[lab_*]}|one_hot|knn")
  lu.assertEquals(inner[2].candidate, "standardize{columns=[age, lab_a]}|one_hot|knn")
end

-- ---- transforms written in Lua ---------------------------------------------------------------------

-- min_max in Lua, under the name of the plugin's.
local function in_lua(more)
  return cf.transform(fixtures.with({
    name = "min_max",
    fit = function(data)
      local state = {}
      for _, name in ipairs(data:features()) do
        local values = data:column(name)
        local low = math.min(table.unpack(values))
        state[name] = { low, math.max(table.unpack(values)) - low }
      end
      return state
    end,
    apply = function(state, data)
      local columns = {}
      for j, name in ipairs(data:features()) do
        local values = data:column(name)
        for i, x in ipairs(values) do values[i] = (x - state[name][1]) / state[name][2] end
        columns[j] = { name = name, values = values }
      end
      return columns
    end,
  }, more))
end

function TestColumns:test_a_transform_written_in_lua_gets_what_a_plugin_gets()
  for _, params in ipairs {
    { columns = "lab_*" }, { columns = "numeric", except = "age" }, { columns = { "age" } }, { columns = "blood_*" },
  } do
    local ours, plugins = in_lua(params), cf.transform("min_max", params)
    lu.assertEquals(tostring(ours), tostring(plugins))
    lu.assertEquals(predictions(cf.pipeline { ours, "one_hot", "knn" }),
      predictions(cf.pipeline { plugins, "one_hot", "knn" }))
  end
end

function TestColumns:test_columns_of_a_transform_in_lua_keep_their_places()
  local seen
  local watch = cf.transform {
    name = "watch", fit = function(data) seen = data:features() end,
    apply = function(_, data) return data:features() end,
  }
  cf.pipeline { in_lua { columns = { "age", "lab_a" } }, watch, "one_hot", "knn" }:fit(patients())
  lu.assertEquals(seen, lab_names)
  local ratio = cf.transform {
    name = "ratio", columns = "lab_*", fit = function() end,
    apply = function(_, data)
      local a, b = data:column("lab_a"), data:column("lab_b")
      for i = 1, #a do a[i] = a[i] / (1 + b[i]) end
      return { { name = "ratio", values = a } }
    end,
  }
  cf.pipeline { ratio, watch, "one_hot", "knn" }:fit(patients())
  lu.assertEquals(seen, { "ratio", "sex", "age" })
end

function TestColumns:test_bad_columns_of_a_transform_in_lua_are_told()
  lu.assertStrContains(fixtures.message(in_lua, { columns = "a,,b" }), "columns = a,,b has an empty entry")
  lu.assertStrContains(fixtures.message(function()
    return cf.pipeline { in_lua { columns = "aeg" }, "one_hot", "knn" }:fit(patients())
  end), "'columns' names 'aeg', which is not a feature here; did you mean 'age'?")
end
