-- What the compiled engine and plugins call of the C library: `lua5.4 locale_calls.lua FILE...`.
-- It finds what house_rules.lua cannot see in the text, such as std::to_string(double), which is a
-- vsnprintf that writes a decimal comma in some locales.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"

local banned = { vsnprintf = true, vsprintf = true, strtod = true, strtof = true, strtold = true,
                 atof = true, rand = true, srand = true, random = true, drand48 = true }
-- nlohmann's JSON parser calls strtod; it handles the locale itself.
-- The wrapped libraries read numbers from files in functions that the plugins never call.
local known = {
  ["libcrossfold_text.a"] = { strtod = true, strtof = true, strtold = true },
  ["exec.crossfold.so"] = { strtod = true, strtof = true, strtold = true },
  ["libsvm.crossfold.so"] = { strtod = true },
  ["liblinear.crossfold.so"] = { strtod = true },
}

assert(#arg > 0, "no file given")
local findings = {}
for _, path in ipairs(arg) do
  local name = path:match("[^/]+$")
  local dynamic = name:find("%.so$") and "-D " or ""
  local pipe = assert(io.popen("nm " .. dynamic .. "-u --format=just-symbols '" .. path ..
    "' 2>/dev/null"))
  for symbol in pipe:lines() do
    local call = symbol:match("^%s*([%w_]+)")
    if call and banned[call] and not (known[name] and known[name][call]) then
      findings[#findings + 1] = ("%s: calls %s"):format(name, call)
    end
  end
  assert(pipe:close(), "nm cannot read " .. path)
end
source.finish("calls that obey the locale or draw random numbers", findings)
