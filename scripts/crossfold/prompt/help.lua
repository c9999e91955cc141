-- help(): what the reference, docs/lua.md, says about a function or method, what a plugin declares about
-- its component, and which options a function takes. The texts are those of the reference and of plugins.
local native = require "crossfold.native"
local complete = require "crossfold.prompt.complete"
local options = require "crossfold.options"
local reference = require "crossfold.reference"
local values = require "crossfold.prompt.values"
local wrap = require "crossfold.prompt.wrap"

local help = {}

local prose_width = 96

-- Markdown as plain text on one line.
local function plain(text)
  text = text:gsub("%[([^%]]*)%]%(([^)]*)%)", function(shown, target)
    local page = target:match("^([%w_/.]+%.md)")
    if not page then return shown end
    return shown == page and "docs/" .. page or shown .. " (docs/" .. page .. ")"
  end)
  return (text:gsub("%*%*", ""):gsub("`", ""):gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

-- The cells of a row of a table; "\|" is not a border.
local function cells_of(line)
  local cells = {}
  for cell in line:gsub("\\|", "\1"):gmatch("|([^|]+)") do
    cells[#cells + 1] = (cell:gsub("\1", "|"):match("^%s*(.-)%s*$"))
  end
  return cells
end

-- Adds `line` to the block that it goes on with, or begins a new one.
local function add_line(blocks, state, line)
  local last = state.goes_on and blocks[#blocks]
  if line:find("^|") then
    if line:find("^|[-| :]*$") then
      blocks[#blocks] = nil  -- the names of the columns
    else
      local cells = cells_of(line)
      blocks[#blocks + 1] = {
        section = state.section, kind = "row", head = cells[1] or "", text = table.concat(cells, " ", 2),
      }
    end
    state.goes_on = false
  elseif line:find("^%* ") or not last then
    local item = line:match("^%* (.*)$")
    blocks[#blocks + 1] = {
      section = state.section, kind = item and "item" or "paragraph", head = item or line, text = item or line,
    }
    state.goes_on = true
  else
    last.text = last.text .. " " .. line
  end
end

-- The reference as blocks { section =, kind = "row", "item" or "paragraph", head = its beginning, text = }.
-- Programs in it are left out.
local function read_blocks(text)
  local blocks, state, fenced = {}, { goes_on = false, section = "" }, false
  for line in text:gmatch("([^\n]*)\n") do
    if line:find("^```") then
      fenced, state.goes_on = not fenced, false
    elseif line:find("^#") then
      state.section, state.goes_on = line:match("^##+%s*(.-)%s*$") or "", false
    elseif fenced or line:find("^%s*$") then
      state.goes_on = false
    else
      add_line(blocks, state, line)
    end
  end
  return blocks
end

local blocks = read_blocks(reference)

-- Whether code in `text` begins with `call`, as "cf.read" in "`cf.read(path)`".
local function has_call(text, call)
  local from = 1
  while true do
    local first, last = text:find(call, from, true)
    if not first then return false end
    if not text:sub(first - 1, first - 1):find("[%w_.:]") and not text:sub(last + 1, last + 1):find("[%w_]") then
      return true
    end
    from = last + 1
  end
end

-- The code that a block begins with: "`cf.learner(id)`" and what follows it with commas. And whether it
-- is more than one call.
local function opening_code(text)
  local opening = text:match("^`[^`]*`") or ""
  local several = false
  while text:find("^, `[^`]*`", #opening + 1) do
    opening, several = opening .. text:match("^, `[^`]*`", #opening + 1), true
  end
  return opening, several
end

-- The blocks that say what `call` is: rows, items and paragraphs that begin with it, and the items after a
-- paragraph that begins with it alone. Where there are none, those that mention it.
local function blocks_about(call)
  local found, mentions, following = {}, {}, nil
  for _, block in ipairs(blocks) do
    local opening, several = opening_code(block.text)
    local begins = block.kind == "row" and has_call(block.head, call) or has_call(opening, call)
    local goes_on = following == block.section and block.kind == "item"
    following = begins and block.kind == "paragraph" and not several and block.section or goes_on and following or nil
    if begins or goes_on then
      found[#found + 1] = block
    elseif has_call(block.text, call) then
      mentions[#mentions + 1] = block
    end
  end
  return #found > 0 and found or mentions
end

local function block_text(block)
  if block.kind == "row" then return plain(block.head) .. ": " .. plain(block.text) end
  return (block.kind == "item" and "* " or "") .. plain(block.text)
end

local function texts_of(list)
  local texts = {}
  for i, block in ipairs(list) do texts[i] = block_text(block) end
  return texts
end

-- A declaration of options as a table; nil if there are none.
local function options_text(declared)
  if not declared or next(declared) == nil then return nil end
  local rows = {}
  for i, key in ipairs(options.sorted_keys(declared)) do
    local one, takes = declared[key], options.takes(declared[key])
    local default = options.default(one)
    if default then takes = takes .. (default == "required" and ", " or ", default ") .. default end
    rows[i] = { option = key, takes = takes, meaning = one.doc }
  end
  return native.table_text({ "option", "takes", "meaning" }, rows)
end

-- About the function cf.`name`.
local function function_text(name)
  local found = blocks_about("cf." .. name)
  if #found == 0 then found = blocks_about("cf." .. name:gsub("%.[%w_]+$", ".*")) end
  local texts = texts_of(found)
  texts[#texts + 1] = options_text(options.declaration(name))
  if #texts == 0 then return "cf." .. name .. " is a function; docs/lua.md has no text about it" end
  return table.concat(texts, "\n\n")
end

-- All functions of the module by their name after "cf.".
local function functions(module)
  local found = {}
  for _, name in ipairs(values.names(module)) do
    local one = module[name]
    if type(one) == "function" then
      found[name] = one
    elseif type(one) == "table" and getmetatable(one) == nil then
      for _, inner in ipairs(values.names(one, "function")) do found[name .. "." .. inner] = one[inner] end
    end
  end
  return found
end

-- Those of the second level, in order.
local function section_names()
  local names, known = {}, {}
  for _, block in ipairs(blocks) do
    if block.section ~= "" and not known[block.section] then names[#names + 1] = block.section end
    known[block.section] = true
  end
  return names
end

local function section_text(name)
  local texts = {}
  for _, block in ipairs(blocks) do
    if block.section == name then texts[#texts + 1] = block_text(block) end
  end
  return table.concat(texts, "\n")
end

-- What help() says: where to look.
local function overview(module)
  local quoted = {}
  for i, name in ipairs(section_names()) do quoted[i] = '"' .. name .. '"' end
  local names = {}
  for _, name in ipairs(options.sorted_keys(functions(module))) do
    if not name:find(".", 1, true) then names[#names + 1] = name end
  end
  return table.concat({
    "help(cf.evaluate) or help(\"evaluate\"): a function and its options",
    "help(knn): a component, its parameters and what it can do",
    "help(x): the methods of a value",
    "help(\"Data\"): a part of the reference, docs/lua.md: " .. table.concat(quoted, ", "),
    "functions of cf: " .. table.concat(names, ", "),
    ":traceback on | off: call stacks of errors; :quit or Ctrl-D leaves; _ is the last value",
  }, "\n")
end

-- About the component or, where kinds share an id, the components called so; nil if there is none.
local function component_text(name)
  local texts = {}
  for _, one in ipairs(native.components()) do
    if one.id == name or one.short_id == name then
      texts[#texts + 1] = native.component(one.id, one.kind).text:gsub("\n+$", "")
    end
  end
  return #texts > 0 and table.concat(texts, "\n\n") or nil
end

-- About a name: of a function, of a component, of a method as in "result:scores", of a section.
local function name_text(module, name)
  local short = name:gsub("^cf%.", "")
  if functions(module)[short] then return function_text(short) end
  local text = component_text(name)
  if text then return text, true end
  for _, section in ipairs(section_names()) do
    if section:lower() == name:lower() then return section_text(section) end
  end
  local found = name:find(":", 1, true) and blocks_about(name) or {}
  if #found > 0 then return table.concat(texts_of(found), "\n\n") end
  local meant = native.known_names(name, complete.topics { module = module }):match("^did you mean [^?]*%?")
  native.fail("help: there is nothing about '%s'; %s", name, meant or "help() lists what there is")
end

-- The arguments before the options of methods that have to know them.
local in_front = { curve = { "roc" } }

-- The rows that have the method of this name, whatever is before the colon in them, and the
-- options of `f`, a method of `owner`.
local function method_text(name, f, owner)
  local found = {}
  for _, block in ipairs(blocks) do
    if block.kind == "row" and block.head:find("[%w_]:" .. name .. "%f[^%w_]") then
      found[#found + 1] = block
    end
  end
  local texts = texts_of(found)
  if options.is_askable(f) then
    texts[#texts + 1] = options_text((options.declared(f, owner, table.unpack(in_front[name] or {}))))
  end
  return #texts > 0 and table.concat(texts, "\n\n") or "a function"
end

-- "a dataset", "a Comparison", "a table".
local function kind_text(value)
  local meta = debug.getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  local kind = native.kind(value) or type(name) == "string" and name:match("^crossfold%.(.*)$") or type(value)
  return (kind:find("^[AEIOaeio]") and "an " or "a ") .. kind
end

-- Whether `value` is the module or a table of its functions.
function help.is_part(module, value)
  if value == module then return true end
  if type(value) ~= "table" then return false end
  for _, one in next, module do
    if one == value then return true end
  end
  return false
end

-- About any other value: its methods, or what it is.
local function value_text(module, value)
  local names = values.names(value, "function")
  if #names == 0 or type(value) == "string" then return kind_text(value) end
  for name, one in pairs(module) do
    if one == value then
      return ("functions of cf.%s: %s"):format(name, table.concat(names, ", "))
    end
  end
  local class = debug.getmetatable(value) and "methods " or "functions "
  return kind_text(value) .. " with the " .. class .. table.concat(names, ", ")
end

-- The text of help(...), and whether it is a component's.
local function answer(module, packed, name, owner)
  if packed.n == 0 then return overview(module) end
  local value = packed[1]
  if type(value) == "string" then return name_text(module, value) end
  if value == nil then
    native.fail("help: the value is nil; give a name in quotes, as in help(\"knn\")")
  end
  if type(value) == "function" then
    for key, f in pairs(functions(module)) do
      if f == value then return function_text(key) end
    end
    return method_text(name and name:match("[^.:]*$") or "?", value, owner)
  end
  local kind = native.kind(value)
  if kind == "metric" or kind == "splitter" or kind == "transform" then
    return native.component(value:id(), kind).text:gsub("\n+$", ""), true
  end
  if value == module then return overview(module) end
  return value_text(module, value)
end

-- The text of help(...) for packed arguments; `name` is how the value was written, or nil, and `owner`
-- what is before its last name. As wide as a terminal of `columns`; without, a component's text is
-- that of `crossfold plugin describe`.
function help.text(module, packed, name, owner, columns)
  local text, is_component = answer(module, packed, name, owner)
  if is_component and not columns then return text end
  return wrap.text(text, columns or math.huge, prose_width)
end

return help
