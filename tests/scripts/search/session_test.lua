local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestSession = {}

local fivefold = cf.splitter("kfold", { folds = 5 })

local function model(changes)
  return cf.model_search(fixtures.with({ learner = "knn",
    space = { k = { low = 1, high = 400, scale = "log" }, weights = { "uniform", "distance" } }, candidates = 40,
    initial = 8, splitter = fivefold, metric = "error_rate", seed = 3 }, changes))
end

-- Best at k = 40 with weights by distance.
local function loss(params)
  return math.log(params.k / 40) ^ 2 + (params.weights == "distance" and 0 or 0.5)
end

local function names(list)
  return fixtures.column(list, "name")
end

-- Asks for batches until there are none; all candidates.
local function finish(session, n, f)
  local all = {}
  while true do
    local batch = session:ask(n)
    if #batch == 0 then return all end
    for _, candidate in ipairs(batch) do
      session:tell(candidate.id, f(candidate.params))
      all[#all + 1] = candidate
    end
  end
end

function TestSession:test_a_grid_is_asked_in_its_order_and_ends()
  local grid = cf.grid_search { learner = "knn", grid = { k = { 1, 3, 5 } }, splitter = fivefold, metric = "accuracy" }
  local session = grid:session()
  local all = finish(session, 2, function(params) return params.k == 3 and 0.9 or 0.8 end)
  lu.assertEquals(names(all), { "knn{k=1}", "knn{k=3}", "knn{k=5}" })
  local best = session:best()
  lu.assertEquals({ best.id, best.params, best.score, tostring(best.learner) }, { 2, { k = 3 }, 0.9, "knn{k=3}" })
  lu.assertEquals(tostring(session), "session of grid_search{knn, 3 candidates}: 3 asked, 3 with a score, 0 failed")
end

function TestSession:test_a_random_search_asks_for_its_draws()
  local random = cf.random_search { learner = "knn", space = { k = { low = 1, high = 400 } }, candidates = 7,
    splitter = fivefold, metric = "accuracy", seed = 5 }
  local wanted = fixtures.column(random.candidates, "name")
  lu.assertEquals(names(random:session():ask(100)), wanted)
end

function TestSession:test_a_model_search_learns_from_what_is_reported()
  for _, surrogate in ipairs { "tpe", "random_forest" } do
    local session = model { surrogate = surrogate }:session()
    local all = finish(session, 4, loss)
    lu.assertEquals(#all, 40)
    local first, last = 0, 0
    for i = 1, 8 do first = first + loss(all[i].params) end
    for i = 33, 40 do last = last + loss(all[i].params) end
    lu.assertTrue(last < first, ("%s: %g, %g"):format(surrogate, first, last))
    lu.assertTrue(session:best().score < 0.05)
    lu.assertEquals(session:best().params.weights, "distance")
  end
end

function TestSession:test_a_metric_that_is_better_if_higher_is_maximised()
  local session = model { metric = "accuracy" }:session()
  finish(session, 4, function(params) return -loss(params) end)
  lu.assertTrue(session:best().score > -0.05)
end

function TestSession:test_the_order_of_reports_does_not_matter()
  local value = model()
  local one, two = value:session(), value:session()
  local a, b = one:ask(8), two:ask(8)
  for i = 1, 8 do one:tell(a[i].id, loss(a[i].params)) end
  for i = 8, 1, -1 do two:tell(b[i].id, loss(b[i].params)) end
  lu.assertEquals(names(one:ask(4)), names(two:ask(4)))
end

function TestSession:test_candidates_without_a_report_yet_are_avoided()
  local session = model():session()
  finish(model { candidates = 20 }:session(), 4, loss)
  for _, candidate in ipairs(session:ask(8)) do session:tell(candidate.id, loss(candidate.params)) end
  local seen = {}
  for _, candidate in ipairs(session:ask(20)) do
    lu.assertNil(seen[candidate.name])
    seen[candidate.name] = true
  end
end

function TestSession:test_a_session_goes_on_from_the_state_of_another()
  local value = model()
  local whole, part = value:session(), value:session()
  for round = 1, 3 do
    for _, session in ipairs { whole, part } do
      for _, candidate in ipairs(session:ask(6)) do
        if candidate.id % 5 == 0 then
          session:tell(candidate.id, nil, "the machine stopped")
        elseif not (round == 3 and candidate.id == 18) then
          session:tell(candidate.id, loss(candidate.params))
        end
      end
    end
  end
  local state = part:state()
  lu.assertEquals({ state[5].score, state[5].reason, state[18].score }, { nil, "the machine stopped", nil })
  local again = value:session { state = state }
  lu.assertEquals(tostring(again), "session of model_search{knn, 40 candidates}: 18 asked, 14 with a score, 3 failed")
  lu.assertEquals(again:state(), state)
  lu.assertEquals(names(again:ask(4)), names(whole:ask(4)))
  lu.assertEquals(again:best().name, whole:best().name)
end

function TestSession:test_what_failed_is_never_the_best()
  local session = model():session()
  lu.assertNil(session:best())
  local list = session:ask(2)
  session:tell(list[1].id, nil, "no memory")
  lu.assertNil(session:best())
  session:tell(list[2].id, 1e300)
  lu.assertEquals(session:best().id, 2)
end

function TestSession:test_bad_reports_are_refused()
  local session = model():session()
  session:ask(2)
  local function refused(text, ...)
    lu.assertEquals(fixtures.message(session.tell, session, ...), "session:tell: " .. text)
  end
  refused("there is no candidate 3; ids of ask are 1 to 2", 3, 0.5)
  refused("candidate 1 has no score and no reason; give the reason after nil", 1)
  refused("the score of candidate 1 is nan, not a finite number; report nil and a reason", 1, 0 / 0)
  refused("the score of candidate 1 is inf, not a finite number; report nil and a reason", 1, math.huge)
  refused("the score of candidate 1 is a string, not a finite number; report nil and a reason", 1, "0.5")
  session:tell(1, 0.5)
  refused("candidate 1 has been reported already", 1, 0.5)
  lu.assertEquals(fixtures.message(session.ask, session, 0),
    "session:ask: expected a number of candidates, 1 or more")
  local other = session:state()
  other[1].name = "knn{k=1}"
  lu.assertStrContains(fixtures.message(function() model():session { state = other } end),
    "session: option 'state': candidate 1 is 'knn{k=1}', which this search does not try there; give the state of a "
    .. "session of an equal search")
end
