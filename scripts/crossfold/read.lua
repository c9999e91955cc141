-- cf.read(path, { format =, target =, types =, missing =, like =, weights =, ... }): a dataset from a
-- file. Which options there are depends on the format, which the ending of the name tells, whatever
-- ".gz" stands behind it. cf.read{ sqlite = path, query = | table =, ... }: from a database.
local native = require "crossfold.native"
local dataset = require "crossfold.dataset"
local options = require "crossfold.options"
local ensemble_model = require "crossfold.ensemble_model"

local format_of_ending = {
  arff = "arff", csv = "csv", libsvm = "libsvm", svm = "libsvm", svmlight = "libsvm", tsv = "tsv",
}

local function with(known, more)
  local all = {}
  for name, types in pairs(known) do all[name] = types end
  for name, types in pairs(more) do all[name] = types end
  return all
end

local manner = {
  format = { "string" }, threads = { "integer" }, memory_map = { "boolean" }, most_bytes = { "integer" },
}
local roles = dataset.declare_roles {
  types = { "table" }, like = { "model" }, drop_missing = { "table" },
}
local columns = with(manner, roles)
local csv = with(columns, {
  missing = { "table" }, separator = { "string" }, quote = { "string|boolean" }, decimal = { "string" },
  thousands = { "string" }, encoding = { "string" }, skip_lines = { "integer" }, comment = { "string" },
  header = { "boolean" }, names = { "table" },
})

-- A character that an option names; native code takes "" for none.
local function check_character(o, name)
  if o[name] and #o[name] ~= 1 then
    native.fail(("read: option '%s' must be one character"):format(name))
  end
end

local function check_bytes(o)
  if o.most_bytes and o.most_bytes < 1 then
    native.fail("read: option 'most_bytes' must be at least 1")
  end
end

local function read_csv(path, given, separator)
  local o = options.check("read", given, csv)
  o.separator = o.separator or separator
  if o.separator == "" then
    native.fail("read: option 'separator' is empty; use a character, or \"space\", \"tab\" or \"auto\"")
  end
  if o.quote == true then
    native.fail("read: option 'quote' must be a character, or false for none")
  end
  if o.quote then check_character(o, "quote") end
  check_character(o, "decimal")
  check_character(o, "thousands")
  if o.comment == "" then native.fail("read: option 'comment' is empty; leave it out for none") end
  if o.skip_lines and o.skip_lines < 0 then
    native.fail("read: option 'skip_lines' must not be negative")
  end
  check_bytes(o)
  if o.names then options.list("read: option 'names'", o.names) end
  o.like = ensemble_model.like(o.like)
  return native.read_csv(path, o)
end

local readers = {
  csv = function(path, given) return read_csv(path, given, ",") end,
  tsv = function(path, given) return read_csv(path, given, "\t") end,
  arff = function(path, given)
    local o = options.check("read (ARFF)", given, with(columns, { encoding = { "string" } }))
    check_bytes(o)
    o.like = ensemble_model.like(o.like)
    return native.read_arff(path, o)
  end,
  libsvm = function(path, given)
    local o = options.check("read (LIBSVM)", given, with(manner, {
      task = { "string" }, n_features = { "integer" }, costs = { "table" },
    }))
    check_bytes(o)
    if o.task and o.task ~= "classification" and o.task ~= "regression" then
      native.fail(("read (LIBSVM): task = '%s' is none of classification, regression"):format(o.task))
    end
    return native.read_libsvm(path, o)
  end,
}

local general = with(roles, { threads = { "integer" } })

-- Through the plugin of that format: what is not a general option is a parameter of its source.
local function read_source(path, given)
  local own, parameters = {}, {}
  for name, value in pairs(given) do (general[name] and own or parameters)[name] = value end
  local o = options.check("read", own, general)
  o.like = ensemble_model.like(o.like)
  o.format, parameters.format, o.parameters = given.format, nil, parameters
  return native.read_source(path, o)
end

local function read_sqlite(given)
  local o = options.check("read (SQLite)", given, with(roles, {
    sqlite = { "string!" }, query = { "string" }, table = { "string" }, most_bytes = { "integer" },
  }))
  options.one_of("read (SQLite)", o, { "query", "table" })
  check_bytes(o)
  o.like = ensemble_model.like(o.like)
  return native.read_sqlite(o.sqlite, o)
end

return function(path, given)
  if type(path) == "table" and given == nil then
    if path.sqlite == nil then
      native.fail("read: a table of options alone reads a database: name it with sqlite = path; "
        .. "files are read as in cf.read(path, options)")
    end
    return read_sqlite(path)
  end
  if type(path) ~= "string" then
    native.fail(("read: expected the path of a file, got a %s"):format(type(path)))
  end
  local format = type(given) == "table" and given.format
  if not format then
    local ending = path:lower():gsub("%.gz$", ""):match("%.([^./\\]+)$")
    format = ending and format_of_ending[ending] or "csv"
  elseif type(format) ~= "string" then
    native.fail(("read: option 'format' must be a string, got a %s"):format(type(format)))
  elseif not readers[format] then
    return read_source(path, given)
  end
  return readers[format](path, given)
end
