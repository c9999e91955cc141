-- Writes the section on how good each learner is: means with intervals, and everything else that the summary knows.
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"
local interval_text = require "crossfold.interval.text"
local native = require "crossfold.native"
local score_notes = require "crossfold.result.score_notes"
local score_interval = require "crossfold.interval.interval"

local column, head, number = html.column, html.head_column, html.number_column

local summary = {}

-- "27 of 30 folds", or nil if all have a score.
local function missing(row)
  if row.defined == row.folds then return nil end
  return ("%d of %d folds"):format(row.defined, row.folds)
end

-- Why a learner has no score of a metric in some fold: failures have a section of their own, so
-- another reason comes first.
local function why_undefined(self, row)
  local failure, place
  for m, name in ipairs(self.metrics) do
    if name == row.metric then place = m end
  end
  if row.undefined then return row.undefined end
  for _, fold in ipairs(contents.job(self, row.learner, row.dataset).folds) do
    if fold.failure then
      failure = failure or ("failed at %s: %s"):format(fold.failure.stage, fold.failure.message)
    elseif fold.reasons[place] then
      return fold.reasons[place]
    end
  end
  return failure or "infinities of both signs have no mean"
end

-- A cell: mean, interval, and over how many folds if that is not all.
local function mean_cell(self, row, interval)
  if not row then return "" end
  if not row.mean then
    return ('undefined <small title="%s">(why: see below)</small>'):format(html.text(why_undefined(self, row)))
  end
  local parts = { "<b>", html.number(row.mean), "</b>" }
  if interval and interval.low then
    parts[#parts + 1] = (" <small>%s to %s</small>"):format(html.number(interval.low), html.number(interval.high))
  end
  local folds = missing(row)
  if folds then parts[#parts + 1] = (" <small>(%s)</small>"):format(html.text(folds)) end
  return table.concat(parts)
end

-- The intervals of all metrics, as a function of metric, dataset and learner, and the rows by metric.
local function intervals_of(self)
  local of, rows = {}, {}
  for place, metric in ipairs(self.metrics) do
    rows[metric] = score_interval.of_jobs(self.result, place)
    for _, row in ipairs(rows[metric]) do of[table.concat({ metric, row.dataset, row.learner }, "\0")] = row end
  end
  return function(metric, dataset, learner)
    return of[table.concat({ metric, dataset, learner }, "\0")]
  end, rows
end

-- Whether anything of a dataset (nil = any) and metric (nil = any) has an interval.
local function has_interval(self, interval, dataset, metric)
  for _, row in ipairs(self.summary) do
    if (dataset or row.dataset) == row.dataset and (metric or row.metric) == row.metric then
      local found = interval(row.metric, row.dataset, row.learner)
      if found and found.low then return true end
    end
  end
  return false
end

-- "..., with its 95 % interval", or that there is none.
local function with_interval(caption, any)
  return caption .. (any and ", with its 95 % interval" or "; the sentences say why there is no interval")
end

local function mean_table(self, dataset, interval)
  local columns, rows = { head "learner" }, {}
  for m, metric in ipairs(self.metrics) do
    columns[m + 1] = { title = self.titles[metric], key = metric, number = true, html = true }
  end
  for i, learner in ipairs(self.order) do
    rows[i] = { learner = learner }
    for _, metric in ipairs(self.metrics) do
      local row = contents.row(self, learner, dataset, metric)
      rows[i][metric] = mean_cell(self, row, interval(metric, dataset, learner))
    end
  end
  local caption = "Mean over folds" .. (#self.datasets > 1 and " of " .. dataset or "")
  return html.table(with_interval(caption, has_interval(self, interval, dataset)), columns, rows, { sortable = true })
end

local most_columns = 12

-- Rows are the datasets, columns the learners, of one metric.
local function dataset_table(self, metric, interval)
  local columns, rows = { head "dataset" }, {}
  for i, learner in ipairs(self.order) do
    columns[i + 1] = { title = learner, key = i, number = true, html = true }
  end
  for d, dataset in ipairs(self.datasets) do
    rows[d] = { dataset = dataset }
    for i, learner in ipairs(self.order) do
      local row = contents.row(self, learner, dataset, metric)
      rows[d][i] = mean_cell(self, row, interval(metric, dataset, learner))
    end
  end
  return html.table(with_interval(("Mean of %s over folds"):format(self.titles[metric]),
    has_interval(self, interval, nil, metric)), columns, rows, { sortable = true })
end

-- More sentences are not read; result:interval() has them.
local most_sentences = 50

-- What the intervals are, and a sentence for each of those of the headline's metric.
local function interval_words(self, rows)
  local of_headline, sentences = rows[self.metric], {}
  for i, row in ipairs(of_headline) do sentences[i] = row.sentence end
  local shown, more = contents.first(sentences, most_sentences)
  if more > 0 then shown[#shown + 1] = ("and %d more, which result:interval() has."):format(more) end
  local out = {}
  for i, note in ipairs(self.class_notes) do out[i] = html.paragraph(note .. ".", "note") end
  for _, words in ipairs(interval_text.caption(of_headline)) do out[#out + 1] = html.paragraph(words, "note") end
  return table.concat(out) .. html.details(("What the intervals of %s cover"):format(self.title), html.list(shown))
end

-- Tables with a row per learner; of more than two datasets a table per metric, with a row per dataset.
local function mean_tables(self, interval)
  local out, rest = {}, {}
  if #self.datasets <= 2 or #self.learners > most_columns then
    for _, dataset in ipairs(self.datasets) do out[#out + 1] = mean_table(self, dataset, interval) end
    return table.concat(out)
  end
  for _, metric in ipairs(self.metrics) do
    local list = metric == self.metric and out or rest
    list[#list + 1] = dataset_table(self, metric, interval)
  end
  if #rest > 0 then
    out[#out + 1] = html.details(("Tables of %s"):format(html.count(#rest, "more metric")), table.concat(rest))
  end
  return table.concat(out)
end

local full_columns = {
  head "learner", column "dataset", column "metric", number "mean", number "sd", number "median", number "min",
  number "max", number "folds", number("with a score", "defined"), number "failed", number("of a fallback", "fallback"),
}

-- Of a store some folds may be missing; the columns that say so are there if that is the case.
local store_columns = {
  number("not computed yet", "missing"), number "damaged",
}

local function columns_of(rows)
  local columns = table.move(full_columns, 1, #full_columns, 1, {})
  for _, one in ipairs(store_columns) do
    local any = false
    for _, row in ipairs(rows) do any = any or row[one.key or one.title] ~= nil end
    if any then columns[#columns + 1] = one end
  end
  return columns
end

-- Every learner and metric without a mean, and the reason.
local function undefined_list(self)
  local items = {}
  for _, row in ipairs(self.summary) do
    if row.defined < row.folds and row.failed < row.folds - row.defined or row.mean == nil then
      items[#items + 1] = ("%s of '%s' on '%s': %s"):format(row.metric, row.learner, row.dataset,
        why_undefined(self, row))
    end
  end
  local shown, more = contents.first(items, 20)
  if #items == 0 then return "" end
  if more > 0 then shown[#shown + 1] = ("and %d more"):format(more) end
  return html.paragraph("Undefined in some or all folds, and the first reason:", "note") .. html.list(shown, "note")
end

-- More scores are not linked on this page, so they need not be written.
local most_scores = 50000

local function downloads(page, self)
  local columns = { "dataset", "learner", "metric", "mean", "sd", "median", "mode", "min", "max",
    "folds", "defined", "failed", "fallback" }
  for _, row in ipairs(self.summary) do columns[14] = columns[14] or row.positive and "positive" end
  local list = { page:download("summary as CSV", "summary.csv", "text/csv;charset=utf-8",
    native.table_csv(columns, self.summary)) }
  if self.n_folds * #self.metrics <= most_scores then
    list[2] = page:download("all scores as CSV", "scores.csv", "text/csv;charset=utf-8", self.result:to { csv = true })
  else
    page:leave_out_download()
  end
  return html.links(table.concat(list))
end

-- Rows of a picture of means.
local most_means = 100

-- One picture per metric: the headline's open, the others folded away.
local function pictures(page, self)
  local out, rest = {}, {}
  local learners, more = contents.shown_learners(self, #self.datasets, most_means)
  if not learners then
    return html.paragraph(("No pictures: there are %d datasets; cf.plot.summary draws one dataset."):format(
      #self.datasets), "note")
  end
  for _, metric in ipairs(self.metrics) do
    local text, problem = figures.draw(page, "summary", self.result,
      { metric = metric, learners = more > 0 and learners or nil }, ("Means by %s"):format(self.titles[metric]),
      "medium")
    if not text then
      out[#out + 1] = html.paragraph(("No picture of %s: %s"):format(metric, problem), "note")
    else
      local list = metric == self.metric and out or rest
      list[#list + 1] = text
    end
  end
  if #rest > 0 then
    out[#out + 1] = html.details(("Pictures of %s"):format(html.count(#rest, "more metric")), table.concat(rest))
  end
  return contents.left_out(self, more, "cf.plot.summary draws the others") .. table.concat(out)
end

-- More rows are in the CSV file alone.
local most_rows = 1000

-- Everything that is known of each learner, dataset and metric.
local function full_table(self)
  local kept, more = contents.first(self.summary, most_rows)
  local text = html.table("Summary over folds", columns_of(self.summary), kept, { sortable = true })
  if more > 0 then
    text = text .. html.paragraph(("The first %d of %d rows; result:summary() has all."):format(#kept, #self.summary),
      "note")
  end
  return html.details("Everything about the folds: spread, median, counts", text)
end

function summary.write(page, self)
  local pictures_text, interval_at, rows = pictures(page, self), intervals_of(self)
  local notes = score_notes.of(self.result)
  return table.concat { mean_tables(self, interval_at), #notes > 0 and html.list(notes, "note") or "",
    interval_words(self, rows), undefined_list(self), pictures_text, full_table(self), downloads(page, self) }
end

return summary
