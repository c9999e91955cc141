-- Makes crossfold.d.lua, the definitions for editors. The template has functions, methods and
-- results; the classes of options are made of the declarations in scripts/crossfold, before the first function
-- that takes them. @words(name) in the template are the words of options.arguments.
local options = require "crossfold.options"

local definitions = {}

-- What declarations call the types of the template.
local types = {
  learner = "crossfold.AnyLearner", learners = "crossfold.Learners", splitter = "crossfold.AnySplitter",
  metric = "crossfold.AnyMetric", metrics = "crossfold.Metrics", costs = "crossfold.Costs",
  output = "crossfold.Output", dataset = "crossfold.Dataset", model = "crossfold.Model",
  splits = "crossfold.Splits", prediction = "crossfold.Prediction",
}

-- Fields of classes of options that are not options.
local more_fields = {
  ["crossfold.ReportOptions"] = { "---@field [integer] any Results, curves, comparisons." },
}

local function quoted(words) return '"' .. table.concat(words, '"|"') .. '"' end

-- `text` with the types of the template; names of parameters, as in fun(data: dataset), stay.
local function template_types(text)
  return (text:gsub("()([%a_][%w_.]*)():?", function(from, name, to)
    if text:sub(from - 1, from - 1) == '"' or text:sub(to, to) == ":" then return nil end
    return types[name]
  end))
end

-- The type of a declared option.
local function type_of(one)
  local words, members = one.words or one.names, {}
  if words then members[1] = quoted(words) end
  if one.is then
    members[#members + 1] = template_types(one.is)
  else
    for member in one[1]:gsub("!$", ""):gmatch("[^|]+") do
      if not (words and member == "string") then members[#members + 1] = types[member] or member end
    end
  end
  return table.concat(members, "|")
end

local function field_line(name, one)
  local default = options.default(one)
  local needed = default == "required"
  local line = ("---@field %s%s %s %s"):format(name, needed and "" or "?", type_of(one), one.doc)
  return default and not needed and ("%s Default %s."):format(line, default) or line
end

-- The lines of the class of options that is called `class`.
local function class_lines(class, declared)
  local lines = { "---@class (exact) " .. class }
  table.move(more_fields[class] or {}, 1, 10, 2, lines)
  for _, name in ipairs(options.sorted_keys(declared)) do lines[#lines + 1] = field_line(name, declared[name]) end
  return lines
end

-- The parts of `text` between `separator`s outside of brackets and quotes.
local function split(text, separator)
  local parts, from, at, depth = {}, 1, 1, 0
  while at <= #text do
    local c = text:sub(at, at)
    if c == '"' then
      at = assert(text:find('"', at + 1, true), "no end of a string: " .. text)
    elseif c:find("[%(<{%[]") then
      depth = depth + 1
    elseif c:find("[%)>}%]]") then
      depth = depth - 1
    elseif depth == 0 and text:sub(at, at + #separator - 1) == separator then
      parts[#parts + 1] = text:sub(from, at - 1)
      from, at = at + #separator, at + #separator - 1
    end
    at = at + 1
  end
  parts[#parts + 1] = text:sub(from)
  return parts
end

-- The lines of "function f(a: integer, b?: string): boolean @nodiscard" of the template.
local function signature_lines(line)
  local lines, names = {}, {}
  local f, parameters, rest = line:match("^function ([%w_.:]+)(%b())(.*)$")
  for _, one in ipairs(split(parameters:sub(2, -2), ", ")) do
    local name, type = one:match("^([%w_.]+%??): (.*)$")
    if name then
      lines[#lines + 1] = ("---@param %s %s"):format(name, type)
      names[#names + 1] = name:match("[%w_.]+")
    end
  end
  local results, marked = rest:gsub(" @nodiscard$", "")
  if results ~= "" then lines[#lines + 1] = "---@return " .. results:sub(#": " + 1) end
  if marked > 0 then lines[#lines + 1] = "---@nodiscard" end
  lines[#lines + 1] = ("function %s(%s) end"):format(f, table.concat(names, ", "))
  return lines
end

-- The template as the server for editors reads it. Three things are shorter there: a function has the types of its
-- parameters and results in its line, "---@fields a integer; b string" are the fields that need no sentence, and
-- "---@plot roc CurvePlotOptions ROC curves." is cf.plot.roc with these options and this sentence.
local function expanded(template)
  local lines = {}
  template = template:gsub("%-%-%-@plot (%g+) (%g+) ([^\n]*)\n", "--- %3\n"
    .. "function cf.plot.%1(subject: any, options?: crossfold.%2): crossfold.Figure\n\n")
  for line in template:gmatch("([^\n]*)\n") do
    local fields = line:match("^%-%-%-@fields (.*)$")
    if fields then
      for _, one in ipairs(split(fields, "; ")) do lines[#lines + 1] = "---@field " .. one end
    elseif line:find("^function ") and not line:find(" end$") then
      for _, one in ipairs(signature_lines(line)) do lines[#lines + 1] = one end
    else
      lines[#lines + 1] = line
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- The names that the template defines itself.
local function defined_names(template)
  local defined = {}
  for line in template:gmatch("[^\n]+") do
    local name = line:match("^%-%-%-@class ([%w_.]+)") or line:match("^%-%-%-@alias ([%w_.]+)")
    if name then defined[name] = true end
  end
  return defined
end

-- The declaration of a class that a function of the template takes: of options inside options by the class, else
-- by the function, as "evaluate", "Result:curve" or ":report".
local function declaration_of(class, f)
  local method = f:match("(:.*)$")
  local declared = options.declaration(class:match("%.(.*)$")) or options.declaration((f:gsub("^cf%.", "")))
    or method and options.declaration(method)
  return declared or error(("cannot define '%s': nothing declares the options of %s"):format(class, f), 0)
end

-- Calls visit(class, declared, f) for every class of options, nested ones first, where a function `f` takes it.
local function each_class(text, f, defined, visit)
  for class in text:gmatch("crossfold%.%w+") do
    if not defined[class] then
      local declared = declaration_of(class, f)
      for _, name in ipairs(options.sorted_keys(declared)) do
        each_class(type_of(declared[name]), f, defined, visit)
      end
      visit(class, declared, f)
    end
  end
end

-- Reads the template: calls on_line(line) for each line, and visit as each_class does, before the comment of the
-- function that takes the class.
local function read(template, on_line, visit)
  local defined, comment = defined_names(template), {}
  for line in template:gmatch("([^\n]*)\n") do
    local f = line:match("^function ([%w_.:]+)%(")
    if f then
      for _, one in ipairs(comment) do
        if one:find("^%-%-%-@param") then each_class(one, f, defined, visit) end
      end
    end
    if line:find("^%-%-%-") then
      comment[#comment + 1] = line
    else
      for _, one in ipairs(comment) do on_line(one) end
      comment = {}
      on_line(line)
    end
  end
end

-- Calls visit(class, declared, f) for all functions and methods that take options, in the order of the template.
function definitions.each(template, visit) read(expanded(template), function() end, visit) end

-- The definitions of a template.
function definitions.text(template)
  local lines, made = {}, {}
  local function add(line)
    lines[#lines + 1] = line:gsub("@words(%b())", function(name) return quoted(options.arguments[name:sub(2, -2)]) end)
  end
  read(expanded(template), add, function(class, declared, f)
    local text = table.concat(class_lines(class, declared), "\n")
    if made[class] and made[class] ~= text then
      error(("cannot define '%s': the options of %s are others; give them a class of their own"):format(class, f), 0)
    end
    if not made[class] then
      if lines[#lines] ~= "" then lines[#lines + 1] = "" end
      lines[#lines + 1] = text .. "\n"
    end
    made[class] = text
  end)
  return table.concat(lines, "\n") .. "\n"
end

return definitions
