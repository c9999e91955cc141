-- cf.read(path, { format =, target =, types =, like =, ... }): a dataset from what a source plugin reads.
-- The name and the first bytes choose the source unless `format` does. Its parameters are options, too.
-- cf.read { sqlite = path, query = | table =, ... }: the same with the format "sqlite".
local native = require "crossfold.native"
local dataset = require "crossfold.dataset"
local options = require "crossfold.options"
local ensemble_model = require "crossfold.ensemble.model"

-- A parameter of one of these names cannot be reached.
local general = options.joined(dataset.roles, {
  format = { "string", is = "string", doc = "The format of the file; default that of its name and first bytes.",
    names = { "arff", "arrow", "arrows", "csv", "db", "duckdb", "feather", "ipc", "json", "jsonl", "libsvm",
      "ndjson", "parquet", "sqlite", "sqlite3", "svm", "svmlight", "tsv" } },
  types = { "table", is = "table<string, crossfold.ColumnType|string[]>",
    doc = "The types of columns by name; a list has all levels in their order." },
  like = { "model", doc = "A model; columns get the types and levels of its training data." },
  drop_missing = dataset.drop_missing,
  infinite = dataset.infinite,
  threads = { "integer", doc = "Number of threads; default that of the program." },
})

local database = { sqlite = { "string", doc = "The file of an SQLite database." } }

-- The options of all bundled formats. The source of a format declares its own, so plugins are loaded to know them.
options.declare("read", function()
  local all = options.joined(general, database)
  for _, format in ipairs { "csv", "arff", "svmlight", "sqlite" } do
    local _, _, own = native.find_source("", format)
    for _, one in pairs(own) do
      one.is = not one.names and one[1]:gsub("|boolean$", "|false"):gsub("^table", "string[]") or nil
    end
    all = options.joined(own, all)
  end
  return all
end)

-- `form`: what else the form of the call takes.
local function read_form(path, given, form)
  local format = type(given) == "table" and given.format or nil
  if format and type(format) ~= "string" then
    native.fail("read: option 'format' must be a string, got a %s", type(format))
  end
  local id, name, declared = native.find_source(path, format)
  local parameters = {}
  for option in pairs(declared) do parameters[option] = not general[option] or nil end
  local o = options.check(("read (%s)"):format(name), given, options.joined(declared, general, form))
  for option in pairs(parameters) do parameters[option] = o[option] end
  o.like = ensemble_model.like(o.like)
  o.format, o.parameters = id, parameters
  return native.read(path, o)
end

local read = {}

-- The data without the cost matrix that the options name.
function read.of(path, given)
  if type(path) == "table" and given == nil then
    local o = options.joined(path, { format = "sqlite" })
    if type(o.sqlite) ~= "string" then
      native.fail("read: a table of options alone reads a database: name it with sqlite = path; files are read as in "
        .. "cf.read(path, options)")
    end
    return read_form(o.sqlite, o, database)
  end
  if type(path) ~= "string" then native.fail("read: expected the path of a file, got a %s", type(path)) end
  return read_form(path, given, {})
end

-- cf.read: with it.
function read.new(path, given)
  return dataset.with_costs(read.of(path, given), given or type(path) == "table" and path or {})
end

return read
