-- Completion at the prompt: what may stand where the cursor is. Pure: it looks at the text in front of
-- the cursor and at values, and runs nothing of the user's.
local native = require "crossfold.native"
local open_text = require "crossfold.prompt.open_text"
local options = require "crossfold.options"
local values = require "crossfold.prompt.values"

local complete = {}

local keywords = {
  "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
  "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
}

-- Options that name components, as in metrics = { "accuracy" }.
local kind_of_option = {
  learner = "learner", learners = "learner", combiner = "learner",
  metric = "metric", metrics = "metric", splitter = "splitter",
}

local function starting_with(names, prefix)
  local found = {}
  for _, name in ipairs(names) do
    if name:sub(1, #prefix) == prefix then found[#found + 1] = name end
  end
  return found
end

-- Short ids of the components of a kind, or of all if it is nil; sorted, each once.
local function ids(kind)
  local found = {}
  for _, one in ipairs(native.components()) do
    if not kind or one.kind == kind then found[one.short_id] = true end
  end
  return options.sorted_keys(found)
end

-- "learner" if a path means cf.learner, and so on; nil for all else.
local function maker_kind(state, path)
  local value, owner = values.resolve(state.globals, path)
  if value == nil or owner ~= state.module then return nil end
  for _, kind in ipairs { "learner", "transform", "splitter", "metric" } do
    if value == state.module[kind] then return kind end
  end
end

local function params_of(id, kind)
  local ok, component = pcall(native.component, id, kind)
  return ok and component.params or nil
end

local function names_of(params)
  local names = {}
  for i, param in ipairs(params) do names[i] = param.name end
  table.sort(names)
  return names
end

-- The frame of the call that the frame of a table is an argument of: f{ and f({ are the same.
local function call_of(frames, at)
  local frame, outer = frames[at], frames[at - 1]
  if frame.char ~= "{" then return nil end
  if outer and outer.char == "(" and outer.callee and not frame.key then return outer, outer.index end
  return frame.callee and not frame.key and frame or nil, 1
end

-- The parameters of the component whose table of parameters is the frame: cf.learner("knn", { ...
local function component_params(state, frames, at)
  local call = call_of(frames, at)
  local kind = call and call.callee and maker_kind(state, call.callee)
  return kind and call.literals[1] and params_of(call.literals[1], kind)
end

-- The learner that the text between two positions names last: learner = cf.learner("knn"), "knn" or x.
local function learner_between(state, from, to)
  local text = state.text:sub(from, to)
  local id = text:match("learner%s*=%s*[\"']([%w_.]+)[\"']")
    or text:match(".*learner%s*%(?%s*[\"']([%w_.]+)[\"']")
  if id then return params_of(id, "learner") and names_of(params_of(id, "learner")) end
  local name = text:match("learner%s*=%s*([%a_][%w_.]*)%s*,")
  local value = name and values.resolve(state.globals, name)
  return native.kind(value) == "learner" and options.sorted_keys(value:params()) or nil
end

-- Whether `owner` is the module or a table of functions in it: they check their options before they do
-- anything. Other functions cannot be asked without running them.
local function is_public(state, owner)
  if owner == state.module then return true end
  for _, one in next, state.module do
    if one == owner and type(one) == "table" then return true end
  end
  return false
end

-- The keys that the table of a frame may have; nil if that is not known.
local function keys_of(state, frames, at)
  local params = component_params(state, frames, at)
  if params then return names_of(params) end
  local frame, outer = frames[at], frames[at - 1]
  if frame.key == "grid" or frame.key == "space" then return learner_between(state, outer.at, frame.at) end
  local call, index = call_of(frames, at)
  if not call or not call.callee then return nil end
  local f, owner = values.resolve(state.globals, call.callee)
  if f == nil then return nil end
  if call.callee:find(":with$") then
    local kind = native.kind(owner)
    return kind and values.field(owner, "params") and options.sorted_keys(owner:params()) or nil
  end
  if not is_public(state, owner) then return nil end
  local declared = options.declared(f, table.unpack(call.literals, 1, index - 1))
  return declared and options.sorted_keys(declared) or nil
end

-- The kind of component that a string in the frame names, by the options around it.
local function kind_around(state, frames)
  local key = open_text.item_key(state.text, frames[#frames]) or frames[#frames].key
  return key and kind_of_option[key]
end

-- Candidates inside a string, and what follows a whole one.
local function in_string(state, frames, string)
  local prefix, frame = state.text:sub(string.from), frames[#frames]
  local callee = state.text:sub(1, string.from - 2):match("([%a_][%w_]*[%w_.:]*)%s*$")
  if not callee and frame.char == "(" and frame.index == 1 then callee = frame.callee end
  local names
  local kind = callee and maker_kind(state, callee)
  if kind then
    names = ids(kind)
  elseif callee == "help" then
    names = complete.topics(state)
  else
    local around = kind_around(state, frames)
    local key, params = open_text.item_key(state.text, frame), component_params(state, frames, #frames)
    if params then
      for _, param in ipairs(params) do
        if param.name == key and #param.choices > 0 then names = param.choices end
      end
    elseif around then
      names = ids(around)
    end
  end
  if names then
    return { from = string.from, candidates = starting_with(names, prefix), suffix = string.quote }
  end
  local found = state.list_files and state.list_files(prefix) or {}
  -- A name that may go on, as that of a folder, stays open.
  local open = #found == 1 and found[1]:sub(-1) == "/"
  return { from = string.from, candidates = found, suffix = open and "" or string.quote }
end

-- Names of fields, methods and globals.
local function names_at(state, path)
  local owner_path, separator, prefix = path:match("^(.*)([.:])([%w_]*)$")
  if not owner_path then
    local known = {}
    for _, name in ipairs(keywords) do known[name] = true end
    for _, name in ipairs(values.names(state.globals, nil, path:sub(1, 1) == "_")) do known[name] = true end
    return options.sorted_keys(known), path
  end
  local owner = values.resolve(state.globals, owner_path)
  if owner == nil then return {}, prefix end
  return values.names(owner, separator == ":" and "function" or nil, prefix:sub(1, 1) == "_"), prefix
end

-- What help() has a text about: functions of the module and ids of components.
function complete.topics(state)
  local known = {}
  for _, name in ipairs(values.names(state.module)) do known[name] = true end
  for _, id in ipairs(ids()) do known[id] = true end
  return options.sorted_keys(known)
end

-- What may stand at the end of `text`: { from = where what is typed of it begins, candidates = sorted
-- names, suffix = what follows if there is one candidate only }. `environment` = { globals =, module = the
-- crossfold module, list_files = function(prefix) -> paths that begin so; optional }.
function complete.at_end(text, environment)
  local state = setmetatable({ text = text }, { __index = environment })
  local frames, string, in_comment = open_text.read(text)
  local none = { from = #text + 1, candidates = {}, suffix = "" }
  if in_comment then return none end
  if string then
    return string.quote == "]]" and none or in_string(state, frames, string)
  end
  local frame = frames[#frames]
  local key = open_text.key_prefix(text, frame)
  local keys = key and keys_of(state, frames, #frames)
  if keys then
    return { from = #text - #key + 1, candidates = starting_with(keys, key), suffix = " = " }
  end
  local path = text:match("[%a_][%w_.:]*$") or ""
  local names, prefix = names_at(state, path)
  if frame.char == "(" and frame.callee == "help" and not path:find("[.:]") then
    for _, name in ipairs(complete.topics(state)) do names[#names + 1] = name end
    table.sort(names)
  end
  local found, last = {}, nil
  for _, name in ipairs(starting_with(names, prefix)) do
    if name ~= last then found[#found + 1] = name end
    last = name
  end
  return { from = #text - #prefix + 1, candidates = found, suffix = "" }
end

return complete
