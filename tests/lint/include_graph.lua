-- Prints the include graph of the product, folder by folder: `lua5.4 include_graph.lua ROOT`. One line per folder: its
-- number of files and lines, and the folders that it includes with the number of #include lines. Public headers count
-- as core/include. Cycles between folders are listed at the end.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]

local kRoots = { "", "core/", "core/src/", "core/include/", "plugins/", "sdk/", "sdk/include/", "sdk/conformance/" }

local function folder_of(path)
  if path:find("^core/include/") then return "core/include" end
  if path:find("^sdk/include/") then return "sdk/include" end
  return path:match("^(.*)/") or "."
end

local files, folders, names = {}, {}, {}
for _, path in ipairs(source.list(root, { "core", "sdk" }, { "h", "hpp", "cpp", "c" })) do
  local name = source.relative(root, path)
  if not name:find("^sdk/templates/") then
    files[name] = source.lines(path)
    names[#names + 1] = name
    local folder = folder_of(name)
    if not folders[folder] then folders[folder] = { files = 0, lines = 0, includes = {} } end
    folders[folder].files = folders[folder].files + 1
    folders[folder].lines = folders[folder].lines + #files[name]
  end
end

local function resolve(from, include)
  local near = (from:match("^(.*/)") or "") .. include
  if files[near] then return near end
  for _, base in ipairs(kRoots) do
    if files[base .. include] then return base .. include end
  end
end

for _, name in ipairs(names) do
  for _, line in ipairs(files[name]) do
    local include = line:match('^%s*#%s*include%s*[<"]([^>"]+)[>"]')
    local target = include and resolve(name, include)
    local from, to = folder_of(name), target and folder_of(target)
    if to and to ~= from then
      local counts = folders[from].includes
      counts[to] = (counts[to] or 0) + 1
    end
  end
end

local function sorted_keys(set)
  local keys = {}
  for key in pairs(set) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- Whether `to` can be reached from `from`.
local function reaches(from, to, seen)
  if seen[from] then return false end
  seen[from] = true
  for next_folder in pairs(folders[from].includes) do
    if next_folder == to or reaches(next_folder, to, seen) then return true end
  end
  return false
end

local cycles = {}
for _, folder in ipairs(sorted_keys(folders)) do
  local one, parts = folders[folder], {}
  for _, to in ipairs(sorted_keys(one.includes)) do parts[#parts + 1] = ("%s %d"):format(to, one.includes[to]) end
  print(("%s: %d files, %d lines -> %s"):format(folder, one.files, one.lines, table.concat(parts, ", ")))
  if folder ~= "core/include" and reaches(folder, folder, {}) then cycles[#cycles + 1] = folder end
end
print("folders in cycles: " .. (#cycles == 0 and "none" or table.concat(cycles, ", ")))
