-- plot.critical_difference(comparison | result | ranks, { metric =, alpha = }): average ranks over datasets, the
-- critical difference of Nemenyi's test, and groups of learners that it does not separate (Demsar 2006,
-- "Statistical comparisons of classifiers over multiple data sets").
local compare = require "crossfold.compare.compare"
local figure = require "crossfold.plot.figure"
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local critical_difference = { options = {
  metric = subject.options.metric, alpha = { "number", doc = "Level of the tests; default 0.05." },
} }

local name = "critical_difference"

-- The average ranks with their critical difference, the metric, and the comparison's test over datasets.
local function ranks_of(given, o)
  if subject.is(given, "a result of cf.evaluate") then
    local metric = subject.choose(name, "metric", subject.metrics(given), o.metric)
    given = compare.new(given, { metric = metric, alpha = o.alpha })
  elseif type(given) == "table" and given.average_ranks and given.learners then  -- of cf.stats.friedman
    if o.metric or o.alpha then
      subject.fail(name, "the ranks have their scores and alpha already", "give alpha to cf.stats.friedman")
    end
    return given, nil, { friedman = given }
  elseif o.metric or o.alpha then
    subject.fail(name, "a comparison has its metric and alpha already", "give them to cf.compare, or plot the result")
  end
  subject.check(given, "a comparison", name)
  local over = given:over()
  if not over then
    subject.fail(name, "there is one dataset, and ranks are taken over several", "evaluate with datasets = {...}")
  end
  local ranks = over.ranks or over.friedman
  if not ranks then subject.fail(name, over.undefined, "plot the summary instead") end
  local rows = given:rows { learner = ranks.learners[1], dataset = over.names and over.names[1] }
  return ranks, rows[1] and rows[1].metric, over
end

-- Learners by rank, best first: { name, rank, groups = { 1, 2 } }.
local function ordered(friedman)
  local list, by_name = {}, {}
  for i, learner in ipairs(friedman.learners) do
    list[i] = { name = learner, rank = friedman.average_ranks[i], place = i, groups = {} }
    by_name[learner] = list[i]
  end
  table.sort(list, function(a, b)
    if a.rank ~= b.rank then return a.rank < b.rank end
    return a.place < b.place
  end)
  for g, group in ipairs(friedman.groups or {}) do
    for _, learner in ipairs(group) do table.insert(by_name[learner].groups, g) end
  end
  return list, by_name
end

-- A row for the difference and one per group, then the learners.
local function layers_of(friedman, list, by_name)
  local names, bars, points, guides = {}, {}, {}, {}
  local cd = friedman.critical_difference
  if cd then
    names[1] = "critical difference"
    bars[1] = { x = 1, x_end = 1 + cd, y = 1, label = "critical difference " .. scale.text(cd) }
  end
  for g, group in ipairs(friedman.groups or {}) do
    local low, high = math.huge, 0
    for _, learner in ipairs(group) do
      low, high = math.min(low, by_name[learner].rank), math.max(high, by_name[learner].rank)
    end
    names[#names + 1] = ("group %d"):format(g)
    bars[#bars + 1] = { x = low, x_end = high, y = #names,
      label = ("not separated: %s"):format(table.concat(group, ", ")) }
  end
  for _, one in ipairs(list) do
    names[#names + 1] = #one.groups > 0 and ("%s (group %s)"):format(one.name,
      table.concat(one.groups, ", ")) or one.name
    points[#points + 1] = { x = one.rank, y = #names, size = 1.3,
      label = ("%s: average rank %s"):format(one.name, scale.text(one.rank)) }
    guides[#guides + 1] = { x = one.rank, y = #names, x_end = one.rank, y_end = 1 }
  end
  return names, {
    { mark = "segments", role = "guide", points = guides },
    { mark = "segments", points = bars, wide = true }, { mark = "points", points = points },
  }
end

-- Of two learners the diagram says less than the test that is theirs.
local function test_text(friedman, over)
  local test = friedman.iman_davenport
  if over.friedman then
    return test and test.p and ("Iman and Davenport's F: %s."):format(number_text.p(test.p))
  end
  return over.p and ("Wilcoxon's signed ranks, the test of two learners: %s."):format(number_text.p(over.p))
    or ("There is no test of two learners by signed ranks: %s."):format(over.undefined)
end

local function note_of(friedman, over)
  local notes = { ("Average ranks over %s, 1 = best."):format(subject.count(friedman.datasets, "dataset")) }
  if friedman.critical_difference then
    notes[2] = ("Nemenyi's critical difference at %s is %s; learners of a group are not separated "
      .. "(Demsar 2006)."):format(number_text.chosen(friedman.alpha),
      native.format_number(friedman.critical_difference, 3))
  else
    notes[2] = ("There is no critical difference: %s."):format(friedman.undefined or "the test is undefined")
  end
  notes[#notes + 1] = test_text(friedman, over)
  return table.concat(notes, " ")
end

function critical_difference.build(given, o)
  local friedman, metric, over = ranks_of(given, o)
  local list, by_name = ordered(friedman)
  local names, layers = layers_of(friedman, list, by_name)
  local rows = {}
  for i, one in ipairs(list) do
    rows[i] = { learner = one.name, average_rank = one.rank, groups = table.concat(one.groups, " "),
      critical_difference = friedman.critical_difference, alpha = friedman.alpha,
      datasets = friedman.datasets }
  end
  return figure.new {
    kind = name, title = ("Average ranks: %s"):format(metric or "scores"),
    note = note_of(friedman, over),
    x = { label = "average rank", low = 1,
      high = math.max(2, #list, 1 + (friedman.critical_difference or 0)) },
    y = { scale = "category", categories = names }, layers = layers,
    columns = { "learner", "average_rank", "groups", "critical_difference", "alpha", "datasets" },
    rows = rows,
  }
end

return critical_difference
