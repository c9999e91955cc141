-- Confident learning: how many labels of each class are really of another one, and which rows look wrongly
-- labelled (Northcutt, Jiang and Chuang, "Confident learning: estimating uncertainty in dataset labels",
-- Journal of Artificial Intelligence Research 70, 2021). A pure function of labels and probabilities.
local confident_joint = {}

-- The labels' counts, and for each class the mean probability of the label over the rows that have it, the
-- threshold of equation 2; nil for a class without rows.
local function thresholds_of(labels, probabilities, k)
  local counts, thresholds = {}, {}
  for c = 1, k do counts[c], thresholds[c] = 0, 0.0 end
  for i, label in ipairs(labels) do
    counts[label] = counts[label] + 1
    thresholds[label] = thresholds[label] + probabilities[i][label]
  end
  for c = 1, k do thresholds[c] = counts[c] > 0 and thresholds[c] / counts[c] or nil end
  return counts, thresholds
end

-- The most probable of the classes that reach their threshold; of equal ones the label, else the first. Nil if
-- no class does.
local function confident_class(p, label, thresholds, k)
  local best
  for c = 1, k do
    if thresholds[c] and p[c] >= thresholds[c] and (not best or p[c] > p[best] or p[c] == p[best] and c == label) then
      best = c
    end
  end
  return best
end

-- Each row of the counts scaled to the number of labels of its class. Nothing is known of a class without a
-- confident row, which keeps its labels.
local function calibrated(confident, counts, k)
  local joint = {}
  for given = 1, k do
    local sum = 0
    for c = 1, k do sum = sum + confident[given][c] end
    joint[given] = {}
    for c = 1, k do
      joint[given][c] = sum > 0 and confident[given][c] * counts[given] / sum or 0.0
    end
    if sum == 0 then joint[given][given] = counts[given] + 0.0 end
  end
  return joint
end

-- labels[i] = the class of row i, from 1 to k; probabilities[i][c] of a model that was not fitted with row i.
-- Returns { counts = rows of each label, thresholds = by class or nil, confident = k x k counts, rows are labels
-- and columns are likely classes, joint = the same scaled so that row c sums to counts[c], of_row = the confident
-- class of each row or false }.
function confident_joint.of(labels, probabilities, k)
  local counts, thresholds = thresholds_of(labels, probabilities, k)
  local confident, of_row = {}, {}
  for given = 1, k do
    confident[given] = {}
    for c = 1, k do confident[given][c] = 0 end
  end
  for i, label in ipairs(labels) do
    local class = confident_class(probabilities[i], label, thresholds, k)
    of_row[i] = class or false
    if class then confident[label][class] = confident[label][class] + 1 end
  end
  return { counts = counts, thresholds = thresholds, confident = confident, of_row = of_row,
    joint = calibrated(confident, counts, k) }
end

-- The probability of the label less that of the most probable other class, from -1 to 1, and that class.
function confident_joint.margin(p, label)
  local other
  for c = 1, #p do
    if c ~= label and (not other or p[c] > p[other]) then other = c end
  end
  return p[label] - p[other], other
end

local function rounded(x) return math.floor(x + 0.5) end

-- Marks the `n` rows of the list with the lowest keys; of equal ones those that come first.
local function mark_lowest(list, key, n, marked)
  table.sort(list, function(a, b)
    local x, y = key[a], key[b]
    return x < y or x == y and a < b
  end)
  for i = 1, math.min(n, #list) do marked[list[i]] = true end
end

local function rows_by_label(labels, k)
  local rows = {}
  for c = 1, k do rows[c] = {} end
  for i, label in ipairs(labels) do table.insert(rows[label], i) end
  return rows
end

-- Prune by class: of each label as many rows as the joint holds off the diagonal, those whose label is least
-- probable.
local function by_class(found, labels, probabilities, k)
  local marked = {}
  for c, rows in ipairs(rows_by_label(labels, k)) do
    local key = {}
    for _, i in ipairs(rows) do key[i] = probabilities[i][c] end
    mark_lowest(rows, key, rounded(found.counts[c] - found.joint[c][c]), marked)
  end
  return marked
end

-- Prune by noise rate: for each pair of a label and another class as many rows as the joint has, those where the
-- other class is most probable in comparison with the label.
local function by_noise_rate(found, labels, probabilities, k)
  local marked = {}
  for label, rows in ipairs(rows_by_label(labels, k)) do
    for c = 1, k do
      local n = c ~= label and rounded(found.joint[label][c]) or 0
      if n > 0 then
        local key, list = {}, table.move(rows, 1, #rows, 1, {})
        for _, i in ipairs(list) do key[i] = probabilities[i][label] - probabilities[i][c] end
        mark_lowest(list, key, n, marked)
      end
    end
  end
  return marked
end

local methods = { by_class = by_class, by_noise_rate = by_noise_rate }

function methods.both(...)
  local marked, first, second = {}, by_class(...), by_noise_rate(...)
  for i in pairs(first) do marked[i] = second[i] end
  return marked
end

function methods.confident_joint(found, labels)
  local marked = {}
  for i, class in ipairs(found.of_row) do
    if class and class ~= labels[i] then marked[i] = true end
  end
  return marked
end

confident_joint.methods = { "by_noise_rate", "by_class", "both", "confident_joint" }

-- The set of the rows whose label looks wrong, by a method of the paper (section 3.2). A row whose label is its
-- most probable class is never among them, however many rows the joint asks for.
function confident_joint.issues(found, labels, probabilities, k, method)
  local marked = methods[method](found, labels, probabilities, k)
  for i in pairs(marked) do
    if confident_joint.margin(probabilities[i], labels[i]) >= 0 then marked[i] = nil end
  end
  return marked
end

return confident_joint
