-- Tables of named options: every key is known and of the right type, or an error names the script's line.
local native = require "crossfold.native"
local planning = require "crossfold.planning"

local options = {}

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  return keys
end

-- Keys of `t` as strings, sorted: `pairs` has another order in every process.
options.sorted_keys = sorted_keys

-- As native.kind, and "model" for the model of an ensemble, which is a table.
local function kind(value)
  local meta = type(value) == "table" and getmetatable(value)
  return native.kind(value) or (type(meta) == "table" and meta.__kind) or nil
end

local function type_name(value)
  return math.type(value) == "integer" and "integer" or kind(value) or type(value)
end

local function article(word) return word:find("^[aeiou]") and "an" or "a" end

-- Whether `value` is of one of the types in "integer|string|table".
local function has_type(value, types)
  local actual = type(value)
  for wanted in types:gmatch("[^|]+") do
    if actual == wanted or wanted == "any" then return true end
    if wanted == "integer" and actual == "number" and math.tointeger(value) then return true end
    if kind(value) == wanted then return true end
  end
  return false
end

-- Every declaration of options by the name of what takes them: "evaluate" for cf.evaluate, "stats.power" for
-- cf.stats.power, "Result:curve" for the method of a class, and "Limits" for options inside an option. A
-- declaration is a table { option = { types, default, doc =, words =, names =, is = } }:
--   types    as options.check reads them: "string|boolean", with "!" if the option is required
--   default  nil: none
--   doc      what the option means, in a sentence
--   words    the strings that it takes; options.check refuses others
--   names    the same, where the function itself refuses others
--   is       the type of its value, where `types` or `words` do not say enough: "number[]", "learner"
-- Checks, completion, help(), the definitions for editors and the tables of the guide are made of these.
options.declarations = {}

-- The words that the first argument of a function, as "curve", or of a method, as ":curve", is one of.
options.arguments = {}

-- Adds a declaration of options, or a function that makes it, and returns it.
function options.declare(name, declared)
  options.declarations[name] = declared
  return declared
end

-- Loads every module, so that all declarations are there.
function options.load_all()
  for _, name in ipairs(sorted_keys(package.preload)) do
    if name:find("^crossfold%.") then require(name) end
  end
end

-- The declaration of the options of `name`; nil if there is none.
function options.declaration(name)
  if options.declarations[name] == nil then options.load_all() end
  local declared = options.declarations[name]
  return type(declared) == "function" and declared() or declared
end

-- The words that the first argument of `name` is one of; nil if it takes others.
function options.argument_words(name)
  if options.arguments[name] == nil then options.load_all() end
  return options.arguments[name]
end

-- A class: the metatable of its objects, which has their methods. Messages show its name.
function options.class(name)
  local class = { __name = name }
  class.__index = class
  return class
end

-- One table with the fields of several, such as declarations; the later ones replace the earlier ones.
function options.joined(...)
  local all = {}
  for _, one in ipairs { ... } do
    for name, value in pairs(one) do all[name] = value end
  end
  return all
end

-- The set of what a list has.
function options.set_of(list)
  local set = {}
  for _, one in ipairs(list) do set[one] = true end
  return set
end

-- The place of `name` in the list `names`. Raises "<attempt> '<name>'; known: ..." if it is none of them.
function options.place_of(attempt, name, names)
  for i, known in ipairs(names) do
    if known == name then return i end
  end
  local text = tostring(name)
  native.fail("%s '%s'; %s", attempt, text, native.known_names(text, names))
end

-- Options that many functions take.
options.seed = { "integer", native.defaults().seed, doc = "Seed of all random numbers." }
options.confidence = { "number", 0.95, doc = "Level of the confidence intervals." }
options.output = { "string|boolean", is = "output", doc = "The path of the file; true returns the text instead." }

-- Raises unless the confidence that is given to `what` is one.
function options.check_confidence(what, confidence)
  if not (confidence > 0 and confidence < 1) then
    native.fail("%s: confidence = %s is outside (0, 1); use 0.95", what, native.format_number(confidence))
  end
end

-- Raises unless `share`, the option `name` of `what`, is above 0 and below 1.
function options.check_share(what, name, share)
  if share > 0 and share < 1 then return end
  native.fail("%s: %s = %s is not between 0 and 1", what, name, native.format_number(share))
end

-- The declaration of a method `to` that writes the forms of these names.
function options.outputs(names)
  local declared = {}
  for _, name in ipairs(names) do declared[name] = options.output end
  return declared
end

-- What the value of a declared option may be, for people: "one of pooled, folds".
function options.takes(one)
  local text, words = one.is or one[1]:gsub("!$", ""), one.words or one.names
  text = text:gsub("fun%b():?[^|]*", "function"):gsub("table%b<>", "table"):gsub("crossfold%.%w+", "table")
  text = text:gsub("%b()%[%]", "table"):gsub("|", " or ")
  if not words then return text end
  return "one of " .. table.concat(words, ", ") .. (one.is and " or " .. text or "")
end

-- Whether a declared option is required, or its default as Lua writes it; nil if it has none.
function options.default(one)
  if one[1]:sub(-1) == "!" then return "required" end
  local default = one[2]
  if type(default) == "string" then return ('"%s"'):format(default) end
  if type(default) == "number" then return native.format_number(default) end
  return type(default) == "boolean" and tostring(default) or nil
end

-- Set while options.declared asks a function.
local asked

-- What the function `f` checks first of what it gets as named options: the declaration that it gives to
-- options.check, and its name in messages. Nil if it checks none, or other arguments before
-- them. The arguments come before the options; those that the options depend on must be given.
-- A third result is whether the arguments held the options, too, even if it is an empty table.
-- Nothing else of the function runs, so all that is public checks its options first.
function options.declared(f, ...)
  local outer, mine = asked, {}
  asked = mine
  pcall(f, ...)
  asked = outer
  return mine.declared, mine.what, mine.is_given
end

-- Methods that options.declared can ask: see options.methods.
local askable = setmetatable({}, { __mode = "k" })

-- Whether `f` is a method of the library that checks its options before it does anything.
function options.is_askable(f) return askable[f] == true end

-- What to do instead where a dataset is wanted and `value` is something that people have at hand.
local function way_to_dataset(types, value, declared)
  if types ~= "dataset" then return "" end
  if type(value) == "string" then return "; read it first, with cf.read" end
  if type(value) ~= "table" then return "" end
  if declared.datasets and native.kind(value[1]) == "dataset" then
    return "; give several as the option 'datasets'"
  end
  return "; make one of lists with cf.dataset"
end

-- Raises unless the string `value` is one of the words that the option `key` takes.
local function check_word(what, key, value, words)
  for _, word in ipairs(words) do
    if value == word then return end
  end
  native.fail("%s: %s = '%s' is not one of %s", what, key, value, table.concat(words, ", "))
end

-- Checks `given` against a declaration. Returns a new table with defaults filled in.
function options.check(what, given, declared)
  if asked then
    if not asked.declared then asked.declared, asked.what, asked.is_given = declared, what, given ~= nil end
    error(asked, 0)
  end
  if given == nil then given = {} end
  if type(given) ~= "table" then
    native.fail("%s: expected a table of options, got %s %s", what, article(type_name(given)), type_name(given))
  end
  for _, key in ipairs(sorted_keys(given)) do
    if declared[key] == nil then
      native.fail("%s: unknown option '%s'; %s", what, key, native.known_names(key, sorted_keys(declared)))
    end
  end
  local checked = {}
  for _, key in ipairs(sorted_keys(declared)) do
    local types, default = declared[key][1], declared[key][2]
    local required = types:sub(-1) == "!"
    if required then types = types:sub(1, -2) end
    local value = given[key]
    if value == nil then
      if required then native.fail("%s: option '%s' is missing", what, key) end
      value = default
    elseif not has_type(value, types) then
      native.fail("%s: option '%s' must be %s %s, got %s %s%s", what, key, article(types), (types:gsub("|", " or ")),
        article(type_name(value)), type_name(value), way_to_dataset(types, value, declared))
    elseif types == "integer" then
      value = math.tointeger(value)
    elseif declared[key].words and type(value) == "string" then
      check_word(what, key, value, declared[key].words)
    end
    checked[key] = value
  end
  return checked
end

-- Raises unless the whole numbers among the keys of `given` are 1 .. n: # and ipairs would pass over
-- what comes after a hole without an error. Keys that are not integers are allowed with `mixed` only, and
-- must be strings.
function options.list(what, given, mixed)
  if type(given) ~= "table" then
    native.fail("%s: expected a list, got %s %s", what, article(type_name(given)), type_name(given))
  end
  local count, last = 0, 0
  for key in pairs(given) do
    if math.type(key) == "integer" then
      count, last = count + 1, math.max(last, key)
    elseif not (mixed and type(key) == "string") then
      native.fail("%s: a list has no key '%s'; write the elements only", what, tostring(key))
    end
  end
  for i = 1, count do
    if rawget(given, i) == nil then native.fail("%s: element %d of %d is nil; leave it out", what, i, last) end
  end
  return given
end

-- Parameters of a component: a table, or nil for none.
function options.params(what, given)
  if given ~= nil and type(given) ~= "table" then
    native.fail("%s: the parameters must be a table, as in { k = 5 }, got a %s", what, type_name(given))
  end
  return given
end

-- The name of the one option of `names` that is given.
function options.one_of(what, given, names)
  local found
  for _, name in ipairs(names) do
    if given[name] ~= nil then
      if found then native.fail("%s: options '%s' and '%s' exclude each other; give one", what, found, name) end
      found = name
    end
  end
  if not found then native.fail("%s: give one of the options %s", what, table.concat(names, ", ")) end
  return found
end

-- Writes `text` to the file at `path`; returns it instead if `path` is true.
function options.write_text(path, text)
  if path == true then return text end
  if type(path) ~= "string" then native.fail("to: give a path, or true to get the text") end
  native.write_text(path, text)
end

-- A plugin's component. Results and the program write a component and its parameters as one text, which
-- people copy.
function options.spec(family, id, params)
  local name = id:match("^([^{]+){")
  if name then
    native.fail("cannot find %s '%s': an id has no parameters in it; give them as a table, "
      .. "as in cf.%s(\"%s\", { ... })", family, id, family, name)
  end
  return native.spec(family, id, params)
end

-- The first argument of cf.learner and its like: an id has come elsewhere, so it is a table of functions.
-- A name without quotes is nil, which is what beginners write.
function options.functions(what, given, example)
  if type(given) ~= "table" then
    native.fail("%s: expected an id or a table of functions, got a %s; put an id in quotes, as in cf.%s(\"%s\")", what,
      native.kind(given) or type(given), what, example)
  end
  return given
end

-- A dataset that is an argument, not an option.
function options.dataset(what, data)
  if native.kind(data) ~= "dataset" then
    native.fail("%s: expected a dataset, got %s %s", what, article(type_name(data)), type_name(data))
  end
end

-- `workers` as given by a script.
function options.workers(what, given)
  if given and (given < 0 or given > 4096) then
    native.fail("%s: workers = %d is out of range; use 1 to 4096, or 0 for one per core", what, given)
  end
  return given
end

local units = { [""] = 0, k = 1, m = 2, g = 3, t = 4 }

-- A size as bytes: a number of them, or text as in "512M" or "1.5GiB" (K = 1024); nil stays nil.
function options.bytes(what, given)
  if given == nil then return nil end
  local number, unit = given, ""
  if type(given) == "string" then
    number, unit = given:match("^%s*(%d+%.?%d*)%s*([kKmMgGtT]?)[iI]?[bB]?%s*$")
    number = tonumber(number)
  end
  local bytes = number and math.tointeger(math.floor(number * 1024.0 ^ units[unit:lower()]))
  if not bytes or bytes < 0 then
    native.fail("%s = '%s' is not a size; use bytes, or a string as in \"512M\"", what, tostring(given))
  end
  return bytes
end

-- Wraps the functions of a table that scripts call in planning.guard and native.entry; see there.
-- `owner` names the table in plans, as in "cf.".
function options.public(functions, names, owner)
  for _, name in ipairs(names) do
    functions[name] = native.entry(planning.guard(functions[name], (owner or "") .. name))
  end
  return functions
end

-- The same for methods of objects whose metatable is `class`. A call without the object, as in
-- result.scores(), is an error of the script. `with_options` names those of them that check named options
-- before they do anything, as options.declared needs it.
function options.methods(class, names, owner, with_options)
  for _, name in ipairs(names) do
    local method = class[name]
    class[name] = function(self, ...)
      if getmetatable(self) ~= class then
        native.fail("%s: expected its object, got %s %s; call it with a colon, as in object:%s(...)", name,
          article(type_name(self)), type_name(self), name)
      end
      return method(self, ...)
    end
  end
  options.public(class, names, owner)
  for _, name in ipairs(with_options or {}) do askable[class[name]] = true end
  return class
end

return options
