-- Defines the result of cf.adversarial_validation: whether new rows differ from the old ones, by which columns, and
-- which old rows look most like new ones.
local native = require "crossfold.native"
local copied_rows = require "crossfold.result.copied_rows"
local number_text = require "crossfold.text.number_text"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local provenance = require "crossfold.result.provenance"

local result = result_class.new "crossfold.AdversarialValidation"

-- Areas of permutations that are less by no more than this are as high; they may be sums in another order.
local tolerance = 1e-12

-- Rows { row, probability } of ids[i], whose probabilities begin at place `from`.
local function rows_of(of_row, ids, from, order)
  local rows = {}
  for i, id in ipairs(ids) do rows[i] = { row = id, probability = of_row[from + i] } end
  table.sort(rows, function(a, b)
    if a.probability ~= b.probability then return order(a.probability, b.probability) end
    return a.row < b.row
  end)
  return rows
end

local function more(a, b) return a > b end

-- The permutations test one area, 0.5, and know nothing of others. An interval by the spread of the rows, as of E.
-- LeDell, M. Petersen and M. van der Laan 2015, takes the models for given; but here they are what may have been found
-- by chance, and it left 0.5 out in 16 to 24 % of cases without any difference.
local no_interval = "the permutations test whether the area is 0.5, and no interval is known to hold for the models of "
  .. "all folds"

-- `found` is made in adversarial_validation.lua.
function result.new(found)
  local o, as_high = found.options, 0
  for _, auc in ipairs(found.permuted) do if auc >= found.auc - tolerance then as_high = as_high + 1 end end
  local n_old, n_new = #found.old_ids, #found.new_ids
  table.sort(found.columns, function(a, b)
    local x, y = a.auc or -1, b.auc or -1
    return x > y or x == y and a.column < b.column
  end)
  return setmetatable({
    old = found.old:name(), new = found.new:name(), rows_old = n_old, rows_new = n_new,
    rows_of_old = #found.old, rows_of_new = #found.new, learner = tostring(found.learner), auc = found.auc,
    undefined = no_interval, confidence = o.confidence,
    p = (1 + as_high) / (1 + #found.permuted), permutations = #found.permuted, fits = found.fits,
    by_group = found.by_group, permuted_ = found.permuted, columns_ = found.columns, missing_ = found.missing,
    old_rows_ = rows_of(found.of_row, found.old_ids, 0, more),
    new_rows_ = rows_of(found.of_row, found.new_ids, n_old, more),
    where_from = {
      crossfold = native.version, seed = o.seed, splitter = ("kfold{folds=%d}"):format(o.folds),
      learners = { provenance.learner(tostring(found.learner), found.learner) },
      datasets = { provenance.dataset("old: " .. found.old:name(), found.old),
        provenance.dataset("new: " .. found.new:name(), found.new) },
    },
  }, result)
end

-- Rows { column, auc, mean_old, mean_new, missing_old, missing_new }, the column that separates best alone first;
-- means of numbers only, missing as shares.
function result:columns() return copied_rows(self.columns_) end

-- Rows { row, probability }: the old rows, those that look most like new ones first.
function result:old_rows() return copied_rows(self.old_rows_) end

-- The same of the new rows, those that look least like old ones first.
function result:new_rows() return copied_rows(self.new_rows_) end

-- The areas under the curve of the permutations.
function result:permuted() return table.move(self.permuted_, 1, #self.permuted_, 1, {}) end

-- Whether the p-value is at most 1 - confidence, or another level.
function result:differs(level) return self.p <= (level or 1 - self.confidence) + tolerance end

local function fixed(x) return number_text.fixed(x, 2) end

-- What was found, in plain words.
function result:sentence()
  local text = ("A classifier ranks the %d new rows above the %d old ones with an area of %s under the ROC curve (0.5 "
    .. "is chance), p = %s by %d permutations: "):format(self.rows_new, self.rows_old, fixed(self.auc),
    number_text.fixed(self.p), self.permutations)
  if not self:differs() then return text .. "no difference between old and new rows is shown." end
  local first = self.columns_[1]
  text = text .. "the new rows differ from the old ones."
  if first and first.auc and first.auc > 0.5 then
    text = ("%s Column '%s' shows it best, alone with an area of %s."):format(text, first.column, fixed(first.auc))
  end
  return text
end

-- What limits the finding.
function result:notes()
  local notes = {}
  if #self.missing_ > 0 then
    local names = table.concat(self.missing_, ", ", 1, math.min(5, #self.missing_))
    notes[#notes + 1] = ("%d %s not compared, because the other data lack %s: %s%s"):format(#self.missing_,
      #self.missing_ == 1 and "column was" or "columns were", #self.missing_ == 1 and "it" or "them", names,
      #self.missing_ > 5 and ", ..." or "")
  end
  if self.rows_old < self.rows_of_old or self.rows_new < self.rows_of_new then
    notes[#notes + 1] = ("%d of %d old and %d of %d new rows were drawn; 'rows' is the limit"):format(self.rows_old,
      self.rows_of_old, self.rows_new, self.rows_of_new)
  end
  if not self.by_group then
    notes[#notes + 1] = "the p-value holds for rows that do not depend on each other; if they do, name their groups"
  end
  notes[#notes + 1] = ("%d fits; the target was not used"):format(self.fits)
  return notes
end

local columns = { "column", "auc", "mean_old", "mean_new", "missing_old", "missing_new" }
local most_shown = 10

function result:__tostring()
  local lines = { self:sentence() }
  if #self.columns_ > 0 then
    lines[#lines + 1] = native.table_text(columns,
      table.move(self.columns_, 1, math.min(most_shown, #self.columns_), 1, {}))
  end
  if #self.columns_ > most_shown then
    lines[#lines + 1] = ("(the first %d of %d columns; columns() has all)"):format(most_shown, #self.columns_)
  end
  for _, note in ipairs(self:notes()) do lines[#lines + 1] = "(" .. note .. ")" end
  return table.concat(lines, "\n")
end

result_class.add_to(result, columns, function(self) return self.columns_ end)

return options.methods(result, { "columns", "old_rows", "new_rows", "permuted", "differs", "sentence", "notes",
  "provenance", "to", "report" }, nil, { "to", "report" })
