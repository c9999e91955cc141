-- Code in the documentation is the code that the tests run. A block that follows
--   <!-- from: path -->  or  <!-- from: path#region -->
-- must equal the file, or the lines between ###begin REGION and ###end REGION in it (in a comment:
-- --###begin, //###begin, ####begin). Blocks of Lua, C, C++ and CMake in README files need such a line.
local needs_origin = { lua = true, c = true, cpp = true, cmake = true }

-- The lines of a region, without the markers of regions inside it; or nil and why.
local function region_lines(file, path, region)
  if not file then return nil, "there is no file '" .. path .. "'" end
  local inside, found, lines = region == "", region == "", {}
  for _, line in ipairs(file.lines) do
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

-- First difference of two lists of lines; nil = equal.
local function difference(block, file)
  for i = 1, math.max(#block, #file) do
    if block[i] ~= file[i] then
      return ("line %d of the block is '%s', in the file '%s'"):format(i, block[i] or "(missing)",
        file[i] or "(missing)")
    end
  end
end

local function check_block(tree, origin, block)
  local path, region = origin:match("^([^#]+)#?(.*)$")
  local file, why = region_lines(tree.by_name[path], path, region)
  return why or difference(block, file)
end

local function check_file(tree, file, add)
  local origin, fence, start, language, block
  for number, line in ipairs(file.lines) do
    local opening, word = line:match("^(```+)%s*(%w*)")
    if fence and line == fence then
      local wrong = origin and check_block(tree, origin, block)
      if wrong then add(file.name, start, "%s: %s", origin, wrong) end
      if not origin and needs_origin[language] and file.name:find("README") then
        add(file.name, start, "a block of %s without <!-- from: ... -->", language)
      end
      fence, origin = nil, nil
    elseif fence then
      block[#block + 1] = line
    elseif opening then
      fence, start, language, block = opening, number, word, {}
    elseif line:find("%S") then
      origin = line:match("^<!%-%- from: (%S+) %-%->$")
    end
  end
  if fence then add(file.name, start, "a block that never ends") end
end

local function check(tree, add)
  local folders = { "docs", "plugins", "sdk", "scripts", "README.md", "CONTRIBUTING.md" }
  for _, file in ipairs(tree:list(folders, "md")) do check_file(tree, file, add) end
end

return { name = "snippets", finds = "blocks that differ from their files", check = check }
