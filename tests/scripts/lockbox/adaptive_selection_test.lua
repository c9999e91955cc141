-- The experiment of Dwork, Feldman, Hardt, Pitassi, Reingold, Roth: The reusable holdout, Science 349, 2015: classes
-- are coin flips, features are noise, and features are kept if they agree with the class on the training rows and on
-- the holdout. The holdout, used again and again for that, reports a high accuracy; rows that nobody looked at do not.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestAdaptiveSelection = {}

local n_rows, n_features, n_chosen = 600, 2000, 60

local function noise()
  local values = {}
  for i = 1, n_rows do
    values[i] = math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
  end
  return values
end

local function made(seed)
  math.randomseed(seed)
  local columns, y = {}, {}
  for f = 1, n_features do columns[f] = { name = "x" .. f, values = noise() } end
  for r = 1, n_rows do y[r] = math.random(2) == 1 and "a" or "b" end
  columns[#columns + 1] = { name = "y", values = y }
  return cf.dataset { name = "noise", target = "y", columns = columns }
end

-- The covariance of a feature and the class on some rows.
local function agreement(x, y, from, to)
  local sum = 0
  for i = from, to do sum = sum + (y[i] == "a" and x[i] or -x[i]) end
  return sum / (to - from + 1)
end

-- The features that agree most on training rows and holdout together, with one sign.
local function chosen(data, n_train)
  local y, list = data:target(), {}
  for f = 1, n_features do
    local x = data:column("x" .. f)
    local on_train, on_holdout = agreement(x, y, 1, n_train), agreement(x, y, n_train + 1, #data)
    if on_train * on_holdout > 0 then
      list[#list + 1] = { name = "x" .. f, agreement = math.abs(on_holdout) }
    end
  end
  table.sort(list, function(a, b) return a.agreement > b.agreement end)
  local names = {}
  for i = 1, n_chosen do names[i] = list[i].name end
  return names
end

-- The first rows of data with these features alone.
local function part(data, names, n)
  local columns = {}
  for i, name in ipairs(names) do columns[i] = { name = name, values = table.move(data:column(name), 1, n, 1, {}) } end
  columns[#columns + 1] = { name = "y", values = table.move(data:target(), 1, n, 1, {}) }
  return cf.dataset { name = "chosen", target = "y", columns = columns }
end

function TestAdaptiveSelection:test_naive_reuse_of_a_holdout_overfits_and_the_lockbox_does_not()
  fixtures.skip_if_sanitized()
  local file = fixtures.new_store()
  local rest, box = cf.lockbox(made(1), { file = file, share = 1 / 3, seed = 1 })
  local n_train = #rest // 2
  local model = cf.learner("naive_bayes"):fit(part(rest, chosen(rest, n_train), n_train))
  local holdout = {}
  for i = n_train + 1, #rest do holdout[#holdout + 1] = i end
  local naive = cf.score { prediction = model:predict(rest:select(holdout)), metrics = "accuracy" }.accuracy
  local answer = box:open(model, { reason = "the model that the holdout chose" })
  os.remove(file)
  -- 200 coin flips are right more often than 65 % once in 100,000 times.
  lu.assertTrue(naive > 0.65, ("the holdout says %.3f"):format(naive))
  lu.assertTrue(answer.low < 0.5 and 0.5 < answer.high,
    ("the lockbox says %.3f to %.3f"):format(answer.low, answer.high))
end
