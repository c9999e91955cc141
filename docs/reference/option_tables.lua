-- Makes options.md of the guide, a table of the options of each function, and the table of docs/lua.md that shows the
-- options of all functions that run cells with those of the program.
local definitions = require "definitions"
local execution = require "crossfold.execution"
local options = require "crossfold.options"

local option_tables = {}

local function cell(text) return (text:gsub("|", "\\|")) end

local function table_lines(declared)
  local lines = { "| option | takes | default | meaning |", "|---|---|---|---|" }
  for _, name in ipairs(options.sorted_keys(declared)) do
    local one = declared[name]
    local default = options.default(one)
    if default and default ~= "required" then default = ("`%s`"):format(default) end
    lines[#lines + 1] = ("| `%s` | %s | %s | %s |"):format(name, cell(options.takes(one)), default or "",
      cell(one.doc))
  end
  return lines
end

local opening = [[
# Options

The options of every function and method that takes options by name; [lua.md](lua.md) says what the functions do. A *learner*, a
*splitter* or a *metric* is an id, such as `"knn"`, or what `cf.learner` and the other constructors return; *learners* and *metrics*
are one, a list, or a table by name. *output* is the path of a file, or `true` for the text.

The build makes this page of the declarations that the functions check.
]]

-- The page options.md, by the template of the definitions.
function option_tables.page(template)
  local sections, of_class = {}, {}
  definitions.each(template, function(class, declared, f)
    local section = of_class[class]
    if not section then
      section = { declared = declared, names = {} }
      -- Options inside an option of a function have a name of their own.
      local own = class:match("%.(.*)$")
      if options.declarations[own] then section.title = own end
      of_class[class], sections[#sections + 1] = section, section
    end
    if section.names[#section.names] ~= f then section.names[#section.names + 1] = f end
  end)
  local lines = { opening }
  for _, section in ipairs(sections) do
    if next(section.declared) then
      lines[#lines + 1] = "## " .. (section.title or table.concat(section.names, ", ")) .. "\n"
      if section.title then lines[#lines + 1] = ("Inside the options of %s.\n"):format(section.names[1]) end
      lines[#lines + 1] = table.concat(table_lines(section.declared), "\n") .. "\n"
    end
  end
  return (table.concat(lines, "\n"):gsub("\n+$", "\n"))
end

-- The table of how cells run, with the options of the program.
function option_tables.execution()
  local lines = { "| option | program | meaning |", "|---|---|---|" }
  for _, name in ipairs { "workers", "store", "store_predictions", "on_store_error", "isolate", "limits" } do
    local one = name == "isolate" and execution.isolate_by_learner or execution.options[name]
    lines[#lines + 1] = ("| `%s` | %s | %s |"):format(name, one.program:gsub("[^,%s][^,]*", "`%0`"), cell(one.doc))
  end
  return table.concat(lines, "\n") .. "\n"
end

return option_tables
