-- cf.stats: one accuracy, two accuracies, and two or more learners on the same splits, rows or data
-- sets. See docs/statistics.md; the figures and when they are undefined are those of the C++ headers
-- core/include/crossfold/stats/{proportion,t_test,mcnemar,cochran_q,signed_rank,bayes_signed_rank,
-- multiple_testing}.h.
local native = require "crossfold.native"
local options = require "crossfold.options"

local stats = {}

-- Raises unless the value of the option `key` is one of its names.
local function choice(what, key, value, declared)
  options.place_of(("%s: option '%s' is"):format(what, key), value, declared[key].names)
end

-- Exactly one of the options in `names` is given: its name.
local function one_of(what, o, names)
  local found
  for _, name in ipairs(names) do
    if o[name] ~= nil then
      if found then native.fail("%s: options '%s' and '%s' mean the same; give one", what, found, name) end
      found = name
    end
  end
  if not found then native.fail("%s: one of the options '%s' is missing", what, table.concat(names, "', '")) end
  return found
end

local function pair(what, key, value)
  options.list(("%s: option '%s'"):format(what, key), value)
  if #value ~= 2 or type(value[1]) ~= "number" or type(value[2]) ~= "number" then
    native.fail("%s: option '%s' must be two numbers, as in { 1, 2 }", what, key)
  end
  return value[1], value[2]
end

local interval_options = options.declare("stats.accuracy_interval", {
  correct = { "integer!", doc = "Number of rows that are predicted correctly." },
  n = { "integer!", doc = "Number of rows." },
  method = { "string", "wilson", doc = "The method of the interval.",
    names = { "wilson", "wilson_corrected", "normal", "clopper_pearson", "agresti_coull", "jeffreys" } },
  confidence = options.confidence,
})

function stats.accuracy_interval(given)
  local what = "stats.accuracy_interval"
  local o = options.check(what, given, interval_options)
  choice(what, "method", o.method, interval_options)
  return native.accuracy_interval(o.correct, o.n, o.method, o.confidence)
end

-- Rows of both models as counts, from one of the four ways to say it.
local function counts(what, o, n1, n2)
  local key = one_of(what, o, { "correct", "errors", "accuracies", "error_rates" })
  local first, second = pair(what, key, o[key])
  if key == "accuracies" or key == "error_rates" then return first * n1, second * n2 end
  if not (math.tointeger(first) and math.tointeger(second)) then
    native.fail("%s: option '%s' counts rows; rates go into '%s'", what, key,
      key == "correct" and "accuracies" or "error_rates")
  end
  return first, second
end

local proportions_options = options.declare("stats.two_proportions", {
  correct = { "table", is = "integer[]", doc = "Numbers of rows that the two models predict correctly." },
  errors = { "table", is = "integer[]", doc = "Numbers of rows that they predict wrong, instead of `correct`." },
  accuracies = { "table", is = "number[]", doc = "Their accuracies, instead of `correct`." },
  error_rates = { "table", is = "number[]", doc = "Their error rates, instead of `correct`." },
  n = { "table!", is = "integer[]", doc = "Numbers of test rows of the two models." },
  confidence = options.confidence,
})

function stats.two_proportions(given)
  local what = "stats.two_proportions"
  local o = options.check(what, given, proportions_options)
  local n1, n2 = pair(what, "n", o.n)
  if not (math.tointeger(n1) and math.tointeger(n2)) then
    native.fail(what .. ": option 'n' counts rows; give two whole numbers")
  end
  local first, second = counts(what, o, n1, n2)
  return native.two_proportions(first, math.tointeger(n1), second, math.tointeger(n2), o.confidence)
end

local function differences(what, list)
  return options.list(what .. ": the differences", list)
end

local paired_t_options = options.declare("stats.paired_t", { confidence = options.confidence })

function stats.paired_t(list, given)
  local o = options.check("stats.paired_t", given, paired_t_options)
  return native.paired_t(differences("stats.paired_t", list), nil, o.confidence)
end

-- Rows of the splits, of all together if each is named: for unequal splits the ratio of the sums.
-- `splits` is how many there are.
local function rows(what, key, value, splits)
  local total = 0.0  -- whole numbers would wrap around
  if type(value) == "table" and #value > 0 and #value ~= splits then
    native.fail("%s: option '%s' is of length %d, and there are %d differences; give one number per split, or one for "
      .. "all", what, key, #value, splits)
  end
  for _, n in ipairs(type(value) == "table" and options.list(what .. ": option '" .. key .. "'", value) or { value }) do
    if not (math.type(n) == "integer" or math.tointeger(n)) or n < 1 then
      native.fail("%s: option '%s' counts rows; '%s' is not a number of rows", what, key, tostring(n))
    end
    total = total + n
  end
  if total == 0 then native.fail("%s: option '%s' is an empty list", what, key) end
  return total
end

-- Both numbers of rows, or neither.
local function split_rows(what, o, splits)
  if (o.n_train == nil) ~= (o.n_test == nil) then
    native.fail("%s: option '%s' is missing; n_train and n_test belong together", what,
      o.n_train == nil and "n_train" or "n_test")
  end
  if type(o.n_train) ~= type(o.n_test) then
    native.fail(what .. ": options 'n_train' and 'n_test' must both be numbers, or both lists")
  end
  return rows(what, "n_train", o.n_train, splits), rows(what, "n_test", o.n_test, splits)
end

local sizes = {
  n_train = { "integer|table", is = "integer|integer[]",
    doc = "Number of training rows, of all splits or of each." },
  n_test = { "integer|table", is = "integer|integer[]", doc = "Number of test rows, of all splits or of each." },
}
local distinct = { "integer",
  doc = "How many of the splits are different; default all. A split that comes back says nothing new." }
local corrected_t_options = options.declare("stats.corrected_t", options.joined(sizes, {
  test_train_ratio = { "number", doc = "Test rows per training row, instead of `n_train` and `n_test`." },
  distinct = distinct,
  confidence = options.confidence,
}))

local function check_distinct(what, o, list)
  if o.distinct and not (o.distinct >= 1 and o.distinct <= #list) then
    native.fail("%s: distinct = %d is not between 1 and the number of differences, %d", what, o.distinct, #list)
  end
end

-- The test of Nadeau and Bengio (2003).
function stats.corrected_t(list, given)
  local what = "stats.corrected_t"
  local o = options.check(what, given, corrected_t_options)
  local ratio = o.test_train_ratio
  if one_of(what, { test_train_ratio = ratio, n_train = o.n_train or o.n_test },
    { "test_train_ratio", "n_train" }) == "n_train" then
    local n_train, n_test = split_rows(what, o, #differences(what, list))
    ratio = n_test / n_train
  end
  check_distinct(what, o, list)
  return native.paired_t(differences(what, list), ratio, o.confidence, o.distinct)
end

local five_by_two_options = options.declare("stats.five_by_two", {
  differences = { "table!", is = "number[][]",
    doc = "The differences of both folds in each of five repeats of a 2-fold cross-validation." },
})

function stats.five_by_two(given)
  local what = "stats.five_by_two"
  local o = options.check(what, given, five_by_two_options)
  local flat = {}
  for i, replication in ipairs(differences(what, o.differences)) do
    flat[2 * i - 1], flat[2 * i] = pair(what, ("differences[%d]"):format(i), replication)
  end
  if #flat ~= 10 then native.fail("%s: the test has 5 replications, %d were given", what, #flat // 2) end
  return native.five_by_two(flat)
end

local rope = { "number", 0, doc = "Half-width of the region of practical equivalence." }
local correlated_t_options = options.declare("stats.bayes_correlated_t", options.joined(sizes, {
  rho = { "number", doc = "Correlation of the differences, instead of `n_train` and `n_test`." },
  rope = rope,
  distinct = distinct,
  confidence = options.confidence,
}))

function stats.bayes_correlated_t(list, given)
  local what = "stats.bayes_correlated_t"
  local o = options.check(what, given, correlated_t_options)
  local rho = o.rho
  if one_of(what, { rho = rho, n_train = o.n_train or o.n_test }, { "rho", "n_train" })
    == "n_train" then
    local n_train, n_test = split_rows(what, o, #differences(what, list))
    rho = n_test / (n_train + n_test)
  end
  check_distinct(what, o, list)
  return native.bayes_correlated_t(differences(what, list), rho, o.rope, o.confidence, o.distinct)
end

local mcnemar_options = options.declare("stats.mcnemar", {
  only_first = { "integer!", doc = "Number of rows that only the first model predicts correctly." },
  only_second = { "integer!", doc = "Number of rows that only the second model predicts correctly." },
  method = { "string", "exact", names = { "exact", "mid_p", "chi_squared", "corrected" },
    doc = "How the p-value is computed." },
})

function stats.mcnemar(given)
  local what = "stats.mcnemar"
  local o = options.check(what, given, mcnemar_options)
  choice(what, "method", o.method, mcnemar_options)
  return native.mcnemar(o.only_first, o.only_second, o.method)
end

local entries = { [true] = 1, [false] = 0, [1] = 1, [0] = 0 }

-- stats.cochran_q{ { true, false, true }, ... }: each row says which models are right; 1 and 0 also.
function stats.cochran_q(list)
  local what = "stats.cochran_q"
  options.list(what .. ": the rows", list)
  local flat, models = {}, nil
  for i, row in ipairs(list) do
    options.list(("%s: row %d"):format(what, i), row)
    models = models or #row
    if #row ~= models then
      native.fail("%s: row %d is of length %d, row 1 of %d; each has one entry per model", what, i, #row, models)
    end
    for m, value in ipairs(row) do
      flat[#flat + 1] = entries[value]
        or native.fail("%s: row %d, model %d: '%s' is not true, false, 1 or 0", what, i, m, tostring(value))
    end
  end
  if not models then native.fail(what .. ": there are no rows, so no models are known") end
  return native.cochran_q(flat, models)
end

local tie_tolerance = { "number", native.tie_tolerance,
  doc = "Differences that differ by this relative amount or less are ties." }
local wilcoxon_options = options.declare("stats.wilcoxon", {
  zeros = { "string", "wilcox", names = { "wilcox", "pratt", "zsplit" }, doc = "How zero differences are treated." },
  method = { "string", "auto", names = { "auto", "exact", "normal" }, doc = "How the p-value is computed." },
  continuity = { "boolean", false, doc = "Whether the normal approximation has a continuity correction." },
  tie_correction = { "boolean", true, doc = "Whether the variance is corrected for ties." },
  tie_tolerance = tie_tolerance,
})

function stats.wilcoxon(list, given)
  local what = "stats.wilcoxon"
  local o = options.check(what, given, wilcoxon_options)
  choice(what, "zeros", o.zeros, wilcoxon_options)
  choice(what, "method", o.method, wilcoxon_options)
  return native.wilcoxon(differences(what, list), o.zeros, o.method, o.continuity, o.tie_correction, o.tie_tolerance)
end

local signed_rank_options = options.declare("stats.bayes_signed_rank", {
  rope = rope,
  prior_strength = { "number", 0.6, doc = "Weight of the prior, in numbers of observations." },
  samples = { "integer", 50000, doc = "Number of samples of the posterior." },
  points = { "integer", 0, doc = "Number of samples that are kept for a figure." },
  seed = options.seed,
})

function stats.bayes_signed_rank(list, given)
  local what = "stats.bayes_signed_rank"
  local o = options.check(what, given, signed_rank_options)
  return native.bayes_signed_rank(differences(what, list), o.rope, o.prior_strength, o.samples, o.seed, o.points)
end

local hierarchical_options = options.declare("stats.bayes_hierarchical", {
  rho = { "number|table", is = "number|number[]",
    doc = "Correlation of the differences of a dataset, or one for each: the share of test rows of a split." },
  rope = rope,
  prior = { "string", "corani", names = { "corani", "baycomp" },
    doc = "The prior of the degrees of freedom: of Corani et al. 2017, or of the package baycomp." },
  samples = { "integer", 20000, doc = "Number of samples of the posterior." },
  points = { "integer", 0, doc = "Number of samples that are kept for a figure." },
  seed = options.seed,
})

-- `lists` has the differences of all splits for each dataset.
function stats.bayes_hierarchical(lists, given)
  local what = "stats.bayes_hierarchical"
  local o = options.check(what, given, hierarchical_options)
  choice(what, "prior", o.prior, hierarchical_options)
  for i, list in ipairs(options.list(what .. ": the datasets", lists)) do
    options.list(("%s: dataset %d"):format(what, i), list)
  end
  if o.rho == nil then
    native.fail(what .. ": option 'rho' is missing; give the share of test rows of a split, such as 0.1 for 10 folds")
  end
  local rhos = o.rho
  if type(rhos) == "number" then
    rhos = {}
    for i = 1, #lists do rhos[i] = o.rho end
  elseif #options.list(what .. ": option 'rho'", rhos) ~= #lists then
    native.fail("%s: the length of 'rho' is %d, there are %d datasets", what, #rhos, #lists)
  end
  return native.bayes_hierarchical(lists, rhos, o)
end

local sign_test_options = options.declare("stats.sign_test", {
  ties = { "string", "dropped", names = { "dropped", "split" }, doc = "How ties are treated." },
  tie_tolerance = options.joined(tie_tolerance,
    { doc = "Differences of this relative size or less are ties." }),
})

function stats.sign_test(list, given)
  local what = "stats.sign_test"
  local o = options.check(what, given, sign_test_options)
  choice(what, "ties", o.ties, sign_test_options)
  return native.sign_test(differences(what, list), o.ties, o.tie_tolerance)
end

local adjust_options = options.declare("stats.adjust_p", {
  method = { "string", "holm", names = { "bonferroni", "holm", "hochberg", "benjamini_hochberg" },
    doc = "The method of adjustment." },
})

-- The adjusted p-values, in the order given.
function stats.adjust_p(list, given)
  local what = "stats.adjust_p"
  local o = options.check(what, given, adjust_options)
  choice(what, "method", o.method, adjust_options)
  return native.adjust_p(options.list(what .. ": the p-values", list), o.method)
end

return stats
