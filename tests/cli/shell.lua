-- A shell for the tests of the program: files in a folder, and lines with what they print.
--   local shell = require("shell").new(SCRATCH, PROGRAM)
--   local status, output, errors = shell:crossfold("run --seed 3 '%s'", shell:write("a.lua", text))
local Shell = {}
Shell.__index = Shell

-- `environment` is for what differs from all others, as in "CROSSFOLD_PLUGIN_PATH='/a'".
function Shell.new(folder, program, environment)
  -- A name of its own: other tests may use the folder at the same time.
  local errors = ("%s/%s.stderr"):format(folder, arg[0]:match("([^/]*)%.lua$"))
  return setmetatable({ folder = folder, program = program, environment = environment or "", errors = errors },
    Shell)
end

function Shell.read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

function Shell.exists(path)
  local file <close> = io.open(path, "rb")
  return file ~= nil
end

-- Writes a file of the folder and returns its path.
function Shell:write(name, text)
  local path = self.folder .. "/" .. name
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
  return path
end

-- Runs a line, with string.format if there are more arguments, in which $CROSSFOLD is the program. Returns
-- status, standard output and standard error. No plugin is seen but the bundled ones, and no home folder.
function Shell:run(line, ...)
  if select("#", ...) > 0 then line = line:format(...) end
  local pipe = assert(io.popen(("export HOME=/nowhere XDG_DATA_HOME= XDG_STATE_HOME= XDG_CACHE_HOME= "
    .. "CROSSFOLD_PLUGIN_PATH= CROSSFOLD='%s' %s; { %s ; } 2>'%s'"):format(self.program, self.environment, line,
    self.errors)))
  local output = pipe:read("a")
  local _, _, status = pipe:close()
  return status, output, self.read(self.errors)
end

-- Runs the program with these arguments.
function Shell:crossfold(arguments, ...)
  return self:run('"$CROSSFOLD" ' .. arguments, ...)
end

return Shell
