-- build_and_compare.lua SDK PROGRAM DATA SCRATCH: the learners that `crossfold plugin new` makes in C, C++
-- and Rust predict the same classes, on data with and without weights. SDK is the folder of the SDK's
-- sources, DATA that of the data sets.
local sdk, program, data, scratch = table.unpack(arg, 1, 4)
local folder = arg[0]:match("^(.*)/")

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function execute(command)
  local pipe = assert(io.popen("(" .. command .. ") 2>&1"))
  local output = pipe:read("a")
  return pipe:close() == true, output
end

local function run(command)
  local ok, output = execute(command)
  assert(ok, command .. ":\n" .. output)
  return output
end

local linked = "-shared -fPIC -fvisibility=hidden -O2 -ffp-contract=off -Wall -Wextra -Werror -pedantic "
  .. "-Wl,-z,defs -Wl,--version-script=" .. quoted(sdk .. "/cmake/crossfold_plugin.map")
  .. " -I" .. quoted(sdk .. "/include")
local languages = {
  { "c", "gcc", "-std=c99 " .. linked .. " src/learner_c.c -lm" },
  { "c", "clang", "-std=c99 " .. linked .. " src/learner_c.c -lm" },
  { "cpp", "g++", "-std=c++20 " .. linked .. " src/learner_cpp.cpp" },
  { "rust", "rustc", "--edition 2021 --crate-type cdylib -C opt-level=2 -D warnings src/lib.rs" },
}

run(("rm -rf %s && mkdir -p %s"):format(quoted(scratch), quoted(scratch)))
local plugins, ids = {}, {}
for _, language in ipairs(languages) do
  local name, compiler, arguments = table.unpack(language)
  if execute("command -v " .. compiler) then
    local id = ("org.example.%s_%s"):format(name, compiler:gsub("%+", "x"))
    local project = ("%s/%s"):format(scratch, id)
    run(("%s plugin new --kind learner --lang %s --id %s --output %s learner_%s"):format(quoted(program), name,
      id, quoted(project), name))
    run(("cd %s && %s %s -o plugin.crossfold.so"):format(quoted(project), compiler, arguments))
    plugins[#plugins + 1] = "--plugin-path " .. quoted(project .. "/plugin.crossfold.so")
    ids[#ids + 1] = id
  else
    print(("skipped: %s is not installed (Debian has it in the package of that name)"):format(compiler))
  end
end
assert(#ids >= 2, "too few compilers")
io.write(run(("%s %s run %s %s %s"):format(quoted(program), table.concat(plugins, " "),
  quoted(folder .. "/compare.lua"), quoted(data), table.concat(ids, " "))))
