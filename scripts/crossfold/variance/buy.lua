-- ledger:buy{ width = }: how many draws of which source an interval of the mean score of that width takes.
--
-- With n[j] draws of source j in each draw of the source before, the variance of the mean is the sum of component[j] /
-- (n[1] ... n[j]). The interval has the quantile of t with n[1] - 1 degrees of freedom, or with those of the first
-- source in the ledger, which knows the components already, if they are more. Samples with replacement of one dataset
-- cannot be bought: more of them say nothing new about the population. So the mean is then that of this dataset, over
-- the sources inside, and what the data add is said apart.
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"

local variance_buy = {}

local most_inside, most_draws = 8, 1000000

-- The width of the interval with these numbers of draws; `from` is the first source that is averaged over.
local function width_of(components, counts, quantile)
  local variance, draws = 0, 1
  for j, component in ipairs(components) do
    draws = draws * counts[j]
    variance = variance + component.variance / draws
  end
  return 2 * quantile(counts[1]) * math.sqrt(variance)
end

-- The quantile of t for n draws of the first source, each computed once.
local function quantiles(confidence, least_df)
  local known = {}
  return function(n)
    local df = math.max(n - 1, least_df)
    known[df] = known[df] or native.student_quantile((1 + confidence) / 2, df)
    return known[df]
  end
end

-- The least n from `least` on with is_enough(n), which more draws never undo; nil if most_draws are too few.
local function least_number(least, is_enough)
  if is_enough(least) then return least end
  local low, high = least, 2 * least
  while not is_enough(high) do
    if high > most_draws then return nil end
    low, high = high, 2 * high
  end
  while high - low > 1 do
    local middle = (low + high) // 2
    if is_enough(middle) then high = middle else low = middle end
  end
  return high
end

-- What more draws of source j alone do: the number that is needed (nil: no number is enough), and the width that
-- infinitely many would leave.
local function only(components, counts, j, width, quantile)
  local changed = table.move(counts, 1, #counts, 1, {})
  local needed = least_number(counts[j], function(n)
    changed[j] = n
    return width_of(components, changed, quantile) <= width
  end)
  local left, draws = 0, 1
  for i = 1, j - 1 do
    draws = draws * counts[i]
    left = left + components[i].variance / draws
  end
  return needed, j == 1 and 0 or 2 * quantile(counts[1]) * math.sqrt(left)
end

-- Fits of a plan: of a search each tuning has its inner cells, too.
local function fits_of(components, counts, folds, per_tuning)
  local scores, tunings = 1, 1
  for j, component in ipairs(components) do
    scores = scores * counts[j]
    if component.source ~= "seed" then tunings = scores end
  end
  return scores * folds + tunings * per_tuning
end

-- Calls f(counts) for all numbers of draws of the inner sources from 1 to most_inside; counts[1] is to be filled.
local function each_inside(n, f)
  local counts = {}
  local function fill(j)
    if j > n then return f(counts) end
    for count = 1, most_inside do
      counts[j] = count
      fill(j + 1)
    end
  end
  fill(2)
end

-- The plan with the fewest fits, and of equal ones that with the most draws of the first source.
local function cheapest(components, width, quantile, folds, per_tuning)
  local best
  each_inside(#components, function(counts)
    local needed = least_number(1, function(n)
      counts[1] = n
      return width_of(components, counts, quantile) <= width
    end)
    if not needed then return end
    counts[1] = needed
    local fits = fits_of(components, counts, folds, per_tuning)
    if not best or fits < best.fits then
      best = { counts = table.move(counts, 1, #counts, 1, {}), fits = fits,
        width = width_of(components, counts, quantile) }
    end
  end)
  return best
end

-- What the data add that no repeat takes away, if they are samples of one dataset: width, and the rows for which it
-- would be as wanted, if the variance falls as 1 / rows.
local function of_data(facts, component, width)
  local data = { sd = component.sd, least_sd = math.sqrt(component.low), greatest_sd = math.sqrt(component.high),
    width = 2 * native.student_quantile((1 + facts.confidence) / 2, 1e9) * component.sd }
  if data.width > width then data.rows = math.ceil(facts.rows * (data.width / width) ^ 2) end
  return data
end

-- { width, confidence, target, now = width of the draws that there are, sources = { { source, draws, needed, floor } },
-- cheapest = { draws by source, fits, width }, data } for a ledger of variance_ledger.of.
function variance_buy.of(facts, ledger, width, cells_per_tuning)
  local found = { learner = ledger.name, metric = facts.metric.text, width = width, confidence = facts.confidence,
    undefined = ledger.undefined }
  if ledger.undefined then return found end
  local components, counts = {}, {}
  local given_data = facts.sources[1].source == "data" and facts.drawn == "bootstrap"
  for j, component in ipairs(ledger.components) do
    if not (j == 1 and given_data) then
      components[#components + 1], counts[#counts + 1] = component, component.units
    end
  end
  local is_population = facts.sources[1].source == "data" and not given_data
  found.target = is_population and "the population of the datasets" or ("this data set of %d rows"):format(facts.rows)
  if given_data then found.data = of_data(facts, ledger.components[1], width) end
  if #components == 0 then
    found.undefined = "only the data vary, and more samples of one data set say nothing new; vary the split, too"
    return found
  end
  local quantile = quantiles(facts.confidence, components[1].df)
  found.now, found.sources = width_of(components, counts, quantile), {}
  for j, component in ipairs(components) do
    local needed, floor = only(components, counts, j, width, quantile)
    found.sources[j] = { source = component.source, draws = counts[j], needed = needed, floor = floor }
  end
  local best = cheapest(components, width, quantile, facts.folds, cells_per_tuning or 0)
  if best then
    found.cheapest = { fits = math.ceil(best.fits), width = best.width, draws = {} }
    for j, component in ipairs(components) do found.cheapest.draws[component.source] = best.counts[j] end
  end
  return found
end

local function count(n, noun) return ("%d %s%s"):format(n, noun, n == 1 and "" or "s") end

local nouns = { data = "data set", split = "split", tuning = "tuning", seed = "seed" }

-- "12 splits with 1 tuning each and 1 seed each".
local function draws_text(sources, draws)
  local parts = {}
  for j, row in ipairs(sources) do
    parts[j] = count(draws[row.source], nouns[row.source]) .. (j > 1 and " each" or "")
  end
  return table.concat(parts, ", ")
end

local function only_text(found)
  local parts = {}
  for j, row in ipairs(found.sources) do
    local name = nouns[row.source] .. "s"
    if row.needed then
      parts[#parts + 1] = ("More %s alone: %d%s."):format(name, row.needed, j > 1 and " each" or "")
    else
      parts[#parts + 1] = ("No number of %s alone is enough: the width stays above %s."):format(name,
        number_text.fixed(row.floor))
    end
  end
  return table.concat(parts, " ")
end

local function data_text(found)
  local data = found.data
  if not data then return "" end
  return (" None of this narrows what the choice of the rows adds: sd %s (interval %s to %s), which makes an "
    .. "interval for new data of this size %s wide%s."):format(number_text.fixed(data.sd),
      number_text.fixed(data.least_sd), number_text.fixed(data.greatest_sd), number_text.fixed(data.width), data.rows
      and ("; that falls to %s with about %d rows, if the variance falls as 1 / rows"):format(
        number_text.chosen(found.width), data.rows) or "")
end

-- All of it in plain English.
function variance_buy.sentence(found)
  if found.undefined then
    return ("What to buy for an interval of width %s is undefined: %s."):format(number_text.chosen(found.width),
      found.undefined) .. data_text(found)
  end
  local draws = {}
  for _, row in ipairs(found.sources) do draws[row.source] = row.draws end
  local text = ("The %s interval of the mean %s of '%s' on %s would have width %s with %s, by these "
    .. "components."):format(number_text.confidence(found.confidence), found.metric, found.learner, found.target,
    number_text.fixed(found.now), draws_text(found.sources, draws))
  if found.now <= found.width then
    return ("%s That is at most %s: nothing is to buy."):format(text, number_text.chosen(found.width))
      .. data_text(found)
  end
  local best = found.cheapest
  text = text .. (best and (" For width %s the fewest fits are %d: %s."):format(number_text.chosen(found.width),
    best.fits, draws_text(found.sources, best.draws))
    or (" For width %s more than %d draws are needed."):format(number_text.chosen(found.width), most_draws))
  local alone = only_text(found)
  return text .. (alone ~= "" and " " .. alone or "") .. data_text(found)
end

return variance_buy
