-- layout_diff.lua OLD NEW SCRATCH: abidiff finds that headers of the folder NEW change nothing of those
-- in OLD but append fields; and finds it out if a field is moved, its type changed or taken away.
local old, new, scratch = arg[1], arg[2], arg[3]
local folder = arg[0]:match("^(.*)/")

local function execute(command)
  local pipe = assert(io.popen("(" .. command .. ") 2>&1"))
  local output = pipe:read("a")
  local _, _, status = pipe:close()
  return status or 0, output
end

local function must(command)
  local status, output = execute(command)
  assert(status == 0, command .. "\n" .. output)
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

if execute("command -v abidiff") ~= 0 then
  print("skipped: abidiff is not installed (Debian: abigail-tools)")
  os.exit(0)
end
must(("rm -rf '%s' && mkdir -p '%s'"):format(scratch, scratch))

-- Every struct of the boundary (c_tables.h has what a plugin keeps to itself) is in the file that is
-- compared. Those that begin with their size may grow at their end.
local extensible = {}
local listed = read(folder .. "/every_struct.c")
local headers = ("'%s'/crossfold_plugin.h $(ls '%s'/crossfold_plugin/*.h | grep -v c_tables.h)"):format(new, new)
local names = io.popen("cat " .. headers):read("a")
for name, first in names:gmatch("struct (cf_[%w_]+) {%s*([^;]*)") do
  assert(listed:find("USE(" .. name .. ")", 1, true), name .. " is missing in every_struct.c")
  extensible[name] = first:gsub("/%*.-%*/%s*", ""):find("^uint32_t struct_size") ~= nil
end
assert(extensible.cf_host and extensible.cf_table and extensible.cf_arg == false)

-- A library with what the headers declare.
local function build(include, name)
  local library = ("%s/%s.so"):format(scratch, name)
  must(("gcc -std=c99 -g -shared -fPIC -I'%s' '%s/every_struct.c' -o '%s'"):format(include, folder,
    library))
  return library
end

-- The differences that abidiff reports between two libraries, without fields that are appended
-- after the old end of a struct, which do not affect readers of struct_size. "" = none are left.
local function incompatible(a, b)
  local status, output = execute(("abidiff --leaf-changes-only --no-added-syms '%s' '%s'"):format(a, b))
  assert(status & 3 == 0, output)  -- it did not work
  if status == 0 then return "" end
  local rest, old_size, may_grow = {}, 0, false
  for line in output:gmatch("[^\n]+") do
    local size = line:match("^  type size changed from (%d+) to %d+ %(in bits%)$")
    local offset = line:match("^    '.*', at offset (%d+) %(in bits%)")
    local name = line:match("^'struct (cf_[%w_]+) .*' changed:$")
    if size then old_size = tonumber(size) end
    if name then may_grow = extensible[name] end
    local is_append = may_grow and (size or offset and tonumber(offset) >= old_size
      or line:find("^  %d+ data member insertions?:$"))
    local is_head = name or line:find("summary: ", 1, true)
    if not is_append and not is_head then rest[#rest + 1] = line end
  end
  return table.concat(rest, "\n")
end

local released = build(old, "released")
local changes = incompatible(released, build(new, "current"))
assert(changes == "", "the layout has changed:\n" .. changes)
print("the layout is as it was released")

-- The same headers with one change, in the file crossfold_plugin/FILE.
local function changed(name, file, from, to)
  local copy = ("%s/%s"):format(scratch, name)
  must(("cp -r '%s' '%s' && chmod -R u+w '%s'"):format(old, copy, copy))
  local path = ("%s/crossfold_plugin/%s"):format(copy, file)
  local text, n = read(path):gsub(from, to)
  assert(n == 1, "cannot change " .. path)
  write(path, text)
  -- Without the assertions of the headers, which would already stop most of these.
  local main = copy .. "/crossfold_plugin.h"
  write(main, (read(main):gsub("\nCF_LAYOUT%b();", "")))
  return incompatible(released, build(copy, name))
end

for _, case in ipairs {
  { "moved", "data.h", "(  int64_t n_rows_total;[^\n]*\n)(  int64_t n_rows;[^\n]*\n)", "%2%1" },
  { "narrowed", "host.h", "  uint64_t seed;", "  uint32_t seed;" },
  { "inserted", "param.h", "  const char%* unit;", "  void* more;\n  const char* unit;" },
  { "appended_to_fixed", "param.h", "(  cf_value value;\n)", "%1  void* more;\n" },
  { "removed", "metric.h", "  double worst, best;\n", "  double worst;\n" },
  { "other_arguments", "learner.h", "size_t n_args, const cf_table%* train", "const cf_table* train" },
} do
  assert(changed(table.unpack(case)) ~= "", case[1] .. ": abidiff finds nothing")
end
print("six incompatible changes are found")

changes = changed("appended", "host.h", "(  void%*%(CF_CALL%* scratch%)[^;]*;\n)", "%1  void* later;\n")
assert(changes == "", "an appended field counts as a change:\n" .. changes)
print("an appended field is none")
