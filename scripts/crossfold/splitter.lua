-- Splitters: a plugin's, or a Lua table
--   cf.splitter{ name = "mine", split = function(input, context) ... end, ignore_groups = false }
-- whose `split` sees `input.n` rows with `input.labels` (class names) or `input.values`, and
-- `input.groups`, `input.time` and `input.coordinates` (a list of columns) where the data have them, never
-- features, and returns { folds = {fold of row 1, ...} } or { partitions = {{...}, ...} } (folds from 1; 0 = never
-- tested), or { splits = {{ train = {...}, test = {...} }, ...} } (rows from 1). Splits with a group on both sides are
-- refused, unless `ignore_groups` says that this is meant.
local native = require "crossfold.native"
local options = require "crossfold.options"

local splitter = {}
local lua_splitters = setmetatable({}, { __mode = "k" })

-- The fold column that cf.splitter("predefined", { column = "fold" }) named. It is not a parameter of the
-- plugin, which sees fold numbers and no names.
local fold_columns = setmetatable({}, { __mode = "k" })

-- The columns that cf.splitter("spatial_blocks", { columns = { "x", "y" } }) named. Its parameters x and y have a
-- number for each row, so they are filled in for the rows at hand.
local coordinate_columns = setmetatable({}, { __mode = "k" })

-- The file that cf.splitter("predefined", { openml = path }) named, and whether groups are ignored.
local openml_files = setmetatable({}, { __mode = "k" })

-- A splitter "predefined" whose folds come from what parameter `name` names; no parameter of the
-- plugin is that.
local function predefined(params, name)
  if type(params[name]) ~= "string" then native.fail("splitter 'predefined': option '%s' must be a string", name) end
  local rest = options.joined(params)
  rest[name] = nil
  for _, other in ipairs { "column", "list", "openml" } do
    if rest[other] ~= nil then
      native.fail("splitter 'predefined': options '%s' and '%s' are both given; give one", name, other)
    end
  end
  return native.spec("splitter", "predefined", rest)
end

local function new_predefined(params)
  if params.openml ~= nil then
    local made = predefined(params, "openml")
    openml_files[made] = { path = params.openml, ignore_groups = params.ignore_groups }
    return made
  end
  local made = predefined(params, "column")
  fold_columns[made] = params.column
  return made
end

local function new_spatial_blocks(params)
  local columns, rest = options.list("splitter 'spatial_blocks': option 'columns'", params.columns),
    options.joined(params)
  rest.columns = nil
  if #columns < 1 or #columns > 2 or type(columns[1]) ~= "string" or type(columns[2] or "") ~= "string" then
    native.fail("splitter 'spatial_blocks': option 'columns' names one or two columns, as in { \"x\", \"y\" }")
  elseif rest.x ~= nil or rest.y ~= nil then
    native.fail("splitter 'spatial_blocks': options 'columns' and 'x' or 'y' are both given; give one")
  end
  local made = native.spec("splitter", "spatial_blocks", rest)
  coordinate_columns[made] = columns
  return made
end

local declared = options.declare("splitter", {
  name = { "string!", doc = "The name in results." },
  split = { "function!", is = "fun(input: crossfold.SplitterInput, context: table): table",
    doc = "Returns { folds = }, { partitions = } or { splits = }." },
  ignore_groups = { "boolean", false, doc = "Whether a group of the data may be on both sides of a split." },
})

function splitter.new(id, params)
  if id == "predefined" and type(params) == "table" and (params.column ~= nil or params.openml ~= nil) then
    return new_predefined(params)
  end
  if id == "spatial_blocks" and type(params) == "table" and params.columns ~= nil then
    return new_spatial_blocks(params)
  end
  if type(id) == "string" then
    return options.spec("splitter", id, options.params("splitter", params))
  end
  local o = options.check("splitter", options.functions("splitter", id, "kfold"), declared)
  local made = setmetatable({}, {
    __tostring = function() return o.name end, __name = "crossfold.LuaSplitter",
  })
  lua_splitters[made] = o
  return made
end

function splitter.check(value, what)
  if type(value) == "string" then return splitter.new(value) end
  if lua_splitters[value] or native.kind(value) == "splitter" then return value end
  native.fail("%s: expected a splitter, got a %s", what, native.kind(value) or type(value))
end

-- How defaults stratify: classes as far as their rows and groups allow, so that a small class and groups of one class
-- are not refused; false without classes.
function splitter.stratification(data)
  return data:task() == "classification" and "as far as possible"
end

-- The splitter of `folds` folds, or of fewer where there are fewer rows or groups, that stands where a script gives
-- none.
function splitter.default_folds(data, folds)
  return native.spec("splitter", "kfold", { folds = folds, reduce = true, stratify = splitter.stratification(data) })
end

-- Splitters whose test rows follow the order of the rows or their time.
local of_time = { ["crossfold.time_series"] = true, ["crossfold.purged"] = true, ["crossfold.blocked"] = true }

-- Splitters that see neither target nor features, unless they are asked to stratify.
local blind = { ["crossfold.kfold"] = true, ["crossfold.leave_one_out"] = true,
  ["crossfold.leave_one_group_out"] = true }

-- Whether the splits follow the order of the rows or their time, so that rows are not exchangeable.
function splitter.follows_time(value) return native.kind(value) == "splitter" and of_time[value:id()] or false end

-- Whether the splits are known not to depend on target and features, unless they are stratified.
function splitter.deals_blindly(value) return native.kind(value) == "splitter" and blind[value:id()] or false end

-- As splitter.check; splits, which are those of outer folds, are allowed, too.
function splitter.check_outer(value, what)
  if native.kind(value) == "splits" then return value end
  return splitter.check(value, what)
end

local function same_list(a, b)
  return a ~= nil and b ~= nil and table.concat(a, "\0") == table.concat(b, "\0")
end

-- `data` as this splitter needs it: columns of folds or coordinates that it names are then no features.
function splitter.prepare(value, data)
  local coordinates = coordinate_columns[value]
  if coordinates and not same_list(data:roles().coordinates, coordinates) then
    return native.with_roles(data, { coordinates = coordinates })
  end
  local column = fold_columns[value]
  if not column or data:roles().folds == column then return data end
  return native.with_roles(data, { folds = column })
end

-- Raises if an inner splitter names a column of folds or coordinates that is a feature of `data`: the learner would be
-- fitted with it. `verb` is what cannot be done then.
function splitter.check_inner(value, data, verb)
  local column, coordinates = fold_columns[value], coordinate_columns[value]
  if not column and not coordinates then return end
  local is_feature = options.set_of(data:features())
  if column and is_feature[column] then
    native.fail("cannot %s on '%s': the fold column '%s' is a feature of it; read the data with folds = \"%s\"", verb,
      data:name(), column, column)
  end
  for _, name in ipairs(coordinates or {}) do
    if is_feature[name] then
      native.fail("cannot %s on '%s': the coordinate '%s' is a feature of it; read the data with coordinates = { "
        .. "\"%s\" }", verb, data:name(), name, table.concat(coordinates, '", "'))
    end
  end
end

-- `value` with the coordinates of the rows of `data`, if it is spatial_blocks and was not given them.
local function with_coordinates(value, data)
  if native.kind(value) ~= "splitter" or value:id() ~= "crossfold.spatial_blocks" then return value end
  local names = coordinate_columns[value] or data:roles().coordinates
  if not names or value:params().x ~= nil and #value:params().x > 0 then return value end
  if #names > 2 then
    native.fail("cannot split '%s': spatial_blocks makes blocks of one or two coordinates, and there are %d; name two "
      .. "of them in columns = {...}", data:name(), #names)
  end
  return value:with { x = data:column(names[1]), y = names[2] and data:column(names[2]) or nil }
end

-- What `split` of a splitter in Lua returned, as splits.
local function splits_of(o, data, answer)
  if native.kind(answer) == "splits" then return splitter.split(answer, data) end
  if type(answer) == "table" and type(answer.folds) == "table" then
    return native.splits_from_partitions(data, { answer.folds })
  elseif type(answer) == "table" and type(answer.partitions) == "table" then
    return native.splits_from_partitions(data, answer.partitions)
  elseif type(answer) == "table" and type(answer.splits) == "table" then
    return native.splits_from_lists(data, answer.splits)
  end
  native.fail("splitter '%s' returned no list of folds, partitions or splits", o.name)
end

-- The splits of `data`: a value that can be kept, compared and used for several runs.
function splitter.split(value, data, seed)
  if native.kind(value) == "splits" then
    if value:data_hash() == data:hash() then return value end
    native.fail("cannot split '%s': %s are of other data (rows, columns, their order or roles differ)", data:name(),
      tostring(value))
  end
  local file = openml_files[value]
  if file then return native.read_openml_splits(file.path, data, file.ignore_groups) end
  local o = lua_splitters[value]
  if not o then return native.split(with_coordinates(value, data), data, seed) end
  local input = { n = #data, name = data:name() }
  if data:task() == "classification" then
    input.labels, input.classes = data:target(), data:classes()
  elseif data:task() == "regression" then
    input.values = data:target()
  end
  local roles = data:roles()
  for _, role in ipairs { "groups", "time" } do
    if roles[role] then input[role] = data:column(roles[role]) end
  end
  for j, name in ipairs(roles.coordinates or {}) do
    input.coordinates = input.coordinates or {}
    input.coordinates[j] = data:column(name)
  end
  local splits = splits_of(o, data, o.split(input, { seed = seed }))
  if not o.ignore_groups then
    native.refuse_torn_groups(splits, o.name, "keep the rows of a group together (input.groups has them), or make the "
      .. "splitter with ignore_groups = true")
  end
  return splits
end

-- The same, or nil and why there are none.
function splitter.try(value, data, seed)
  local ok, splits = pcall(splitter.split, value, data, seed)
  if ok then return splits end
  if splits == native.cancelled then error(splits, 0) end
  return nil, (tostring(splits):gsub("^[^:\n]+:%d+: ", ""))
end

local function tears_groups(splits)
  local ok, problem = pcall(native.refuse_torn_groups, splits, "splits", "")
  if not ok and problem == native.cancelled then error(problem, 0) end
  return not ok
end

local most_unseen = 3  -- features with levels that no training row has, in notes

-- How many of the splits are different: repeats of few groups come back to the same folds, and a score that comes back
-- says nothing new. `same_as` has for each of them the first split that is the same, as splits:same_as() does. And how
-- many of them count in a formula: not more than there are groups, or rows, which are `units`.
function splitter.count_distinct(same_as, units)
  local seen, n = {}, 0
  for _, first in ipairs(same_as) do
    if not seen[first] then seen[first], n = true, n + 1 end
  end
  return n, math.min(n, units or n)
end

-- What a reader of the scores should know of the splits that `value` made, as texts. Splitters refuse to tear groups;
-- splits that a script gives may do it.
function splitter.notes(splits, value)
  local notes, distinct = splits:notes(), splits:design().distinct
  if distinct < #splits then
    notes[#notes + 1] = ("only %d of the %d splits are different, so further repeats add little or nothing; intervals "
      .. "and tests count the different ones"):format(distinct, #splits)
  end
  if native.kind(value) == "splits" and tears_groups(splits) then
    notes[#notes + 1] = "rows of one group are on both sides of a split, so the scores may be too good"
  end
  if splits:mixes_past_and_future() then
    notes[#notes + 1] = "the splits mix past and future: rows that are later than test rows train for them; "
      .. "time_series trains on the past only, and purged and blocked test blocks of time, with a gap around them"
  end
  local unseen = splits:unseen_levels()
  for i = 1, math.min(#unseen, most_unseen) do notes[#notes + 1] = unseen[i] end
  if #unseen > most_unseen then
    notes[#notes + 1] = ("%d more features have such levels"):format(#unseen - most_unseen)
  end
  return notes
end

local split_options = options.declare("split", { seed = options.seed })

-- cf.split(splitter, data, { seed = }): the splits as a value; those that cf.evaluate makes with this seed.
function splitter.split_data(value, data, given)
  local o = options.check("split", given, split_options)
  if native.kind(data) ~= "dataset" then native.fail("split: expected a dataset, got a %s", type(data)) end
  local checked = splitter.check(value, "split")
  return splitter.split(checked, splitter.prepare(checked, data), native.seed(o.seed, "splits"))
end

local openml_options = options.declare("read_openml_splits", {
  ignore_groups = { "boolean", false, doc = "Whether a group of the data may be on both sides of a split." },
})

-- cf.read_openml_splits(path, data, { ignore_groups = }): the splits of an OpenML file, for `data`.
function splitter.read_openml_splits(path, data, given)
  local o = options.check("read_openml_splits", given, openml_options)
  if type(path) ~= "string" then
    native.fail("read_openml_splits: expected the path of a file, got a %s", type(path))
  end
  if native.kind(data) ~= "dataset" then native.fail("read_openml_splits: expected a dataset, got a %s", type(data)) end
  return native.read_openml_splits(path, data, o.ignore_groups)
end

return splitter
