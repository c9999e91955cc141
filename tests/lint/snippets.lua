-- Code in the documentation is the code that the tests run: `lua5.4 snippets.lua ROOT`.
-- A block that follows
--   <!-- from: path -->  or  <!-- from: path#region -->
-- must equal the file, or the lines between ###begin REGION and ###end REGION in it (in a comment:
-- --###begin, //###begin, ####begin). Blocks of Lua, C, C++ and CMake in README files need such a line.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]

local needs_origin = { lua = true, c = true, cpp = true, cmake = true }

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- The lines of a region, without the markers of regions inside it; or nil and why.
local function region_lines(path, region)
  if not exists(root .. "/" .. path) then return nil, "there is no file '" .. path .. "'" end
  local inside, found, lines = region == nil, region == nil, {}
  for _, line in ipairs(source.lines(root .. "/" .. path)) do
    local mark, name = line:match("^%s*[-/#]+###(%l+) (%S+)%s*$")
    if mark == "begin" and name == region then
      inside, found = true, true
    elseif mark == "end" and name == region then
      inside = false
    elseif inside and not mark then
      lines[#lines + 1] = line
    end
  end
  if not found then return nil, ("'%s' has no region '%s'"):format(path, region) end
  return lines
end

-- First difference of two lists of lines, as text; nil = equal.
local function difference(block, file)
  for i = 1, math.max(#block, #file) do
    if block[i] ~= file[i] then
      return ("line %d of the block is '%s', in the file '%s'"):format(i, block[i] or "(missing)",
        file[i] or "(missing)")
    end
  end
end

local findings, checked = {}, 0
local function check(name, start, origin, block)
  local path, region = origin:match("^([^#]+)#?(.*)$")
  local file, why = region_lines(path, region ~= "" and region or nil)
  local wrong = why or difference(block, file)
  checked = checked + 1
  if wrong then findings[#findings + 1] = ("%s:%d: %s: %s"):format(name, start, origin, wrong) end
end

local function check_file(path)
  local name = source.relative(root, path)
  local origin, fence, start, language, block
  for number, line in ipairs(source.lines(path)) do
    local opening, word = line:match("^(```+)%s*(%w*)")
    if fence then
      if line == fence then
        if origin then
          check(name, start, origin, block)
        elseif needs_origin[language] and name:find("README") then
          findings[#findings + 1] = ("%s:%d: a block of %s without <!-- from: ... -->"):format(name,
            start, language)
        end
        fence, origin = nil, nil
      else
        block[#block + 1] = line
      end
    elseif opening then
      fence, start, language, block = opening, number, word, {}
    elseif line:find("%S") then
      origin = line:match("^<!%-%- from: (%S+) %-%->$")
    end
  end
  if fence then findings[#findings + 1] = ("%s:%d: a block that never ends"):format(name, start) end
end

local folders = {}
for _, folder in ipairs { "docs", "plugins", "sdk", "scripts", "README.md", "CONTRIBUTING.md" } do
  if exists(root .. "/" .. folder) then folders[#folders + 1] = folder end
end
for _, path in ipairs(source.list(root, folders, { "md" })) do check_file(path) end
print(("blocks compared: %d"):format(checked))
source.finish("blocks that differ from their files", findings)
