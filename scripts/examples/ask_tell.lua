-- Ask and tell: the host evaluates the candidates of a search itself. Here the host is a simulation; it may as well be
-- a cluster, or another program.
--###begin ask
local cf = require "crossfold"

local search = cf.model_search {
  learner = "mlp", splitter = cf.splitter("kfold", { folds = 5 }), metric = "log_loss",
  space = { learning_rate = { low = 1e-4, high = 1 }, units = { low = 1, high = 256 }, solver = { "adam", "sgd" } },
  candidates = 32, initial = 8, seed = 1,
}

-- What the host measures: a log loss, or nil and why there is none.
local function measure(params)
  if params.learning_rate > 0.05 and params.solver == "sgd" then return nil, "the loss is not finite" end
  local rate, size = math.log(params.learning_rate, 10) + 2.5, math.log(params.units, 2) - 5
  return 0.2 + 0.1 * rate ^ 2 + 0.01 * size ^ 2 + (params.solver == "sgd" and 0.1 or 0)
end

local session = search:session()
for _ = 1, 4 do
  for _, candidate in ipairs(session:ask(4)) do           -- { id =, params =, learner =, name = }
    session:tell(candidate.id, measure(candidate.params))
  end
end
print(session)

-- Plain tables, which a host can write anywhere; another session goes on from them.
local state = session:state()
local later = search:session { state = state }
while true do
  local batch = later:ask(4)
  if #batch == 0 then break end                           -- all 32 candidates are asked for
  for _, candidate in ipairs(batch) do later:tell(candidate.id, measure(candidate.params)) end
end
print(later)
local best = later:best()
print(("best: %s, %s"):format(best.name, cf.format_number(best.score, 4)))
--###end ask
