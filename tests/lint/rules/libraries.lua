-- What compiled libraries export and call, as nm lists it. The calls are those of the C library that house_rules.lua
-- cannot see in the text, such as std::to_string(double), which is a vsnprintf that writes a decimal comma in some
-- locales.
local banned = { vsnprintf = true, vsprintf = true, strtod = true, strtof = true, strtold = true, atof = true,
                 rand = true, srand = true, random = true, drand48 = true }
-- nlohmann's JSON parser calls strtod; it handles the locale itself.
-- The wrapped libraries read numbers from files in functions that the plugins never call.
local known = {
  ["libcrossfold_text.a"] = { strtod = true, strtof = true, strtold = true },
  ["exec.crossfold.so"] = { strtod = true, strtof = true, strtold = true },
  ["libsvm.crossfold.so"] = { strtod = true },
  ["liblinear.crossfold.so"] = { strtod = true },
}

-- The symbols of the libraries with this ending: a list of { name =, exports = list, calls = list }.
local function read_symbols(libraries, ending, option)
  local list, by_path, quoted = {}, {}, {}
  for _, path in ipairs(libraries) do
    if path:sub(-#ending) == ending then
      list[#list + 1] = { name = path:match("[^/]+$"), exports = {}, calls = {} }
      by_path[path] = list[#list]
      quoted[#quoted + 1] = "'" .. path .. "'"
    end
  end
  if #list == 0 then return list end
  local pipe = assert(io.popen(("nm -A --format=posix %s %s"):format(option, table.concat(quoted, " "))))
  for line in pipe:lines() do
    local path, symbol, kind = line:match("^([^:%[]+)[^:]*: (%S+) (%a)")
    if path then table.insert(by_path[path][kind:find("[Uvw]") and "calls" or "exports"], symbol) end
  end
  assert(pipe:close(), "nm cannot read the libraries")
  return list
end

-- Per tree { plugins =, archives = }: nm runs once for each.
local symbols = setmetatable({}, { __mode = "k", __index = function(all, tree)
  all[tree] = { plugins = read_symbols(tree.libraries, ".so", "-D"),
                archives = read_symbols(tree.libraries, ".a", "-u") }
  return all[tree]
end })

local function check_exports(tree, add)
  for _, plugin in ipairs(symbols[tree].plugins) do
    local exported = table.concat(plugin.exports, " ")
    if exported ~= "crossfold_plugin_v1" then add(plugin.name, nil, "exports '%s'", exported) end
  end
end

local function check_calls(tree, add)
  for _, libraries in pairs(symbols[tree]) do
    for _, library in ipairs(libraries) do
      for _, symbol in ipairs(library.calls) do
        local call = symbol:match("^[%w_]+")
        if banned[call] and not (known[library.name] and known[library.name][call]) then
          add(library.name, nil, "calls %s", call)
        end
      end
    end
  end
end

return {
  { name = "one_symbol", finds = "plugins with other symbols", check = check_exports, of_libraries = true },
  { name = "locale_calls", finds = "calls that obey the locale or draw random numbers", check = check_calls,
    of_libraries = true },
}
