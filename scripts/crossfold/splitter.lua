-- Splitters: a plugin's, or a Lua table
--   cf.splitter{ name = "mine", split = function(input, context) ... end }
-- whose `split` sees `input.n` rows with `input.labels` (class names) or `input.values`, never
-- features, and returns { folds = {fold of row 1, ...} } or { partitions = {{...}, ...} } (folds from
-- 1; 0 = never tested), or { splits = {{ train = {...}, test = {...} }, ...} } (rows from 1).
local native = require "crossfold.native"
local options = require "crossfold.options"

local splitter = {}
local lua_splitters = setmetatable({}, { __mode = "k" })

-- The fold column that cf.splitter("predefined", { column = "fold" }) named. It is no parameter of the
-- plugin, which sees fold numbers and no names.
local fold_columns = setmetatable({}, { __mode = "k" })

local function predefined(params)
  local column = params.column
  if type(column) ~= "string" then
    native.fail("splitter 'predefined': option 'column' must be a string")
  end
  local rest = {}
  for key, value in pairs(params) do
    if key ~= "column" then rest[key] = value end
  end
  local made = native.spec("splitter", "predefined", rest)
  fold_columns[made] = column
  return made
end

function splitter.new(id, params)
  if id == "predefined" and type(params) == "table" and params.column ~= nil then
    return predefined(params)
  end
  if type(id) == "string" then
    return native.spec("splitter", id, options.params("splitter", params))
  end
  local o = options.check("splitter", id, { name = { "string!" }, split = { "function!" } })
  local made = setmetatable({}, {
    __tostring = function() return o.name end, __name = "crossfold.LuaSplitter",
  })
  lua_splitters[made] = o
  return made
end

function splitter.check(value, what)
  if type(value) == "string" then return splitter.new(value) end
  if lua_splitters[value] or native.kind(value) == "splitter" then return value end
  native.fail(("%s: expected a splitter, got a %s"):format(what,
    native.kind(value) or type(value)))
end

-- `data` as this splitter needs it: a fold column that it names is then no feature.
function splitter.prepare(value, data)
  local column = fold_columns[value]
  return column and data:with_folds(column) or data
end

-- Raises if an inner splitter names a fold column that is a feature of `data`: the learner would be
-- fitted with it. `verb` is what cannot be done then.
function splitter.check_inner(value, data, verb)
  local column = fold_columns[value]
  for _, feature in ipairs(column and data:features() or {}) do
    if feature == column then
      native.fail(("cannot %s on '%s': the fold column '%s' is a feature of it; read the data with "
        .. "folds = \"%s\""):format(verb, data:name(), column, column))
    end
  end
end

-- The splits of `data`: a value that can be kept, compared and used for several runs.
function splitter.split(value, data, seed)
  local o = lua_splitters[value]
  if not o then return native.split(value, data, seed) end
  local input = { n = #data, name = data:name() }
  if data:task() == "classification" then
    input.labels, input.classes = data:target(), data:classes()
  elseif data:task() == "regression" then
    input.values = data:target()
  end
  local answer = o.split(input, { seed = seed })
  if type(answer) == "table" and type(answer.folds) == "table" then
    return native.splits_from_partitions(data, { answer.folds })
  elseif type(answer) == "table" and type(answer.partitions) == "table" then
    return native.splits_from_partitions(data, answer.partitions)
  elseif type(answer) == "table" and type(answer.splits) == "table" then
    return native.splits_from_lists(data, answer.splits)
  end
  native.fail(("splitter '%s' returned no list of folds, partitions or splits"):format(o.name))
end

return splitter
