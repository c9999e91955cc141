-- The pairs of learners of a comparison on each of its datasets: p-values and the better learner of every pair. With
-- many pairs, a row with all figures of a pair is computed on first use.
local native = require "crossfold.native"
local comparison_tests = require "crossfold.compare.tests"
local equal_means = require "crossfold.stats.equal_means"
local stats = require "crossfold.stats.stats"

local comparison_pairs = {}
comparison_pairs.__index = comparison_pairs

-- With more pairs, rows are neither kept in memory nor shown one by one.
local most_rows = 300

-- Places of both learners of each pair among the learners: all pairs, or each learner with the control as second;
-- and the place of the control.
local function places_of(c)
  local first, second, n, control = {}, {}, 0, nil
  for i, name in ipairs(c.learners) do
    if name == c.options.control then control = i end
  end
  for i in ipairs(c.learners) do
    for j = control or i + 1, control or #c.learners do
      if i ~= j then
        n = n + 1
        first[n], second[n] = i, j
      end
    end
  end
  return first, second, control
end

-- The numerator of Dietterich's t is the first of its ten differences, whose sign may differ from the mean's.
local function points_one_way(row)
  if row.test == "5x2cv t" then return row.statistic * row.difference > 0 end
  return true
end

-- Number of the dataset and of the pair of row k.
function comparison_pairs:place_of(k) return (k - 1) // self.count + 1, (k - 1) % self.count + 1 end

-- The figures of row k, without what depends on other rows.
local function computed(self, k)
  local d, i = self:place_of(k)
  local dataset = self.c.datasets[d]
  local row = comparison_tests.run(self.tests[d], self.c, dataset, dataset.entries[self.first[i]],
    dataset.entries[self.second[i]])
  row.design = self.designs[d].text
  return row
end

local function keep(self, k, p, difference, is_partial)
  self.p[k] = p or false
  self.lead[k] = p and difference * self.c.direction or 0.0
  if is_partial then self.partial[#self.partial + 1] = k end
end

-- The pairs of dataset d one by one.
local function test_each(self, d)
  for k = (d - 1) * self.count + 1, d * self.count do
    local row = computed(self, k)
    keep(self, k, row.p, row.p and points_one_way(row) and row.difference or 0.0, row.left_out ~= nil)
    if not self.is_large then self.rows[k] = row end
  end
end

-- The same for all pairs at once.
local function test_at_once(self, d)
  local dataset, scores, not_a_score = self.c.datasets[d], {}, 0 / 0
  local n = #dataset.entries[1].splits
  for i, entry in ipairs(dataset.entries) do
    scores[i] = {}
    for s = 1, n do scores[i][s] = entry.values[s] or not_a_score end
  end
  local sizes = comparison_tests.sizes(dataset.entries[1])
  local p, differences, splits = native.corrected_t_of_pairs(scores, sizes.train, sizes.test, sizes.same_as,
    self.first, self.second, equal_means.tolerance, sizes.units)
  for i = 1, self.count do keep(self, (d - 1) * self.count + i, p[i], differences[i], splits[i] < n) end
end

-- Adjusts the p-values of dataset d over its pairs that have one.
local function adjust(self, d)
  local p, places = {}, {}
  for k = (d - 1) * self.count + 1, d * self.count do
    if self.p[k] then p[#p + 1], places[#places + 1] = self.p[k], k end
  end
  local adjusted = #p > 1 and stats.adjust_p(p, { method = self.c.options.adjust }) or p
  for i, k in ipairs(places) do self.adjusted[k] = adjusted[i] end
end

-- Runs the tests. Fields: `first`, `second` = places of the learners of a pair; `count` pairs on a dataset, `n` rows
-- in all, dataset by dataset; `designs` of the datasets; `is_large` = rows are not kept; `partial` = numbers of the
-- rows from which splits were left out.
function comparison_pairs.new(c)
  local first, second, control = places_of(c)
  local self = setmetatable({ c = c, first = first, second = second, control = control, count = #first,
    n = #first * #c.datasets, tests = {}, designs = {}, p = {}, adjusted = {}, lead = {}, partial = {},
    rows = {} }, comparison_pairs)
  self.is_large = self.n > most_rows
  for d, dataset in ipairs(c.datasets) do
    self.tests[d], self.designs[d] = comparison_tests.choose(c, dataset)
    local at_once = self.is_large and self.tests[d] == "corrected_t"
    ;(at_once and test_at_once or test_each)(self, d)
    for k = (d - 1) * self.count + 1, d * self.count do self.adjusted[k] = false end
    adjust(self, d)
  end
  return self
end

-- "a" or "b" if one is better, "tie" if no difference was shown, else "undefined".
function comparison_pairs:outcome(k)
  if not self.p[k] then return "undefined" end
  if self.adjusted[k] >= self.c.options.alpha then return "tie" end
  return self.lead[k] > 0 and "a" or self.lead[k] < 0 and "b" or "undefined"
end

-- What an outcome is for the first learner of a pair and for the second.
local of_outcome = {
  a = { "wins", "losses" }, b = { "losses", "wins" }, tie = { "ties", "ties" },
  undefined = { "undefined", "undefined" },
}

-- { wins, ties, losses, undefined } of each learner, over its pairs on all datasets.
function comparison_pairs:count_outcomes()
  local counts, k = {}, 0
  for i in ipairs(self.c.learners) do counts[i] = { wins = 0, ties = 0, losses = 0, undefined = 0 } end
  for _ in ipairs(self.c.datasets) do
    for i = 1, self.count do
      k = k + 1
      local a, b, names = counts[self.first[i]], counts[self.second[i]], of_outcome[self:outcome(k)]
      a[names[1]], b[names[2]] = a[names[1]] + 1, b[names[2]] + 1
    end
  end
  return counts
end

-- Row k with all of its figures; read-only.
function comparison_pairs:row(k)
  local row = self.rows[k] or computed(self, k)
  if self.p[k] and not row.p_adjusted then
    row.p_adjusted, row.significant = self.adjusted[k], self.adjusted[k] < self.c.options.alpha
    local outcome = self:outcome(k)
    row.better = outcome == "a" and row.a or outcome == "b" and row.b or nil
  end
  return row
end

-- for k, row in pairs:each(): all rows, in order.
function comparison_pairs:each()
  return function(_, k)
    if k < self.n then return k + 1, self:row(k + 1) end
  end, nil, 0
end

-- The number of the row of learners i and j (places) on dataset d; nil = they are not compared.
function comparison_pairs:number_of(d, i, j)
  local n, control, before = #self.c.learners, self.control, (d - 1) * self.count
  if i == j then return nil end
  if control then
    if i ~= control and j ~= control then return nil end
    local other = i == control and j or i
    return before + (other < control and other or other - 1)
  end
  if i > j then i, j = j, i end
  return before + (i - 1) * n - i * (i - 1) // 2 + j - i
end

return comparison_pairs
