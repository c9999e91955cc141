-- The random experiments of sharing_random.lua with a store: cf.stored reads back what every evaluation
-- gave, bit for bit. stored_random.lua STORE COUNT; raises if anything differs.
local cf = require "crossfold"

local store, count = arg[1], arg[2]
local evaluate, n = cf.evaluate, 0
local methods = { "scores", "summary", "predictions", "failures", "warnings", "provenance", "pooled" }

local function text_of(value)
  if math.type(value) == "float" then return ("%a"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = tostring(key) .. "=" .. text_of(value[key]) end
  return "{" .. table.concat(parts, " ") .. "}"
end

local function require_same(found, live, what)
  if found ~= live then error(("evaluation %d: %s: %s is not %s"):format(n, what, found, live)) end
end

-- The rows of result:tuning as text, or the error.
local function tuning_of(result, learner, dataset)
  local _, rows = pcall(result.tuning, result, learner, { dataset = dataset })
  return (text_of(rows):gsub("^[^:]*:%d+: ", ""))
end

-- The rows of a method as text. A pooled score of a metric in Lua is not in a store.
local function rows_of(result, name, in_lua)
  local rows = result[name](result)
  for i = #rows, 1, -1 do
    if name == "pooled" and in_lua[rows[i].metric] then table.remove(rows, i) end
  end
  return text_of(rows)
end

local function compare(found, live)
  local in_lua = {}
  for _, row in ipairs(found:pooled()) do
    if row.undefined and row.undefined:find("is written in Lua", 1, true) then in_lua[row.metric] = true end
  end
  for _, name in ipairs(methods) do
    require_same(rows_of(found, name, in_lua), rows_of(live, name, in_lua), name)
  end
  require_same(tostring(found), tostring(live), "print")
  for _, learner in ipairs(live:provenance().learners) do
    for _, dataset in ipairs(live:provenance().datasets) do
      require_same(tuning_of(found, learner.name, dataset.name),
        tuning_of(live, learner.name, dataset.name), "tuning")
    end
  end
end

function cf.evaluate(given)
  local options = {}
  for name, value in pairs(given) do options[name] = value end
  options.store = store
  local live = evaluate(options)
  local found = cf.stored { store = store }
  assert(#found.damaged == 0, found.damaged[1])
  n = n + 1
  compare(found.results[#found.results], live)
  return live
end

local tell = print
print = function() end  -- luacheck: ignore
local folder = arg[0]:match("^(.*)/") .. "/.."
arg = { [0] = folder .. "/sharing_random.lua", count, "store" }  -- luacheck: ignore
os.remove(store)
dofile(arg[0])
assert(n > 0, "nothing was evaluated")
tell(("%d evaluations are read back as they were"):format(n))
