-- Gain and gain ratio on six rows: age, different in every row, has the largest gain, but the gain
-- ratio prefers city. Each line comes from a tree of depth 1 that has only this feature.
local cf = require "crossfold"

local class = { "+", "+", "+", "+", "-", "-" }
local features = {
  { name = "city", values = { "a", "a", "a", "b", "b", "b" } },
  -- 2 rows (both +), 3 rows (2 of them +), 1 row (-)
  { name = "car", values = { "family", "family", "luxury", "luxury", "sports", "luxury" } },
  { name = "age", values = { "20", "25", "31", "38", "44", "59" }, type = "categorical" },
}
local function data(columns)
  local all = { table.unpack(columns) }
  all[#all + 1] = { name = "class", values = class }
  return cf.dataset { name = "city/car/age", columns = all, target = "class" }
end

local by_gain = cf.learner("decision_tree", { criterion = "entropy", max_depth = 1 })
local c45 = cf.learner("decision_tree", { criterion = "gain_ratio", max_depth = 1 })
local by_ratio = c45:with { average_gain = false }

print(("%-8s%-16s%s"):format("feature", "gain", "gain ratio"))
for _, feature in ipairs(features) do
  local text = by_ratio:fit(data { feature }):export("text")
  print(("%-8s%-16s%s"):format(feature.name, text:match("gain ([%d.]+), ratio ([%d.]+)")))
end

print("\nby gain")
io.write(by_gain:fit(data(features)):export("text"))
print("\nby gain ratio")
io.write(by_ratio:fit(data(features)):export("text"))
print("\nby gain ratio among the features of at least average gain (C4.5)")
io.write(c45:fit(data(features)):export("text"))
