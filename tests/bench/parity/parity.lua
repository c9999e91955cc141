-- Compares out-of-fold predictions with those of scikit-learn and Weka on the same folds (row i in
-- fold i mod 10), and prints a table in Markdown.
--
-- usage: crossfold run parity.lua DATA_FOLDER REFERENCE_FOLDER
-- The references are what reference.py and reference_j48.py wrote. Ends with an error if labels
-- differ where no tie is involved, if a probability differs by more than 1e-9, or if a tree's mean
-- accuracy is further from its reference than the tolerance beside it.
local cf = require "crossfold"

local data_folder, reference_folder = arg[1], arg[2]
local largest_difference = 1e-9
local folds = cf.splitter("kfold", { folds = 10, shuffle = false })

local datasets = { "iris", "wine", "breast_cancer", "digits" }

-- The settings of reference.py.
local learners = {
  { "naive_bayes", cf.learner("naive_bayes", { var_smoothing = 1e-9, min_sd = 0 }) },
  { "knn", cf.learner("knn", { k = 5 }) },
  { "ridge", cf.learner("ridge", { l2 = 1 }) },
  { "lda", cf.learner("lda") },
  { "logistic", cf.pipeline { "standardize", cf.learner("logistic_regression", { l2 = 1, tolerance = 1e-12 }) } },
}

-- Accuracies are means over the folds, and over as many seeds as the reference has.
local trees = {
  { name = "CART (scikit-learn, gini, unpruned, mean of 10 seeds)", file = "cart", tolerance = 0.01,
    seeds = 10, learner = cf.learner("decision_tree", { criterion = "gini", ties = "random" }) },
  { name = "C4.5 (Weka J48, -C 0.25 -M 2)", file = "j48", tolerance = 0.015, seeds = 1,
    learner = cf.learner("decision_tree", {
      criterion = "gain_ratio", mdl_correction = true, threshold = "observed", min_rows = 4,
      min_leaf = 2, pruning = "error_based", subtree_raising = true,
    }) },
}

-- Rows of a CSV file without quotes, as tables by column name; and the names.
local function read_table(name)
  local rows, names = {}, nil
  for line in io.lines(reference_folder .. "/" .. name .. ".csv") do
    local cells = {}
    for cell in (line .. ","):gmatch("([^,]*),") do cells[#cells + 1] = cell end
    if not names then
      names = cells
    else
      local row = {}
      for i, cell in ipairs(cells) do row[names[i]] = cell end
      rows[#rows + 1] = row
    end
  end
  return rows, names
end

local function read_data(name)
  return cf.read(("%s/%s.csv"):format(data_folder, name),
    { target = "class", types = { class = "categorical" } })
end

local function evaluate(data, learner, seed)
  return cf.evaluate {
    data = data, learners = { learner = learner }, splitter = folds, metrics = { "accuracy" },
    keep = "probabilities", seed = seed or 1, on_error = "stop",
  }
end

-- How many rows were compared, how many labels differ, how many rows are ties, and the largest
-- difference of a probability (nil if the reference has none).
local function compare(data, learner, reference, names)
  local found = {}
  for _, row in ipairs(evaluate(data, learner):predictions()) do found[row.row] = row end
  local labels, ties, largest = 0, 0, nil
  for _, expected in ipairs(reference) do
    local row = found[math.tointeger(expected.row) + 1]
    if expected.tie == "1" then
      ties = ties + 1
    else
      if row.predicted ~= expected.label then labels = labels + 1 end
      for i = 4, #names do
        local difference = math.abs(row.probabilities[i - 3] - tonumber(expected[names[i]]))
        largest = math.max(largest or 0, difference)
      end
    end
  end
  return labels, ties, largest
end

local failures = {}
local function require_that(holds, text)
  if not holds then failures[#failures + 1] = text end
end

print("| dataset | learner | rows | ties left out | labels that differ | largest difference of a probability |")
print("|---|---|---|---|---|---|")
for _, dataset in ipairs(datasets) do
  local data = read_data(dataset)
  for _, entry in ipairs(learners) do
    local reference, names = read_table(dataset .. "." .. entry[1])
    local labels, ties, largest = compare(data, entry[2], reference, names)
    local shown = tostring(entry[2]):gsub("|", "\\|")  -- Markdown separates cells with it
    print(("| %s | %s | %d | %d | %d | %s |"):format(dataset, shown, #reference, ties, labels,
      largest and ("%.1e"):format(largest) or "no probabilities"))
    require_that(labels == 0 and (largest or 0) <= largest_difference, dataset .. " " .. entry[1])
  end
end

print()
print("| dataset | reference | its accuracy | decision_tree | difference | allowed |")
print("|---|---|---|---|---|---|")
for _, tree in ipairs(trees) do
  for _, row in ipairs(read_table(tree.file)) do
    local data, mean = read_data(row.dataset), 0
    for seed = 1, tree.seeds do
      mean = mean + evaluate(data, tree.learner, seed):summary()[1].mean / tree.seeds
    end
    local expected = tonumber(row.accuracy)
    local difference = mean - expected
    print(("| %s | %s | %.4f | %.4f | %+.4f | %.3f |"):format(row.dataset, tree.name, expected,
      mean, difference, tree.tolerance))
    require_that(math.abs(difference) <= tree.tolerance, row.dataset .. " " .. tree.file)
  end
end

if #failures > 0 then error("no agreement: " .. table.concat(failures, ", "), 0) end
