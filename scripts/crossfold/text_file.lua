-- Text for scripts or for files.
local native = require "crossfold.native"

local text_file = {}

-- Writes `text` to the file `path`, or returns it if `path` is true.
function text_file.give(text, path)
  if path == true then return text end
  local file, problem = io.open(path, "wb")
  if not file then native.fail(("cannot write '%s': %s"):format(path, problem)) end
  local written, why = file:write(text)
  local closed, why_not = file:close()
  if not (written and closed) then
    native.fail(("cannot write '%s': %s"):format(path, why or why_not))
  end
end

return text_file
