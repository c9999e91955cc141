-- The corrected score of a search beside nested cross-validation on 20 data sets:
--   crossfold run tests/bench/bbc_cv_nested.lua FOLDER_OF_DATA [samples of each data set]
-- Results of a run: bbc_cv_nested.md. Of each data set `rows` rows are drawn; the search chooses on them, and the model
-- that it returns is scored on all other rows: the truth, up to their number. The estimates of it are the mean of the
-- chosen candidate in the inner folds, that after correction, and nested cross-validation with ten outer folds.
-- Their columns are the mean differences from the truth; the errors are roots of mean squared differences.
-- FOLDER has breast_cancer, digits, house_votes_84, letter, penguins, soybean_weka, spam and titanic (.csv). The
-- subsets of letter and digits are rows of a few classes that are easily mistaken; the subsets of spam are parts
-- of its rows.
local cf = require "crossfold"

local folder = arg[1]
local rounds = math.tointeger(tonumber(arg[2] or 10))

local function classes(names)
  local wanted = {}
  for name in names:gmatch("%S+") do wanted[name] = true end
  return function(row) return wanted[row.lettr] == true end
end

local function part(i, n) return function(_, id) return id % n == i end end

local function parity(wanted)
  return function(row) return tonumber(row.class) % 2 == wanted end
end

local targets = { house_votes_84 = "Class", letter = "lettr", penguins = "species", spam = "type",
  titanic = "Survived" }

-- { name, file, rows that belong to it, rows that are drawn }
local list = {
  { "breast_cancer", "breast_cancer" }, { "house_votes_84", "house_votes_84" }, { "penguins", "penguins" },
  { "soybean_weka", "soybean_weka", nil, 200 }, { "titanic", "titanic" }, { "digits", "digits" },
  { "digits, even", "digits", parity(0) }, { "digits, odd", "digits", parity(1) },
  { "spam 1", "spam", part(0, 4) }, { "spam 2", "spam", part(1, 4) }, { "spam 3", "spam", part(2, 4) },
  { "spam 4", "spam", part(3, 4) },
  { "letter B D R", "letter", classes "B D R" }, { "letter C G O Q", "letter", classes "C G O Q" },
  { "letter E F S Z", "letter", classes "E F S Z" }, { "letter H K X", "letter", classes "H K X" },
  { "letter I J L", "letter", classes "I J L" }, { "letter M N W", "letter", classes "M N W" },
  { "letter P F T Y", "letter", classes "P F T Y" }, { "letter U V Y", "letter", classes "U V Y" },
}

local inner = cf.splitter("kfold", { folds = 10 })
local outer = cf.splitter("kfold", { folds = 10 })
local search = cf.grid_search {
  learner = cf.choice { near = cf.pipeline { "impute", "one_hot", "standardize", "knn" }, tree = "decision_tree" },
  grid = {
    { choice = { "near" }, ["near.k"] = { 1, 2, 3, 5, 8, 13, 21 }, ["near.distance"] = { "euclidean", "manhattan" } },
    { choice = { "tree" }, max_depth = { 1, 2, 3, 4, 6, 8, 12 } },
  },
  splitter = inner, metric = "accuracy",
}

-- `n` of the rows, and all others.
local function draw(data, n, seed)
  local random, order, rest = cf.seed(seed, "rows"), {}, {}
  for i = 1, #data do order[i] = i end
  for i = #data, 2, -1 do
    local j = (cf.seed(random, i) >> 1) % i + 1
    order[i], order[j] = order[j], order[i]
  end
  for _ = n + 1, #data do rest[#rest + 1] = table.remove(order) end
  return data:select(order), data:select(rest)
end

local function text(x) return cf.format_number(x, 4) end

print("| data | rows | fits of the search | nested fits | truth | inner mean | corrected | nested | error corrected | "
  .. "error nested | in the interval |")
print("|---|---|---|---|---|---|---|---|---|---|---|")
local all = { inner = 0, corrected = 0, nested = 0, covered = 0, squares = { corrected = 0, nested = 0 } }
for _, one in ipairs(list) do
  local data = cf.read(("%s/%s.csv"):format(folder, one[2]), { target = targets[one[2]] or "class",
    types = one[2] == "digits" and { class = "categorical" } or nil })
  if one[3] then data = data:filter(one[3]) end
  local rows, sums = one[4] or 100, { truth = 0, inner = 0, corrected = 0, nested = 0, covered = 0, c2 = 0, n2 = 0 }
  local cells, nested_cells
  for round = 1, rounds do
    local drawn, rest = draw(data, rows, cf.seed(round, one[1]))
    local model, found = search:fit(drawn, { seed = round })
    local truth = cf.score { prediction = model:predict(rest), metrics = "accuracy" }.accuracy
    local fixed = found:corrected { seed = round }
    local result = cf.evaluate { data = drawn, learners = { search = search }, splitter = outer, metrics = "accuracy",
      seed = round }
    local nested = result:summary()[1].mean
    cells, nested_cells = found.cells + 1, 10
    for _, row in ipairs(result:tuning("search")) do nested_cells = nested_cells + row.cells end
    sums.truth, sums.inner = sums.truth + truth, sums.inner + found.mean - truth
    sums.corrected, sums.nested = sums.corrected + fixed.value - truth, sums.nested + nested - truth
    sums.c2, sums.n2 = sums.c2 + (fixed.value - truth) ^ 2, sums.n2 + (nested - truth) ^ 2
    if fixed.low <= truth and truth <= fixed.high then sums.covered = sums.covered + 1 end
  end
  print(("| %s | %d | %d | %d | %s | %s | %s | %s | %s | %s | %d of %d |"):format(one[1], rows, cells, nested_cells,
    text(sums.truth / rounds), text(sums.inner / rounds), text(sums.corrected / rounds), text(sums.nested / rounds),
    text(math.sqrt(sums.c2 / rounds)), text(math.sqrt(sums.n2 / rounds)), sums.covered, rounds))
  io.stdout:flush()
  for _, name in ipairs { "inner", "corrected", "nested", "covered" } do
    all[name] = all[name] + sums[name] / rounds / #list
  end
  all.squares.corrected = all.squares.corrected + sums.c2 / rounds / #list
  all.squares.nested = all.squares.nested + sums.n2 / rounds / #list
end
print(("| mean | | | | | %s | %s | %s | %s | %s | %s %% |"):format(text(all.inner), text(all.corrected),
  text(all.nested), text(math.sqrt(all.squares.corrected)), text(math.sqrt(all.squares.nested)),
  cf.format_number(100 * all.covered, 0)))
