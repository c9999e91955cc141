-- Makes what repeats the declarations of options. `crossfold run docs/reference/generate.lua DEFINITIONS OPTIONS`
-- writes the definitions for editors and the page of all options to these files, as the build does
-- (docs/reference.cmake). Without arguments it writes the marked table of docs/lua.md; with --check it raises
-- instead if that is not what it would write.
require("crossfold.options").load_all()
local here = arg[0]:match("^(.*)/") or "."
package.path = here .. "/?.lua;" .. package.path
local definitions = require "definitions"
local option_tables = require "option_tables"

local begins, ends = "<!-- generated: execution -->\n", "<!-- end -->\n"

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

local function write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text))
end

local function update_table(path, checks)
  local page = read(path)
  local first = assert(select(2, page:find(begins, 1, true)), "docs/lua.md has no mark of the table")
  local last = assert(page:find(ends, first, true), "docs/lua.md has no end of the table")
  local text = page:sub(1, first) .. "\n" .. option_tables.execution() .. "\n" .. page:sub(last)
  if not checks then
    write(path, text)
  elseif page ~= text then
    error("docs/lua.md is not made of the declarations in scripts/crossfold; "
      .. "run `crossfold run docs/reference/generate.lua`", 0)
  end
end

if #arg == 2 then
  local template = read(here .. "/crossfold.d.lua.in")
  write(arg[1], definitions.text(template))
  write(arg[2], option_tables.page(template))
else
  update_table(here .. "/../lua.md", arg[1] == "--check")
end
