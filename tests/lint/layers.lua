-- Who may include whom: `lua5.4 layers.lua ROOT`.
--   core/src/LAYER   itself, the LAYERS of its CMakeLists.txt, the public headers
--   plugins, sdk     nothing of the core: they get what outsiders get
--   third parties    only where `homes` says
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]

-- Where a library may be included: first part of the include -> folders.
local homes = {
  boost = { "core/src/plugin", "core/src/stats" },
  ["lua.h"] = { "core/src/lua", "core/cli" },
  ["lua.hpp"] = { "core/src/lua", "core/cli" },
  ["lauxlib.h"] = { "core/src/lua", "core/cli" },
  ["lualib.h"] = { "core/src/lua", "core/cli" },
  tbb = { "core/src/run" },
  oneapi = { "core/src/run" },
  openssl = { "core/src/data" },
  ["sqlite3.h"] = { "core/src/data", "core/src/store" },
  ["zip.h"] = { "core/src/store" },
  ["zlib.h"] = { "core/src/data", "core/src/store" },
  nlohmann = { "core/src/c_api", "core/src/check", "core/src/plugin", "core/src/report", "core/src/store" },
  fast_float = { "core/src/data", "core/src/text" },
  CLI = { "core/cli" },
  ["mpi.h"] = { "core/mpi" },
  Eigen = { "plugins" },
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

local function in_any(path, folders)
  for _, folder in ipairs(folders) do
    if starts_with(path, folder .. "/") then return true end
  end
  return false
end

local layers = read_layers()
local findings = {}

-- What is wrong with file `path` including `include`, or nil.
local function problem(path, include)
  local first = include:match("^[^/]+")
  local allowed = homes[first]
  if allowed and not in_any(path, allowed) then
    return ("only %s may include <%s>"):format(table.concat(allowed, " and "), include)
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
