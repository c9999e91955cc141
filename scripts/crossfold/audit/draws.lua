-- Tests whether values follow the means of some levels more exactly than sampling allows: the targets are
-- drawn again with the means that fit best, and the order that is left is compared.
local draws = {}

-- Number of draws that must all be worse, fewer if they have many levels, where draws differ less; and the mean
-- of the first `looks` must be `better` times as large.
local most_draws, fewest_draws, most_drawn = 2000, 200, 100000
local looks, better, fewest_levels = 20, 10, 6
-- Six levels with different means have 720 orders.
local most_as_good = 200

-- ---- random numbers that leave math.random alone -----------------------------------------------------

-- Splitmix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014.
local function uniforms(seed)
  local state = seed
  return function()
    state = state + 0x9e3779b97f4a7c15
    local z = (state ~ (state >> 30)) * 0xbf58476d1ce4e5b9
    z = (z ~ (z >> 27)) * 0x94d049bb133111eb
    return ((z ~ (z >> 31)) >> 11) * 2.0 ^ -53
  end
end

local function normal(uniform)
  return math.sqrt(-2 * math.log(1 - uniform())) * math.cos(2 * math.pi * uniform())
end

-- The share of n yes-or-no answers with chance p.
local function share(uniform, n, p)
  if p <= 0 or p >= 1 then return p end
  if n > 30 then
    local drawn = math.floor(n * p + math.sqrt(n * p * (1 - p)) * normal(uniform) + 0.5)
    return math.min(n, math.max(0, drawn)) / n
  end
  local hits = 0
  for _ = 1, n do
    if uniform() < p then hits = hits + 1 end
  end
  return hits / n
end

-- ---- monotone fits -----------------------------------------------------------------------------------

-- The rising sequence that is nearest to `means` with `weights` (pool adjacent violators), and the weighted
-- sum of squares between both.
local function rising_fit(means, weights)
  local values, sizes, counts, top = {}, {}, {}, 0
  for i, mean in ipairs(means) do
    top = top + 1
    values[top], sizes[top], counts[top] = mean, weights[i], 1
    while top > 1 and values[top - 1] > values[top] do
      local size = sizes[top - 1] + sizes[top]
      values[top - 1] = (values[top - 1] * sizes[top - 1] + values[top] * sizes[top]) / size
      sizes[top - 1], counts[top - 1] = size, counts[top - 1] + counts[top]
      top = top - 1
    end
  end
  local fit, left, i = {}, 0.0, 0
  for block = 1, top do
    for _ = 1, counts[block] do
      i = i + 1
      fit[i] = values[block]
      left = left + weights[i] * (means[i] - fit[i]) ^ 2
    end
  end
  return fit, left
end

-- Levels in the order of their values, those of one value as one: means, weights, variance of a row. The values are
-- those of `order`, which rise, and the targets those of `items`.
local function merged(order, items)
  local sums, weights, value, within, rows = {}, {}, nil, 0.0, 0
  for i, item in ipairs(items) do
    if order[i].value ~= value then
      value = order[i].value
      sums[#sums + 1], weights[#weights + 1] = 0.0, 0
    end
    local k = #sums
    sums[k], weights[k] = sums[k] + item.sum, weights[k] + item.count
    within, rows = within + item.count * item.variance, rows + item.count
  end
  for k, sum in ipairs(sums) do sums[k] = sum / weights[k] end
  return sums, weights, rows > #items and within / (rows - #items) or 0.0
end

local function times(sign, means)
  local turned = {}
  for k, mean in ipairs(means) do turned[k] = sign * mean end
  return turned
end

-- Whether more than one in most_as_good of `count` orders of the levels, drawn at random, is as monotone: it is where
-- means are tied, as those of matched sets are by design.
local function any_order_will_do(order, sign, most_left, count, uniform)
  local items, as_good = table.move(order, 1, #order, 1, {}), 0
  for _ = 1, count do
    for i = #items, 2, -1 do
      local j = 1 + math.floor(uniform() * i)
      items[i], items[j] = items[j], items[i]
    end
    local means, weights = merged(order, items)
    local _, rest = rising_fit(times(sign, means), weights)
    if rest <= most_left then as_good = as_good + 1 end
  end
  return as_good * most_as_good > count
end

-- -1 or 1 if the items { value =, sum =, count =, variance = } fall or rise with the means more exactly
-- than in all draws, and how many these were; nil if not. `is_class`: the means are shares.
function draws.monotone(items, is_class, seed)
  local order = table.move(items, 1, #items, 1, {})
  table.sort(order, function(a, b) return a.value < b.value end)
  local means, weights, variance = merged(order, order)
  if #means < fewest_levels then return nil end
  local fit, left, sign = nil, math.huge, 1
  for _, s in ipairs { 1, -1 } do
    local one, rest = rising_fit(times(s, means), weights)
    if rest < left then fit, left, sign = one, rest, s end
  end
  local uniform, total = uniforms(seed), 0.0
  local scale = 1e-12 * (math.abs(fit[1]) + math.abs(fit[#fit])) ^ 2
  local count = math.max(fewest_draws, math.min(most_draws, most_drawn // #fit))
  for draw = 1, count do
    local drawn = {}
    for k, mean in ipairs(fit) do
      drawn[k] = is_class and sign * share(uniform, weights[k], sign * mean)
        or mean + math.sqrt(variance / weights[k]) * normal(uniform)
    end
    local _, rest = rising_fit(drawn, weights)
    if rest <= left + scale then return nil end
    total = total + rest
    if draw == looks and better * left > total / looks then return nil end
  end
  if any_order_will_do(order, sign, left + scale, count, uniform) then return nil end
  return sign, count
end

return draws
