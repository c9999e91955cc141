-- compatibility_test.lua PROGRAM BROKEN_CHECKER CC INCLUDE FOLDER: a registry with a plugin of every kind is checked
-- by this program and by one whose boundary was broken for metrics. The table names exactly the plugin that breaks.
local program, broken, compiler, include, folder = table.unpack(arg)
folder = folder .. "/compatibility"

local function run(line, ...)
  if select("#", ...) > 0 then line = line:format(...) end
  local pipe = assert(io.popen(("cd '%s' && export HOME=/nowhere XDG_DATA_HOME= CROSSFOLD_PLUGIN_PATH=; { %s ; } 2>&1")
    :format(folder, line)))
  local output = pipe:read("a")
  local _, _, status = pipe:close()
  return status, output
end

local function must(line, ...)
  local status, output = run(line, ...)
  assert(status == 0, output)
  return output
end

local function expect(found, expected)
  if found == expected then return end
  print(("compatibility_test: found:\n%s\nand not:\n%s"):format(found, expected))
  os.exit(1)
end

assert(os.execute(("rm -rf '%s' && mkdir -p '%s/broken'"):format(folder, folder)))
must("cp '%s' broken/crossfold && cp '%s' broken/crossfold-checker && cp '%s-plugin' broken/crossfold-plugin", program,
  broken, program)
must("'%s' registry init reg --id org.example", program)
for _, kind in ipairs { "learner", "metric", "splitter", "transform" } do
  must("'%s' plugin new --kind %s --lang c --id org.example.%s --vendor Example %s && '%s' -shared -fPIC -std=c99 "
    .. "-I'%s' %s/src/*.c -o %s.crossfold.so", program, kind, kind, kind, compiler, include, kind, kind)
end
must("'%s' registry add --no-check reg *.crossfold.so", program)

-- "org.example.metric passed" for each plugin.
local function outcomes(command)
  local status, output = run(command)
  local lines = {}
  for id, outcome in output:gmatch("(org%.example%.%S+) 0%.1%.0: (%a+),") do
    lines[#lines + 1] = id .. " " .. outcome
  end
  return ("status %d\n%s"):format(status, table.concat(lines, "\n"))
end

expect(outcomes(("'%s' registry check reg --host today"):format(program)), "status 0\norg.example.learner passed\n"
  .. "org.example.metric passed\norg.example.splitter passed\norg.example.transform passed")
expect(outcomes("broken/crossfold registry check reg --host broken"), "status 3\norg.example.learner passed\n"
  .. "org.example.metric FAILED\norg.example.splitter passed\norg.example.transform passed")

-- Both columns are in the table.
local file <close> = assert(io.open(folder .. "/reg/checks.json"))
local checks, failed = file:read("a"), {}
for id, host, passed in checks:gmatch('"id": "([^"]+)".-"host": "([^"]+)".-"passed": (%a+)') do
  if passed == "false" then failed[#failed + 1] = id .. " on " .. host end
end
expect(table.concat(failed, "\n"), "org.example.metric on broken")
print("the table names exactly the plugin that breaks: " .. failed[1])
