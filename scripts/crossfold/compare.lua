-- compare: which of several learners is better, by a test that is valid for the splits at hand.
--
--   cf.compare(result, { metric = "accuracy" })
--   cf.compare({ result, other_result }, { metric = "f1", control = "naive_bayes", rope = 0.02 })
--
-- On one dataset every pair of learners (or every learner against the control) gets one test:
--   several splits            corrected resampled t over the differences of the splits (Nadeau and
--                             Bengio 2003; for repeated k-fold Bouckaert and Frank 2004), with the
--                             sizes of the splits that were really used, and the Bayesian correlated t
--                             with a region of practical equivalence (Benavoli et al. 2017)
--   one split                 McNemar's test (mid-p) on the rows, for accuracy and error rate
--   leave-one-out             no p-value: on how many rows only one is right; McNemar's test on request
--   different splits          refused, or with paired = false an unpaired test
-- p-values are adjusted over the pairs of a dataset. Over several datasets the means of the datasets
-- are compared (Demsar 2006): two learners by Wilcoxon's signed ranks, more by Friedman's test in the
-- form of Iman and Davenport, then Nemenyi's for all pairs or Bonferroni-Dunn's against the control. Every
-- pair gets the probabilities of the Bayesian signed-rank test beside them (Benavoli et al. 2017).
local native = require "crossfold.native"
local comparison = require "crossfold.comparison"
local comparison_data = require "crossfold.comparison_data"
local comparison_tests = require "crossfold.comparison_tests"
local equal_means = require "crossfold.equal_means"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local result = require "crossfold.result"
local stats = require "crossfold.stats"

local compare = {}

-- Fewer datasets cannot give Wilcoxon's test a p below 0.05: 2 / 2^5 is 0.0625.
local least_datasets = 6

local function result_list(given)
  if getmetatable(given) == result then return { given } end
  options.list("compare: the results", given)
  if #given == 0 then native.fail("compare: there is no result to compare") end
  for i, one in ipairs(given) do
    if getmetatable(one) ~= result then
      native.fail(("compare: element %d is a %s, not a result of cf.evaluate"):format(i,
        native.kind(one) or type(one)))
    end
  end
  return given
end

-- Within 0.01 of each other counts as alike, for metrics from 0 to 1; others need `rope`.
local function default_rope(value)
  if metric.is_lua(value) then return nil end
  local worst, best = value:range()
  local bounded = worst and best and math.min(worst, best) == 0 and math.max(worst, best) == 1
  return bounded and 0.01 or nil
end

local function check_numbers(o)
  if not (o.alpha > 0 and o.alpha < 1) then
    native.fail(("compare: alpha = %s lies outside (0, 1); use 0.05"):format(
      native.format_number(o.alpha)))
  end
  if not (o.confidence > 0 and o.confidence < 1) then
    native.fail(("compare: confidence = %s lies outside (0, 1); use 0.95"):format(
      native.format_number(o.confidence)))
  end
  if o.rope and not (o.rope >= 0 and o.rope < math.huge) then
    native.fail(("compare: rope = %s is no half-width of a region; use 0.01, or 0 for none"):format(
      native.format_number(o.rope)))
  end
end

-- Checked even where a single pair leaves nothing to adjust.
local adjustments = { bonferroni = true, holm = true, hochberg = true, benjamini_hochberg = true }

local function check_options(given)
  local o = options.check("compare", given, {
    metric = { "string" }, learners = { "table" }, datasets = { "table" }, control = { "string" },
    test = { "string" }, paired = { "boolean", true }, alpha = { "number", 0.05 },
    confidence = { "number", 0.95 }, rope = { "number" }, adjust = { "string", "holm" },
    seed = { "integer", native.defaults().seed },
  })
  check_numbers(o)
  local known = {}
  for _, name in ipairs(comparison_tests.names) do known[name] = true end
  if o.test and not known[o.test] then
    native.fail(("compare: there is no test '%s'; %s"):format(o.test,
      native.known_names(o.test, comparison_tests.names)))
  end
  if not adjustments[o.adjust] then
    native.fail(("compare: adjust = '%s' is none of bonferroni, holm, hochberg, benjamini_hochberg")
      :format(o.adjust))
  end
  return o
end

-- Pairs of places among the learners: all, or each with the control as second.
local function pairs_of(c)
  local list = {}
  for i, name in ipairs(c.learners) do
    if c.options.control then
      if name ~= c.options.control then list[#list + 1] = { name, c.options.control } end
    else
      for j = i + 1, #c.learners do list[#list + 1] = { name, c.learners[j] } end
    end
  end
  return list
end

-- Dietterich's t has the first of its ten differences above the line, which the mean may contradict.
local function points_one_way(row)
  if row.test == "5x2cv t" then return row.statistic * row.difference > 0 end
  return row.difference ~= 0
end

-- Adjusts the p-values of the rows that have one, and names the better learner of each.
local function judge(c, rows)
  local p, with_p = {}, {}
  for _, row in ipairs(rows) do
    if row.p then
      p[#p + 1], with_p[#with_p + 1] = row.p, row
    end
  end
  local adjusted = #p > 1 and stats.adjust_p(p, { method = c.options.adjust }) or p
  for i, row in ipairs(with_p) do
    row.p_adjusted, row.significant = adjusted[i], adjusted[i] < c.options.alpha
    if row.significant and c.direction ~= 0 and points_one_way(row) then
      row.better = row.difference * c.direction > 0 and row.a or row.b
    end
  end
end

local function compare_on(c, dataset)
  local test, design = comparison_tests.choose(c, dataset)
  local rows = {}
  for i, pair in ipairs(pairs_of(c)) do
    rows[i] = comparison_tests.run(test, c, dataset, dataset.entries[pair[1]],
      dataset.entries[pair[2]])
    rows[i].design = design.text
  end
  judge(c, rows)
  return rows, design
end

-- Whether all entries have a score in split s.
local function all_have(entries, s)
  for _, entry in ipairs(entries) do
    if entry.values[s] == nil then return false end
  end
  return true
end

-- The scores of an entry of a dataset that count for its mean: where all learners have one, or, if
-- each has splits of its own, all.
local function counted_scores(c, dataset, entry)
  local values = {}
  for s = 1, #entry.splits do
    if entry.values[s] ~= nil and (not c.options.paired or all_have(dataset.entries, s)) then
      values[#values + 1] = entry.values[s]
    end
  end
  return values
end

-- The mean of some scores, or nil and why there is none.
local function finite_mean(values, entry, dataset)
  if #values == 0 then
    return nil, ("on dataset '%s' there is no split in which all learners have a score"):format(
      dataset.name)
  end
  for _, value in ipairs(values) do
    if math.abs(value) == math.huge then
      return nil, ("on dataset '%s' the mean of '%s' is no number: a score is infinite"):format(
        dataset.name, entry.name)
    end
  end
  return native.summary(values).mean
end

-- Mean score of each learner on each dataset; or the reason why there is none.
local function dataset_means(c)
  local means, names = {}, {}
  for d, dataset in ipairs(c.datasets) do
    means[d], names[d] = {}, dataset.name
    for i, entry in ipairs(dataset.entries) do
      local mean, problem = finite_mean(counted_scores(c, dataset, entry), entry, dataset)
      if not mean then return nil, problem end
      means[d][i] = mean
    end
  end
  return means, names
end

-- Means of learner a less those of learner b, one a dataset.
local function differences_of(c, means, a, b)
  local place, differences = {}, {}
  for i, name in ipairs(c.learners) do place[name] = i end
  for d, row in ipairs(means) do
    local pair = equal_means.unified { row[place[a]], row[place[b]] }
    differences[d] = pair[1] - pair[2]
  end
  return differences
end

-- The probabilities of each pair that a is worse, alike and better over the datasets; nil without a rope.
local function posteriors(c, means)
  local rope = c.options.rope
  if not rope then return nil end
  local list = {}
  for i, pair in ipairs(pairs_of(c)) do
    local a, b = table.unpack(pair)
    local found = stats.bayes_signed_rank(differences_of(c, means, a, b),
      { rope = rope, seed = c.options.seed })
    local worse, better = found.left, found.right
    if c.direction < 0 then worse, better = better, worse end
    list[i] = { a = a, b = b, rope = rope, p_worse = worse, p_alike = found.rope, p_better = better }
  end
  return list
end

local function signed_ranks(c, means)
  if #means < least_datasets then
    return { undefined = ("with %d datasets the signed-rank test cannot get below p = %s; it needs %d")
      :format(#means, native.format_number(2 / 2 ^ #means, 4), least_datasets) }
  end
  local a, b = table.unpack(pairs_of(c)[1])
  local differences = differences_of(c, means, a, b)
  local test = stats.wilcoxon(differences)
  local sign = stats.sign_test(differences)
  return { test = "Wilcoxon signed-rank", p = test.p, statistic = test.statistic,
    undefined = test.undefined, sign_p = sign.p, median = native.summary(differences).median,
    datasets = #means, a = a, b = b }
end

-- Ranks over the datasets, with their tests.
local function ranks_of(c, means)
  local scores = {}
  for d, row in ipairs(means) do scores[d] = equal_means.unified(row) end
  return stats.friedman(scores, {
    higher_is_better = c.direction > 0, learners = c.learners, alpha = c.options.alpha,
    control = c.options.control,
  })
end

-- F is infinite where every dataset ranks the learners alike; chi squared is not.
local function rank_test(friedman, means)
  local name, used = "Iman and Davenport's F", friedman.iman_davenport
  if not (used and used.p) then name, used = "Friedman's chi squared", friedman.tie_corrected or friedman end
  return { test = name, p = used.p, statistic = used.statistic, undefined = used.undefined,
    friedman = friedman, datasets = #means }
end

-- The test over datasets, or nil for one dataset.
local function compare_over(c)
  if #c.datasets < 2 then return nil end
  if c.direction == 0 then
    return { undefined = ("metric '%s' has no better direction, so learners have no ranks"):format(
      c.metric) }
  end
  local means, names = dataset_means(c)
  if not means then return { undefined = names } end
  local friedman = ranks_of(c, means)
  local over = #c.learners == 2 and signed_ranks(c, means) or rank_test(friedman, means)
  over.means, over.names, over.ranks, over.bayes = means, names, friedman, posteriors(c, means)
  return over
end

-- Raises where nothing can be compared, before any test runs.
function compare.new(given, given_options)
  local o = check_options(given_options)
  local results = result_list(given)
  local c = comparison_data.collect(results, o)
  c.options, c.results = o, table.move(results, 1, #results, 1, {})
  if o.rope == nil then o.rope = default_rope(c.metric_value) end
  local rows, designs = {}, {}
  for _, dataset in ipairs(c.datasets) do
    local of_dataset, design = compare_on(c, dataset)
    designs[#designs + 1] = design
    table.move(of_dataset, 1, #of_dataset, #rows + 1, rows)
  end
  return comparison.new(c, rows, designs, compare_over(c))
end

return compare
