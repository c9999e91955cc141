-- Writes the answer in short: what was asked, which learner is best, and how sure that is.
local contents = require "crossfold.report.contents"
local equal_means = require "crossfold.stats.equal_means"
local html = require "crossfold.report.html"
local over_sentence = require "crossfold.compare.over_sentence"
local score_notes = require "crossfold.result.score_notes"

local overview = {}

-- More fill the screen of a phone; the section on the comparison has all.
local most_sentences = 4

-- From this number of learners on the page says that the best of them was lucky, too.
local many_learners = 10

-- "3 learners", or the name of the only one.
local function names(list, one)
  if #list == 1 then return list[1] end
  return html.count(#list, one)
end

-- "30", or "15 to 30" where datasets or learners differ.
local function folds_text(self)
  local least, most
  for _, row in ipairs(self.summary) do
    least, most = math.min(least or row.folds, row.folds), math.max(most or row.folds, row.folds)
  end
  return least == most and tostring(least) or ("%d to %d"):format(least, most)
end

local function rows_text(provenance)
  local rows = {}
  for i, dataset in ipairs(provenance.datasets or {}) do
    if i > 3 then return ("%s, ..."):format(table.concat(rows, ", ")) end
    rows[i] = dataset.rows and tostring(dataset.rows) or "unknown"
  end
  return table.concat(rows, ", ")
end

local function facts(self)
  local provenance = self.result:provenance()
  local list = {
    { #self.learners == 1 and "learner" or "learners", names(self.learners, "learner") },
    { #self.datasets == 1 and "dataset" or "datasets", names(self.datasets, "dataset") },
    { "rows", rows_text(provenance) },
    { "folds of each learner", folds_text(self) },
  }
  if provenance.splitter then list[#list + 1] = { "splits", provenance.splitter } end
  list[#list + 1] = { "metrics", table.concat(self.metrics, ", ") }
  if provenance.seed then list[#list + 1] = { "seed", provenance.seed } end
  return html.facts(list)
end

-- How many folds of a store have no result for a reason.
local function count_folds(self, key)
  local n = 0
  for _, row in ipairs(contents.where(self.summary, { metric = self.metric })) do n = n + (row[key] or 0) end
  return n
end

-- What a reader must know before any number.
local function alerts(self)
  local out = {}
  for _, reason in ipairs { { "missing", "not computed yet" }, { "damaged", "damaged in the store" } } do
    local n = count_folds(self, reason[1])
    if n > 0 then
      out[#out + 1] = ("%d of %s %s; means are over the others."):format(n,
        html.count(self.n_folds, "fold is", "folds are"), reason[2])
    end
  end
  if #self.failures > 0 then
    local replaced = 0
    for _, row in ipairs(self.failures) do replaced = replaced + (row.fallback and 1 or 0) end
    local text = ("%s of %d failed"):format(html.count(#self.failures, "fold"), self.n_folds)
    if replaced > 0 then
      text = text .. ("; %s by the scores of the fallback"):format(
        replaced == #self.failures and "all were replaced" or replaced .. " were replaced")
    end
    out[#out + 1] = text .. ". Means are over the folds that have a score; see the section on failures."
  end
  if #self.warnings > 0 then
    out[#out + 1] = html.count(#self.warnings, "warning") .. "; see the section on failures."
  end
  for _, note in ipairs(self.result:notes()) do out[#out + 1] = note .. "." end
  if #out == 0 then return "" end
  local text = {}
  for i, line in ipairs(out) do text[i] = html.paragraph(line) end
  return '<div class="alert" role="note">' .. table.concat(text) .. "</div>\n"
end

-- Whether the means of a metric are over different folds: then the best one may just have met easier rows.
local function unequal_folds(self)
  for m, name in ipairs(self.metrics) do
    for _, dataset in ipairs(name == self.metric and self.datasets or {}) do
      if score_notes.other_folds(self.result, dataset, m) then return true end
    end
  end
  return false
end

local function best_line(self, ranking)
  local first, second = ranking[1], ranking[2]
  if not (first and first.rank and first.mean) then return nil end
  if first.average_rank then
    if second and second.average_rank == first.average_rank then
      return ("By %s, several learners share the best average rank over %s, %s."):format(self.title,
        html.count(#self.datasets, "dataset"), html.number(first.average_rank, 2))
    end
    return ("By %s, '%s' has the best average rank over %s: %s."):format(self.title, first.learner,
      html.count(#self.datasets, "dataset"), html.number(first.average_rank, 2))
  end
  local what = folds_text(self) == "1" and "score" or "mean"
  if second and second.mean and equal_means.are(second.mean, first.mean) then
    return ("By %s, several learners share the best %s, %s."):format(self.title, what, html.number(first.mean))
  end
  return ("By %s, '%s' has the best %s: %s."):format(self.title, first.learner, what, html.number(first.mean))
end

-- The same of a comparison of which not all pairs are shown.
local function sentences_of_many(comparison, ranking)
  local n, best = comparison.pairs_.n, ranking[1]
  if comparison:over() then return { over_sentence.of(comparison) }, n end
  if not best.rank then return {}, n end
  local texts = {}
  for i = 2, most_sentences + 1 do
    texts[i - 1] = comparison:sentences { learner = best.learner, learners = { ranking[i].learner } }[1]
  end
  return texts, n - #texts
end

-- Sentences about the best learner and those that come next, and how many others there are.
local function sentences(comparison, ranking)
  if comparison.pairs_.is_large then return sentences_of_many(comparison, ranking) end
  local list, place = {}, {}
  local all, rows = comparison:sentences(), comparison:rows()
  local best = ranking[1].rank and ranking[1].learner or nil
  for i, row in ipairs(ranking) do place[row.learner] = i end
  for i, row in ipairs(rows) do
    if not best or row.a == best or row.b == best then
      list[#list + 1] = { text = all[i], i = i,
        place = best and place[row.a == best and row.b or row.a] or 0 }
    end
  end
  table.sort(list, function(a, b)
    if a.place ~= b.place then return a.place < b.place end
    return a.i < b.i
  end)
  local texts, kept = {}, list
  if #all > #rows then
    texts[1] = all[#all]  -- over the datasets
    if #list > most_sentences then kept = {} end
  end
  kept = contents.first(kept, most_sentences)
  for _, entry in ipairs(kept) do texts[#texts + 1] = entry.text end
  return texts, #rows - #kept
end

-- The means of the only learner, for a page without a comparison.
local function only_learner(self)
  local lines = {}
  for _, row in ipairs(contents.where(self.summary, { metric = self.metric })) do
    if row.mean and #lines < most_sentences then
      lines[#lines + 1] = ("The mean %s of '%s' on '%s' is %s, over %s."):format(row.metric, row.learner,
        row.dataset, html.number(row.mean), html.count(row.defined, "fold"))
    end
  end
  return lines
end

local function answer(self)
  local out = #self.learners == 1 and only_learner(self) or {}
  if self.comparison then
    local ranking = self.ranking
    out[1] = best_line(self, ranking)
    local texts, more = sentences(self.comparison, ranking)
    for _, text in ipairs(texts) do out[#out + 1] = text end
    if unequal_folds(self) and out[1] then
      table.insert(out, 2, ("Not every learner has a score of the same folds, so the order by means may be "
        .. "that of the folds; a pair of learners is compared on the folds that both have."))
    end
    if more > 0 then
      out[#out + 1] = ("The section on the comparison has %s."):format(
        html.count(more, #texts > 1 and "more pair" or "pair"))
    end
  else
    out[#out + 1] = ("No comparison of learners by %s: %s."):format(self.title, self.refusal)
  end
  local text = {}
  for i, line in ipairs(out) do text[i] = html.paragraph(line) end
  local note = #self.learners < many_learners and "" or html.paragraph(("The best of %d learners was found "
    .. "by these scores, so its mean is slightly optimistic."):format(#self.learners), "note")
  return '<div class="answer">' .. table.concat(text) .. "</div>\n" .. note
end

function overview.write(_, self)
  return alerts(self) .. answer(self) .. facts(self)
end

return overview
