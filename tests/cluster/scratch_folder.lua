-- A folder that a test works in, and a shell whose lines run there.
package.path = (arg[0]:match("^(.*)/") or ".") .. "/../cli/?.lua;" .. package.path
local Shell = require "shell"

local scratch_folder = setmetatable({}, Shell)
scratch_folder.__index = scratch_folder

-- An empty folder. `environment`: variables of its lines, as a shell takes them.
function scratch_folder.new(path, program, environment)
  assert(os.execute(("rm -rf '%s' && mkdir -p '%s'"):format(path, path)))
  local self = setmetatable(Shell.new(path, program, environment), scratch_folder)
  self.path, self.start = path, ("cd '%s' && "):format(path)
  return self
end

function scratch_folder:read(name) return Shell.read(self.path .. "/" .. name) end

-- The bytes of a store as an archive: equal where two stores say the same.
function scratch_folder:export(store)
  Shell.printed(self:crossfold("export '%s' '%s.zip' >/dev/null", store, store))
  return self:read(store .. ".zip")
end

return scratch_folder
