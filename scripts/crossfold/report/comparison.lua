-- Writes the section on which learner is better, by a test that is valid for the splits, and on ranks over datasets.
local comparison_summary = require "crossfold.compare.summary"
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"
local number_text = require "crossfold.text.number_text"
local over_sentence = require "crossfold.compare.over_sentence"

local column, head, number = html.column, html.head_column, html.number_column

local comparison = {}

-- More rows than the first are folded away, more than the second are in the CSV file alone.
local most_open_pairs = 30
local most_pairs = 100

-- Learners of a critical-difference diagram.
local most_in_diagram = 60

local function p_text(p)
  if not p then return "" end
  return p < 0.0001 and "<0.0001" or html.number(p)
end

local function verdict(row)
  if not row.p then return ("undefined: %s"):format(row.undefined or "the test has no p-value") end
  if row.better then return ("'%s' is better"):format(row.better) end
  return row.p_adjusted and row.significant and "they differ" or "no difference shown"
end

local function pair_row(row, several)
  return {
    a = row.a, b = row.b, dataset = several and row.dataset or nil, mean_a = row.mean_a,
    mean_b = row.mean_b, difference = row.difference,
    interval = row.low and ("%s to %s"):format(html.number(row.low), html.number(row.high)) or "",
    p = p_text(row.p), p_adjusted = p_text(row.p_adjusted), verdict = verdict(row),
    splits = row.splits == row.splits_of and tostring(row.splits or "")
      or ("%d of %d"):format(row.splits, row.splits_of), test = row.test,
  }
end

local function pair_columns(rows, several)
  local confidence
  for _, row in ipairs(rows) do confidence = confidence or row.confidence end
  local columns = { head "a", head "b" }
  if several then columns[#columns + 1] = column "dataset" end
  for _, one in ipairs {
    column "verdict", number("a - b", "difference"),
    number(confidence and number_text.confidence(confidence) .. " interval" or "interval", "interval"), number "p",
    number("p adjusted", "p_adjusted"), number("mean a", "mean_a"), number("mean b", "mean_b"), number "splits",
  } do
    columns[#columns + 1] = one
  end
  return columns
end

local function rows_table(self, all, kept)
  local several, rows = #self.datasets > 1, {}
  for i, row in ipairs(kept) do rows[i] = pair_row(row, several) end
  return html.table(("%s, %s"):format(self.title, all[1].test), pair_columns(all, several), rows,
    { sortable = true })
end

-- The pairs of the learner with the best mean or average rank; nil if nobody is best.
local function pairs_of_best(found, all)
  local first = found:ranking()[1]
  if not (first and first.rank) then return nil end
  local list = {}
  for _, row in ipairs(all) do
    if row.a == first.learner or row.b == first.learner then list[#list + 1] = row end
  end
  return list, first.learner
end

-- Columns of a table of the terminal as those of the page.
local function html_columns(names, is_number)
  local columns = {}
  for i, name in ipairs(names) do
    columns[i] = { title = name, number = is_number[name] == nil and i > 2, head = is_number[name] == false }
  end
  return columns
end

-- Of many learners the pairs of the best ones.
local function tables_of_best(self, found)
  local first, names, out = comparison_summary.first(found), {}, {}
  for i, row in ipairs(first) do names[i] = row.learner end
  local one = found.c.options.control or names[1]
  if #self.datasets == 1 or found.c.options.control then
    local rows = contents.first(found:rows { learner = one, learners = names }, most_pairs)
    if rows[1] then out[1] = html.paragraph(("The pairs of '%s':"):format(one)) .. rows_table(self, rows, rows) end
  else
    local columns, rows = comparison_summary.of_best(found)
    out[1] = html.table(("'%s' (a) against the next in rank, over the datasets"):format(one),
      html_columns(columns, { a = false, b = false }), rows)
  end
  if not found.c.options.control then
    local columns, rows, meaning = comparison_summary.matrix(found)
    out[#out + 1] = html.table(meaning, html_columns(columns, { place = true, learner = false }), rows)
  end
  out[#out + 1] = html.paragraph(comparison_summary.left_out(found) .. ".", "note")
  return table.concat(out)
end

-- All pairs; of many those of the best learner, and the others folded away.
local function pair_table(self, found)
  if found.pairs_.is_large then return tables_of_best(self, found) end
  local all = found:rows()
  if #all <= most_open_pairs then return rows_table(self, all, all) end
  local of_best, best = pairs_of_best(found, all)
  local out = {}
  if of_best and #of_best <= most_open_pairs then
    out[1] = html.paragraph(("The pairs of '%s':"):format(best)) .. rows_table(self, all, of_best)
  end
  local kept, more = contents.first(all, most_pairs)
  local text = rows_table(self, all, kept)
  if more > 0 then
    text = text .. html.paragraph(("The first %d of %d pairs; the CSV file has all."):format(#kept, #all), "note")
  end
  out[#out + 1] = html.details(("All %d pairs"):format(#all), text)
  return table.concat(out)
end

local function win_table(found)
  return html.table("Wins, ties and losses over the pairs, by adjusted p-values", {
    head "learner", number "wins", number "ties", number "losses", number "undefined",
  }, found:win_tie_loss(), { sortable = true })
end

local function rank_table(found)
  local rows = found:ranking()
  if not (rows[1] and rows[1].average_rank) then return "" end
  return html.table("Average ranks over the datasets, best first", {
    number "rank", head "learner", { title = "average rank", key = "average_rank", number = true, decimals = 2 },
    number "mean",
  }, rows)
end

-- The sentence over the datasets, and which ranks differ.
local function over_text(found)
  local over = found:over()
  if not over then return "" end
  local text, friedman = over_sentence.of(found), over.friedman
  if not (friedman and friedman.critical_difference) then return text end
  return ("%s Average ranks that are further apart than %s differ (Nemenyi, alpha = %s)."):format(text,
    html.number(friedman.critical_difference, 2), number_text.chosen(friedman.alpha, 2))
end

-- The figures over several datasets, or why there is no picture.
local function ranks(page, self, found)
  if #self.datasets < 2 then return "" end
  local text, problem
  if #self.learners <= most_in_diagram then
    text, problem = figures.draw(page, "critical_difference", found, {}, "Critical-difference diagram", "full")
  else
    problem = ("it has no room for %d learners; compare fewer."):format(#self.learners)
  end
  return html.paragraph(over_text(found)) .. (text
    or html.paragraph(("No critical-difference diagram: %s"):format(problem), "note")) .. rank_table(found)
end

-- The posterior of the best two over several datasets, as a triangle.
local function posterior_figure(page, self, found)
  if #self.datasets < 2 then return "" end
  local text = figures.draw(page, "posterior", found, {}, "Posterior of the best two", "half")
  return text or ""
end

-- The sentences, of which many are folded away; of many learners those about the pairs are left to a script.
local function sentences(found)
  if found.pairs_.is_large then return "" end
  local list = found:sentences()
  local shown, more = contents.first(list, 12)
  if more == 0 then return html.list(shown) end
  return html.details(("All %d sentences"):format(#list), html.list(contents.first(list, 200)))
end

function comparison.body(page, self, found)
  local out = { ranks(page, self, found), posterior_figure(page, self, found), pair_table(self, found),
    sentences(found) }
  if #self.learners > 2 then out[#out + 1] = win_table(found) end
  local notes = found:notes()
  if #notes > 0 then
    out[#out + 1] = html.paragraph("About the test:", "note") .. html.list(notes, "note")
  end
  if found.pairs_.is_large then return table.concat(out) end  -- too many for a link
  return table.concat(out) .. page:csv_link(found, "comparison.csv", "all pairs as CSV")
end

function comparison.write(page, self)
  if not self.comparison then return nil, self.refusal end
  return comparison.body(page, self, self.comparison)
end

return comparison
