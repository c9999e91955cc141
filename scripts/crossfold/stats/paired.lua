-- cf.stats: one accuracy, two accuracies, and two or more learners on the same splits, rows or data
-- sets. See docs/statistics.md; the figures and when they are undefined are those of the C++ headers
-- core/include/crossfold/stats/{proportion,t_test,mcnemar,cochran_q,signed_rank,bayes_signed_rank,
-- multiple_testing}.h.
local native = require "crossfold.native"
local options = require "crossfold.options"

local stats = {}

-- The value of option `key` is one of `names`.
local function choice(what, key, value, names)
  for _, name in ipairs(names) do
    if value == name then return value end
  end
  native.fail(("%s: option '%s' is '%s'; %s"):format(what, key, value,
    native.known_names(value, names)))
end

-- Names of one of a kind, in the order of messages.
local proportion_methods = { "wilson", "wilson_corrected", "normal", "clopper_pearson",
  "agresti_coull", "jeffreys" }
local mcnemar_methods = { "exact", "mid_p", "chi_squared", "corrected" }
local adjustments = { "bonferroni", "holm", "hochberg", "benjamini_hochberg" }

-- Exactly one of the options in `names` is given: its name.
local function one_of(what, o, names)
  local found
  for _, name in ipairs(names) do
    if o[name] ~= nil then
      if found then
        native.fail(("%s: options '%s' and '%s' say the same; give one"):format(what, found, name))
      end
      found = name
    end
  end
  if not found then
    native.fail(("%s: one of the options '%s' is missing"):format(what,
      table.concat(names, "', '")))
  end
  return found
end

local function pair(what, key, value)
  options.list(("%s: option '%s'"):format(what, key), value)
  if #value ~= 2 or type(value[1]) ~= "number" or type(value[2]) ~= "number" then
    native.fail(("%s: option '%s' must be two numbers, as in { 1, 2 }"):format(what, key))
  end
  return value[1], value[2]
end

-- stats.accuracy_interval{ correct =, n =, method = "wilson", confidence = 0.95 }
function stats.accuracy_interval(given)
  local what = "stats.accuracy_interval"
  local o = options.check(what, given, {
    correct = { "integer!" }, n = { "integer!" }, method = { "string", "wilson" },
    confidence = { "number", 0.95 },
  })
  choice(what, "method", o.method, proportion_methods)
  return native.accuracy_interval(o.correct, o.n, o.method, o.confidence)
end

-- Rows of both models as counts, from one of the four ways to say it.
local function counts(what, o, n1, n2)
  local key = one_of(what, o, { "correct", "errors", "accuracies", "error_rates" })
  local first, second = pair(what, key, o[key])
  if key == "accuracies" or key == "error_rates" then return first * n1, second * n2 end
  if not (math.tointeger(first) and math.tointeger(second)) then
    native.fail(("%s: option '%s' counts rows; rates go into '%s'"):format(what, key,
      key == "correct" and "accuracies" or "error_rates"))
  end
  return first, second
end

-- stats.two_proportions{ correct = { a, b } | errors = | accuracies = | error_rates =, n = { a, b },
--   confidence = 0.95 }
function stats.two_proportions(given)
  local what = "stats.two_proportions"
  local o = options.check(what, given, {
    correct = { "table" }, errors = { "table" }, accuracies = { "table" },
    error_rates = { "table" }, n = { "table!" }, confidence = { "number", 0.95 },
  })
  local n1, n2 = pair(what, "n", o.n)
  if not (math.tointeger(n1) and math.tointeger(n2)) then
    native.fail(what .. ": option 'n' counts rows; give two whole numbers")
  end
  local first, second = counts(what, o, n1, n2)
  return native.two_proportions(first, math.tointeger(n1), second, math.tointeger(n2),
    o.confidence)
end

local function differences(what, list)
  return options.list(what .. ": the differences", list)
end

-- stats.paired_t(differences, { confidence = 0.95 })
function stats.paired_t(list, given)
  local o = options.check("stats.paired_t", given, { confidence = { "number", 0.95 } })
  return native.paired_t(differences("stats.paired_t", list), nil, o.confidence)
end

-- Rows of the splits, of all together if each is named: for unequal splits the ratio of the sums.
-- `splits` is how many there are.
local function rows(what, key, value, splits)
  local total = 0.0  -- whole numbers would wrap around
  if type(value) == "table" and #value > 0 and #value ~= splits then
    native.fail(("%s: option '%s' is of length %d, and there are %d differences; give one number a "
      .. "split, or one for all"):format(what, key, #value, splits))
  end
  for _, n in ipairs(type(value) == "table" and options.list(what .. ": option '" .. key .. "'",
    value) or { value }) do
    if not (math.type(n) == "integer" or math.tointeger(n)) or n < 1 then
      native.fail(("%s: option '%s' counts rows; '%s' is no number of them"):format(what, key,
        tostring(n)))
    end
    total = total + n
  end
  if total == 0 then native.fail(("%s: option '%s' is an empty list"):format(what, key)) end
  return total
end

-- Both numbers of rows, or neither.
local function split_rows(what, o, splits)
  if (o.n_train == nil) ~= (o.n_test == nil) then
    native.fail(("%s: option '%s' is missing; n_train and n_test belong together"):format(what,
      o.n_train == nil and "n_train" or "n_test"))
  end
  if type(o.n_train) ~= type(o.n_test) then
    native.fail(what .. ": options 'n_train' and 'n_test' must both be numbers, or both lists")
  end
  return rows(what, "n_train", o.n_train, splits), rows(what, "n_test", o.n_test, splits)
end

-- stats.corrected_t(differences, { test_train_ratio = | n_train =, n_test =, confidence = 0.95 })
function stats.corrected_t(list, given)
  local what = "stats.corrected_t"
  local o = options.check(what, given, {
    test_train_ratio = { "number" }, n_train = { "integer|table" }, n_test = { "integer|table" },
    confidence = { "number", 0.95 },
  })
  local ratio = o.test_train_ratio
  if one_of(what, { test_train_ratio = ratio, n_train = o.n_train or o.n_test },
    { "test_train_ratio", "n_train" }) == "n_train" then
    local n_train, n_test = split_rows(what, o, #differences(what, list))
    ratio = n_test / n_train
  end
  return native.paired_t(differences(what, list), ratio, o.confidence)
end

-- stats.five_by_two{ differences = { { p1, p2 }, ... } }
function stats.five_by_two(given)
  local what = "stats.five_by_two"
  local o = options.check(what, given, { differences = { "table!" } })
  local flat = {}
  for i, replication in ipairs(differences(what, o.differences)) do
    flat[2 * i - 1], flat[2 * i] = pair(what, ("differences[%d]"):format(i), replication)
  end
  if #flat ~= 10 then
    native.fail(("%s: the test has 5 replications, %d were given"):format(what, #flat // 2))
  end
  return native.five_by_two(flat)
end

-- stats.bayes_correlated_t(differences, { rho = | n_train =, n_test =, rope = 0, confidence = 0.95 })
function stats.bayes_correlated_t(list, given)
  local what = "stats.bayes_correlated_t"
  local o = options.check(what, given, {
    rho = { "number" }, n_train = { "integer|table" }, n_test = { "integer|table" },
    rope = { "number", 0 }, confidence = { "number", 0.95 },
  })
  local rho = o.rho
  if one_of(what, { rho = rho, n_train = o.n_train or o.n_test }, { "rho", "n_train" })
    == "n_train" then
    local n_train, n_test = split_rows(what, o, #differences(what, list))
    rho = n_test / (n_train + n_test)
  end
  return native.bayes_correlated_t(differences(what, list), rho, o.rope, o.confidence)
end

-- stats.mcnemar{ only_first =, only_second =, method = "exact" }
function stats.mcnemar(given)
  local what = "stats.mcnemar"
  local o = options.check(what, given, {
    only_first = { "integer!" }, only_second = { "integer!" }, method = { "string", "exact" },
  })
  choice(what, "method", o.method, mcnemar_methods)
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
      native.fail(("%s: row %d is of length %d, row 1 of %d; each has one entry a model"):format(what, i,
        #row, models))
    end
    for m, value in ipairs(row) do
      flat[#flat + 1] = entries[value]
        or native.fail(("%s: row %d, model %d: '%s' is not true, false, 1 or 0"):format(what, i, m,
          tostring(value)))
    end
  end
  if not models then native.fail(what .. ": there are no rows, so no models are known") end
  return native.cochran_q(flat, models)
end

-- stats.wilcoxon(differences, { zeros = "wilcox", method = "auto", continuity = false,
--   tie_correction = true, tie_tolerance = 1e-12 })
function stats.wilcoxon(list, given)
  local what = "stats.wilcoxon"
  local o = options.check(what, given, {
    zeros = { "string", "wilcox" }, method = { "string", "auto" },
    continuity = { "boolean", false }, tie_correction = { "boolean", true },
    tie_tolerance = { "number", native.tie_tolerance },
  })
  choice(what, "zeros", o.zeros, { "wilcox", "pratt", "zsplit" })
  choice(what, "method", o.method, { "auto", "exact", "normal" })
  return native.wilcoxon(differences(what, list), o.zeros, o.method, o.continuity,
    o.tie_correction, o.tie_tolerance)
end

-- stats.bayes_signed_rank(differences, { rope = 0, prior_strength = 0.6, samples = 50000, seed = })
function stats.bayes_signed_rank(list, given)
  local what = "stats.bayes_signed_rank"
  local o = options.check(what, given, {
    rope = { "number", 0 }, prior_strength = { "number", 0.6 }, samples = { "integer", 50000 },
    seed = { "integer", native.defaults().seed },
  })
  return native.bayes_signed_rank(differences(what, list), o.rope, o.prior_strength, o.samples,
    o.seed)
end

-- stats.sign_test(differences, { ties = "dropped", tie_tolerance = 1e-12 })
function stats.sign_test(list, given)
  local what = "stats.sign_test"
  local o = options.check(what, given, {
    ties = { "string", "dropped" }, tie_tolerance = { "number", native.tie_tolerance },
  })
  choice(what, "ties", o.ties, { "dropped", "split" })
  return native.sign_test(differences(what, list), o.ties, o.tie_tolerance)
end

-- stats.adjust_p(list, { method = "holm" }): the adjusted p-values, in the order given.
function stats.adjust_p(list, given)
  local what = "stats.adjust_p"
  local o = options.check(what, given, { method = { "string", "holm" } })
  choice(what, "method", o.method, adjustments)
  return native.adjust_p(options.list(what .. ": the p-values", list), o.method)
end

return stats
