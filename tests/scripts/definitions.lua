-- What the definitions for editors define, which docs/reference makes of the declarations of the module:
--   functions[name] = { parameters = { { name =, optional =, type = }, ... }, returns = { type, ... } }
--   classes[name]   = { parents = {...}, exact =, fields = { name = { optional =, type =, class = } },
--                       methods = { name = true } }
--   aliases[name]   = type
-- A type is the list of the members of a union, as texts: { '"holm"', "string[]", "nil" }.
local definitions = {}
definitions.__index = definitions

-- The end of one member of a union that begins at `from`.
local function member_end(text, from)
  local function at(pattern) return select(2, text:find("^" .. pattern, from)) end
  local stop = at('"[^"]*"') or at("%b{}") or at("%b()") or at("fun%b()")
  if not stop then
    stop = assert(at("%-?[%w_.]+"), "no type: " .. text)
    stop = select(2, text:find("^%b<>", stop + 1)) or stop
  end
  if text:find("^fun%(", from) then
    local result = select(2, text:find("^:%s*[%w_.%[%]?]+", stop + 1))
    while result do
      stop, result = result, select(2, text:find("^,%s*[%w_.%[%]?]+", result + 1))
    end
    return stop
  end
  while text:find("^%[%]", stop + 1) do stop = stop + 2 end
  return stop
end

-- The type that stands at `from`, and where it ends.
local function read_type(text, from)
  local members = {}
  from = from or 1
  while true do
    local stop = member_end(text, from)
    members[#members + 1] = text:sub(from, stop)
    if text:sub(stop + 1, stop + 1) == "?" then
      members[#members + 1] = "nil"
      stop = stop + 1
    end
    if text:sub(stop + 1, stop + 1) ~= "|" then return members, stop end
    from = stop + 2
  end
end

-- Types with commas between them.
local function read_types(text)
  local types, stop = {}, 0
  repeat
    types[#types + 1], stop = read_type(text, stop + 1)
    stop = select(2, text:find("^,%s*", stop + 1))
  until not stop
  return types
end

-- One line; what belongs to the next function or object is kept in `now` until that comes.
local function read_line(self, line, now)
  local name, parents = line:gsub("%(exact%) ", ""):match("^%-%-%-@class%s+([%w_.]+):?%s*(.*)$")
  local field, optional, of_field = line:match("^%-%-%-@field%s+([%w_]+)(%??)%s+(.*)$")
  local parameter, may_lack, of_parameter = line:match("^%-%-%-@param%s+([%w_.]+)(%??)%s+(.*)$")
  local alias, of_alias = line:match("^%-%-%-@alias%s+([%w_.]+)%s*(.*)$")
  local alternative = line:match("^%-%-%-|%s*(.*)$")
  local returned = line:match("^%-%-%-@return%s+(.*)$")
  local object, defined = line:match("^local (%w+) = {}$"), line:match("^function ([%w_.:]+)%(")
  if name then
    now.class = { name = name, parents = {}, fields = {}, methods = {},
      exact = line:find("(exact)", 1, true) ~= nil }
    for parent in parents:gmatch("[%w_.]+") do table.insert(now.class.parents, parent) end
    self.classes[name] = now.class
  elseif field then
    now.class.fields[field] = { optional = optional == "?", type = (read_type(of_field)),
      class = now.class.name }
  elseif alias then
    now.alias = of_alias == "" and {} or read_type(of_alias)
    self.aliases[alias] = now.alias
  elseif alternative then
    table.move(read_type(alternative), 1, 1, #now.alias + 1, now.alias)
  elseif parameter then
    table.insert(now.parameters,
      { name = parameter, optional = may_lack == "?", type = read_type(of_parameter) })
  elseif returned then
    now.returns = now.returns or read_types(returned)
  elseif object then
    now.objects[object] = now.class
  elseif defined then
    self.functions[defined] = { parameters = now.parameters, returns = now.returns }
    now.parameters, now.returns = {}, nil
    local owner, method = defined:match("^(%w+):([%w_]+)$")
    if owner then assert(now.objects[owner], owner .. " is not an object").methods[method] = true end
  end
end

-- The type that a text begins with.
function definitions.type(text) return (read_type(text)) end

function definitions.read()
  local self = setmetatable({ functions = {}, classes = {}, aliases = {} }, definitions)
  local now = { objects = {}, parameters = {} }
  for line in definitions.text():gmatch("[^\n]+") do read_line(self, line, now) end
  return self
end

-- crossfold.d.lua, as the build makes it.
function definitions.text()
  local folder = data_folder .. "/../../docs/reference/"
  local file <close> = assert(io.open(folder .. "crossfold.d.lua.in", "rb"))
  return dofile(folder .. "definitions.lua").text(file:read("a"))
end

-- The fields of a class and of those that it inherits, by name; or its methods, with "methods".
function definitions:members(name, what, all)
  all = all or {}
  local class = assert(self.classes[name], "there is no class " .. name)
  for _, parent in ipairs(class.parents) do self:members(parent, what, all) end
  for member, of_member in pairs(class[what or "fields"]) do all[member] = of_member end
  return all
end

-- The class of the options that a function or method takes; nil if it takes none.
function definitions:options_class(name)
  for _, parameter in ipairs(assert(self.functions[name], name .. " is not defined").parameters) do
    for _, member in ipairs(parameter.type) do
      local class = self.classes[member]
      if class and class.exact then return member end
    end
  end
end

-- The members of a type without aliases.
function definitions:expanded(members)
  local all = {}
  for _, member in ipairs(members) do
    for _, one in ipairs(self.aliases[member] and self:expanded(self.aliases[member]) or { member }) do
      all[#all + 1] = one
    end
  end
  return all
end

-- The words of a type, sorted; nil if it has none.
function definitions:words(members)
  local words = {}
  for _, member in ipairs(self:expanded(members)) do words[#words + 1] = member:match('^"(.*)"$') end
  table.sort(words)
  return words[1] and words
end

return definitions
