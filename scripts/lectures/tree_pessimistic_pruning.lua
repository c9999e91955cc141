-- Pessimistic pruning: every leaf counts half an error more. A node with 10 errors of 30 rows is
-- split into four leaves with 9 errors; (10 + 0.5)/30 = 0.35 is less than (9 + 4 x 0.5)/30.
local cf = require "crossfold"

local counts = { { 8, 4 }, { 3, 4 }, { 4, 1 }, { 5, 1 } }  -- yes and no in each of the four leaves
local values, class = {}, {}
for branch, count in ipairs(counts) do
  for c, n in ipairs(count) do
    for _ = 1, n do
      values[#values + 1] = "a" .. branch
      class[#class + 1] = c == 1 and "yes" or "no"
    end
  end
end
local data = cf.dataset {
  name = "pruning", target = "class",
  columns = { { name = "a", values = values }, { name = "class", values = class } },
}

-- Leaves and training errors of a tree, from its rules.
local function describe(model)
  local leaves, errors = 0, 0
  for line in model:export("rules"):gmatch("[^\n]+") do
    leaves = leaves + 1
    errors = errors + (tonumber(line:match("/([%d.]+)%)$")) or 0)
  end
  return leaves, errors
end

local tree = cf.learner("decision_tree", { criterion = "entropy" })
local function show(title, model, penalty)
  local leaves, errors = describe(model)
  print(("%s: leaves %d, errors %g, estimate (%g + %d x %g)/30 = %.4f"):format(
    title, leaves, errors, errors, leaves, penalty, (errors + leaves * penalty) / 30))
  io.write(model:export("text"))
end

show("unpruned", tree:fit(data), 0.5)
show("\nleaf alone", tree:with { max_depth = 0 }:fit(data), 0.5)
show("\npruned with half an error a leaf", tree:with { pruning = "pessimistic" }:fit(data), 0.5)
show("\npruned with 0.3 errors a leaf",
  tree:with { pruning = "pessimistic", leaf_penalty = 0.3 }:fit(data), 0.3)
