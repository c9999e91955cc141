-- Who may include whom: `lua5.4 layers.lua ROOT`.
--   core/src/LAYER   itself, the LAYERS of its CMakeLists.txt, the public headers
--   plugins, sdk     nothing of the core: they get what outsiders get
--   heavy headers    of third parties and of the standard library: only where `homes` says
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]

-- Where a header that is foreign or costs seconds a file may be included: the start of the include up to
-- a slash or its end -> files and folders. The longest start counts.
local homes = {
  boost = {},
  ["boost/dll"] = { "core/discovery/plugin_library.h", "core/discovery/plugin_loader.cpp" },
  ["boost/math"] = { "core/analysis/stats/distributions.cpp" },
  ["lua.h"] = { "core/src/lua", "core/cli" },
  ["lua.hpp"] = { "core/src/lua", "core/cli" },
  ["lauxlib.h"] = { "core/src/lua", "core/cli" },
  ["lualib.h"] = { "core/src/lua", "core/cli" },
  tbb = {},
  oneapi = {},
  openssl = { "core/src/data" },
  ["sqlite3.h"] = { "core/src/data/sqlite_query.cpp", "core/src/data/sqlite_reader.cpp",
                    "core/store/cells/sqlite.cpp", "core/store/ledger/store_repair.cpp",
                    "core/store/cells/stored_table.cpp", "plugins/sqlite" },
  flatbuffers = {},
  ["arrow_ipc_generated.h"] = { "plugins/arrow/ipc_tables.h" },
  ["lz4frame.h"] = { "plugins/arrow/compression.cpp" },
  ["zstd.h"] = { "plugins/arrow/compression.cpp" },
  ["zip.h"] = { "core/src/store" },
  ["zlib.h"] = { "core/src/data", "core/src/store", "plugins/text_files" },
  nlohmann = { "core/engine/text/json_value.cpp" },
  fast_float = { "core/src/text", "plugins/reading" },
  CLI = { "core/programs/cli/command.cpp" },
  ["mpi.h"] = { "core/mpi" },
  Eigen = { "plugins/fixed_blocks.h", "plugins/matrices.h", "plugins/orthogonal_factors.cpp" },
  iostream = { "core/programs/cli/repl_command.cpp", "sdk/conformance/crossfold_plugin_check.hpp" },
  regex = { "sdk/check/check_run.cpp" },
}

-- layer -> set of layers it may include, as its CMakeLists.txt says.
local function read_layers()
  local layers = {}
  for _, path in ipairs(source.list(root, { "core/src" }, { "txt" })) do
    local text = source.read(path):gsub("#[^\n]*", "")
    local name, arguments = text:match("crossfold_layer%(([%w_]+)(.-)%)")
    if name then
      layers[name] = { [name] = true }
      local listed = (arguments .. " "):match("%sLAYERS%s+([%l_%s]*)") or ""
      for layer in listed:gmatch("[%l_]+") do layers[name][layer] = true end
    end
  end
  return layers
end

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

local layers = read_layers()
local findings = {}

-- What is wrong with file `path` including `include`, or nil.
local function problem(path, include)
  local first = include:match("^[^/]+")
  local allowed = homes_of(include)
  if allowed and not in_any(path, allowed) then
    local who = #allowed > 0 and "only " .. table.concat(allowed, " and ") or "no file"
    return ("%s may include <%s>"):format(who, include)
  end
  local layer = path:match("^core/src/([%w_]+)/")
  if layer and layers[first] and not layers[layer][first] then
    return ("layer '%s' may not include '%s'"):format(layer, first)
  end
  if starts_with(path, "core/include/") and layers[first] then
    return ("a public header may not include '%s'"):format(include)
  end
  if starts_with(path, "core/cli/") and layers[first] then
    return ("the program uses public headers only, not '%s'"):format(include)
  end
  local outside = starts_with(path, "plugins/") or starts_with(path, "sdk/")
  if outside and (first == "crossfold" or layers[first]) then
    return ("built with the SDK alone, may not include '%s'"):format(include)
  end
  -- The cases of GoogleTest, and the projects that run them.
  local is_test = in_any(path, { "sdk/conformance", "sdk/templates" })
    and (first == "gtest" or first == "crossfold_conformance")
  if starts_with(path, "sdk/") and include:find("/") and not include:find("^crossfold_plugin/") and
    not include:find("^sys/") and not is_test then
    return ("the SDK depends on nothing, may not include '%s'"):format(include)
  end
end

for _, path in ipairs(source.list(root, { "core", "plugins", "sdk" }, { "h", "hpp", "cpp", "c" })) do
  local name = source.relative(root, path)
  for number, line in ipairs(source.lines(path)) do
    local include = line:match('^%s*#%s*include%s*[<"]([^>"]+)[>"]')
    local wrong = include and problem(name, include)
    if wrong then findings[#findings + 1] = ("%s:%d: %s"):format(name, number, wrong) end
  end
end
source.finish("forbidden includes", findings)
