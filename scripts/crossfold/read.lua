-- cf.read(path, { format =, target =, types =, missing =, like =, weights =, ... }): a dataset from a
-- file. Which options there are depends on the format, which the ending of the name tells.
local native = require "crossfold.native"
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

local manner = { format = { "string" }, threads = { "integer" }, memory_map = { "boolean" } }
local columns = with(manner, {
  target = { "string" }, weights = { "string" }, groups = { "string" }, time = { "string" },
  folds = { "string" }, strata = { "string" }, row_costs = { "table" }, costs = { "table" },
  types = { "table" }, like = { "model" },
})
local csv = with(columns, { missing = { "table" }, separator = { "string" } })

local function read_csv(path, given, separator)
  local o = options.check("read", given, csv)
  o.separator = o.separator or separator
  if #o.separator ~= 1 then native.fail("read: option 'separator' must be one character") end
  o.like = ensemble_model.like(o.like)
  return native.read_csv(path, o)
end

local readers = {
  csv = function(path, given) return read_csv(path, given, ",") end,
  tsv = function(path, given) return read_csv(path, given, "\t") end,
  arff = function(path, given)
    local o = options.check("read (ARFF)", given, columns)
    o.like = ensemble_model.like(o.like)
    return native.read_arff(path, o)
  end,
  libsvm = function(path, given)
    local o = options.check("read (LIBSVM)", given, with(manner, {
      task = { "string" }, n_features = { "integer" }, most_bytes = { "integer" }, costs = { "table" },
    }))
    if o.task and o.task ~= "classification" and o.task ~= "regression" then
      native.fail(("read (LIBSVM): option 'task' is '%s'; it must be classification or regression"):format(o.task))
    end
    return native.read_libsvm(path, o)
  end,
}

return function(path, given)
  if type(path) ~= "string" then
    native.fail(("read: expected the path of a file, got a %s"):format(type(path)))
  end
  local format = type(given) == "table" and given.format
  if not format then
    local ending = path:match("%.([^./\\]+)$")
    format = ending and format_of_ending[ending:lower()] or "csv"
  elseif not readers[format] then
    native.fail(("read: option 'format' is '%s'; known: arff, csv, libsvm, tsv"):format(tostring(format)))
  end
  return readers[format](path, given)
end
