-- What a result says of its splits: classes too rare to stratify, past and future that are mixed.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

-- Classes a, b and c with so many rows; `time` counts the rows.
local function zoo(name, sizes)
  local x, class, time = {}, {}, {}
  for c, size in ipairs(sizes) do
    for _ = 1, size do
      x[#x + 1], class[#class + 1], time[#time + 1] = #x % 7 + c, ("abc"):sub(c, c), #time
    end
  end
  return { name = name, target = "class", columns = { { name = "x", values = x },
    { name = "class", values = class }, { name = "time", values = time } } }
end

local function rows(name, sizes) return cf.dataset(zoo(name, sizes)) end

local function in_time(name)
  local given = zoo(name, { 20, 20 })
  given.time = "time"
  return cf.dataset(given)
end

local function evaluate(splitter, more)
  return cf.evaluate(fixtures.with({ learners = "naive_bayes", splitter = splitter, metrics = "accuracy" }, more))
end

local spread = cf.splitter("kfold", { folds = 5, stratify = "as far as possible" })
local rare = "stratified as far as possible: class 'c' has 2 rows, fewer than the 5 folds, and is spread over 2 of them"
local mixed = "the splits mix past and future: rows that are later than test rows train for them; time_series "
  .. "trains on the past only, and purged and blocked test blocks of time, with a gap around them"

TestSplitNotes = {}

function TestSplitNotes:test_a_rare_class_is_spread_and_noted_under_the_result()
  local result = evaluate(spread, { data = rows("zoo", { 20, 20, 2 }) })
  lu.assertEquals(result:failures(), {})
  lu.assertEquals(result:notes(), { rare })
  lu.assertEquals(tostring(result):sub(-#rare - 3), "\n(" .. rare .. ")")
  lu.assertStrContains(result:report {}, "class &#39;c&#39; has 2 rows")
end

function TestSplitNotes:test_a_note_names_its_dataset_where_there_are_several()
  local result = evaluate(spread, { datasets = { rows("plenty", { 20, 20, 20 }), rows("zoo", { 20, 20, 2 }) } })
  lu.assertEquals(result:notes(), { "zoo: " .. rare })
end

function TestSplitNotes:test_curves_note_that_past_and_future_are_mixed()
  local learning = cf.learning_curve { data = in_time("later"), learners = "naive_bayes", metrics = "accuracy",
    from = 8, points = 3, trials = 3, seed = 1 }
  lu.assertEquals(learning:notes(), { mixed })
  lu.assertStrContains(tostring(learning), "\n(" .. mixed .. ")")
  lu.assertStrContains(learning:report {}, "the splits mix past and future")
  local validation = cf.validation_curve { data = in_time("later"), learner = "knn", parameter = "k", values = { 1, 3 },
    splitter = cf.splitter("kfold", { folds = 4 }), metric = "accuracy", seed = 1 }
  lu.assertEquals(validation:notes(), { mixed })
  lu.assertStrContains(tostring(validation), "\n(" .. mixed .. ")")
  lu.assertStrContains(validation:report {}, "the splits mix past and future")
end

function TestSplitNotes:test_true_and_false_are_still_booleans()
  for _, value in ipairs { true, false } do
    local kfold = cf.splitter("kfold", { folds = 5, stratify = value })
    lu.assertIs(kfold:params().stratify, value)
    lu.assertEquals(tostring(kfold), ("kfold{folds=5,stratify=%s}"):format(value))
  end
  lu.assertIs(cf.splitter("kfold"):params().stratify, false)
  lu.assertEquals(spread:params().stratify, "as far as possible")
end

function TestSplitNotes:test_the_way_out_of_a_rare_class_names_it()
  lu.assertEquals(fixtures.message(evaluate, cf.splitter("kfold", { folds = 5, stratify = true }),
    { data = rows("zoo", { 20, 20, 2 }) }),
    "cannot split dataset 'zoo' (42 rows) with 'kfold{folds=5,stratify=true}': class 'c' has 2 rows, fewer than the "
    .. "5 folds; use at most 2 folds, stratify = \"as far as possible\", or stratify = false")
end

function TestSplitNotes:test_splits_that_mix_past_and_future_are_noted()
  for _, splitter in ipairs { cf.splitter("kfold", { folds = 4 }), cf.splitter("holdout"),
    cf.splitter("bootstrap", { repeats = 2 }), cf.splitter("leave_one_out") } do
    local result = evaluate(splitter, { data = in_time("prices") })
    lu.assertEquals(result:notes(), { mixed })
    lu.assertStrContains(tostring(result), "\n(" .. mixed .. ")")
  end
end

function TestSplitNotes:test_splits_that_go_by_time_have_no_note()
  for _, splitter in ipairs { cf.splitter("time_series", { folds = 3 }), cf.splitter("blocked", { folds = 4 }),
    cf.splitter("purged", { folds = 4 }),
    cf.splitter("kfold", { folds = 4, shuffle = false, order = "blocks" }) } do
    lu.assertEquals(evaluate(splitter, { data = in_time("prices") }):notes(), {})
  end
end

function TestSplitNotes:test_without_a_time_column_there_is_no_note()
  lu.assertEquals(evaluate("kfold", { data = rows("zoo", { 20, 20 }) }):notes(), {})
end

function TestSplitNotes:test_a_store_has_the_notes()
  local store = fixtures.new_store()
  local live = evaluate(spread, { data = rows("zoo", { 20, 20, 2 }), store = store })
  local found = cf.stored { store = store }.results[1]
  fixtures.remove_store(store)
  lu.assertEquals(found:notes(), { rare })
  lu.assertEquals(tostring(found), tostring(live))
end
