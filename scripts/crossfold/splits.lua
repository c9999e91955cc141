-- Splits as values: cf.split and cf.read_openml_splits.
local native = require "crossfold.native"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local splits = {}

local split_options = options.declare("split", { seed = options.seed })

-- cf.split(splitter, data, { seed = }): the splits as a value; those that cf.evaluate makes with this seed.
function splits.split(value, data, given)
  local o = options.check("split", given, split_options)
  if native.kind(data) ~= "dataset" then
    native.fail(("split: expected a dataset, got a %s"):format(type(data)))
  end
  local checked = splitter.check(value, "split")
  return splitter.split(checked, splitter.prepare(checked, data), native.seed(o.seed, "splits"))
end

local openml_options = options.declare("read_openml_splits", {
  ignore_groups = { "boolean", false, doc = "Whether a group of the data may be on both sides of a split." },
})

-- cf.read_openml_splits(path, data, { ignore_groups = }): the splits of an OpenML file, for `data`.
function splits.read_openml(path, data, given)
  local o = options.check("read_openml_splits", given, openml_options)
  if type(path) ~= "string" then
    native.fail(("read_openml_splits: expected the path of a file, got a %s"):format(type(path)))
  end
  if native.kind(data) ~= "dataset" then
    native.fail(("read_openml_splits: expected a dataset, got a %s"):format(type(data)))
  end
  return native.read_openml_splits(path, data, o.ignore_groups)
end

return splits
