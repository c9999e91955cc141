-- Limits of learners, transforms and metrics in Lua; stages of what fails in them; what a store says of them.
local lu = require "luaunit"
local cf = require "crossfold"
local native = require "crossfold.native"
local fixtures = require "fixtures"

TestTimeLimit = {}

local function endless() while true do end end
-- Catches the error that is to end it.
local function stubborn() while true do pcall(endless) end end
-- In a coroutine of its own.
local function in_coroutine() coroutine.wrap(endless)() end

local function labels(_, data) return fixtures.repeated("low", #data) end
local function same() return { "x" } end

local function lua_learner(name, fit, predict)
  return cf.learner { name = name, fit = fit or function() return {} end, predict = predict or labels }
end

local function lua_transform(name, fit, apply)
  return cf.transform { name = name, fit = fit or function() return {} end, apply = apply or same }
end

local function evaluate(learners, changes)
  return cf.evaluate(fixtures.with({ data = fixtures.separable(), learners = learners, metrics = "accuracy",
    splitter = cf.splitter("kfold", { folds = 2 }), limits = { seconds = 0.1 } }, changes))
end

local reason = "it was stopped after 0.1 s, the time limit of a cell"

function TestTimeLimit:test_functions_in_lua_that_hang_are_failures()
  local stages = {
    fit = { "fit fit", lua_learner("fit", endless) },
    caught = { "fit caught", lua_learner("caught", stubborn) },
    coroutine = { "fit coroutine", lua_learner("coroutine", in_coroutine) },
    predict = { "predict predict", lua_learner("predict", nil, endless) },
    table = { "fit table", { fit = endless } },
    search = { "fit search", { resolve = endless } },
    transform = { "fit transform", cf.pipeline { lua_transform("t", endless), "knn" } },
    apply = { "fit apply", cf.pipeline { lua_transform("t", nil, endless), "knn" } },
    inside = { "fit inside", cf.bagging { learner = lua_learner("l", endless), n = 2 } },
    stacked = { "fit stacked", cf.stacking { learners = { "knn", lua_learner("l", nil, endless) }, combiner = "knn",
      probabilities = false, splitter = cf.splitter("kfold", { folds = 2 }) } },
  }
  local learners = { good = lua_learner("good"), native = "knn" }
  for name, of in pairs(stages) do learners[name] = of[2] end
  local result = evaluate(learners)
  lu.assertEquals(#result:failures(), 2 * 10)
  for _, row in ipairs(result:failures()) do
    lu.assertEquals({ row.stage, row.message, row.cause }, { stages[row.learner][1], reason, "time" })
  end
end

function TestTimeLimit:test_a_metric_in_lua_that_hangs_is_a_failure()
  local metric = cf.metric { name = "slow", direction = "higher", score = endless }
  for _, learner in ipairs { "knn", lua_learner("good") } do
    local rows = evaluate({ a = learner }, { metrics = { metric } }):failures()
    lu.assertEquals({ #rows, rows[1].stage, rows[1].message, rows[1].cause }, { 2, "score slow", reason, "time" })
  end
end

function TestTimeLimit:test_a_candidate_that_hangs_is_out_of_the_search()
  local picky = cf.learner { name = "picky", params = { n = { type = "integer", default = 1 } }, predict = labels,
    fit = function(_, context) if context.params.n == 2 then endless() end end }
  local search = cf.grid_search { learner = picky, grid = { n = { 1, 2 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 2 }) }
  local result = evaluate { tuned = search }
  lu.assertEquals(result:failures(), {})
  lu.assertStrContains(result:tuning("tuned")[1].inner[2].failure, "fit picky{n=2}: " .. reason)
end

-- What a function has left does not pass while it waits for others.
function TestTimeLimit:test_one_limit_counts_at_a_time()
  local function left()
    local seconds = native.exchange_limit()
    native.exchange_limit(seconds)
    return seconds
  end
  lu.assertEquals(left(), math.huge)
  lu.assertEquals({ native.limited(50, function(...)
    local first = left()
    lu.assertTrue(first > 0 and first <= 50)
    local ok, inner = native.limited(7, left)
    lu.assertTrue(ok and inner <= 7)
    lu.assertTrue(left() <= first and left() > 7)
    return ...
  end, 1, nil, 3) }, { true, 1, nil, 3 })
  lu.assertEquals({ native.limited(50, error, "my own", 0) }, { false, "my own" })
  local thread = coroutine.wrap(function() return native.limited(50, function() return coroutine.yield(1), 2 end) end)
  lu.assertEquals(thread(), 1)
  native.exchange_limit()
  lu.assertEquals({ thread "back" }, { true, "back", 2 })
  lu.assertEquals(left(), math.huge)
end

function TestTimeLimit:test_the_stage_says_whether_the_fit_or_the_prediction_failed()
  local function broken() error("no luck", 0) end
  local rows = evaluate({ a = lua_learner("l", broken), b = lua_learner("l", nil, broken),
    c = lua_learner("l", nil, function() return { "low" } end) }, { limits = {} }):failures()
  local stages = {}
  for _, row in ipairs(rows) do stages[row.learner] = { row.stage, row.cause } end
  lu.assertEquals(stages, { a = { "fit a", "script" }, b = { "predict b", "script" }, c = { "predict c", "script" } })
end

function TestTimeLimit:test_what_every_run_computes_again_is_said()
  local store <close> = setmetatable({ path = fixtures.new_store() },
    { __close = function(of) fixtures.remove_store(of.path) end })
  local learners = { mine = lua_learner("l"), vote = cf.voting { learners = { "knn" } }, knn = "knn",
    tuned = cf.grid_search { learner = "knn", grid = { k = { 1, 3 } }, metric = "accuracy",
      splitter = cf.splitter("kfold", { folds = 2 }) } }
  local note = "the store keeps the predictions of 'mine', 'vote', but every run computes them again: they are put "
    .. "together in Lua"
  lu.assertEquals(evaluate(learners, { store = store.path }):notes(), { note })
  lu.assertEquals(cf.stored { store = store.path }.results[1]:notes(), { note })
  lu.assertEquals(evaluate(learners):notes(), {})
  local status = cf.store_status(store.path)
  local kinds = {}
  for _, row in ipairs(status.learners) do
    if row.in_lua then kinds[row.learner] = { row.wanted, row.done, row.predictions } end
  end
  lu.assertEquals(kinds, { mine = { 2, 2, 2 }, vote = { 2, 2, 2 } })
  lu.assertStrMatches(tostring(status), ".*\nseparable +vote +in Lua +2 .*")
end
