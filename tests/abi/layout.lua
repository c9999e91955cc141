-- layout.lua RELEASED TODAY UNRELEASED SCRATCH: the headers of the folder TODAY declare what those in RELEASED do, word
-- for word as the preprocessor leaves it, and what the file UNRELEASED lists. Only structs that begin with their
-- size may have more fields, at their ends. No struct has padding without a name.
local released, today, unreleased, scratch = table.unpack(arg)

local function execute(command)
  local pipe = assert(io.popen("(" .. command .. ") 2>&1"))
  local output = pipe:read("a")
  assert(pipe:close(), command .. "\n" .. output)
  return output
end

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

local function write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

execute(("rm -rf '%s' && mkdir -p '%s'"):format(scratch, scratch))
local source = scratch .. "/headers.c"
write(source, '#include <crossfold_plugin.h>\n#if __has_include(<crossfold_plugin/folder.h>)\n'
  .. '#include <crossfold_plugin/folder.h>\n#endif\nCF_MANIFEST("{}");\n')

local languages = { "gcc -x c -std=c99", "gcc -x c -std=c11", "g++ -x c++ -std=c++11", "g++ -x c++ -std=c++20" }

-- The declarations of the headers in a folder, a line each: fields with their place, constants, types,
-- functions, macros.
local function declarations(folder, language)
  local lines = {}
  local function add(...)
    lines[table.concat({ ... }, " "):gsub("%s+", " "):match("^ ?(.-) ?$")] = true
  end
  local function preprocess(options)
    return execute(("%s -E -P %s -I'%s' '%s'"):format(language, options, folder, source))
  end
  for macro in preprocess("-dM"):gmatch("(#define CF_[^\n]*)") do add(macro) end
  local text = preprocess(""):gsub("\n#pragma[^\n]*", function(pragma) add(pragma) end)
  text = text:gsub("struct ([%w_]+)%s*(%b{})([^;]*);", function(name, body, rest)
    if not name:find("^cf_") and not name:find("^Arrow") then return end
    local i = 0
    body = body:sub(2, -2):gsub("union%s*%b{}", function(union) return (union:gsub(";", ",")) end)
    body:gsub("[^;]+", function(field)
      if not field:find("%S") then return end
      i = i + 1
      add(name, i, field)
    end)
    add(name, "ends", rest)
    return ";"
  end)
  text = text:gsub("enum[^{};]*(%b{})[^;]*;", function(body)
    for constant in body:sub(2, -2):gmatch("[^,]+") do
      if constant:find("CF_", 1, true) then add("enum", (assert(constant:match("^%s*(.*=.*)$"), constant))) end
    end
    return ";"
  end)
  for statement in text:gmatch("[^;{}]+;") do
    if statement:find("cf_", 1, true) then add(statement) end
  end
  return lines
end

-- Lines of `old` that `new` lacks, fields that are new in a struct of `old` that may not grow, and pragmas.
local function broken(old, new)
  local found, is_fixed = {}, {}
  for line in pairs(old) do
    local struct, first = line:match("^([%w_]+) 1 (.*)")
    if struct then is_fixed[struct] = not first:find("^uint32_t struct_size") end
    if not new[line] then found[#found + 1] = "- " .. line end
  end
  for line in pairs(new) do
    local struct = not old[line] and line:match("^([%w_]+) %d+ ")
    if is_fixed[struct] or not old[line] and line:find("^#pragma") then found[#found + 1] = "+ " .. line end
  end
  table.sort(found)
  return table.concat(found, "\n")
end

for _, language in ipairs(languages) do
  local old, new = declarations(released, language), declarations(today, language)
  assert(old["cf_table 1 uint32_t struct_size"] and old["enum CF_OK = 0"] and old["cf_arg 2 cf_value value"])
  local changes = broken(old, new)
  assert(changes == "", language .. ": the boundary has changed:\n" .. changes)
  local added = {}
  for line in pairs(new) do
    if not old[line] then added[#added + 1] = line end
  end
  table.sort(added)
  local list = table.concat(added, "\n") .. "\n"
  assert(list == read(unreleased), language .. ": not what " .. unreleased .. " lists:\n" .. list)
  execute(("%s -fsyntax-only -Wall -Wextra -pedantic -Wpadded -Werror -Wno-unused-const-variable -I'%s' '%s'"):format(
    language, today, source))
end
print("the layout is as it was released, and no padding is without a name")

-- What is broken by one change of the file crossfold_plugin/FILE.
local function changed(file, from, to)
  local copy = scratch .. "/changed"
  execute(("rm -rf '%s' && cp -r '%s' '%s' && chmod -R u+w '%s'"):format(copy, released, copy, copy))
  local path = ("%s/crossfold_plugin/%s"):format(copy, file)
  local text, n = read(path):gsub(from, to)
  assert(n == 1, "cannot change " .. path)
  write(path, text)
  return broken(declarations(released, languages[1]), declarations(copy, languages[1]))
end

for _, case in ipairs {
  { "data.h", "(  int64_t n_rows_total;[^\n]*\n)(  int64_t n_rows;[^\n]*\n)", "%2%1" },
  { "host.h", "  uint64_t seed;", "  uint32_t seed;" },
  { "param.h", "  const char%* unit;", "  void* more;\n  const char* unit;" },
  { "param.h", "(  cf_value value;\n)", "%1  void* more;\n" },
  { "metric.h", "  double worst, best;\n", "  double worst;\n" },
  { "learner.h", "size_t n_args, const cf_table%* train", "const cf_table* train" },
  { "status.h", "CF_E_IO = 11", "CF_E_IO = 12" },
  { "data.h", "(typedef struct cf_table {)", "#pragma pack(4)\n%1" },
} do
  assert(changed(table.unpack(case)) ~= "", case[2] .. ": no difference is found")
end
assert(changed("host.h", "(  void%*%(CF_CALL%* scratch%)[^;]*;\n)", "%1  void* later;\n") == "")
print("incompatible changes are found, and an appended field is none")
