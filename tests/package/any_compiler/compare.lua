-- compare.lua IRIS ID...: the learners with these ids, each built by another compiler, predict the
-- same bytes, and fail alike. Prints "N learners predict the same".
local cf = require "crossfold"

local ids = table.move(arg, 2, #arg, 1, {})
local data = cf.read(arg[1], { target = "class" })

-- All probabilities of a model fitted under some settings, every bit of them.
local function fingerprint(id, settings)
  local model = cf.learner(id, settings):fit(data, { seed = 7 })
  local numbers = {}
  for _, row in ipairs(model:predict(data):probabilities()) do
    for _, p in ipairs(row) do numbers[#numbers + 1] = ("%a"):format(p) end
  end
  assert(#numbers == 3 * 150)
  return table.concat(numbers, " ")
end

local function failure(id)
  local ok, message = pcall(function() cf.learner(id, { fail = true }):fit(data) end)
  assert(not ok, id .. " does not fail")
  assert(tostring(message):find("failed, as asked", 1, true), id .. " says: " .. tostring(message))
end

for _, settings in ipairs { {}, { shrink = 0.5, distance = "manhattan" }, { jitter = 1 } } do
  local expected = fingerprint(ids[1], settings)
  for _, id in ipairs(ids) do
    failure(id)
    assert(fingerprint(id, settings) == expected, id .. " predicts other bytes than " .. ids[1])
  end
end
-- Random shifts are there, so seeds and the host's numbers were used.
assert(fingerprint(ids[1], { jitter = 1 }) ~= fingerprint(ids[1], { jitter = 0 }))
print(#ids .. " learners predict the same: " .. table.concat(ids, " "))
