-- Computes the score of a learner by subgroup: an interval of each level, the gap between the worst and the best,
-- and a test of each level against the rest. The numbers come from native.subgroup_bootstrap and
-- native.subgroup_permutations; see docs/subgroups.md.
local native = require "crossfold.native"
local found_subgroups = require "crossfold.subgroups.found"
local levels = require "crossfold.subgroups.levels"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local stats = require "crossfold.stats.stats"

local subgroups = {}

-- Intervals of levels whose rows are right or wrong, independently: Wilson's (1927) of each level, and of the gap
-- from intervals of the differences of all pairs that hold together. The interval of a difference is made of those
-- of the two shares, as R. G. Newcombe (1998), Statistics in Medicine 17, 873-890, does in method 10; all pairs
-- together by Bonferroni.

-- Why these intervals do not fit; nil = they do.
local function wilson_refusal(scores, weights, units)
  if not scores then return "the metric is not a mean over rows" end
  if weights then return "rows have weights" end
  local seen = {}
  for i, score in ipairs(scores) do
    if score ~= 0 and score ~= 1 then return "the score of a row is not 0 or 1" end
    if seen[units[i]] then return "rows are predicted several times, or depend on each other in groups" end
    seen[units[i]] = true
  end
end

local function interval(row, confidence)
  local made = stats.accuracy_interval { correct = row.right, n = #row.places, confidence = confidence }
  return made.low, made.high
end

-- The ends of the interval of a - b.
local function difference(a, b, confidence)
  local low_a, high_a = interval(a, confidence)
  local low_b, high_b = interval(b, confidence)
  local d = a.value - b.value
  return d - math.sqrt((a.value - low_a) ^ 2 + (high_b - b.value) ^ 2),
    d + math.sqrt((high_a - a.value) ^ 2 + (b.value - low_b) ^ 2)
end

-- Sets the intervals of levels and gap.
local function set_wilson(found, judged, scores, confidence)
  for _, row in ipairs(judged) do
    row.right = 0
    for _, place in ipairs(row.places) do row.right = row.right + math.tointeger(scores[place]) end
    row.low, row.high = interval(row, confidence)
  end
  local n = #judged
  if n < 2 then return end
  local each, low, high = 1 - (1 - confidence) / (n * (n - 1) / 2), 0, 0
  for a = 1, n do
    for b = a + 1, n do
      local from, to = difference(judged[a], judged[b], each)
      low, high = math.max(low, from, -to), math.max(high, to, -from)
    end
  end
  found.gap.low, found.gap.high = low, high
end

local declared = options.declare("Result:subgroups", {
  by = { "string|function!", is = "string|fun(row: table): any",
    doc = "What parts the rows: a column, a condition as in \"age > 60 and sex = f\", or a function of a row." },
  bins = { "integer", doc = "Number of bins of a numeric column." },
  metric = { "any", is = "metric", doc = "The metric; default the first one of the result." },
  learner = { "string", doc = "The learner, where there are several." },
  dataset = { "string", doc = "The dataset, where there are several." },
  min_rows = { "integer", 20, doc = "Levels with fewer rows, or groups of rows, are not judged." },
  interval = { "string", words = { "bootstrap", "wilson" },
    doc = "The interval; default \"wilson\" where a row is right or wrong, else \"bootstrap\"." },
  adjust = { "string", "holm", words = { "holm", "bonferroni", "hochberg", "benjamini_hochberg" },
    doc = "How the p-values of the levels are adjusted." },
  confidence = options.confidence,
  samples = { "integer", 2000, doc = "Number of bootstrap samples, and of permutations." },
  seed = options.seed,
})

-- The options of result:subgroups.
function subgroups.options(given)
  local o = options.check("subgroups", given, declared)
  if o.min_rows < 2 then native.fail("subgroups: min_rows = %d; use 2 or more", o.min_rows) end
  if o.bins and (o.bins < 2 or o.bins > 100) then native.fail("subgroups: bins = %d; use 2 to 100", o.bins) end
  return o
end

-- Numbers from 1 for equal entries.
local function numbered(list)
  local known, numbers, count = {}, {}, 0
  for i, entry in ipairs(list) do
    if not known[entry] then
      count = count + 1
      known[entry] = count
    end
    numbers[i] = known[entry]
  end
  return numbers, count
end

-- What is drawn together with each prediction: its group where the data have groups, else its row.
local function units_of(data, ids)
  local column = data:roles().groups
  if not column then return numbered(ids), "rows" end
  local of_row, groups = {}, data:column(column)
  for i, id in ipairs(data:row_ids()) do of_row[id] = groups[i] end
  local list = {}
  for i, id in ipairs(ids) do list[i] = of_row[id] end
  return numbered(list), "groups"
end

-- The rows of the answer, with the places of their predictions, and the places of the others.
local function part(names, level_of, ids, units)
  local rows, by_name = {}, {}
  for i, name in ipairs(names) do
    rows[i] = { level = name, places = {}, others = {}, seen = {}, rows = 0, units = 0 }
    by_name[name] = rows[i]
  end
  for place, id in ipairs(ids) do
    local row = by_name[level_of[id]]
    for _, one in ipairs(rows) do
      local list = one == row and one.places or one.others
      list[#list + 1] = place
    end
    if not row.seen[id] then row.seen[id], row.rows = true, row.rows + 1 end
    local unit = "u" .. units[place]
    if not row.seen[unit] then row.seen[unit], row.units = true, row.units + 1 end
  end
  return rows
end

-- The score of these rows of a prediction, default all.
local function finite_score(value, prediction, places)
  if places and #places == 0 then return nil, "there are no other rows" end
  local score, reason = metric.score(value, places and native.pick(prediction, places) or prediction)
  if score == math.huge or score == -math.huge then return nil, "the score is infinite" end
  return score, reason
end

-- Sets value and difference of the levels, or why they are undefined; returns those that are judged.
local function score_levels(rows, value, prediction, o, what)
  local judged = {}
  for _, row in ipairs(rows) do
    if row.units < o.min_rows then
      row.undefined = ("%d %s, fewer than min_rows = %d"):format(row.units, row.units == 1 and what:gsub("s$", "")
        or what, o.min_rows)
    else
      row.value, row.undefined = finite_score(value, prediction, row.places)
      if row.value then
        judged[#judged + 1] = row
        local rest, reason = finite_score(value, prediction, row.others)
        row.difference = rest and row.value - rest
        row.p_undefined = not rest and ("the score of the rest: %s"):format(reason) or nil
      end
    end
  end
  return judged
end

-- The level of each prediction among the judged ones, from 0; -1 = another one. And whether a unit has one level.
local function places_of(judged, units)
  local level, of_unit, whole = {}, {}, true
  for i = 1, #units do level[i] = -1 end
  for j, row in ipairs(judged) do
    for _, place in ipairs(row.places) do level[place] = j - 1 end
  end
  for i, unit in ipairs(units) do
    whole = whole and (of_unit[unit] == nil or of_unit[unit] == level[i])
    of_unit[unit] = level[i]
  end
  return level, whole
end

local function set_tests(judged, tests, name)
  for j, row in ipairs(judged) do
    if row.difference then
      row.p, row.p_undefined, row.test = tests[j].p, tests[j].undefined, tests[j].p and name or nil
    end
  end
end

local function without_samples(judged, gap, reason)
  for _, row in ipairs(judged) do
    row.interval_undefined, row.p_undefined = reason, row.p_undefined or reason
  end
  gap.undefined = reason
end

-- Intervals, tests and the gap of the judged levels.
local function judge(found, judged, value, prediction, units, o)
  local scores, weights = metric.row_scores(value, prediction)
  if not scores and metric.is_lua(value) then
    return without_samples(judged, found.gap, "the metric is written in Lua and is not a mean over rows")
  end
  local level, whole = places_of(judged, units)
  local source = { level = level, levels = #judged, unit = units, scores = scores, weights = scores and weights,
    metric = value, prediction = prediction }
  local permuted = scores and whole
  if permuted then set_tests(judged, native.subgroup_permutations(source, o), "permutation") end
  local why_not = wilson_refusal(scores, weights, units)
  if o.interval == "wilson" and why_not then
    native.fail("subgroups: interval = 'wilson' needs rows that are right or wrong: %s; use 'bootstrap'", why_not)
  end
  found.interval = o.interval or (why_not and "bootstrap" or "wilson")
  if found.interval == "wilson" and permuted then return set_wilson(found, judged, scores, o.confidence) end
  local answer = native.subgroup_bootstrap(source, { confidence = o.confidence, samples = o.samples, seed = o.seed,
    tests = not permuted })
  if not permuted then set_tests(judged, answer.tests, "bootstrap") end
  if found.interval == "wilson" then return set_wilson(found, judged, scores, o.confidence) end
  for j, row in ipairs(judged) do
    row.low, row.high, row.interval_undefined = answer.levels[j].low, answer.levels[j].high, answer.levels[j].undefined
  end
  found.gap.low, found.gap.high, found.gap.undefined = answer.gap.low, answer.gap.high, answer.gap.undefined
end

-- Two levels that are all rows are one test.
local function adjust(judged, n_levels, method)
  local list, of = {}, {}
  for _, row in ipairs(judged) do
    if row.p then list[#list + 1], of[#of + 1] = row.p, row end
  end
  if #list == 0 then return end
  local one_test = n_levels == 2 and #list == 2
  local adjusted = one_test and list or native.adjust_p(list, method)
  for i, row in ipairs(of) do row.p_adjusted = adjusted[i] end
end

local function best_and_worst(found, judged, direction)
  local low, high
  for _, row in ipairs(judged) do
    if not low or row.value < low.value then low = row end
    if not high or row.value > high.value then high = row end
  end
  if #judged < 2 then return end
  found.gap.estimate = high.value - low.value
  if direction >= 0 then found.worst, found.best = low.level, high.level end
  if direction < 0 then found.worst, found.best = high.level, low.level end
end

-- Of one job of a result; `prediction` has all its predictions, `plan` is that of the result.
function subgroups.of_job(job, prediction, plan, o)
  if not job.data then
    native.fail("subgroups: the store does not have the data of '%s', which say to which level a row belongs",
      job.dataset)
  end
  local value = metric.check(o.metric or plan.metrics[1], "subgroups: option 'metric'")
  local ids = prediction:row_ids()
  local level_of, names = levels.of(job.data, o.by, o.bins)
  local units, what = units_of(job.data, ids)
  local rows = part(names, level_of, ids, units)
  local title = metric.titles({ value }, { { name = job.dataset, data = job.data } })[1]
  local found = { learner = job.learner_name, dataset = job.dataset, metric = metric.name(value), metric_title = title,
    by = type(o.by) == "string" and o.by or "a function", rows = rows, gap = {}, units = what, adjust = o.adjust,
    confidence = o.confidence, min_rows = o.min_rows, direction = metric.direction(value) }
  found.value = finite_score(value, prediction)
  local judged = score_levels(rows, value, prediction, o, what)
  if #judged > 0 then judge(found, judged, value, prediction, units, o) end
  if #judged < 2 then found.gap.undefined = ("%s with at least %d %s"):format(
    #judged == 0 and "there is no level" or "there is one level only", o.min_rows, what) end
  adjust(judged, #names, o.adjust)
  best_and_worst(found, judged, found.direction)
  return found_subgroups.new(found)
end

return subgroups
