-- Makes what repeats the declarations of options: `crossfold run docs/reference/generate.lua` writes
-- scripts/meta/crossfold.d.lua, docs/options.md and the marked table of docs/lua.md. With --check it writes nothing,
-- and raises if one of them is not what it would write.
require "crossfold"
local here = arg[0]:match("^(.*)/") or "."
package.path = here .. "/?.lua;" .. package.path
local definitions = require "definitions"
local option_tables = require "option_tables"

local root = here .. "/../.."
local checks = arg[1] == "--check"
local begins, ends = "<!-- generated: execution -->\n", "<!-- end -->\n"

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

local function put(name, text)
  local path = root .. "/" .. name
  if not checks then
    local file <close> = assert(io.open(path, "wb"))
    file:write(text)
  elseif read(path) ~= text then
    error(("%s is not made of the declarations in scripts/crossfold; run `crossfold run docs/reference/generate.lua`")
      :format(name), 0)
  end
end

local template = read(here .. "/crossfold.d.lua.in")
put("scripts/meta/crossfold.d.lua", definitions.text(template))
put("docs/options.md", option_tables.page(template))

local page = read(root .. "/docs/lua.md")
local first = assert(select(2, page:find(begins, 1, true)), "docs/lua.md has no mark of the table")
local last = assert(page:find(ends, first, true), "docs/lua.md has no end of the table")
put("docs/lua.md", page:sub(1, first) .. "\n" .. option_tables.execution() .. "\n" .. page:sub(last))
