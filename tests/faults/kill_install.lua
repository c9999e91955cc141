-- Kills the commands that install plugins at every step, and looks what they left:
--   lua5.4 kill_install.lua PROGRAM SHIM FOLDER
-- SHIM is kill_at_step.so: a step is a call that changes the file system. FOLDER is made again. After each kill
-- the plugin is in use as it was before the command or as it is after it, with the right bytes, also under its
-- lock; and the command, given again, comes to its end and leaves the files that it leaves without a kill. (The lock
-- may still accept the version before, too, if the switch was made: an update that has nothing to do leaves it.)
local program, shim, folder = table.unpack(arg)

local function read(path)
  local file <close> = io.open(path, "rb")
  return file and file:read("a")
end

local function fail(text, ...)
  print(("kill_install: " .. text):format(...))
  os.exit(1)
end

local home, project, registry = folder .. "/home", folder .. "/project", folder .. "/registry"

-- Status (137 after SIGKILL) and output. `before` is put before the command.
local function shell(command, before)
  local pipe = assert(io.popen(("cd '%s' && export HOME='%s' XDG_DATA_HOME= XDG_CACHE_HOME= TMPDIR='%s/tmp' "
    .. "CROSSFOLD_PLUGIN_PATH=; { %s %s ; } 2>&1"):format(project, home, folder, before or "", command)))
  local output = pipe:read("a")
  local _, kind, code = pipe:close()
  return kind == "signal" and 128 + code or code, output
end

local function must(command)
  local status, output = shell(command)
  if status ~= 0 then fail("%s left with %d: %s", command, status, output) end
  return output
end

local function crossfold(arguments) return ("'%s' %s"):format(program, arguments) end

local function write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

local function make_plugin(version)
  local plugin = ("%s/%s/mean.crossfold"):format(folder, version)
  assert(os.execute(("mkdir -p '%s/lib'"):format(plugin)))
  write(plugin .. "/crossfold.json", ([[{ "crossfold": 1, "id": "org.example.mean", "version": "%s",
    "kind": "learner", "title": "mean", "doc": "A mean.", "vendor": "Example", "license": "MIT",
    "start": ["./run"], "tasks": ["regression"], "accepts": ["numeric"] }]]):format(version))
  write(plugin .. "/run", "#!/bin/sh\necho " .. version .. "\n")
  write(plugin .. "/lib/part", version)
  assert(os.execute(("chmod +x '%s/run'"):format(plugin)))
  return plugin
end

-- What the search finds of the plugin, with and without the lock: "1.0.0 ready", or "none".
local function in_use(options)
  local list = must(crossfold(options .. " plugin list --json"))
  local entry = list:match('%b{}', list:find('%{%s*"id": "org.example.mean"'))
  if entry == nil or not entry:find("org.example.mean", 1, true) then return "none", "" end
  return entry:match('"version": "([^"]*)"') .. " " .. entry:match('"status": "([^"]*)"'),
    entry:match('"sha256": "(%x+)"')
end

-- All but the empty file of turns, which the next command that changes something removes.
local function files()
  return must(("cd '%s' && find . -type f ! -name changing.new | LC_ALL=C sort | xargs sha256sum && "
    .. "find . ! -name changing.new | LC_ALL=C sort"):format(home))
end

-- Puts home and project back into the state that `save` saved.
local function save(name)
  must(("rm -rf '%s/saved_%s' && mkdir '%s/saved_%s' && cp -a '%s' '%s' '%s/saved_%s'"):format(folder, name, folder,
    name, home, project, folder, name))
end
local function restore(name)
  local saved = ("%s/saved_%s"):format(folder, name)
  must(("rm -rf '%s' && cp -a '%s/home' '%s'"):format(home, saved, home))
  must(("find . -mindepth 1 -delete && cp -a '%s/project/.' ."):format(saved))
end

assert(os.execute(("rm -rf '%s' && mkdir -p '%s' '%s' '%s/tmp' && cp '%s' '%s/shim.so'"):format(folder, home, project,
  folder, shim, folder)))
write(project .. "/crossfold.lock", '{ "crossfold_lock": 1, "plugins": [] }\n')
must(crossfold(("registry init '%s' --id org.example"):format(registry)))
must(crossfold(("registry key '%s/own'"):format(folder)))
local function publish(version)
  must(crossfold(("registry add --no-check '%s' '%s'"):format(registry, make_plugin(version))))
  must(crossfold(("registry sign '%s' --key '%s/own.key'"):format(registry, folder)))
end
publish "1.0.0"
must(crossfold(("registry trust '%s' --key '%s/own.pub'"):format(registry, folder)))

local steps, kills = 0, 0
local known = {} -- "1.0.0" -> SHA-256 of an undisturbed installation

-- The states that are allowed after a kill are those before and after. LD_PRELOAD has no path with blanks.
local function sweep(name, arguments, version)
  save(name)
  local before = in_use ""
  local _, output = shell(crossfold(arguments), ("COUNT_TO='%s/count' LD_PRELOAD=../shim.so"):format(folder))
  local count = tonumber(read(folder .. "/count"))
  local after, sha256 = in_use ""
  if after ~= version then fail("%s: expected %s, found %s: %s", name, version, after, output) end
  if known[after] and known[after] ~= sha256 then fail("%s: other bytes of %s", name, after) end
  known[after] = sha256
  local expected, expected_lock = files(), read(project .. "/crossfold.lock")
  for at = 1, count do
    restore(name)
    local status = shell(crossfold(arguments), ("KILL_AT=%d LD_PRELOAD=../shim.so"):format(at))
    if status ~= 137 then fail("%s: step %d of %d was not reached: %d", name, at, count, status) end
    kills = kills + 1
    for _, options in ipairs { "", "--locked" } do
      local found, hash = in_use(options)
      if found ~= before and found ~= after then
        fail("%s, killed at step %d %s: found %s", name, at, options, found)
      end
      if hash ~= known[found] then fail("%s, killed at step %d: other bytes", name, at) end
    end
    local again, text = shell(crossfold(arguments))
    local is_gone = name == "remove" and again == 1 and text:find("it is not installed", 1, true)
    local is_done = name == "rollback" and again == 1 and text:find("is the only one", 1, true)
    if again ~= 0 and not is_gone and not is_done then
      fail("%s after a kill at step %d: %s", name, at, text)
    end
    if name == "remove" and read(project .. "/crossfold.lock") ~= expected_lock then
      fail("%s after a kill at step %d leaves the plugin in the lock", name, at)
    end
    if not is_done and files() ~= expected then
      fail("%s after a kill at step %d leaves other files:\n%s\nand not\n%s", name, at, files(), expected)
    end
  end
  restore(name)
  must(crossfold(arguments))
  steps = steps + count
end

known.none = ""
sweep("install", "plugin install org.example.mean", "1.0.0 ready")
publish "2.0.0"
sweep("update", "plugin update", "2.0.0 ready")
sweep("rollback", "plugin rollback org.example.mean", "1.0.0 ready")
sweep("remove", "plugin remove org.example.mean", "none")
print(("%d steps, %d kills: nothing was half installed"):format(steps, kills))
