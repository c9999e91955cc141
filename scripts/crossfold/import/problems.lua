-- Collects what is wrong with imported predictions, so that all of it is reported at once, with the rows.
local native = require "crossfold.native"

local problems = {}
problems.__index = problems

-- Rows that a finding names, and findings that a message has.
local most_rows, most_findings = 5, 8

-- `source` is what the predictions come from, in the message.
function problems.new(source)
  return setmetatable({ source = source, list = {}, by_finding = {} }, problems)
end

-- Adds `number` (a row of the data, the place of an entry, or a fold) to the `finding`, unless it has it. `noun`:
-- "row", "entry" or "fold"; nil: the finding is not about numbers. `way_out` (may be nil) is what to do about it.
function problems:add(finding, noun, number, way_out)
  local one = self.by_finding[finding]
  if not one then
    one = { finding = finding, noun = noun, count = 0, numbers = {}, seen = {}, way_out = way_out }
    self.by_finding[finding] = one
    table.insert(self.list, one)
  end
  if number and one.seen[number] then return end
  one.count = one.count + 1
  if number then one.seen[number] = true end
  if number and #one.numbers < most_rows then table.insert(one.numbers, number) end
end

local plurals = { row = "rows", entry = "entries", fold = "folds" }

-- "row 5", "rows 1, 2 and 7", "rows 1, 2, 3, 4, 5 and 12 more".
local function numbers_text(one)
  local last = one.count > #one.numbers and ("%d more"):format(one.count - #one.numbers) or table.remove(one.numbers)
  if #one.numbers == 0 then return ("%s %s"):format(one.noun, last) end
  return ("%s %s and %s"):format(plurals[one.noun], table.concat(one.numbers, ", "), last)
end

local function text_of(one)
  local text = one.finding
  if one.noun then text = ("%s (%s)"):format(text, numbers_text(one)) end
  return one.way_out and ("%s; %s"):format(text, one.way_out) or text
end

-- Raises all of them, if there are any.
function problems:raise()
  local n, texts = #self.list, {}
  if n == 0 then return end
  for i, one in ipairs(self.list) do
    if i > most_findings then break end
    texts[i] = n == 1 and text_of(one) or ("(%d) %s"):format(i, text_of(one))
  end
  if n > most_findings then texts[#texts + 1] = ("and %d more"):format(n - most_findings) end
  native.fail("cannot import %s: %s%s", self.source, n > 1 and ("%d problems: "):format(n) or "",
    table.concat(texts, "; "))
end

return problems
