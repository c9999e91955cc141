-- build_and_compare.lua SDK OLD_HEADERS PROGRAM IRIS SCRATCH: builds the learner of this folder with
-- every compiler that is there, loads all of them into one host, and compares what they predict, byte
-- for byte. SDK is the folder of the SDK's sources, OLD_HEADERS one of released headers (tests/abi).
local sdk, old_headers, program, iris, scratch = table.unpack(arg, 1, 5)
local folder = arg[0]:match("^(.*)/")

local function execute(command)
  local pipe = assert(io.popen("(" .. command .. ") 2>&1"))
  local output = pipe:read("a")
  return pipe:close() == true, output
end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local linked = "-shared -fPIC -fvisibility=hidden -O2 -ffp-contract=off -Wall -Wextra -Werror -pedantic "
  .. "-Wl,-z,defs -Wl,-z,now -Wl,--version-script=" .. quoted(sdk .. "/cmake/crossfold_plugin.map")
local c = linked .. " -std=c99 %s " .. quoted(folder .. "/centroid.c")
local c_as_cxx = linked .. " -x c++ -std=c++11 %s " .. quoted(folder .. "/centroid.c")
local cxx = linked .. " -std=c++20 %s " .. quoted(folder .. "/centroid.cpp")
local rust = "--crate-type cdylib -C opt-level=2 -D warnings " .. quoted(folder .. "/centroid.rs")
local current = "-I" .. quoted(sdk .. "/include")
local old = "-I" .. quoted(old_headers)

-- Name of the build, compiler, its arguments. `may_fail`: parts of the compiler may be missing.
local builds = {
  { "c99_gcc", "gcc", c:format(current) },
  { "c99_clang", "clang", c:format(current) },
  { "cxx_gcc", "g++", cxx:format(current) },
  { "cxx_gcc_static", "g++", cxx:format(current)
    .. " -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL" },
  { "cxx_clang", "clang++", cxx:format(current) },
  { "cxx_clang_libcxx", "clang++", cxx:format(current) .. " -stdlib=libc++", may_fail = true },
  { "rust", "rustc", rust },
  { "c99_gcc_old_headers", "gcc", c:format(old) },
  { "c99_clang_old_headers", "clang", c:format(old) },
  { "cxx_gcc_old_headers", "g++", c_as_cxx:format(old) },
  { "cxx_clang_old_headers", "clang++", c_as_cxx:format(old) },
}

assert(execute("rm -rf " .. quoted(scratch) .. " && mkdir -p " .. quoted(scratch)))
local plugins, ids, failures = {}, {}, 0
for _, build in ipairs(builds) do
  local name, compiler, arguments = table.unpack(build)
  local file = ("%s/%s.crossfold.so"):format(scratch, name)
  local plugin_id = name == "rust" and "" or (" -DPLUGIN='\"any.%s\"'"):format(name)
  local there = execute("command -v " .. compiler)
  local built, output = false, "it is not installed"
  if there then
    built, output = execute(("%s%s %s -o %s"):format(compiler, plugin_id, arguments, quoted(file)))
  end
  if built then
    plugins[#plugins + 1] = "--plugin-path " .. quoted(file)
    ids[#ids + 1] = ("any.%s.centroid"):format(name)
  elseif there and not build.may_fail then
    failures = failures + 1
    print(("failed: %s: %s"):format(name, output))
  else
    print(("skipped: %s: %s: %s"):format(name, compiler, output:match("^[^\n]*")))
  end
end

assert(failures == 0 and #ids >= 2, "too few builds")
local ok, output = execute(("%s %s run %s %s %s"):format(quoted(program), table.concat(plugins, " "),
  quoted(folder .. "/compare.lua"), quoted(iris), table.concat(ids, " ")))
io.write(output)
assert(ok and output:find(#ids .. " learners predict the same", 1, true), "they do not agree")
