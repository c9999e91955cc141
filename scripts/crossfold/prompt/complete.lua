-- Completes what may stand at the cursor of the prompt. It is pure: it looks at the text before
-- the cursor and at values, and runs nothing of the user's.
local native = require "crossfold.native"
local open_text = require "crossfold.prompt.open_text"
local options = require "crossfold.options"
local values = require "crossfold.prompt.values"
local metric = require "crossfold.metric"

local complete = {}

-- Which of them an option means, and which the arguments of a method.
local of_option = {
  learner = "learner", learners = "learner", control = "learner", dataset = "dataset",
  datasets = "dataset", metric = "metric", positive = "class",
}
local of_argument = {
  confusion = { "learner" }, class_report = { "learner" }, tuning = { "learner" }, fit = { "learner" },
  per_row = { "learner" }, crossing = { "learner", "learner" }, column = { "column" },
}

-- The jobs of a result and its like; see outer_folds.lua. Nil for all else.
local function jobs_of(value)
  local meta = type(value) == "table" and debug.getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  if name == "crossfold.Result" then return rawget(value, "jobs"), rawget(value, "plan").metrics end
  if name == "crossfold.LearningCurve" or name == "crossfold.BiasVariance" then
    return jobs_of(rawget(value, "plan").evaluated)
  end
end

local function of_dataset(data, what)
  if what == "class" then return data:task() == "classification" and data:classes() or {} end
  if what ~= "column" then return nil end
  local names = data:features()
  for role, column in pairs(data:roles()) do names[#names + 1] = role ~= "positive" and column or nil end
  return names
end

local function of_jobs(jobs, metrics, what)
  local names = {}
  if what == "metric" then
    for i, one in ipairs(metrics) do names[i] = metric.name(one) end
    return names
  end
  for i, job in ipairs(jobs) do
    if what == "learner" then names[i] = job.learner_name end
    if what == "dataset" then names[i] = job.dataset end
    if what == "class" and job.data then table.move(of_dataset(job.data, what), 1, 1000, #names + 1, names) end
  end
  return names
end

-- The names of a kind, "learner", "dataset", "metric", "class" or "column", that `value` holds; nil if it
-- is nothing that holds them.
local function of(value, what)
  if native.kind(value) == "dataset" then return of_dataset(value, what) end
  local jobs, metrics = jobs_of(value)
  return jobs and what ~= "column" and of_jobs(jobs, metrics, what) or nil
end

-- The names that the option `key` may have, by the values around it; nil if none of them knows such names.
local function by_option(key, around)
  local what = of_option[key]
  for _, value in ipairs(what and around or {}) do
    local names = of(value, what)
    if names then return names end
  end
end

-- Options of cf.read that name a column.
local role = { target = true, weights = true, groups = true, time = true, strata = true, folds = true,
  coordinates = true }

-- The fields of the first line of CSV or of text with tabs.
local function fields_of(line)
  local separator = line:find("\t", 1, true) and "\t" or line:find(",", 1, true) and "," or ";"
  local fields, at = {}, 1
  while at <= #line + 1 do
    local quoted, behind = line:match('^"([^"]*)"()', at)
    local last = (line:find(separator, behind or at, true) or #line + 1) - 1
    fields[#fields + 1] = quoted or line:sub(at, last)
    at = last + 2
  end
  return fields
end

-- The columns that an option of cf.read(path, ...) may name, from the first line of the file; nil if the
-- option names none, or the file has no such line.
local function columns_of_file(path, key)
  if not role[key] or type(path) ~= "string" or not path:lower():find("%.[ct]sv$") then return nil end
  local file = io.open(path, "rb")
  local text = file and file:read(65536)
  if file then file:close() end
  local line = text and text:match("^([^\r\n]*)[\r\n]")
  return line and fields_of((line:gsub("^\xEF\xBB\xBF", "")))
end

-- The names that an argument of a method of `value` may have; nil if it takes no such names.
local function by_argument(value, method, index)
  local what = (of_argument[method] or {})[index]
  return what and of(value, what)
end

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

-- Short ids of the components of one kind or two, or of all without; sorted, each once.
local function ids(kind, other)
  local found = {}
  for _, one in ipairs(native.components()) do
    if not kind or one.kind == kind or one.kind == other then found[one.short_id] = true end
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
  local id = text:match("learner%s*=%s*[\"']([%w_.]+)[\"']") or text:match(".*learner%s*%(?%s*[\"']([%w_.]+)[\"']")
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

-- The arguments of a call before the `index`th, as far as they are known without running anything:
-- texts, numbers and what a name means; nil for all else.
local function arguments_of(state, call, index)
  local found = {}
  for i = 1, index - 1 do
    local text = call.items[i]:match("^%s*(.-)%s*$")
    found[i] = call.literals[i] or tonumber(text)
      or text:find("^[%a_][%w_.]*$") and values.resolve(state.globals, text) or nil
  end
  return table.unpack(found, 1, index - 1)
end

-- The classes of objects that are written in C++, whose methods cannot be asked.
local native_class = { dataset = "Dataset", learner = "Spec", model = "Model", prediction = "Prediction" }

-- The options that `f` takes as its argument of this number; nil if it takes them elsewhere.
local function options_at(index, f, ...)
  local given = table.pack(...)
  given[index] = {}
  local declared, _, is_given = options.declared(f, table.unpack(given, 1, index))
  return is_given and declared or nil
end

-- The options that a function or method checks, as options.declared gives them; nil if it has none or
-- cannot be asked. `callee` is how it is written.
local function declared_by(state, call, index)
  local f, owner = values.resolve(state.globals, call.callee)
  if f == nil then return nil end
  if is_public(state, owner) then return options_at(index, f, arguments_of(state, call, index)) end
  local name = call.callee:match(":([%w_]+)$")
  if not name then return nil end
  if not options.is_askable(f) then
    return options.declaration(("%s:%s"):format(native_class[native.kind(owner)], name))
  end
  return options_at(index + 1, f, owner, arguments_of(state, call, index))
end

-- The keys that the table of a frame may have; nil if that is not known.
local function keys_of(state, frames, at)
  local params = component_params(state, frames, at)
  if params then return names_of(params) end
  local frame, outer = frames[at], frames[at - 1]
  if frame.key == "grid" or frame.key == "space" then return learner_between(state, outer.at, frame.at) end
  local call, index = call_of(frames, at)
  if not call or not call.callee then return nil end
  if call.callee:find(":with$") then
    local _, owner = values.resolve(state.globals, call.callee)
    return native.kind(owner) and values.field(owner, "params") and options.sorted_keys(owner:params()) or nil
  end
  local declared = declared_by(state, call, index)
  return declared and options.sorted_keys(declared) or nil
end

-- The public name of a function: "stats.adjust_p" for cf.stats.adjust_p, ":curve" for a method of an
-- object of the library; nil for all else.
local function public_name(state, callee)
  local f, owner = values.resolve(state.globals, callee)
  if f == nil then return nil end
  if is_public(state, owner) then
    for name, one in next, state.module do
      if one == f then return name end
      if one == owner and one ~= state.module then return name .. "." .. callee:match("[%w_]*$") end
    end
  end
  return values.is_object(owner) and callee:match(":[%w_]+$") or nil
end

-- The kind of component that a string in the frame names, by the options around it.
local function kind_around(frame, key)
  return key and kind_of_option[key] or frame.key and kind_of_option[frame.key]
end

-- What the call of an option's table is about: the object whose method it is, and the arguments.
local function subjects_of(state, call, index)
  local _, owner = values.resolve(state.globals, call.callee)
  local found = { owner ~= state.module and owner or nil }
  local arguments = table.pack(arguments_of(state, call, index))
  for i = 1, arguments.n do found[#found + 1] = arguments[i] end
  return found
end

-- Names that may stand as the value of the option that the frame, or the list that the frame is, gives.
local function option_names(state, frames)
  local frame, at = frames[#frames], #frames
  local key = open_text.item_key(state.text, frame)
  local params = component_params(state, frames, at)
  for _, param in ipairs(params or {}) do
    if param.name == key and #param.choices > 0 then return param.choices end
  end
  if params then return nil end
  if not call_of(frames, at) and frame.key then key, at = frame.key, at - 1 end
  local call, index = call_of(frames, at)
  if call and call.callee then
    -- By its name where the arguments before it are not known yet.
    local declared = declared_by(state, call, index) or options.declaration(public_name(state, call.callee)) or {}
    local one = declared[key] or {}
    if one.words or one.names then return one.words or one.names end
    local names = by_option(key, subjects_of(state, call, index))
      or values.resolve(state.globals, call.callee) == state.module.read
      and columns_of_file(arguments_of(state, call, index), key)
    if names then return names end
  end
  local kind = kind_around(frame, key)
  return kind and ids(kind)
end

-- Names that may stand as an argument of a function, or as a step of cf.pipeline{ ... }.
local function argument_names(state, callee, index, char)
  local kind = maker_kind(state, callee)
  if kind then return index == 1 and ids(kind) or nil end
  if callee == "help" then return complete.topics(state) end
  local name = public_name(state, callee)
  if not name then return nil end
  if name == "pipeline" and char == "{" then return ids("transform", "learner") end
  local words = index == 1 and options.argument_words(name)
  if words then return words end
  local _, owner = values.resolve(state.globals, callee)
  return by_argument(owner, name:match("^:(.*)$"), index)
end

-- The keys of the table before a bracket, as in rows[1]["va. An object's are not for users.
local function keys_in_brackets(state, frame)
  local value = frame.callee and values.resolve(state.globals, frame.callee)
  local keys = {}
  for key in next, type(value) == "table" and not values.is_object(value) and value or {} do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  return keys
end

-- What may stand in a string as far as that is known, else nil.
local function names_in_string(state, frames, string)
  local frame = frames[#frames]
  local callee = state.text:sub(1, string.from - 2):match("([%a_][%w_]*[%w_.:]*)%s*$")
  if callee and (callee == "help" or values.resolve(state.globals, callee)) then
    return argument_names(state, callee, 1)
  end
  if frame.char == "[" then return keys_in_brackets(state, frame) end
  if frame.char == "{" then
    local is_item = state.text:sub(frame.item, string.from - 2):find("^%s*$")
    local names = is_item and frame.callee and argument_names(state, frame.callee, 1, "{")
    return names or option_names(state, frames)
  end
  return frame.callee and argument_names(state, frame.callee, frame.index)
end

-- Candidates inside a string, and what follows a whole one.
local function in_string(state, frames, string)
  local prefix = state.text:sub(string.from)
  local names = names_in_string(state, frames, string)
  if names then
    local known = options.set_of(names)
    return {
      from = string.from, candidates = starting_with(options.sorted_keys(known), prefix), suffix = string.quote,
    }
  end
  local found = state.list_files and state.list_files(prefix) or {}
  -- A name that may go on, as that of a folder, stays open.
  local open = #found == 1 and found[1]:sub(-1) == "/"
  return { from = string.from, candidates = found, suffix = open and "" or string.quote }
end

-- Names of fields, methods and globals.
local function names_at(state, path)
  path = path:gsub("%[(%d+)%]", ".%1"):match("[^%[%]]*$")
  local owner_path, separator, prefix = path:match("^(.*)([.:])([%w_]*)$")
  if not owner_path then
    local known = options.set_of(keywords)
    for _, name in ipairs(values.names(state.globals, nil, path:sub(1, 1) == "_")) do known[name] = true end
    return options.sorted_keys(known), path
  end
  local owner = values.resolve(state.globals, owner_path)
  if owner == nil then return {}, prefix end
  return values.names(owner, separator == ":" and "function" or nil, prefix:sub(1, 1) == "_"), prefix
end

-- What help() has a text about: functions of the module and ids of components.
function complete.topics(state)
  local known = options.set_of(values.names(state.module))
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
  local path = text:match("[%a_][%w_.:%[%]]*$") or ""
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
