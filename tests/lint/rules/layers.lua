-- Who may include whom. The rules are the rows of core/layers.txt:
--   core, sdk/check      a folder of the list includes itself and what its row names: internal headers, and the
--                        public headers that the other folder's CMakeLists.txt lists
--   core/programs/cli    public headers, and how programs are found and started
--   plugins, other sdk   nothing of the core: they get what outsiders get
--   heavy headers        of third parties and of the standard library: only where `homes` says
local line_of = require("tree").line_of

-- Where a header that is foreign or costs seconds a file may be included: the start of the include up to
-- a slash or its end -> files and folders. The longest start counts.
local homes = {
  boost = {},
  ["boost/dll"] = { "core/discovery/plugin_library.h", "core/discovery/plugin_loader.cpp" },
  ["boost/math"] = { "core/analysis/stats/distributions.cpp" },
  ["lua.h"] = { "core/bindings/lua", "core/programs/cli", "core/programs/plugin" },
  ["lua.hpp"] = { "core/bindings/lua", "core/programs/cli", "core/programs/plugin" },
  ["lauxlib.h"] = { "core/bindings/lua", "core/programs/cli", "core/programs/plugin" },
  ["lualib.h"] = { "core/bindings/lua", "core/programs/cli", "core/programs/plugin" },
  tbb = {},
  oneapi = {},
  openssl = { "core/engine/data", "core/lockbox/sealed_bytes.cpp", "core/registry/signing_key.cpp" },
  ["sqlite3.h"] = { "core/store/catalog/catalog_query.cpp", "core/store/cells/sqlite.cpp",
                    "core/store/cells/stored_table.cpp", "core/store/upkeep/store_repair.cpp", "plugins/sqlite" },
  flatbuffers = {},
  ["arrow_ipc_generated.h"] = { "plugins/arrow/ipc_tables.h" },
  ["lz4frame.h"] = { "plugins/arrow/ipc_batch.cpp" },
  ["zstd.h"] = { "plugins/arrow/ipc_batch.cpp" },
  ["zip.h"] = { "core/archive" },
  ["zlib.h"] = { "core/store", "plugins/text_files" },
  nlohmann = { "core/engine/text/json_value.cpp", "plugins/exec/folder_description.cpp",
               "plugins/exec/messages.cpp" },
  fast_float = { "core/engine/text", "plugins/reading" },
  CLI = { "core/programs/cli/command.cpp" },
  ["mpi.h"] = { "core/programs/mpi" },
  Eigen = { "plugins/fixed_blocks.h", "plugins/matrices.h", "plugins/orthogonal_factors.cpp" },
  iostream = { "core/programs/cli/repl_command.cpp", "sdk/conformance/crossfold_plugin_check.hpp" },
  regex = { "sdk/check/check_run.cpp" },
}

local function starts_with(text, start) return text:sub(1, #start) == start end

local function in_any(path, places)
  for _, place in ipairs(places) do
    if path == place or starts_with(path, place .. "/") then return true end
  end
  return false
end

local function homes_of(include)
  local start = include
  while start and not homes[start] do start = start:match("^(.*)/") end
  return homes[start]
end

-- The list: its `rows` { folder =, name = (as includes spell it), includes = set of names },
-- and `owners`, public header -> the row of the folder that lists it.
local List = {}
List.__index = List

local function read_list(tree)
  local list, above = setmetatable({ rows = {}, owners = {} }, List), {}
  for line in tree.by_name["core/layers.txt"].text:gmatch("|[^\n]*\n") do
    local folder, includes = line:match("^| `([^`]+)` |[^|]*|([^|]*)|")
    if folder then
      local row = { folder = folder, name = folder:gsub("^core/", ""):gsub("^sdk/", ""), includes = {} }
      for include in includes:gmatch("[^,]+") do
        include = include:match("^%s*(.-)%s*$")
        if include == "all of the above" then
          for name in pairs(above) do row.includes[name] = true end
        end
        row.includes[include] = true
      end
      above[row.name] = true
      list.rows[#list.rows + 1] = row
    end
  end
  for _, file in ipairs(tree:list({ "core", "sdk" }, "txt")) do
    local row = list:row_of(file.name, "folder")
    local headers = row and file.text:gsub("#[^\n]*", ""):match("HEADERS%s+(.-)%s+SOURCES") or ""
    for header in headers:gmatch("[%w_/]+%.h") do list.owners["crossfold/" .. header] = row end
  end
  return list
end

-- The row whose `key`, "folder" or "name", is the start of the path; the longest counts.
function List:row_of(path, key)
  local found
  for _, row in ipairs(self.rows) do
    if starts_with(path, row[key] .. "/") and (not found or #row[key] > #found[key]) then found = row end
  end
  return found
end

local function may_include(row, other)
  if row == other or row.includes[other.name] then return true end
  return starts_with(other.name, "engine/") and row.includes.engine
end

-- What is wrong with a file of one kind including `include`; nil = nothing. `internal`: the row of the folder where
-- it lies; `owner`: the row that lists it as a public header.
local function public_header_problem(list, path, include, internal, owner)
  if internal then return ("a public header may not include '%s'"):format(include) end
  local own = list.owners[path:sub(#"core/include/" + 1)]
  if not own and starts_with(path, "core/include/crossfold/") then return "no CMakeLists.txt lists this header" end
  if own and owner and not may_include(own, owner) then
    return ("belongs to '%s', which may not include '%s'"):format(own.name, include)
  end
end

local function layer_problem(list, path, include, internal, owner)
  local row, other = list:row_of(path, "folder"), internal or owner
  if row and other and not may_include(row, other) then
    return ("'%s' may not include '%s'"):format(row.name, include)
  end
end

local function sdk_problem(path, include)
  -- The cases of GoogleTest, and the projects that run them.
  local first = include:match("^[^/]+")
  local is_test = in_any(path, { "sdk/conformance", "sdk/templates" })
    and (first == "gtest" or first == "crossfold_conformance")
  if include:find("/") and not include:find("^crossfold_plugin/") and not include:find("^sys/") and not is_test then
    return ("the SDK depends on nothing, may not include '%s'"):format(include)
  end
end

-- What is wrong with file `path` including `include`, or nil.
local function problem(list, path, include)
  local allowed = homes_of(include)
  if allowed and not in_any(path, allowed) then
    local who = #allowed > 0 and "only " .. table.concat(allowed, " and ") or "no file"
    return ("%s may include <%s>"):format(who, include)
  end
  local internal, owner = list:row_of(include, "name"), list.owners[include]
  if starts_with(path, "core/include/") then return public_header_problem(list, path, include, internal, owner) end
  if starts_with(path, "core/programs/cli/") then
    if internal and internal.name ~= "programs/cli" and internal.name ~= "discovery" then
      return ("the program uses public headers and those of discovery, not '%s'"):format(include)
    end
  elseif starts_with(path, "core/") or starts_with(path, "sdk/check/") then
    return layer_problem(list, path, include, internal, owner)
  elseif internal or starts_with(include, "crossfold/") then
    return ("built with the SDK alone, may not include '%s'"):format(include)
  elseif starts_with(path, "sdk/") then
    return sdk_problem(path, include)
  end
end

local function check(tree, add)
  local list = read_list(tree)
  for _, file in ipairs(tree:list({ "core", "plugins", "sdk" }, "h hpp cpp c")) do
    for _, include in ipairs(file.includes) do
      local wrong = problem(list, file.name, include.name)
      if wrong then add(file.name, line_of(file.text, include.at), "%s", wrong) end
    end
  end
end

return { name = "layers", finds = "forbidden includes", check = check }
