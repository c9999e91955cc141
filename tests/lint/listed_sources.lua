-- Every source is built: `lua5.4 listed_sources.lua ROOT`. Source lists are explicit, so a file that is in none is
-- neither compiled nor tested, and nothing else says so.
--   .cpp and .c of core, plugins, sdk/check and tests/unit   named by a CMakeLists.txt of their folder or one above
--   public headers of core and sdk                           the same, below core and sdk
--   scripts/crossfold                                        CROSSFOLD_SCRIPTS of the binding
--   folders of plugins with a plugin                         CROSSFOLD_BUNDLED_PLUGINS, CROSSFOLD_BUNDLED_FOLDERS
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]

local findings = {}
local function add(...) findings[#findings + 1] = string.format(...) end

-- Path of a folder -> the text of its CMakeLists.txt and *.cmake, without comments.
local lists = {}
for _, path in ipairs(source.list(root, { "core", "plugins", "sdk", "tests" }, { "txt", "cmake" })) do
  local name = source.relative(root, path)
  if name:find("CMakeLists%.txt$") or name:find("%.cmake$") then
    local folder = name:match("^(.*)/")
    lists[folder] = (lists[folder] or "") .. source.read(path):gsub("#[^\n]*", "")
  end
end

local function has_word(text, word)
  local plain = word:gsub("%p", "%%%0")
  return (" " .. text .. " "):find("[^%w_]" .. plain .. "[^%w_]") ~= nil
end

-- "xgboost_test.cpp" of a loop over names: "${name}_test.cpp".
local function is_of_loop(text, stem)
  local test_of = stem:match("^(.*)_test$")
  return test_of and text:find("}_test.cpp", 1, true) and has_word(text, test_of)
end

-- Whether a list of the file's folder, or of one above, has its name, with or without the ending.
local function is_listed(name)
  local file = name:match("[^/]+$")
  local stem, folder = file:match("^(.*)%."), name:match("^(.*)/")
  while folder do
    local text = lists[folder]
    if text and (has_word(text, file) or has_word(text, stem) or is_of_loop(text, stem)) then return true end
    folder = folder:match("^(.*)/")
  end
  return false
end

local function listed_anywhere(folders, word)
  for folder, text in pairs(lists) do
    for _, start in ipairs(folders) do
      if folder:find("^" .. start) and has_word(text, word) then return true end
    end
  end
  return false
end

for _, path in ipairs(source.list(root, { "core", "plugins", "sdk/check", "tests/unit" }, { "cpp", "c" })) do
  local name = source.relative(root, path)
  if not is_listed(name) then add("%s: no CMakeLists.txt names it", name) end
end

for _, path in ipairs(source.list(root, { "core/include", "sdk/include" }, { "h", "hpp" })) do
  local name = source.relative(root, path)
  local header = name:gsub("^core/include/", ""):gsub("^crossfold/", ""):gsub("^sdk/include/", "include/")
  if not listed_anywhere({ "core", "sdk" }, header) then add("%s: no CMakeLists.txt lists this header", name) end
end

local scripts = lists["core/bindings/lua"]
for _, path in ipairs(source.list(root, { "scripts/crossfold" }, { "lua" })) do
  local name = source.relative(root, path)
  local module = name:match("^scripts/crossfold/(.*)%.lua$")
  if not has_word(scripts, module) then
    add("%s: CROSSFOLD_SCRIPTS of core/bindings/lua/CMakeLists.txt does not name it", name)
  end
end

-- Those that wrap a library are in a loop of their own.
local bundled = lists["plugins"]:match("CROSSFOLD_BUNDLED_PLUGINS%s+(.-)%)")
  .. " " .. (lists["plugins"]:match("CROSSFOLD_BUNDLED_FOLDERS%s+(.-)%)") or "")
for wrapping in lists["plugins"]:gmatch("foreach%(plugin%s+(.-)%)") do bundled = bundled .. " " .. wrapping end
for folder, text in pairs(lists) do
  local plugin = folder:match("^plugins/([%w_]+)$")
  if plugin and text:find("crossfold_add_[%w_]*plugin") and not has_word(bundled, plugin) then
    add("%s: CROSSFOLD_BUNDLED_PLUGINS of plugins/CMakeLists.txt does not name it", folder)
  end
end
table.sort(findings)
source.finish("sources that no list names", findings)
