-- Chooses the candidate that a search takes, given its inner table:
--   best          the best mean; equal ones (within 1e-12, relative: means of the same numbers in
--                 another order differ in the last bits): the earlier one.
--   one_se        the simplest whose mean is within one standard error of the best (Breiman, Friedman,
--                 Olshen and Stone 1984, "Classification and Regression Trees", section 3.4.3). The
--                 standard error is that of the best one's mean, sd / sqrt(folds), as if folds were
--                 independent; they are not.
--   within_noise  the simplest that is not worse than the best one by search/fold_noise.lua at level alpha.
--   simplest in the set  the simplest of those that search/confidence_set.lua cannot tell from the best, at level
--                 1 - alpha; the search notes in the entries which these are.
-- Which of two is simpler is said by option `simplest`. Of equally simple ones the better mean is
-- taken, then the earlier.
local native = require "crossfold.native"
local fold_noise = require "crossfold.search.fold_noise"
local options = require "crossfold.options"

local selection = {}

local tie_tolerance = 1e-12

-- Whether candidate score `a` beats `b` by more than rounding.
function selection.better(a, b, direction)
  local difference = (a - b) * direction
  return difference > tie_tolerance * math.max(1, math.abs(a), math.abs(b))
end

-- The first of `places` with the best mean, or nil if none has a mean.
function selection.best(entries, places, direction)
  local best
  for _, c in ipairs(places) do
    local mean = entries[c].mean
    if mean and (best == nil or selection.better(mean, entries[best].mean, direction)) then best = c end
  end
  return best
end

-- Moves the places of a list to `ranked`, always the first with the best mean.
local function take_best(entries, left, direction, ranked)
  while #left > 0 do
    local best = selection.best(entries, left, direction)
    ranked[#ranked + 1] = best
    for i, c in ipairs(left) do
      if c == best then table.remove(left, i) break end
    end
  end
end

-- Moves sorted[first .. last] to `ranked`: places whose means differ from their neighbours by no more than rounding.
local function rank_ties(entries, sorted, first, last, direction, order, ranked)
  local ties = table.move(sorted, first, last, 1, {})
  table.sort(ties, function(a, b) return order[a] < order[b] end)
  if selection.better(entries[sorted[first]].mean, entries[sorted[last]].mean, direction) then
    return take_best(entries, ties, direction, ranked)  -- a chain of small steps
  end
  table.move(ties, 1, #ties, #ranked + 1, ranked)
end

-- The places that have a mean, from the best to the worst; equal ones in their order.
function selection.ranked(entries, places, direction)
  local sorted, order, ranked = {}, {}, {}
  for i, c in ipairs(places) do
    if entries[c].mean then sorted[#sorted + 1], order[c] = c, i end
  end
  table.sort(sorted, function(a, b)
    local x, y = entries[a].mean * direction, entries[b].mean * direction
    if x ~= y then return x > y end
    return order[a] < order[b]
  end)
  local first = 1
  for i = 1, #sorted do
    if i == #sorted or selection.better(entries[sorted[i]].mean, entries[sorted[i + 1]].mean, direction) then
      rank_ties(entries, sorted, first, i, direction, order, ranked)
      first = i + 1
    end
  end
  return ranked
end

-- Places of the candidates that no other one beats in all metrics: not worse in any, better in one.
-- `names` and `directions` of the metrics; a metric without direction does not count.
function selection.front(entries, places, names, directions)
  local function beats(a, b)
    local better = false
    for m, name in ipairs(names) do
      local x, y = a.metrics[name].mean, b.metrics[name].mean
      if directions[m] ~= 0 then
        if selection.better(y, x, directions[m]) then return false end
        better = better or selection.better(x, y, directions[m])
      end
    end
    return better
  end
  local function is_complete(entry)
    for m, name in ipairs(names) do
      if directions[m] ~= 0 and not (entry.metrics and entry.metrics[name].mean) then return false end
    end
    return true
  end
  local complete, others, front = {}, {}, {}
  for _, c in ipairs(places) do
    if is_complete(entries[c]) then complete[#complete + 1], others[#others + 1] = c, c end
  end
  local function is_beaten(c)
    for i, other in ipairs(others) do
      if beats(entries[other], entries[c]) then
        others[1], others[i] = other, others[1]  -- it beats most of the next ones, too
        return true
      end
    end
    return false
  end
  for _, c in ipairs(complete) do
    if not is_beaten(c) then front[#front + 1] = c end
  end
  return front
end

-- One way to order values of parameter `name`: a function from a value to a number, lower = simpler.
local function order_of(name, order, what)
  if order == "higher" or order == "lower" then
    local sign = order == "higher" and -1 or 1
    return function(value)
      if type(value) == "number" then return sign * value end
    end
  end
  if type(order) ~= "table" then
    native.fail("%s: option 'simplest': '%s' must be \"higher\", \"lower\" or a list of values, the simplest first",
      what, name)
  end
  options.list(("%s: option 'simplest': the values of '%s'"):format(what, name), order)
  local rank = {}
  for i, value in ipairs(order) do rank[value] = i end
  return function(value) return rank[value] end
end

-- { {name, order}, ... } of `simplest` given as { k = "higher" } or a list of such.
local function parameter_orders(simplest, what)
  local list = simplest[1] ~= nil and options.list(what .. ": option 'simplest'", simplest) or { simplest }
  local orders = {}
  for _, one in ipairs(list) do
    local names = type(one) == "table" and options.sorted_keys(one) or {}
    if #names ~= 1 then
      native.fail("%s: option 'simplest': name one parameter, or give a list whose first element decides, as in "
        .. "{ { max_depth = \"lower\" }, { k = \"higher\" } }", what)
    end
    orders[#orders + 1] = { name = names[1], order = order_of(names[1], one[names[1]], what) }
  end
  return orders
end

local function keys_by_function(list, f, what)
  local keys = {}
  for c, candidate in ipairs(list) do
    local key = f(options.joined(candidate.params))
    if type(key) ~= "number" or key ~= key then
      native.fail("%s: option 'simplest' must return a number; for %s it returned %s", what, candidate.name,
        key ~= key and "nan" or "a " .. type(key))
    end
    keys[c] = { key }
  end
  return keys
end

local function keys_by_parameters(list, orders, what)
  local keys = {}
  for c, candidate in ipairs(list) do
    keys[c] = {}
    for i, one in ipairs(orders) do
      local value = candidate.params[one.name]
      local key
      if value ~= nil then key = one.order(value) end
      if not key then
        native.fail("%s: option 'simplest': %s has no place in the order of '%s'; list its values, the simplest first, "
          .. "or give a function of the parameters", what, candidate.name, one.name)
      end
      keys[c][i] = key
    end
  end
  return keys
end

-- The options of a rule.
selection.options = {
  choose = { "string", "best", words = { "best", "one_se", "simplest in the set", "within_noise" },
    doc = "The rule of choice: the best mean, the simplest candidate within one standard error of it, the simplest "
      .. "of the confidence set, or the simplest one that is not significantly worse." },
  simplest = { "table|function",
    is = "table<string, \"higher\"|\"lower\"|any[]>|table[]|fun(params: table<string, any>): number",
    doc = "Which candidate is simpler: a direction for each parameter, or a function of the parameters." },
  alpha = { "number",
    doc = "Level of the tests of \"within_noise\" and of \"simplest in the set\"; default 0.05." },
}

-- Whether a rule compares the scores of the folds, so that it needs two of them.
function selection.goes_by_folds(rule) return rule.choose == "one_se" or rule.choose == "within_noise" end

-- Whether a rule goes by the confidence set, which the entries must say then (`in_set`).
function selection.needs_set(rule) return rule.choose == "simplest in the set" end

-- The rule that options ask for, for a list of candidates: { choose, keys, alpha }; keys[c] = numbers
-- that order candidate c, lower = simpler, the first decides.
function selection.rule(o, list, what)
  if (o.choose ~= "best") ~= (o.simplest ~= nil) then
    native.fail(o.simplest == nil and ("%s: choose = '%s' takes the simplest of several; say which is simpler, as in "
        .. "simplest = { k = \"higher\" }"):format(what, o.choose)
      or ("%s: option 'simplest' goes with choose = \"one_se\", \"simplest in the set\" or \"within_noise\""):format(
        what))
  end
  local tests = o.choose == "within_noise" or selection.needs_set(o)
  if o.alpha and not tests then
    native.fail("%s: option 'alpha' goes with choose = \"within_noise\" or \"simplest in the set\"", what)
  end
  local alpha = tests and (o.alpha or 0.05) or nil
  if alpha and not (alpha > 0 and alpha < 1) then
    native.fail("%s: alpha = %s is out of range; use a number between 0 and 1", what, native.format_number(alpha))
  end
  local keys
  if type(o.simplest) == "function" then
    keys = keys_by_function(list, o.simplest, what)
  elseif o.simplest then
    keys = keys_by_parameters(list, parameter_orders(o.simplest, what), what)
  end
  return { choose = o.choose, keys = keys, alpha = alpha }
end

-- Whether `entry` is as good as `best` by the rule. Notes the p-value in the entry.
local function is_as_good(rule, entry, best, direction, test_share, different)
  if not selection.better(best.mean, entry.mean, direction) then return true end
  if selection.needs_set(rule) then return entry.in_set end
  if rule.choose == "one_se" then
    local se = best.sd / math.sqrt(best.n_folds * (different or 1))
    return not selection.better(best.mean - direction * se, entry.mean, direction)
  end
  entry.p = fold_noise.p_better(best.values, entry.values, direction, test_share, different)
  return entry.p ~= nil and entry.p >= rule.alpha
end

-- -1, 0 or 1: how the keys of two candidates compare.
local function compare(a, b)
  for i = 1, #a do
    if a[i] ~= b[i] then return a[i] < b[i] and -1 or 1 end
  end
  return 0
end

-- The place that the rule takes among `places`, and that of the best; nil if none has a mean.
function selection.choose(rule, entries, places, direction, test_share, different)
  local best = selection.best(entries, places, direction)
  if best == nil or rule.choose == "best" then return best, best end
  if selection.goes_by_folds(rule) and entries[best].n_folds < 2 then
    native.fail("cannot choose by %s: only one inner fold counts, and one fold has no spread; use more folds or choose "
      .. "= \"best\"", rule.choose)
  end
  local chosen
  for _, c in ipairs(selection.ranked(entries, places, direction)) do
    if is_as_good(rule, entries[c], entries[best], direction, test_share, different) and
        (chosen == nil or compare(rule.keys[c], rule.keys[chosen]) < 0) then
      chosen = c
    end
  end
  return chosen, best
end

return selection
