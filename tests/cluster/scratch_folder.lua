-- A folder that a test works in, and commands that run there.
local scratch_folder = {}
scratch_folder.__index = scratch_folder

-- An empty folder. `environment`: variables of its commands, as a shell takes them. They see the bundled
-- plugins only, whatever the machine has.
function scratch_folder.new(path, environment)
  assert(os.execute(("rm -rf '%s' && mkdir -p '%s'"):format(path, path)))
  return setmetatable({
    path = path, environment = "HOME=/nowhere CROSSFOLD_PLUGIN_PATH= " .. (environment or ""),
  }, scratch_folder)
end

function scratch_folder:read(name)
  local file <close> = assert(io.open(self.path .. "/" .. name, "rb"))
  return file:read("a")
end

-- Returns the file's path.
function scratch_folder:write(name, text)
  local path = self.path .. "/" .. name
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text))
  return path
end

-- A command that runs in the folder, for a shell.
function scratch_folder:command(command)
  return ("cd '%s' && %s %s"):format(self.path, self.environment, command)
end

-- Runs it; returns status (128 + N for signal N), stdout, stderr.
function scratch_folder:run(command)
  local _, kind, status = os.execute(self:command(command .. " >stdout 2>stderr"))
  return kind == "signal" and 128 + status or status, self:read("stdout"), self:read("stderr")
end

-- The bytes of a store as an archive: equal where two stores say the same.
function scratch_folder:export(program, store)
  local status, _, errors = self:run(("'%s' export '%s' '%s.zip'"):format(program, store, store))
  assert(status == 0 and errors == "", errors)
  return self:read(store .. ".zip")
end

return scratch_folder
