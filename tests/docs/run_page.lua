-- The code of a page runs and prints what the page says:
--   lua5.4 run_page.lua ROOT PAGE PROGRAM FOLDER [--update]
-- All blocks of Lua of PAGE (a path below ROOT) that come from no file are one program, in their
-- order, run by PROGRAM in FOLDER, where scripts/data are the bundled data; then its commands run
-- (see page_blocks.lua). Whatever they print stands in blocks after <!-- output --> or <!-- error
-- -->.
-- --update writes what was printed into these blocks, for people who write pages. With LUA_CPATH in the
-- environment stock Lua runs the blocks of Lua instead of PROGRAM.
local here = arg[0]:match("^(.*)/")
package.path = here .. "/?.lua;" .. here .. "/../lint/?.lua;" .. package.path
local page_blocks = require "page_blocks"
local source = require "source_files"
local root, page, program, folder, update = table.unpack(arg)

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

local function fail(...)
  io.stderr:write(page, ": ", string.format(...), "\n")
  os.exit(1)
end

local lines = source.lines(root .. "/" .. page)
local blocks = page_blocks.read(lines)

-- The program of the page: its lines have the numbers that they have in the page. A segment ends
-- before every block of expected output, whose index `segment_of` keeps.
local function compose()
  local text, n_segments, last, has_code = {}, 0, nil, false
  for i = 1, #lines do text[i] = "" end
  for _, block in ipairs(blocks) do
    local role = page_blocks.role(block, page)
    if role == "lua" then
      has_code = true
      for i, line in ipairs(block.lines) do text[block.first + i] = line end
      last = block
    elseif role == "sh" then
      last = block
    elseif role == "expected" then
      if not last then fail("line %d: nothing runs before this block", block.first) end
      block.of = last
      if last.language == "lua" then
        n_segments = n_segments + 1
        block.segment = n_segments
        text[block.first] = "__segment()"
        if block.mark == "error" then
          text[last.first], text[last.last] = "__raises(function()", "end)"
        end
      end
    end
  end
  text[1] = ("dofile(%q) "):format(here .. "/capture.lua") .. text[1]
  text[#text + 1] = "__finish()"
  return table.concat(text, "\n") .. "\n", has_code
end

local function run_program(text)
  local script, out = folder .. "/scripts/page/page.lua", folder .. "/segments"
  write(script, text)
  local runner = os.getenv("LUA_CPATH") and quoted(arg[-1]) or quoted(program) .. " run"
  local command = ("cd %s && CROSSFOLD_PAGE_SEGMENTS=%s %s scripts/page/page.lua"):format(quoted(folder),
    quoted(out), runner)
  local _, _, status = os.execute(command)
  if status ~= 0 and status ~= 3 then fail("the program ends with %d", status) end  -- 3: failed cells
  local segments, file <close> = {}, assert(io.open(out, "rb"))
  for length in function() return file:read("l") end do
    local n = assert(math.tointeger(tonumber(length)))
    segments[#segments + 1] = n > 0 and assert(file:read(n)) or ""
  end
  return segments
end

local function run_command(block)
  write(folder .. "/commands.sh", table.concat(block.lines, "\n") .. "\n")
  local pipe = assert(io.popen(("cd %s && PATH=%s:$PATH sh -e ./commands.sh"):format(quoted(folder),
    quoted(program:match("^(.*)/")))))
  block.printed = pipe:read("a")
  local ok, _, status = pipe:close()
  if not ok then fail("line %d: the commands end with %d", block.first, status) end
end

local function compare(block, printed)
  local expected = table.concat(block.lines, "\n") .. (#block.lines > 0 and "\n" or "")
  if printed == expected then return end
  if update then
    block.new = printed
    return
  end
  fail("line %d: printed:\n%s\nthe page says:\n%s", block.first, printed, expected)
end

for _, block in ipairs(blocks) do
  if page_blocks.role(block, page) == "file" then
    write(folder .. "/" .. block.subject, table.concat(block.lines, "\n") .. "\n")
  end
end

local text, has_code = compose()
local segments = has_code and run_program(text) or {}
local n_compared, n_run = 0, 0
for _, block in ipairs(blocks) do
  local role = page_blocks.role(block, page)
  if role == "sh" then run_command(block) end
  if role == "sh" or role == "lua" then n_run = n_run + 1 end
  if role == "expected" then
    n_compared = n_compared + 1
    compare(block, block.segment and segments[block.segment] or block.of.printed)
    block.of.shown = true
  end
end
-- A page that shows output shows all of it.
for _, block in ipairs(blocks) do
  if page_blocks.role(block, page) == "sh" and block.printed ~= "" and not block.shown then
    fail("line %d: no block shows what the commands print:\n%s", block.first, block.printed)
  end
end
if page_blocks.runs_commands(page) and segments[#segments] and segments[#segments] ~= "" then
  fail("no block shows the last of the output:\n%s", segments[#segments])
end

if update then
  for i = #blocks, 1, -1 do
    local block = blocks[i]
    if block.new then
      for _ = block.first + 1, block.last - 1 do table.remove(lines, block.first + 1) end
      local at = block.first
      for line in block.new:gmatch("(.-)\n") do
        at = at + 1
        table.insert(lines, at, line)
      end
    end
  end
  write(root .. "/" .. page, table.concat(lines, "\n") .. "\n")
end
print(("%s: %d blocks run, %d outputs compared"):format(page, n_run, n_compared))
