-- Every plugin exports exactly its entry function: `lua5.4 one_symbol.lua PLUGIN...`.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"

assert(#arg > 0, "no plugin given")
local findings = {}
for _, plugin in ipairs(arg) do
  local pipe = assert(io.popen("nm -D --defined-only --format=just-symbols '" .. plugin .. "'"))
  local symbols = {}
  for symbol in pipe:lines() do symbols[#symbols + 1] = symbol end
  assert(pipe:close(), "nm cannot read " .. plugin)
  local exported = table.concat(symbols, " ")
  if exported ~= "crossfold_plugin_v1" then
    findings[#findings + 1] = ("%s: exports '%s'"):format(plugin, exported)
  end
end
source.finish("plugins with other symbols", findings)
