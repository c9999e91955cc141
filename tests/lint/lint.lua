-- The rules of the source tree that no compiler checks: `lua5.4 lint.lua ROOT [RULE...] [LIBRARY...]`.
--   Runs the rules that are named; without names all, but for those of libraries without a LIBRARY (a path with
--   a slash: a plugin, or an archive of the engine).
local here = arg[0]:match("^(.*)/") or "."
package.path = here .. "/?.lua;" .. package.path
local read_tree = require("tree").read

-- Each is { name =, finds = what its findings are, check = function(tree, add) }, where add(path, line or nil,
-- format, ...) reports a finding.
local rules = require "rules.libraries"
for _, name in ipairs { "budget", "house_rules", "includes", "layers", "listed_sources", "plain_english",
                        "plugin_pages", "snippets" } do
  rules[#rules + 1] = require("rules." .. name)
end

local wanted, libraries = {}, {}
for _, argument in ipairs { table.unpack(arg, 2) } do
  if argument:find("/", 1, true) then
    libraries[#libraries + 1] = argument
  else
    wanted[argument] = true
  end
end

local function is_wanted(rule)
  if next(wanted) then return wanted[rule.name] end
  return not rule.of_libraries or #libraries > 0
end

local function run(rule, tree)
  local findings = {}
  rule.check(tree, function(path, line, ...)
    local place = line and ("%s:%d"):format(path, line) or path
    findings[#findings + 1] = { path = path, line = line or 0, text = place .. ": " .. string.format(...) }
  end)
  table.sort(findings, function(a, b)
    if a.path ~= b.path then return a.path < b.path end
    if a.line ~= b.line then return a.line < b.line end
    return a.text < b.text
  end)
  for _, finding in ipairs(findings) do print(finding.text) end
  print(("%s: %s: %d found"):format(rule.name, rule.finds, #findings))
  return #findings
end

local tree, found, ran = read_tree(arg[1]), 0, 0
tree.libraries = libraries
for _, rule in ipairs(rules) do
  if is_wanted(rule) then
    found, ran = found + run(rule, tree), ran + 1
  end
end
assert(ran > 0, "no such rule")
os.exit(found == 0 and 0 or 1)
