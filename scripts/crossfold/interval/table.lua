-- Defines what result:interval returns: the list of its rows, which can be printed.
local native = require "crossfold.native"

local interval_table = {}
interval_table.__name = "crossfold.Intervals"

function interval_table.new(rows) return setmetatable(rows, interval_table) end

local function several(rows, key)
  for _, row in ipairs(rows) do
    if row[key] ~= rows[1][key] then return true end
  end
  return false
end

local function has(rows, key)
  for _, row in ipairs(rows) do
    if row[key] ~= nil then return true end
  end
  return false
end

-- The columns that people read.
local function shown_columns(rows)
  local columns = { "learner", "metric" }
  if several(rows, "dataset") then table.insert(columns, 1, "dataset") end
  for _, name in ipairs { "method", "mean", "low", "high", "se", "n", "unit" } do
    if has(rows, name) then columns[#columns + 1] = name end
  end
  return columns
end

function interval_table:__tostring()
  local sentences = {}
  for i, row in ipairs(self) do sentences[i] = row.sentence end
  return native.table_text(shown_columns(self), self) .. "\n\n" .. table.concat(sentences, "\n")
end

return interval_table
