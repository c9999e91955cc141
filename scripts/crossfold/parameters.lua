-- Lists the parameters of whatever can stand for a learner (see learner.lua), and makes copies with other values.
-- A composite that has any says what it is made of:
--   settings                           its own parameters, from parameters.declare; nil: none
--   parts(self)                        { { name =, value = }, ... }: the learners and transforms inside it
--   with_parts(self, settings, values) a copy with these settings and parts, in the order of `parts`
--   is_open(self, settings, i)         whether part i has an effect under these settings; nil: all have
-- "k" is the parameter of the only part that has one; "knn.k" that of the part with this name, "2.k" that of the
-- second part.
local native = require "crossfold.native"
local options = require "crossfold.options"

local parameters = {}

-- A step of a native pipeline: its parameters are its own.
local function is_step(value) return type(value) == "userdata" and value.short_id ~= nil end

local function settings_of(value)
  return is_step(value) and value or type(value) == "table" and value.settings or nil
end

local function parts_of(value)
  if type(value) == "table" then return value.parts and value:parts() or {} end
  if is_step(value) then return {} end
  local list = {}
  for i, step in ipairs(native.pipeline_steps(value)) do list[i] = { name = step:short_id(), value = step } end
  return list
end

local function rebuilt(value, settings, values)
  if is_step(value) then return settings end
  if type(value) == "table" then return value:with_parts(settings, values) end
  return native.pipeline(values)
end

-- What a part is called in names of parameters: the id of a plugin's learner, or the beginning of its text.
function parameters.part(value)
  local name = tostring(value)
  if native.kind(value) == "learner" and not is_step(value) then
    local steps = native.pipeline_steps(value)
    name = steps[#steps]:short_id()
  end
  return { name = name:match("^[^{|]+"), value = value }
end

-- What of `name` comes after "<part>.".
local function rest_after(part, name)
  if name:sub(1, #part + 1) == part .. "." then return name:sub(#part + 2) end
end

-- Adds { path =, settings =, param = } for every parameter that `name` can mean; the path has the numbers of parts.
-- What comes before the first dot names a part here if there is one, and otherwise one of a part inside.
local function find(value, name, path, found)
  local settings = settings_of(value)
  if settings and native.declared_param(settings, name) then
    found[#found + 1] = { path = path, settings = settings, param = name }
  end
  local inside, named = {}, {}
  for i, part in ipairs(parts_of(value)) do
    local inner = table.move(path, 1, #path, 1, {})
    inner[#inner + 1] = i
    inside[i] = { value = part.value, name = name, path = inner }
    local rest = rest_after(part.name, name) or rest_after(tostring(i), name)
    if rest then named[#named + 1] = { value = part.value, name = rest, path = inner } end
  end
  for _, one in ipairs(#named > 0 and named or inside) do find(one.value, one.name, one.path, found) end
  return found
end

-- Adds the names of all parameters, each with those of the parts around it.
local function list_names(value, prefix, names)
  local settings = settings_of(value)
  for _, name in ipairs(settings and options.sorted_keys(settings:params()) or {}) do
    names[#names + 1] = { short = name, long = prefix .. name }
  end
  for _, part in ipairs(parts_of(value)) do
    local inner = part.value
    local is_alone = not is_step(inner) and type(inner) == "userdata" and #parts_of(inner) == 1
    list_names(is_alone and parts_of(inner)[1].value or inner, prefix .. part.name .. ".", names)
  end
  return names
end

-- Every parameter by the shortest name that means it alone.
local function known_names(value)
  local count, names, known = {}, list_names(value, "", {}), {}
  for _, name in ipairs(names) do count[name.short] = (count[name.short] or 0) + 1 end
  for i, name in ipairs(names) do known[i] = count[name.short] == 1 and name.short or name.long end
  table.sort(known)
  return known
end

-- The shortest name with numbers of parts that means this place alone: "2.k".
local function numbered(value, place)
  for n = 1, #place.path do
    local name = table.concat(place.path, ".", 1, n) .. "." .. place.param
    if #find(value, name, {}, {}) == 1 then return name end
  end
  return place.param
end

-- The one place that `name` means, or nil and the problem.
local function place_of(value, name)
  local found = find(value, name, {}, {})
  if #found == 1 then return found[1] end
  if #found == 0 then
    return nil, ("unknown parameter '%s'; %s"):format(name, native.known_names(name, known_names(value)))
  end
  local texts = {}
  for i, place in ipairs(found) do
    texts[i] = ("%s of %s"):format(numbered(value, place), tostring(place.settings))
  end
  return nil, ("parameter '%s' is ambiguous: %s"):format(name, table.concat(texts, ", "))
end

-- `params` as a tree of changes: { own = { name = value }, names = { name = as given }, [part] = the same }. What
-- cannot be placed goes to `problems`.
local function distribute(value, params, problems)
  local tree = { own = {}, names = {} }
  for _, name in ipairs(options.sorted_keys(params)) do
    local place, problem = place_of(value, name)
    if place then
      local node = tree
      for _, i in ipairs(place.path) do
        node[i] = node[i] or { own = {}, names = {} }
        node = node[i]
      end
      if node.own[place.param] ~= nil then
        problems[#problems + 1] = ("parameter '%s' is given twice"):format(name)
      end
      node.own[place.param], node.names[place.param] = params[name], name
    else
      problems[#problems + 1] = problem
    end
  end
  return tree
end

-- Calls f(name) with the names, as they were given, of all changes of a tree.
local function each_name(tree, f)
  for _, name in pairs(tree.names) do f(name) end
  for i, inner in pairs(tree) do
    if math.type(i) == "integer" then each_name(inner, f) end
  end
end

local function is_open(value, settings, i)
  return type(value) ~= "table" or not value.is_open or value:is_open(settings, i)
end

-- `value` with the changes of a tree.
local function changed(value, tree, problems)
  local settings, problem = settings_of(value), nil
  if next(tree.own) then settings, problem = native.try_with(settings, tree.own) end
  if problem then
    problems[#problems + 1] = problem
    return value
  end
  local values = {}
  for i, part in ipairs(parts_of(value)) do
    values[i] = tree[i] and changed(part.value, tree[i], problems) or part.value
    if tree[i] and not is_open(value, settings, i) then
      each_name(tree[i], function(name)
        problems[#problems + 1] = ("'%s' has no effect in %s"):format(name, tostring(settings))
      end)
    end
  end
  return rebuilt(value, settings, values)
end

-- The copy of a learner with other parameters, or nil and what is wrong with them, as native.try_with.
function parameters.try_with(value, params)
  if native.kind(value) then return native.try_with(value, params) end
  local problems = {}
  local tree = distribute(value, params, problems)
  local made = #problems == 0 and changed(value, tree, problems)
  if #problems == 0 then return made end
  table.sort(problems)
  return nil, ("cannot change '%s': %s"):format(tostring(value), table.concat(problems, "; "))
end

-- The same; raises what is wrong.
function parameters.with(value, params)
  local made, problem = parameters.try_with(value, options.params("with", params) or {})
  return made or native.fail(problem)
end

-- What is declared of the parameter `name`, as native.declared_param.
function parameters.declared(value, name)
  if native.kind(value) then return native.declared_param(value, name) end
  local place, problem = place_of(value, name)
  if place then return native.declared_param(place.settings, place.param) end
  return nil, ("cannot change '%s': %s"):format(tostring(value), problem)
end

-- "integer" or "real" of a parameter whose declaration is `declared` and whose values are from `low` to `high`;
-- nil: it is not a number. For an entry of an object the bounds decide.
function parameters.number_type(declared, low, high)
  if declared.type == "entry" then
    return math.type(low) == "integer" and math.type(high) == "integer" and "integer" or "real"
  end
  return (declared.type == "integer" or declared.type == "real") and declared.type or nil
end

-- Drops from `kept` the names of changes that have no effect.
local function drop_inactive(value, tree, kept)
  local settings = settings_of(value)
  local active = next(tree.own) and native.active_params(settings, tree.own) or {}
  for param, name in pairs(tree.names) do
    if active[param] == nil then kept[name] = nil end
  end
  local after = next(active) and native.try_with(settings, active) or settings
  for i, part in ipairs(parts_of(value)) do
    if tree[i] and is_open(value, after, i) then
      drop_inactive(part.value, tree[i], kept)
    elseif tree[i] then
      each_name(tree[i], function(name) kept[name] = nil end)
    end
  end
end

-- `params` without those that the others make inactive; names that cannot be placed stay.
function parameters.active(value, params)
  if native.kind(value) then return native.active_params(value, params) end
  local kept = options.joined(params)
  drop_inactive(value, distribute(value, params, {}), kept)
  return kept
end

-- The type that a default shows where none is given.
local function type_of(o)
  if o.choices then return "choice" end
  local kind = math.type(o.default) or type(o.default)
  return kind == "float" and "real" or kind
end

local declared = options.declare("LuaParameter", {
  type = { "string", words = { "real", "integer", "boolean", "choice", "string", "integers", "reals" },
    doc = "The type of its values; default that of `default`." },
  default = { "number|string|boolean|table|userdata!", doc = "The default; cf.null: the parameter may have no value." },
  low = { "number", doc = "The smallest value." },
  high = { "number", doc = "The largest value." },
  low_open = { "boolean", doc = "Whether `low` itself is out of range." },
  high_open = { "boolean", doc = "Whether `high` itself is out of range." },
  scale = { "string", "linear", words = { "linear", "log" }, doc = "How a search draws values." },
  choices = { "table", is = "string[]", doc = "The values of a choice." },
  active_if = { "string", doc = "When the parameter has an effect, as in \"kernel=gauss\"; default always." },
})

-- One declaration of a script, as native.declare takes it.
local function declaration(what, name, given)
  local o = options.check(("%s: parameter '%s'"):format(what, name), given, declared)
  o.name, o.type, o.log = name, o.type or type_of(o), o.scale == "log"
  return o
end

-- The parameters of a learner or transform written in Lua, with their defaults: params = { k = { type = "integer",
-- low = 1, default = 5 } }.
function parameters.declare(kind, name, params)
  local list = {}
  for i, one in ipairs(options.sorted_keys(params or {})) do list[i] = declaration(kind, one, params[one]) end
  return native.declare(kind, name, list)
end

return parameters
