-- cf.read(path, { format =, target =, types =, like =, ... }): a dataset from what a source plugin reads.
-- The name and the first bytes choose the source unless `format` does. Its parameters are options, too.
-- cf.read { sqlite = path, query = | table =, ... }: the same with the format "sqlite".
local native = require "crossfold.native"
local dataset = require "crossfold.dataset"
local options = require "crossfold.options"
local ensemble_model = require "crossfold.ensemble.model"

-- A parameter of one of these names cannot be reached.
local general = dataset.declare_roles {
  format = { "string" }, types = { "table" }, like = { "model" }, drop_missing = { "table" }, threads = { "integer" },
}

-- `form`: what else the form of the call takes.
local function read(path, given, form)
  local format = type(given) == "table" and given.format or nil
  if format and type(format) ~= "string" then
    native.fail(("read: option 'format' must be a string, got a %s"):format(type(format)))
  end
  local id, name, declared = native.find_source(path, format)
  local parameters = {}
  for option in pairs(declared) do parameters[option] = not general[option] or nil end
  for option, types in pairs(general) do declared[option] = types end
  for option, types in pairs(form) do declared[option] = types end
  local o = options.check(("read (%s)"):format(name), given, declared)
  for option in pairs(parameters) do parameters[option] = o[option] end
  o.like = ensemble_model.like(o.like)
  o.format, o.parameters = id, parameters
  return native.read(path, o)
end

return function(path, given)
  if type(path) == "table" and given == nil then
    local o = {}
    for name, value in pairs(path) do o[name] = value end
    o.format = "sqlite"
    if type(o.sqlite) ~= "string" then
      native.fail("read: a table of options alone reads a database: name it with sqlite = path; "
        .. "files are read as in cf.read(path, options)")
    end
    return read(o.sqlite, o, { sqlite = { "string" } })
  end
  if type(path) ~= "string" then
    native.fail(("read: expected the path of a file, got a %s"):format(type(path)))
  end
  return read(path, given, {})
end
