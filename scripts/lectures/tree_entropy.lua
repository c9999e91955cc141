-- How mixed are the classes of a node? Entropy, Gini index and classification error of some nodes. A
-- feature that separates the classes leaves nothing of the impurity, so the gain of a tree that splits
-- on it is the impurity of the node.
local cf = require "crossfold"

-- A node with these numbers of rows of each class; `a` names the class.
local function node(counts)
  local class = {}
  for c, n in ipairs(counts) do
    for _ = 1, n do class[#class + 1] = "class " .. c end
  end
  return cf.dataset {
    name = "node", target = "class",
    columns = {
      { name = "a", values = class, levels = { "class 1", "class 2" } },
      { name = "class", values = class, levels = { "class 1", "class 2" } },
    },
  }
end

-- A pure node is not split: nothing can be gained.
local function impurity(criterion, data)
  local text = cf.learner("decision_tree", { criterion = criterion }):fit(data):export("text")
  return tonumber(text:match("gain ([%d.e-]+)")) or 0
end

-- The share of the rows that the most frequent class gets wrong.
local function classification_error(data)
  local guess = cf.learner("featureless"):fit(data):predict(data)
  local wrong = 0
  for i, label in ipairs(guess:labels()) do
    if label ~= data:target()[i] then wrong = wrong + 1 end
  end
  return wrong / #data
end

print("counts  entropy       gini          error")
for _, counts in ipairs { { 0, 6 }, { 1, 5 }, { 2, 4 }, { 3, 3 }, { 3, 7 } } do
  local data = node(counts)
  print(("(%d,%d)   %.10f  %.10f  %.10f"):format(counts[1], counts[2],
    impurity("entropy", data), impurity("gini", data), classification_error(data)))
end
