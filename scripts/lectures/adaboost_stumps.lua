-- AdaBoost with decision stumps: alpha = ln((1 - e) / e) / 2. First the ten points of Li Hang,
-- "Statistical Learning Methods", example 8.1, step by step in Lua and with the learner, then the
-- three special cases: e = 0 stays alone, e = 1/2 stops, e > 1/2 flips the sign. (The book rounds the
-- third error to 0.1820 and so has alpha = 0.7514; from 2/11 it is 0.7520.)
local cf = require "crossfold"

local x = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }
local y = { "+1", "+1", "+1", "-1", "-1", "-1", "+1", "+1", "+1", "-1" }

local function points(weights)
  return cf.dataset { name = "ten points", target = "y", weights = weights and "w", columns = {
    { name = "x", values = x }, { name = "y", values = y },
    weights and { name = "w", values = weights } } }
end

-- One round alone is a stump that is grown on weighted rows.
local stump = cf.learner("adaboost", { rounds = 1, algorithm = "m1" })

local function boost_by_hand(rounds)
  local weights, score = {}, {}
  for i = 1, #x do weights[i], score[i] = 1 / #x, 0 end
  for t = 1, rounds do
    local data = points(weights)
    local labels = stump:fit(data):predict(data):labels()
    local e = 0
    for i = 1, #x do if labels[i] ~= y[i] then e = e + weights[i] end end
    local alpha = math.log((1 - e) / e) / 2
    local sum, right = 0, 0
    for i = 1, #x do
      weights[i] = weights[i] * math.exp(labels[i] == y[i] and -alpha or alpha)
      sum = sum + weights[i]
      score[i] = score[i] + alpha * tonumber(labels[i])
      if score[i] * tonumber(y[i]) > 0 then right = right + 1 end
    end
    for i = 1, #x do weights[i] = weights[i] / sum end
    print(("round %d: e = %.4f, alpha = %.4f, weights %.4f %.4f %.4f %.4f, %d of %d right")
      :format(t, e, alpha, weights[1], weights[4], weights[7], weights[10], right, #x))
  end
end

print("Ten points, by hand (weights of x = 0, 3, 6 and 9)")
boost_by_hand(3)

-- The model as text, with the numbers rounded for reading.
local function show(title, params, data)
  local model = cf.learner("adaboost", params):fit(data)
  local text = model:export("text"):gsub("%-?%d+%.%d%d%d%d%d+", function(number)
    return ("%.4f"):format(tonumber(number))
  end)
  io.write("\n", title, "\n", text)
  print("predicted: " .. table.concat(model:predict(data):labels(), " "))
end

show("The same with the learner", { rounds = 3, algorithm = "m1" }, points())

-- The tree of round 1 leaves row 4 wrong; with that row at half of the weight, round 2 is perfect, and
-- round 1 has no say any more.
show("e = 0: that hypothesis stays alone", { rounds = 20, max_depth = 2, algorithm = "m1" },
  cf.dataset { name = "perfect", target = "y", columns = {
    { name = "a", values = { 0, 2, 2, 1, 2, 2 } }, { name = "b", values = { 2, 2, 1, 1, 1, 0 } },
    { name = "y", values = { "n", "p", "n", "p", "n", "n" } } } })

-- Exclusive or: no stump is better than chance, so only the shares of the classes remain.
show("e = 1/2: stop", { rounds = 20, algorithm = "m1" },
  cf.dataset { name = "xor", target = "y", columns = {
    { name = "a", values = { 0, 0, 1, 1 } }, { name = "b", values = { 0, 1, 0, 1 } },
    { name = "y", values = { "n", "p", "p", "n" } } } })

-- More than half wrong: rows without x go down both branches. 10 p and 9 n at x = 0, 20 p at x = 1,
-- 20 n without x: 30 of 59 are wrong. The votes of the stump count for the other class.
local columns = { x = {}, y = {} }
for _, group in ipairs { { 10, 0, "p" }, { 9, 0, "n" }, { 20, 1, "p" }, { 20, cf.null, "n" } } do
  for _ = 1, group[1] do
    table.insert(columns.x, group[2])
    table.insert(columns.y, group[3])
  end
end
local flipped = cf.dataset { name = "flipped", target = "y", columns = {
  { name = "x", values = columns.x }, { name = "y", values = columns.y } } }
local model = cf.learner("adaboost", { rounds = 1, algorithm = "m1" }):fit(flipped)
local right = 0
for i, label in ipairs(model:predict(flipped):labels()) do
  if label == columns.y[i] then right = right + 1 end
end
local error_, alpha = model:export("text"):match("error (%S+), alpha (%S+)")
print(("\ne > 1/2: flipped\nround 1: error %.4f, alpha %.4f; the other class is right for %d of %d rows")
  :format(tonumber(error_), tonumber(alpha), right, #flipped))
