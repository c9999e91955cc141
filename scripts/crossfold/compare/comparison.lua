-- Defines the result of cf.compare: rows, sentences and tables.
local native = require "crossfold.native"
local anytime = require "crossfold.compare.anytime"
local comparison_levels = require "crossfold.compare.levels"
local comparison_summary = require "crossfold.compare.summary"
local equal_means = require "crossfold.stats.equal_means"
local headline = require "crossfold.result.headline"
local metric = require "crossfold.metric"
local number_text = require "crossfold.text.number_text"
local options = require "crossfold.options"
local over_sentence = require "crossfold.compare.over_sentence"
local posterior = require "crossfold.compare.posterior"

local number, p_text, percent = number_text.fixed, number_text.p, number_text.confidence

local comparison = options.class "crossfold.Comparison"

-- pairs_: see compare/pairs.lua; over: the test over datasets, or nil.
function comparison.new(c, pairs_, over)
  return setmetatable({ c = c, pairs_ = pairs_, over_ = over }, comparison)
end

-- Raises unless each name is one of the learners (or of the datasets).
local function check_names(what, names, known)
  for _, name in ipairs(names) do options.place_of("rows: there is no " .. what, name, known) end
end

-- Places of names in a list; all without them.
local function places_of(names, list)
  local places = {}
  local wanted = options.set_of(names or list)
  for i, name in ipairs(list) do
    if wanted[name] then places[#places + 1] = i end
  end
  return places
end

local rows_options = options.declare("Comparison:rows", {
  learner = { "string", doc = "Only pairs with this learner." },
  learners = { "table", is = "string[]", doc = "Only pairs among these learners, or of them with `learner`." },
  dataset = { "string", doc = "Only pairs on this dataset." },
})
options.declare("Comparison:sentences", rows_options)

-- Numbers of the rows that options `given` name, in order.
local function wanted_numbers(self, given)
  local o = options.check("rows", given, rows_options)
  local all, learners, datasets, numbers = self.pairs_, self.c.learners, {}, {}
  for i, dataset in ipairs(self.c.datasets) do datasets[i] = dataset.name end
  if o.learners then check_names("learner", options.list("rows: option 'learners'", o.learners), learners) end
  check_names("learner", { o.learner }, learners)
  check_names("dataset", { o.dataset }, datasets)
  local second = places_of(o.learners, learners)
  local first = o.learner and places_of({ o.learner }, learners) or second
  for _, d in ipairs(places_of(o.dataset and { o.dataset }, datasets)) do
    for _, i in ipairs(first) do
      for _, j in ipairs(second) do
        if o.learner or i < j then numbers[#numbers + 1] = all:number_of(d, i, j) end
      end
    end
  end
  return numbers
end

-- for k, row in wanted_rows(self, given): the rows that options `given` choose; all rows without options.
local function wanted_rows(self, given)
  local all, numbers, at = self.pairs_, wanted_numbers(self, given), 0
  return function()
    at = at + 1
    if numbers[at] then return numbers[at], all:row(numbers[at]) end
  end
end

-- A copy of every row: { dataset, metric, a, b, test, design, splits, splits_of, mean_a, mean_b,
-- difference (a - b), low, high, confidence, statistic, df, p, p_adjusted, better, rope, p_worse,
-- p_alike, p_better, undefined, ... }. A value that does not exist is nil. Options: `learner` = only its
-- pairs, `learners` = the pairs among these (and that one), `dataset`.
function comparison:rows(given)
  local rows = {}
  for _, row in wanted_rows(self, given) do
    rows[#rows + 1] = options.joined(row)
  end
  return rows
end

-- The test over several datasets: { test, p, statistic, datasets, undefined, friedman }, where `friedman` is
-- there for three or more learners; nil for one dataset. `ranks` has the average ranks and Nemenyi's critical
-- difference for two learners, too, whose test is another. `bayes` is a list with { a, b, rope, p_worse,
-- p_alike, p_better } of every pair, of the Bayesian signed-rank test, each computed on first use.
function comparison:over() return self.over_ end

local posterior_options = options.declare("Comparison:posterior", {
  a = { "string!", doc = "A learner." },
  b = { "string!", doc = "Another learner." },
  points = { "integer", 2000, doc = "Number of samples of the posterior that are kept for a figure." },
})

-- The Bayesian comparison of two learners over the datasets: { a, b, rope, p_worse, p_alike, p_better, points,
-- sentence }, where `points` has { worse, alike, better } of some samples; nil where there is no rope, or one dataset.
function comparison:posterior(given)
  local o = options.check("posterior", given, posterior_options)
  check_names("learner", { o.a, o.b }, self.c.learners)
  if o.a == o.b then native.fail("posterior: '%s' is compared with itself; name two learners", o.a) end
  local over = self.over_
  if not (over and over.means and self.c.options.rope) then return nil end
  local places = places_of({ o.a, o.b }, self.c.learners)
  if self.c.learners[places[1]] ~= o.a then places[1], places[2] = places[2], places[1] end
  local row = posterior.of(self.c, over.means, places[1], places[2], o.points)
  row.sentence = posterior.sentence(row, self.c.options.bayes)
  return row
end

-- Wins, ties and losses of each learner over its pairs on all datasets, at the adjusted p-values:
-- { learner, wins, ties, losses, undefined }, in the order of the learners.
function comparison:win_tie_loss()
  self.counts = self.counts or self.pairs_:count_outcomes()
  local rows = {}
  for i, name in ipairs(self.c.learners) do
    local counts = self.counts[i]
    rows[i] = { learner = name, wins = counts.wins, ties = counts.ties, losses = counts.losses,
      undefined = counts.undefined }
  end
  return rows
end

local function by_key(key, direction)
  return function(a, b)
    if a[key] ~= b[key] then
      if a[key] == nil then return false end
      if b[key] == nil then return true end
      return (a[key] - b[key]) * direction > 0
    end
    return a.place < b.place
  end
end

local function average_ranks(self)
  local friedman = self.over_ and self.over_.friedman
  return friedman and friedman.average_ranks or {}
end

-- The mean of the scores of learner i over its splits of all datasets: infinite if one is; nil if a
-- dataset has none (the others would not be those of the other learners), or infinities of both signs.
local function mean_score(self, i)
  local values, infinite = {}, nil
  for _, dataset in ipairs(self.c.datasets) do
    local entry = dataset.entries[i]
    if next(entry.values) == nil then return nil end
    for s = 1, #entry.splits do
      local value = entry.values[s]
      if value and math.abs(value) == math.huge then
        if infinite and infinite ~= value then return nil end
        infinite = value
      end
      values[#values + 1] = value
    end
  end
  if infinite then return infinite end
  return native.summary(values).mean
end

-- Best first: { rank, learner, mean, average_rank, wins, losses }: by average rank over datasets where
-- there is one, else by the mean score (over the splits of all datasets). Of a metric without a better
-- direction: no ranks, in the order of the learners.
function comparison:ranking()
  local rows, ranks, means = {}, average_ranks(self), {}
  for i, row in ipairs(self:win_tie_loss()) do
    means[i] = mean_score(self, i)
    rows[i] = { learner = row.learner, mean = means[i], average_rank = ranks[i],
      wins = row.wins, losses = row.losses, place = i }
  end
  means = equal_means.unified(means, #rows)
  for i, row in ipairs(rows) do row.ordering = means[i] end
  local ordered = ranks[1] ~= nil or self.c.direction ~= 0
  if ranks[1] then
    table.sort(rows, by_key("average_rank", -1))
  elseif ordered then
    table.sort(rows, by_key("ordering", self.c.direction))
  end
  for i, row in ipairs(rows) do row.rank, row.place, row.ordering = ordered and i or nil, nil, nil end
  return rows
end

-- `sign` -1: of b - a.
local function interval(row, sign)
  if not row.low then return "" end
  local low, high = row.low, row.high
  if sign < 0 then low, high = -high, -low end
  return (" (%s interval %s to %s)"):format(percent(row.confidence), number(low), number(high))
end

local function evidence(row)
  local adjusted = row.p_adjusted ~= row.p and (", adjusted %s"):format(p_text(row.p_adjusted)) or ""
  return ("%s, %s%s"):format(row.test, p_text(row.p), adjusted)
end

-- What the posterior says about differences that matter.
local function rope_text(row)
  if not row.p_alike or row.rope == 0 then return "" end
  if row.better then
    return (" The difference exceeds %s with probability %s."):format(number_text.chosen(row.rope, 3),
      number_text.probability(row.better == row.a and row.p_better or row.p_worse))
  end
  return (" The difference is within %s with probability %s."):format(number_text.chosen(row.rope, 3),
    number_text.probability(row.p_alike))
end

local function title_of(row)
  return row.positive and ("%s (%s)"):format(row.metric, row.positive) or row.metric
end

-- One plain sentence about a pair.
local function sentence(row)
  local place = ("on '%s'"):format(row.dataset)
  if not row.p then
    return ("'%s' and '%s' cannot be compared %s: %s."):format(row.a, row.b, place,
      row.undefined or "the test has no p-value")
  end
  if row.better then
    local sign = row.better == row.a and 1 or -1
    local gap = sign * row.difference
    return ("'%s' is better than '%s' %s: %s differs by %s%s; %s."):format(row.better,
      sign > 0 and row.b or row.a, place, title_of(row), number(gap), interval(row, sign), evidence(row))
      .. rope_text(row)
  end
  local start = row.significant and "'%s' and '%s' differ %s, and neither can be called better"
    or "No difference between '%s' and '%s' was shown %s"
  return (start .. ": %s differs by %s%s; %s."):format(row.a, row.b, place, title_of(row),
    number(row.difference), interval(row, 1), evidence(row)) .. rope_text(row)
end

-- One plain sentence per pair, and one over the datasets if there are several. Options as in comparison:rows; with them
-- there is no sentence over the datasets.
function comparison:sentences(given)
  local list = {}
  for _, row in wanted_rows(self, given) do list[#list + 1] = sentence(row) end
  if self.over_ and not (given and next(given)) then list[#list + 1] = over_sentence.of(self) end
  return list
end

local function left_out_text(row)
  return ("%d of %d splits of '%s' were compared for '%s' and '%s'; the first left out: %s"):format(row.splits,
    row.splits_of, row.dataset, row.a, row.b, row.left_out)
end

local function add_left_out(self, notes)
  local partial = self.pairs_.partial
  for i, k in ipairs(partial) do
    if i > 1 and self.pairs_.is_large then
      notes[#notes + 1] = ("the same holds for %d more pairs"):format(#partial - 1)
      return
    end
    notes[#notes + 1] = left_out_text(self.pairs_:row(k))
  end
end

-- Rows whose split sizes are shown: all, or for many pairs the first of each dataset that has a test.
local function rows_with_sizes(self)
  local rows, all, seen = {}, self.pairs_, {}
  for k = 1, all.n do
    local d = all:place_of(k)
    if not all.is_large or all.p[k] and not seen[d] then
      seen[d] = true
      rows[#rows + 1] = all:row(k)
    end
  end
  return rows
end

-- What a reader should know about the tests: sizes, heuristics, adjustments, splits left out.
function comparison:notes()
  local notes, seen = {}, {}
  local function add(text)
    if text and not seen[text] then notes[#notes + 1] = text end
    if text then seen[text] = true end
  end
  for _, dataset in ipairs(self.c.datasets) do
    for _, entry in ipairs(dataset.entries) do
      if entry.data:hash() ~= dataset.data:hash() then
        add(("the learners were tested on different data, all called '%s'"):format(dataset.name))
      end
    end
  end
  for _, dataset in ipairs(self.c.datasets) do
    for _, entry in ipairs(dataset.entries) do
      add(headline.note(self.c.metric_value, entry.splits))
      add(entry.clipped and ("'%s': %s"):format(entry.name, entry.clipped))
      if entry.n_worst then
        add(("'%s' has no %s in %d of %d splits of '%s' because of its predictions (%s); there it counts as the worst "
          .. "value, %s"):format(entry.name, self.c.metric, entry.n_worst, #entry.splits, dataset.name,
            entry.why_worst, native.format_number(metric.worst(self.c.metric_value))))
      end
    end
  end
  for _, row in ipairs(rows_with_sizes(self)) do
    if row.test == "corrected resampled t" and row.n_train then
      add(("%s of '%s': %s training and %s test rows per split (mean); variance of the mean corrected by "
        .. "1/%d + %s"):format(row.design, row.dataset, number(row.n_train, 1), number(row.n_test, 1),
          row.counted, number(row.n_test / row.n_train)))
      if row.distinct < row.splits then
        add(("%d of %d splits of '%s' are the same as others and count once"):format(row.splits - row.distinct,
          row.splits, row.dataset))
      end
    end
  end
  if self.pairs_:row(self.pairs_.n).test == "unpaired corrected t" then
    add("unpaired: the test does not use that the same rows may have been tested, so it finds differences less often")
  end
  local test = self.pairs_:row(1).test
  for _, design in ipairs(self.pairs_.designs) do
    local corrected = test == "corrected resampled t"
    if corrected and design.kind == "kfold" then
      add("the correction was derived for random splits; over folds it is a heuristic (Bouckaert and Frank 2004)")
    elseif corrected and design.heuristic then
      add("the correction was derived for repeated random splits (holdout); for others (bootstrap, time "
        .. "series, lists) it is a heuristic")
    end
    local level = comparison_levels.note(test, design)
    if level then add(level) end
  end
  for _, row in ipairs(rows_with_sizes(self)) do
    local note = row.test == anytime.name and anytime.note(row)
    if note then add(note) end
  end
  local n, with_p = self.pairs_.count, 0
  for _, p in ipairs(self.pairs_.p) do with_p = with_p + (p and 1 or 0) end
  if n > 1 and with_p > 0 then
    add(("p-values are adjusted by %s over the %s of a dataset"):format(self.c.options.adjust,
      with_p == self.pairs_.n and ("%d pairs"):format(n) or "pairs that have one"))
  end
  for _, name in ipairs(options.sorted_keys(self.c.refused)) do
    add(("dataset '%s' is left out: %s"):format(name, self.c.refused[name]))
  end
  add_left_out(self, notes)
  return notes
end

local pair_columns = { "dataset", "a", "b", "mean a", "mean b", "difference", "low", "high", "p",
  "p adjusted", "better", "splits" }
local full_columns = { "dataset", "metric", "a", "b", "test", "design", "splits", "splits_of",
  "mean_a", "mean_b", "difference", "low", "high", "confidence", "statistic", "df", "p", "p_adjusted",
  "better", "rope", "p_worse", "p_alike", "p_better", "undefined" }

-- With the class that the metric is of, if it is of one.
local function file_columns(self)
  for _, dataset in ipairs(self.c.datasets) do
    if dataset.positive then
      return table.move({ "positive" }, 1, 1, #full_columns + 1, { table.unpack(full_columns) })
    end
  end
  return full_columns
end

-- 0.0000 would not be true.
local function p_cell(p) return p and p < 0.0001 and "<0.0001" or p end

local function verdict(row)
  if not row.p then return "undefined" end
  return row.better or (row.significant and "differ" or "neither")
end

local function short_row(row)
  return {
    dataset = row.dataset, a = row.a, b = row.b, ["mean a"] = row.mean_a, ["mean b"] = row.mean_b,
    difference = row.difference, low = row.low, high = row.high, p = p_cell(row.p),
    ["p adjusted"] = p_cell(row.p_adjusted), better = verdict(row),
    splits = row.splits == row.splits_of and tostring(row.splits) or ("%d of %d"):format(row.splits, row.splits_of),
  }
end

-- The table of the rows of an iterator.
local function short_rows(...)
  local rows = {}
  for _, row in ... do rows[#rows + 1] = short_row(row) end
  return rows
end

-- The short columns, without those in which nothing differs.
local function shown_columns(self)
  local columns = {}
  for _, name in ipairs(pair_columns) do
    local hidden = (name == "dataset" and #self.c.datasets == 1) or (name == "p adjusted" and self.pairs_.count == 1)
    if not hidden then columns[#columns + 1] = name end
  end
  return columns
end

-- The pairs of three or more learners; of two the sentence has the figures.
local function bayes_table(self, over)
  if not over.bayes or #over.bayes < 2 then return "" end
  local rows = {}
  for i, row in ipairs(over.bayes) do rows[i] = posterior.cells(row, row.a, row.b) end
  return ("%s over the datasets, rope %s: probabilities\n"):format(posterior.names[self.c.options.bayes],
    number_text.chosen(over.bayes[1].rope, 3))
    .. native.table_text({ "a", "b", "a worse", "alike", "a better" }, rows) .. "\n\n"
end

local function over_table(self)
  local friedman = self.over_ and self.over_.friedman
  if not (friedman and friedman.average_ranks and friedman.critical_difference) then return "" end
  local rows = {}
  for i, row in ipairs(self:ranking()) do
    rows[i] = { rank = row.rank, learner = row.learner, ["average rank"] = row.average_rank,
      mean = row.mean }
  end
  local text = native.table_text({ "rank", "learner", "average rank", "mean" }, rows)
    .. ("\ncritical difference of average ranks (Nemenyi, alpha = %s): %s"):format(
      number_text.chosen(friedman.alpha, 2), number(friedman.critical_difference))
  for _, pair in ipairs(friedman.bonferroni_dunn or {}) do
    text = text .. ("\n'%s' against the control '%s': %s (Bonferroni-Dunn)"):format(pair.first,
      pair.second, p_text(pair.p))
  end
  return text .. "\n\n" .. bayes_table(self, self.over_)
end

-- All pairs, ranks over datasets and sentences.
local function full_text(self)
  local first = self.pairs_:row(1)
  return ("%s, %s: a - b\n"):format(self.c.title, first.test)
    .. native.table_text(shown_columns(self), short_rows(self.pairs_:each())) .. "\n\n" .. over_table(self)
    .. table.concat(self:sentences(), "\n")
end

-- The same for many pairs: see compare/summary.lua.
local function short_text(self)
  local text = comparison_summary.text(self, function(given)
    return native.table_text(shown_columns(self), short_rows(wanted_rows(self, given)))
  end)
  return self.over_ and text .. "\n\n" .. over_sentence.of(self) or text
end

-- For people: a table of the pairs, ranks over datasets, sentences, notes.
function comparison:__tostring()
  local notes, is_large = self:notes(), self.pairs_.is_large
  if is_large then table.insert(notes, 1, comparison_summary.left_out(self)) end
  local text = is_large and short_text(self) or full_text(self)
  return #notes == 0 and text or text .. "\n(" .. table.concat(notes, ";\n ") .. ")"
end

-- Maximum number of rows in memory at a time.
local most_at_once = 1000

-- All rows as CSV.
local function csv_text(self)
  local parts, rows = {}, {}
  for k, row in self.pairs_:each() do
    rows[#rows + 1] = row
    if #rows == most_at_once or k == self.pairs_.n then
      local text = native.table_csv(file_columns(self), rows)
      parts[#parts + 1] = #parts == 0 and text or text:match("^[^\n]*\n(.*)$")
      rows = {}
    end
  end
  return table.concat(parts)
end

local to_options = options.declare("Comparison:to", options.outputs { "csv", "json", "latex", "text" })

-- comparison:to{ csv | json | latex | text = path } writes the rows of the pairs; with `true` for the
-- path the text is returned.
function comparison:to(given)
  local o = options.check("to", given, to_options)
  local format = options.one_of("to", o, { "csv", "json", "latex", "text" })
  local text
  if format == "csv" then
    text = csv_text(self)
  elseif format == "json" then
    text = native.table_json(file_columns(self), self:rows())
  elseif format == "latex" then
    text = native.table_latex(shown_columns(self), short_rows(self.pairs_:each()))
  else
    text = tostring(self) .. "\n"
  end
  return options.write_text(o[format], text)
end

-- comparison:report{ file =, title =, metric = }: one HTML file about it; without `file` its text. See docs/report.md.
function comparison:report(given) return require("crossfold.report.report").of(self, given) end

options.methods(comparison, { "rows", "over", "posterior", "win_tie_loss", "ranking", "sentences", "notes", "to",
  "report" }, nil, { "rows", "posterior", "sentences", "to", "report" })

return comparison
