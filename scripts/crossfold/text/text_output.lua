-- Gives the text of a method `to` back, or writes it to a file.
local native = require "crossfold.native"
local options = require "crossfold.options"

local text_output = {}

-- `given` has one of the keys of `forms` = { csv = function(self) return text end, ... }; its value is a
-- path, or true for the text. `declared` are the keys as options.outputs declares them.
function text_output.give(self, given, declared, forms)
  local names, o = options.sorted_keys(declared), options.check("to", given, declared)
  local chosen
  for _, name in ipairs(names) do
    if o[name] ~= nil then
      if chosen then native.fail("to: give one of " .. table.concat(names, ", ")) end
      chosen = name
    end
  end
  if not chosen then native.fail("to: give one of " .. table.concat(names, ", ")) end
  return options.write_text(o[chosen], forms[chosen](self))
end

-- Blocks for gnuplot's `index`: one per line of `blocks` = { { title =, rows = }, ... }; a value that
-- does not exist is "?", as `set datafile missing "?"` expects.
function text_output.gnuplot(columns, blocks)
  local lines = { "# " .. table.concat(columns, " ") }
  for b, block in ipairs(blocks) do
    if b > 1 then lines[#lines + 1] = "\n" end
    lines[#lines + 1] = "# " .. block.title:gsub("%c", " ")
    for _, row in ipairs(block.rows) do
      local cells = {}
      for c, name in ipairs(columns) do
        local value = row[name]
        cells[c] = type(value) == "number" and native.format_number(value)
          or value ~= nil and ('"%s"'):format(tostring(value):gsub('[%c"\\]', " ")) or "?"
      end
      lines[#lines + 1] = table.concat(cells, " ")
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

return text_output
