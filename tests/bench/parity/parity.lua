-- Compares out-of-fold predictions with those of scikit-learn and Weka on the same folds (row i in
-- fold i mod 10), and prints a table in Markdown.
--
-- usage: crossfold run parity.lua DATA_FOLDER REFERENCE_FOLDER
-- The references are what reference.py and reference_j48.py wrote. Ends with an error if labels or
-- their checksum differ where no tie is involved, if a probability differs by more than 1e-9 or the
-- checksum of all by more than 1e-8, or if a tree's mean accuracy is further from its reference than the
-- tolerance beside it.
local cf = require "crossfold"

local data_folder, reference_folder = arg[1], arg[2]
local largest_difference, largest_of_checksum = 1e-9, 1e-8
local folds = cf.splitter("kfold", { folds = 10, shuffle = false })

-- The settings of reference.py.
local learners = {
  naive_bayes = cf.learner("naive_bayes", { var_smoothing = 1e-9, min_sd = 0 }),
  knn = cf.learner("knn", { k = 5 }),
  ridge = cf.learner("ridge", { l2 = 1 }),
  lda = cf.learner("lda"),
  logistic = cf.pipeline { "standardize", cf.learner("logistic_regression", { l2 = 1, tolerance = 1e-12 }) },
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

-- Rows of a CSV file without quotes, as tables by column name.
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
  return rows
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

-- The checksums of digests.csv, over the rows that are not ties.
local function checksums(found, is_tie)
  local labels, probabilities = 0, 0
  for i, row in ipairs(found) do
    if not is_tie[i - 1] then
      for _, byte in ipairs { row.predicted:byte(1, -1) } do labels = (labels * 31 + byte) % 2147483647 end
      for c, p in ipairs(row.probabilities or {}) do
        probabilities = probabilities + p * ((i - 1 + 2 * (c - 1)) % 7 + 1)
      end
    end
  end
  return labels, probabilities
end

-- Number of labels that differ, and the largest difference of a probability (nil if there are none).
local function compare(found, references)
  local labels, largest = 0, nil
  for _, expected in ipairs(references) do
    local row, c = found[math.tointeger(expected.row) + 1], 0
    if row.predicted ~= expected.label then labels = labels + 1 end
    for p in expected.probabilities:gmatch("%S+") do
      c = c + 1
      largest = math.max(largest or 0, math.abs(row.probabilities[c] - tonumber(p)))
    end
  end
  return labels, largest
end

local failures = {}
local function require_that(holds, text)
  if not holds then failures[#failures + 1] = text end
end

local predictions = {}
for _, row in ipairs(read_table("predictions")) do
  local name = row.dataset .. " " .. row.learner
  predictions[name] = predictions[name] or {}
  table.insert(predictions[name], row)
end

print("| dataset | learner | rows | ties left out | labels that differ | largest difference of a probability "
  .. "| difference of their checksum |")
print("|---|---|---|---|---|---|---|")
for _, digest in ipairs(read_table("digests")) do
  local learner, name = learners[digest.learner], digest.dataset .. " " .. digest.learner
  local found, is_tie, n_ties = {}, {}, 0
  for _, row in ipairs(evaluate(read_data(digest.dataset), learner):predictions()) do found[row.row] = row end
  for row in digest.ties:gmatch("%d+") do
    is_tie[math.tointeger(row)], n_ties = true, n_ties + 1
  end
  local labels, probabilities = checksums(found, is_tie)
  local n_differ, largest = compare(found, predictions[name])
  local difference = math.abs(probabilities - tonumber(digest.probabilities))
  local function shown(number) return largest and ("%.1e"):format(number) or "no probabilities" end
  print(("| %s | %s | %s | %d | %d | %s | %s |"):format(digest.dataset,
    tostring(learner):gsub("|", "\\|"),  -- Markdown separates cells with it
    digest.rows, n_ties, n_differ, shown(largest), shown(difference)))
  require_that(#found == tonumber(digest.rows) and n_differ == 0 and labels == tonumber(digest.labels),
    name .. " (labels)")
  require_that((largest or 0) <= largest_difference and difference <= largest_of_checksum,
    name .. " (probabilities)")
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
