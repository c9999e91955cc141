-- Splitters: a plugin's, or a Lua table
--   cf.splitter{ name = "mine", split = function(input, context) ... end }
-- whose `split` sees `input.n` rows with `input.labels` (class names) or `input.values`, never
-- features, and returns { folds = {fold of row 1, ...} } or { partitions = {{...}, ...} } (folds from
-- 1; 0 = never tested), or { splits = {{ train = {...}, test = {...} }, ...} } (rows from 1).
local native = require "crossfold.native"
local options = require "crossfold.options"

local splitter = {}
local lua_splitters = setmetatable({}, { __mode = "k" })

-- predefined{ column = } names the column when the data are read (folds = ...), so it is no parameter.
function splitter.new(id, params)
  if type(id) == "string" then return native.spec("splitter", id, params) end
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
  if type(answer) == "table" and answer.folds then
    return native.splits_from_partitions(data, { answer.folds })
  elseif type(answer) == "table" and answer.partitions then
    return native.splits_from_partitions(data, answer.partitions)
  elseif type(answer) == "table" and answer.splits then
    return native.splits_from_lists(data, answer.splits)
  end
  native.fail(("splitter '%s' returned no folds, partitions or splits"):format(o.name))
end

return splitter
