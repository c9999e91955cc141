-- compile_headers.lua HEADERS SCRATCH: the C headers in the folder compile without a warning in every
-- language that plugins are written in, with every compiler that is there.
local headers, scratch = arg[1], arg[2]

local function execute(command)
  local pipe = assert(io.popen("(" .. command .. ") 2>&1"))
  local output = pipe:read("a")
  return pipe:close() == true, output
end

assert(execute(("mkdir -p '%s'"):format(scratch)))
local file = scratch .. "/includes.c"
local out = assert(io.open(file, "w"))
out:write('#include <crossfold_plugin.h>\nCF_MANIFEST("{}");\n')
out:close()

local n = 0
for _, language in ipairs {
  { "c", { "gcc", "clang" }, { "c99", "c11", "c17" } },
  { "c++", { "g++", "clang++" }, { "c++11", "c++14", "c++17", "c++20" } },
} do
  local name, compilers, standards = table.unpack(language)
  for _, compiler in ipairs(compilers) do
    if not execute("command -v " .. compiler) then
      print(("skipped: %s is not installed"):format(compiler))
    else
      for _, standard in ipairs(standards) do
        local ok, output = execute(("%s -x %s -std=%s -fsyntax-only -Wall -Wextra -pedantic -Werror "
          .. "-Wno-unused-const-variable -I'%s' '%s'"):format(compiler, name, standard, headers, file))
        assert(ok, ("%s -std=%s: %s"):format(compiler, standard, output))
        n = n + 1
      end
    end
  end
end
assert(n > 0, "no compiler")
print(("headers compile in %d ways"):format(n))
