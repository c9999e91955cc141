-- How the time of `plugin install` grows with the registry: lua5.4 tests/bench/registry_size.lua PROGRAM FOLDER
-- Makes signed registries of 10 and 1,000 plugins in FOLDER (a new one), and prints seconds of wall-clock time, the
-- minimum of five installs each, and their ratio.
local program, folder = table.unpack(arg)

local function run(line, ...)
  local command = ("export HOME='%s/home' XDG_DATA_HOME= CROSSFOLD_PLUGIN_PATH=; "):format(folder) .. line:format(...)
  assert(os.execute(command .. " >/dev/null"), command)
end

local function write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

local function clock()
  local pipe <close> = assert(io.popen "date +%s.%N")
  return tonumber(pipe:read "l")
end

local function make(count)
  local plugins = ("%s/plugins_%d"):format(folder, count)
  run("mkdir -p '%s' '%s/home'", plugins, folder)
  for i = 1, count do
    local plugin = ("%s/p%04d.crossfold"):format(plugins, i)
    run("mkdir '%s'", plugin)
    write(plugin .. "/crossfold.json", ([[{ "crossfold": 1, "id": "org.n%d.p%04d", "version": "1.0.0",
      "kind": "learner", "title": "a mean", "doc": "A mean.", "vendor": "Example", "license": "MIT", "start": ["./run"],
      "tasks": ["regression"], "accepts": ["numeric"] }]]):format(count, i))
    write(plugin .. "/run", "#!/bin/sh\nexit 1\n")
  end
  local registry, key = ("%s/registry_%d"):format(folder, count), ("%s/key_%d"):format(folder, count)
  run("'%s' registry init '%s' --id org.n%d && '%s' registry key '%s'", program, registry, count, program, key)
  run("'%s' registry add --no-check '%s' '%s'/*.crossfold", program, registry, plugins)
  run("'%s' registry sign '%s' --key '%s.key'", program, registry, key)
  run("'%s' registry trust '%s' --key '%s.pub'", program, registry, key)
end

local function fastest_install(count)
  local fastest = math.huge
  for i = 1, 5 do
    local start = clock()
    run("'%s' plugin install org.n%d.p%04d --from org.n%d", program, count, i, count)
    fastest = math.min(fastest, clock() - start)
  end
  return fastest
end

assert(not os.rename(folder, folder), "FOLDER must not exist")
local seconds = {}
for _, count in ipairs { 10, 1000 } do
  make(count)
  seconds[count] = fastest_install(count)
  print(("%5d plugins: %.3f s"):format(count, seconds[count]))
end
print(("ratio: %.2f"):format(seconds[1000] / seconds[10]))
