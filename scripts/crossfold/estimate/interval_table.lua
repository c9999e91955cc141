-- Defines what result:interval returns: the list of its rows, which can be printed and written.
local native = require "crossfold.native"
local options = require "crossfold.options"
local text_output = require "crossfold.text.text_output"

local interval_table = {}
interval_table.__index = interval_table
interval_table.__name = "crossfold.Intervals"

local all_columns = { "learner", "dataset", "metric", "method", "mean", "low", "high", "se", "level", "n", "unit",
  "design", "undefined", "sentence" }

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

local to_options = options.declare("Intervals:to", options.outputs { "csv", "json", "latex" })

-- intervals:to{ csv = path }, to{ json = path }, to{ latex = path }; with `true` for the path the text is returned.
function interval_table:to(given)
  return text_output.give(given, to_options, {
    csv = function() return native.table_csv(all_columns, self) end,
    json = function() return native.table_json(all_columns, self) end,
    latex = function() return native.table_latex(shown_columns(self), self) end,
  })
end

return options.methods(interval_table, { "to" }, nil, { "to" })
