-- Every source is built. Source lists are explicit, so a file that is in none is neither compiled nor tested, and
-- nothing else says so.
--   .cpp and .c of core, plugins, sdk/check and tests/unit   named by a CMakeLists.txt of their folder or one above
--   public headers of core and sdk                           the same, below core and sdk
--   scripts/crossfold                                        CROSSFOLD_SCRIPTS of the binding
--   folders of plugins with a plugin                         CROSSFOLD_BUNDLED_PLUGINS, CROSSFOLD_BUNDLED_FOLDERS

-- Path of a folder -> the text of its CMakeLists.txt and *.cmake, without comments.
local function read_lists(tree)
  local lists = {}
  for _, file in ipairs(tree:list({ "core", "plugins", "sdk", "tests" }, "txt cmake")) do
    if file.ending == "cmake" or file.name:find("CMakeLists%.txt$") then
      local folder = file.name:match("^(.*)/")
      lists[folder] = (lists[folder] or "") .. file.text:gsub("#[^\n]*", "")
    end
  end
  return lists
end

local function has_word(text, word)
  return (" " .. text .. " "):find("[^%w_]" .. word:gsub("%p", "%%%0") .. "[^%w_]") ~= nil
end

-- "xgboost_test.cpp" of a loop over names: "${name}_test.cpp".
local function is_of_loop(text, stem)
  local test_of = stem:match("^(.*)_test$")
  return test_of and text:find("}_test.cpp", 1, true) and has_word(text, test_of)
end

-- Whether a list of the file's folder, or of one above, has its name, with or without the ending.
local function is_listed(lists, name)
  local folder, file = name:match("^(.*)/([^/]+)$")
  local stem = file:match("^(.*)%.")
  while folder do
    local text = lists[folder]
    if text and (has_word(text, file) or has_word(text, stem) or is_of_loop(text, stem)) then return true end
    folder = folder:match("^(.*)/")
  end
  return false
end

-- The scripts that crossfold_scripts(FOLDER NAME...) lists, as "folder/name".
local function scripts_of(text)
  local scripts = {}
  for folder, names in text:gmatch("crossfold_scripts%(([%w_.]+)%s+(.-)%)") do
    for name in names:gmatch("%S+") do scripts[folder == "." and name or folder .. "/" .. name] = true end
  end
  return scripts
end

-- The names of bundled plugins; those that wrap a library are in a loop of their own.
local function bundled_of(text)
  local bundled = text:match("CROSSFOLD_BUNDLED_PLUGINS%s+(.-)%)")
    .. " " .. (text:match("CROSSFOLD_BUNDLED_FOLDERS%s+(.-)%)") or "")
  for wrapping in text:gmatch("foreach%(plugin%s+(.-)%)") do bundled = bundled .. " " .. wrapping end
  return bundled
end

local function check(tree, add)
  local lists, of_headers = read_lists(tree), {}
  for _, file in ipairs(tree:list({ "core", "plugins", "sdk/check", "tests/unit" }, "cpp c")) do
    if not is_listed(lists, file.name) then add(file.name, nil, "no CMakeLists.txt names it") end
  end
  for folder, text in pairs(lists) do
    if folder:find("^core") or folder:find("^sdk") then of_headers[#of_headers + 1] = text end
  end
  of_headers = table.concat(of_headers, " ")
  for _, file in ipairs(tree:list({ "core/include", "sdk/include" }, "h hpp")) do
    local header = file.name:gsub("^core/include/", ""):gsub("^crossfold/", ""):gsub("^sdk/include/", "include/")
    if not has_word(of_headers, header) then add(file.name, nil, "no CMakeLists.txt lists this header") end
  end
  local scripts = scripts_of(lists["core/bindings/lua"])
  for _, file in ipairs(tree:list({ "scripts/crossfold" }, "lua")) do
    if not scripts[file.name:match("^scripts/crossfold/(.*)%.lua$")] then
      add(file.name, nil, "CROSSFOLD_SCRIPTS of core/bindings/lua/CMakeLists.txt does not name it")
    end
  end
  local bundled = bundled_of(lists["plugins"])
  for folder, text in pairs(lists) do
    local plugin = folder:match("^plugins/([%w_]+)$")
    if plugin and text:find("crossfold_add_[%w_]*plugin") and not has_word(bundled, plugin) then
      add(folder, nil, "CROSSFOLD_BUNDLED_PLUGINS of plugins/CMakeLists.txt does not name it")
    end
  end
end

return { name = "listed_sources", finds = "sources that no list names", check = check }
