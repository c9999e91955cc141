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
-- pair gets the probabilities of a Bayesian test with them (posterior.lua).
local native = require "crossfold.native"
local comparison = require "crossfold.compare.comparison"
local comparison_data = require "crossfold.compare.data"
local comparison_pairs = require "crossfold.compare.pairs"
local comparison_tests = require "crossfold.compare.tests"
local equal_means = require "crossfold.stats.equal_means"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local posterior = require "crossfold.compare.posterior"
local result = require "crossfold.result.result"
local stats = require "crossfold.stats.stats"

local compare = {}

-- Fewer datasets cannot give Wilcoxon's test a p below 0.05: 2 / 2^5 is 0.0625.
local least_datasets = 6

local function result_list(given)
  if getmetatable(given) == result then return { given } end
  options.list("compare: the results", given)
  if #given == 0 then native.fail("compare: there is no result to compare") end
  for i, one in ipairs(given) do
    if getmetatable(one) ~= result then
      native.fail("compare: element %d is a %s, not a result of cf.evaluate", i, native.kind(one) or type(one))
    end
  end
  return given
end

-- Within 0.01 of each other counts as alike, for metrics from 0 to 1; others need `rope`.
local function default_rope(value)
  local least, most = metric.range(value)
  return least == 0 and most == 1 and 0.01 or nil
end

local function check_numbers(o)
  if not (o.alpha > 0 and o.alpha < 1) then
    native.fail("compare: alpha = %s is outside (0, 1); use 0.05", native.format_number(o.alpha))
  end
  options.check_confidence("compare", o.confidence)
  if o.rope and not (o.rope >= 0 and o.rope < math.huge) then
    native.fail("compare: rope = %s is not the half-width of a region; use 0.01, or 0 for none",
      native.format_number(o.rope))
  end
end

local declared = options.declare("compare", {
  metric = { "string", doc = "The metric that is compared; default the first one." },
  learners = { "table", is = "string[]", doc = "The learners that are compared; default all." },
  datasets = { "table", is = "string[]", doc = "The datasets; default all." },
  control = { "string", doc = "The learner that all others are compared with; default: all pairs." },
  test = { "string", names = comparison_tests.names,
    doc = "The test of a pair; default one that is valid for the splits." },
  paired = { "boolean", true, doc = "Whether results of different splits are refused; false compares them unpaired." },
  alpha = { "number", 0.05, doc = "Level of the tests." },
  confidence = options.confidence,
  rope = { "number", doc = "Half-width of the region of practical equivalence; default 0.01 for metrics from 0 to 1." },
  adjust = { "string", "holm", words = { "bonferroni", "holm", "hochberg", "benjamini_hochberg" },
    doc = "How p-values are adjusted over the pairs of a dataset." },
  bayes = { "string", "signed_rank", names = posterior.kinds,
    doc = "The Bayesian test over datasets: of their means, or of the differences of all splits." },
  seed = options.joined(options.seed, { doc = "Seed of the Bayesian test over datasets." }),
})

local function check_options(given)
  local o = options.check("compare", given, declared)
  check_numbers(o)
  if o.test then options.place_of("compare: there is no test", o.test, comparison_tests.names) end
  posterior.check(o.bayes)
  return o
end

-- Whether each split has a score of all learners of a dataset.
local function common_splits(dataset)
  local common = {}
  for s = 1, #dataset.entries[1].splits do common[s] = true end
  for _, entry in ipairs(dataset.entries) do
    for s in ipairs(common) do common[s] = common[s] and entry.values[s] ~= nil end
  end
  return common
end

-- The scores of an entry that count for its mean: of the splits where all learners have one (`common`), or all if
-- each learner has its own splits (nil).
local function counted_scores(entry, common)
  local values = {}
  for s = 1, #entry.splits do
    if entry.values[s] ~= nil and (not common or common[s]) then values[#values + 1] = entry.values[s] end
  end
  return values
end

-- The mean of some scores, or nil and why there is none.
local function finite_mean(values, entry, dataset)
  if #values == 0 then
    return nil, ("on dataset '%s' there is no split in which all learners have a score"):format(dataset.name)
  end
  for _, value in ipairs(values) do
    if math.abs(value) == math.huge then
      return nil, ("on dataset '%s' the mean of '%s' is not a number: a score is infinite"):format(
        dataset.name, entry.name)
    end
  end
  return native.summary(values).mean
end

-- Mean score of each learner on each dataset; or the reason why there is none.
local function dataset_means(c)
  local means, names = {}, {}
  for d, dataset in ipairs(c.datasets) do
    local common = c.options.paired and common_splits(dataset) or nil
    means[d], names[d] = {}, dataset.name
    for i, entry in ipairs(dataset.entries) do
      local mean, problem = finite_mean(counted_scores(entry, common), entry, dataset)
      if not mean then return nil, problem end
      means[d][i] = mean
    end
  end
  return means, names
end

-- The probabilities of all pairs over the datasets; for many pairs a list that computes each on first use.
local function posteriors(c, pairs_, means)
  local list = {}
  if pairs_.is_large then
    return setmetatable(list, {
      __len = function() return pairs_.count end,
      __index = function(_, k)
        if math.type(k) ~= "integer" or k < 1 or k > pairs_.count then return nil end
        list[k] = posterior.of(c, means, pairs_.first[k], pairs_.second[k])
        return list[k]
      end,
    })
  end
  for k = 1, pairs_.count do list[k] = posterior.of(c, means, pairs_.first[k], pairs_.second[k]) end
  return list
end

local function signed_ranks(c, pairs_, means)
  if #means < least_datasets then
    return { undefined = ("with %d datasets the signed-rank test cannot get below p = %s; it needs %d")
      :format(#means, native.format_number(2 / 2 ^ #means, 4), least_datasets) }
  end
  local i, j = pairs_.first[1], pairs_.second[1]
  local differences = posterior.differences_of_means(means, i, j)
  local test = stats.wilcoxon(differences)
  local sign = stats.sign_test(differences)
  return { test = "Wilcoxon signed-rank", p = test.p, statistic = test.statistic,
    undefined = test.undefined, sign_p = sign.p, median = native.summary(differences).median,
    datasets = #means, a = c.learners[i], b = c.learners[j] }
end

-- Ranks over the datasets, with their tests. Nemenyi's p-values of many pairs are computed on first use.
local function ranks_of(c, pairs_, means)
  local scores = {}
  for d, row in ipairs(means) do scores[d] = equal_means.unified(row) end
  local given = {
    higher_is_better = c.direction > 0, learners = c.learners, alpha = c.options.alpha,
    control = c.options.control, pairs = not pairs_.is_large,
  }
  local found = stats.friedman(scores, given)
  if given.pairs then return found end
  return setmetatable(found, {
    __tostring = getmetatable(found).__tostring,
    __index = function(ranks, key)
      if key ~= "nemenyi" then return nil end
      given.pairs = true
      ranks.nemenyi = stats.friedman(scores, given).nemenyi or false
      return ranks.nemenyi
    end,
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
local function compare_over(c, pairs_)
  if #c.datasets < 2 then return nil end
  if c.direction == 0 then
    return { undefined = ("metric '%s' has no better direction, so learners have no ranks"):format(c.metric) }
  end
  local means, names = dataset_means(c)
  if not means then return { undefined = names } end
  local friedman = ranks_of(c, pairs_, means)
  local over = #c.learners == 2 and signed_ranks(c, pairs_, means) or rank_test(friedman, means)
  over.means, over.names, over.ranks = means, names, friedman
  if not c.options.rope then return over end
  return setmetatable(over, { __index = function(_, key)
    if key ~= "bayes" then return nil end
    over.bayes = posteriors(c, pairs_, means)
    return over.bayes
  end })
end

-- Raises where nothing can be compared, before any test runs.
function compare.new(given, given_options)
  local o = check_options(given_options)
  local results = result_list(given)
  local c = comparison_data.collect(results, o)
  c.options, c.results = o, table.move(results, 1, #results, 1, {})
  if o.rope == nil then o.rope = default_rope(c.metric_value) end
  local pairs_ = comparison_pairs.new(c)
  return comparison.new(c, pairs_, compare_over(c, pairs_))
end

return compare
