-- docs/first_plugin.md counts what an author of a learner in C has to know: `lua5.4 first_plugin_concepts.lua ROOT`.
--   The rows of the table below its heading "What there is to know in C" are numbered, and there are at most 12. Every
--   name of crossfold_c.h in the learner of the page stands in a row, and every name in a row stands in the learner.
package.path = arg[0]:match("^(.*)/") .. "/../lint/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]
local page, learner = "docs/first_plugin.md", "tests/package/first_plugin/nearest.c"
local maximum = 12

-- The set of the names of crossfold_c.h in `text`, and the same as a sorted list.
local function names_in(text)
  local set, list = {}, {}
  for name in text:gmatch("[%w_]+") do
    if (name:find("^cf_%l") or name:find("^CF_%u")) and not set[name] then
      set[name] = true
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return set, list
end

local rows, names_of_rows, inside = {}, {}, false
for number, line in ipairs(source.lines(root .. "/" .. page)) do
  if line:find("^##+ ") then inside = line == "### What there is to know in C" end
  local count = inside and line:match("^| (%d+) |")
  if count then
    rows[#rows + 1] = { line = number, count = tonumber(count) }
    for code in line:gmatch("`([^`]*)`") do names_of_rows[#names_of_rows + 1] = code end
  end
end

local findings = {}
local function add(...) findings[#findings + 1] = string.format(...) end

if #rows == 0 then add("%s: there is no numbered row below '### What there is to know in C'", page) end
for i, row in ipairs(rows) do
  if row.count ~= i then add("%s:%d: row %d of the table says that it is %d", page, row.line, i, row.count) end
end
if #rows > maximum then add("%s: the table has %d rows; the maximum is %d", page, #rows, maximum) end

local code = table.concat(source.lines(root .. "/" .. learner), "\n"):gsub("/%*.-%*/", " "):gsub('"[^"\n]*"', '""')
code = code:gsub("#include[^\n]*", "")
local in_code, list_of_code = names_in(code)
local in_table, list_of_table = names_in(table.concat(names_of_rows, " "))
for _, name in ipairs(list_of_code) do
  if not in_table[name] then add("%s: no row of the table in %s has '%s'", learner, page, name) end
end
for _, name in ipairs(list_of_table) do
  if not in_code[name] then add("%s: the table has '%s', which %s does not use", page, name, learner) end
end
print(("concepts: %d of at most %d, names: %d"):format(#rows, maximum, #list_of_code))
source.finish("rows of the table of concepts", findings)
