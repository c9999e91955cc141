-- Defines the result of result:subgroups: rows, a sentence, tables and a report.
local native = require "crossfold.native"
local copied_rows = require "crossfold.result.copied_rows"
local number_text = require "crossfold.text.number_text"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"

local found = result_class.new "crossfold.Subgroups"

local fields = { "level", "rows", "groups", "value", "low", "high", "difference", "p", "p_adjusted", "test",
  "undefined", "interval_undefined", "p_undefined" }

-- `values` as subgroups.of_job makes them.
function found.new(values)
  local self = setmetatable(options.joined(values), found)
  self.list, self.rows = {}, nil
  for i, row in ipairs(values.rows) do
    local kept = {}
    for _, name in ipairs(fields) do kept[name] = row[name] end
    kept.groups = values.units == "groups" and row.units or nil
    self.list[i] = kept
  end
  return self
end

-- One row per level: { level, rows, groups, value, low, high, difference, p, p_adjusted, test, undefined,
-- interval_undefined, p_undefined }. `rows` counts the rows of the data, `groups` their groups where the data have
-- some; `difference` is to the score of all other rows. What does not exist is nil, and one of the last three says
-- why.
function found:rows() return copied_rows(self.list) end

local function interval_text(self, low, high)
  return low and (", %s interval %s to %s"):format(number_text.confidence(self.confidence), number_text.fixed(low),
    number_text.fixed(high)) or ""
end

local function level_text(self, name)
  for _, row in ipairs(self.list) do
    if row.level == name then
      return ("'%s' (%s%s, %d rows)"):format(name, number_text.fixed(row.value),
        interval_text(self, row.low, row.high), row.rows)
    end
  end
end

local adjustments = { holm = "Holm", bonferroni = "Bonferroni", hochberg = "Hochberg",
  benjamini_hochberg = "Benjamini and Hochberg" }

-- What the tests of the levels say; nil without any.
local function tests_text(self)
  local different, least = {}, nil
  for _, row in ipairs(self.list) do
    if row.p_adjusted then
      least = math.min(least or 1, row.p_adjusted)
      if row.p_adjusted <= 1 - self.confidence + 1e-12 then
        different[#different + 1] = ("'%s' (%s)"):format(row.level, number_text.p(row.p_adjusted))
      end
    end
  end
  if not least then return nil end
  local adjusted = #self.list > 2 and (", p-values adjusted as by %s"):format(adjustments[self.adjust]) or ""
  if #different == 0 then
    return ("No level differs from the rest beyond chance (smallest %s%s)."):format(number_text.p(least), adjusted)
  end
  return ("Different from the rest beyond chance: %s%s."):format(table.concat(different, ", "), adjusted)
end

local function not_judged(self)
  local names, n = {}, 0
  for _, row in ipairs(self.list) do
    if row.undefined then
      n = n + 1
      names[#names + 1] = ("'%s' (%s)"):format(row.level, row.undefined)
    end
  end
  if n == 0 then return nil end
  return ("Not judged: %s."):format(table.concat(names, ", "))
end

-- The findings in plain English.
function found:sentence()
  local parts = {}
  if self.gap.estimate then
    local first, second = self.worst, self.best
    if self.gap.estimate == 0 then
      parts[1] = ("The %s of '%s' is the same in all levels of %s."):format(self.metric_title, self.learner, self.by)
    else
      parts[1] = ("By %s, the %s of '%s' is worst for %s and best for %s."):format(self.by, self.metric_title,
        self.learner, level_text(self, first), level_text(self, second))
    end
    parts[2] = ("The gap is %s%s."):format(number_text.fixed(self.gap.estimate),
      self.gap.low and interval_text(self, self.gap.low, self.gap.high)
        or (", without an interval: %s"):format(self.gap.undefined))
  else
    parts[1] = ("Levels of %s cannot be compared: %s."):format(self.by, self.gap.undefined)
  end
  parts[#parts + 1] = tests_text(self)
  parts[#parts + 1] = not_judged(self)
  return table.concat(parts, " ")
end

-- One line: of what the scores are.
function found:title()
  return ("%s of '%s' on '%s' by %s"):format(self.metric_title, self.learner, self.dataset, self.by)
end

-- The names of the columns that have something.
function found:shown()
  local columns = {}
  for _, name in ipairs(fields) do
    for _, row in ipairs(self.list) do
      if row[name] ~= nil then
        columns[#columns + 1] = name
        break
      end
    end
  end
  return columns
end

function found:__tostring()
  return ("%s\n%s\n%s"):format(self:title(), native.table_text(self:shown(), self:rows()), self:sentence())
end

result_class.add_to(found, fields, found.rows, {
  latex = function(self) return native.table_latex(self:shown(), self:rows()) end,
})

-- Seed, data and plugins that the numbers came from.
function found:provenance() return self.where_from end

return options.methods(found, { "rows", "sentence", "title", "shown", "to", "provenance", "report" }, nil,
  { "to", "report" })
