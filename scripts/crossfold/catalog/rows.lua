-- Defines what a catalog returns: a list of rows, which can be printed and written.
local native = require "crossfold.native"
local options = require "crossfold.options"

local rows = options.class "crossfold.CatalogRows"

-- What is kept of a list: the names of its columns, those for people, and what is said under the table.
local facts = setmetatable({}, { __mode = "k" })

-- `found` = { columns =, shown = columns for people or nil, text = row -> row for people or nil, notes = lines or nil,
-- empty = what is printed without rows }.
function rows.new(list, found)
  facts[list] = found
  return setmetatable(list, rows)
end

-- The names of the columns, in order.
function rows:columns() return table.move(facts[self].columns, 1, #facts[self].columns, 1, {}) end

function rows:__tostring()
  local found, list = facts[self], self
  if #self == 0 then return found.empty or "no rows" end
  if found.text then
    list = {}
    for i, row in ipairs(self) do list[i] = found.text(row) end
  end
  local parts = { native.table_text(found.shown or found.columns, list) }
  return table.concat(table.move(found.notes or {}, 1, #(found.notes or {}), 2, parts), "\n")
end

local to_options = options.declare("CatalogRows:to", options.outputs { "csv", "json", "latex" })

-- All rows and columns as CSV, JSON or LaTeX.
function rows:to(given)
  local o = options.check("to", given, to_options)
  local format = options.one_of("to", o, { "json", "csv", "latex" })
  return options.write_text(o[format], native["table_" .. format](facts[self].columns, self))
end

return options.methods(rows, { "columns", "to" }, nil, { "to" })
