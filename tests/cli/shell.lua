-- A shell for the tests of the program: files in a folder, and lines with what they print.
--   local shell = require("shell").new(SCRATCH, PROGRAM)
--   local status, output, errors = shell:crossfold("run --seed 3 '%s'", shell:write("a.lua", text))
--   local output = Shell.printed(shell:crossfold("plugin list"))
--   local message = Shell.refused(shell:crossfold("plugin describe knnn"))
local lu = require "luaunit"

local Shell = {}
Shell.__index = Shell

local test = arg[0]:match("([^/]*)%.lua$")

-- `environment` is for what differs from all others, as in "CROSSFOLD_PLUGIN_PATH='/a'".
function Shell.new(folder, program, environment)
  -- A name of its own: other tests may use the folder at the same time.
  local errors = ("%s/%s.stderr"):format(folder, test)
  return setmetatable({ folder = folder, program = program, environment = environment or "", errors = errors,
    home = "/nowhere", start = "" }, Shell)
end

-- One whose lines run in a new folder below `scratch`, which is also their home folder. remove() removes it.
function Shell.in_new_folder(scratch, program)
  local pipe = assert(io.popen(("mktemp -d '%s/%s-XXXXXX'"):format(scratch, test)))
  local self = Shell.new(pipe:read("l"), program)
  pipe:close()
  self.home, self.start = self.folder, ("cd '%s' && "):format(self.folder)
  return self
end

function Shell:remove() os.execute(("rm -rf '%s'"):format(self.folder)) end

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

-- The line as sh takes it.
function Shell:command(line)
  return ("%sexport HOME='%s' XDG_DATA_HOME= XDG_STATE_HOME= XDG_CACHE_HOME= CROSSFOLD_PLUGIN_PATH= CROSSFOLD='%s' "
    .. "%s; { %s ; }"):format(self.start, self.home, self.program, self.environment, line)
end

-- Runs a line, with string.format if there are more arguments, in which $CROSSFOLD is the program. Returns
-- status, standard output and standard error. No plugin is seen but the bundled ones, and no home folder.
function Shell:run(line, ...)
  if select("#", ...) > 0 then line = line:format(...) end
  local pipe = assert(io.popen(("%s 2>'%s'"):format(self:command(line), self.errors)))
  local output = pipe:read("a")
  local _, _, status = pipe:close()
  return status, output, Shell.read(self.errors)
end

-- Runs the program with these arguments.
function Shell:crossfold(arguments, ...)
  return self:run('"$CROSSFOLD" ' .. arguments, ...)
end

-- The output of a line that succeeded and wrote nothing to standard error.
function Shell.printed(status, output, errors)
  lu.assertEquals({ status, errors }, { 0, "" })
  return output
end

-- The message of a line that ended with 1 and wrote nothing to standard output.
function Shell.refused(status, output, errors)
  lu.assertEquals({ status, output }, { 1, "" })
  return errors
end

return Shell
