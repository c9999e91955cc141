-- Shows values at the prompt: results by their own text, lists of rows as tables, other tables with
-- sorted keys and bounds on depth and size.
local native = require "crossfold.native"
local wrap = require "crossfold.prompt.wrap"

local show = {}

local most_rows, most_entries, most_depth, usual_width = 20, 50, 4, 100

-- Columns of rows come in this order, as in the documentation; the others after them by name.
local first_columns = {
  "learner", "dataset", "repeat_", "fold", "row", "metric", "aggregation", "parameter", "value", "mean", "sd",
  "min", "max",
}

local function number_text(number)
  if number ~= number then return "nan" end
  if number == math.huge then return "inf" elseif number == -math.huge then return "-inf" end
  local text = native.format_number(number)
  if math.type(number) == "float" and not text:find("[.e]") then text = text .. ".0" end
  return text
end

local escapes = { ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r", ['"'] = '\\"', ["\\"] = "\\\\" }

local function quoted(text)
  return '"' .. text:gsub('[%c"\\\127]', function(c)
    return escapes[c] or ("\\%03d"):format(c:byte())
  end) .. '"'
end

local function has_own_text(value)
  local meta = debug.getmetatable(value)
  return type(meta) == "table" and (rawget(meta, "__tostring") or rawget(meta, "__name")) ~= nil
end

-- A value that is not a plain table, on its own; addresses differ between processes and say nothing.
local function scalar_text(value, nested)
  local kind = type(value)
  if kind == "number" then return number_text(value) end
  if kind == "string" then return nested and quoted(value) or value end
  if value == native.null then return "cf.null" end
  if kind == "function" or kind == "thread" then return kind end
  if (kind == "table" or kind == "userdata") and has_own_text(value) then
    return (tostring(value):gsub(": 0x%x+$", ""))
  end
  return kind == "userdata" and kind or tostring(value)
end

local function is_plain(value) return type(value) == "table" and not has_own_text(value) end

local type_order = { number = 1, string = 2 }

-- Keys after the list part: numbers, then strings, then the rest by their text.
local function sorted_keys(t, n)
  local keys = {}
  for key in next, t do
    if not (math.type(key) == "integer" and key >= 1 and key <= n) then keys[#keys + 1] = key end
  end
  local text = {}
  for _, key in ipairs(keys) do text[key] = scalar_text(key, true) end
  table.sort(keys, function(a, b)
    local order_a, order_b = type_order[type(a)] or 3, type_order[type(b)] or 3
    if order_a ~= order_b then return order_a < order_b end
    if order_a == 1 then return a < b end
    return text[a] < text[b]
  end)
  return keys
end

local function key_text(key)
  if type(key) == "string" and key:find("^[%a_][%w_]*$") then return key end
  return "[" .. (is_plain(key) and "table" or scalar_text(key, true)) .. "]"
end

local table_text

local function value_text(value, depth, path)
  return is_plain(value) and table_text(value, depth, path) or scalar_text(value, true)
end

-- A plain table on one line if it fits, else one entry per line. `path` holds the tables around it, and the width of
-- lines.
function table_text(t, depth, path)
  if next(t) == nil then return "{}" end
  if path[t] then return "{ ... itself }" end
  if depth > most_depth then return "{ ... }" end
  path[t] = true
  local n, parts = 0, {}
  while rawget(t, n + 1) ~= nil do n = n + 1 end
  for i = 1, math.min(n, most_entries) do parts[i] = value_text(rawget(t, i), depth + 1, path) end
  local left = math.max(n - most_entries, 0)
  for _, key in ipairs(sorted_keys(t, n)) do
    if #parts >= most_entries then
      left = left + 1
    else
      parts[#parts + 1] = key_text(key) .. " = " .. value_text(rawget(t, key), depth + 1, path)
    end
  end
  path[t] = nil
  if left > 0 then parts[#parts + 1] = ("... %d more"):format(left) end
  local line = "{ " .. table.concat(parts, ", ") .. " }"
  local indent = ("  "):rep(depth)
  if #line + #indent <= path.width and not line:find("\n", 1, true) then return line end
  return "{\n" .. indent .. table.concat(parts, ",\n" .. indent) .. "\n" .. ("  "):rep(depth - 1) .. "}"
end

-- The columns of a list of rows { learner =, fold =, ... }; nil if `t` is not such a list.
local function columns_of(t)
  local n = #t
  if n == 0 then return nil end
  local known = {}
  for key, row in next, t do
    if math.type(key) ~= "integer" or not is_plain(row) or next(row) == nil then return nil end
    for name in next, row do
      if type(name) ~= "string" then return nil end
      known[name] = true
    end
  end
  local columns = {}
  for _, name in ipairs(first_columns) do
    if known[name] then
      columns[#columns + 1] = name
      known[name] = nil
    end
  end
  for _, name in ipairs(sorted_keys(known, 0)) do columns[#columns + 1] = name end
  return columns
end

-- A list of rows as an aligned table; what is neither a number nor text is shown in one line.
local function rows_text(t, columns)
  local rows = {}
  for i = 1, math.min(#t, most_rows) do
    local row = {}
    for _, name in ipairs(columns) do
      local value = t[i][name]
      if is_plain(value) or type(value) == "userdata" and value ~= native.null or type(value) == "function" then
        value = value_text(value, 2, { width = usual_width }):gsub("%s+", " ")
      end
      row[name] = value
    end
    rows[i] = row
  end
  local text = native.table_text(columns, rows)
  if #t > most_rows then text = text .. ("\n... %d more rows of %d"):format(#t - most_rows, #t) end
  return text
end

-- A figure that is not wider than the terminal; nil for other values.
local function figure_text(value, columns)
  local meta = columns < 80 and type(value) == "table" and debug.getmetatable(value)
  if not meta or rawget(meta, "__name") ~= "crossfold.Figure" then return nil end
  return value:text { width = math.max(30, columns - 1) }
end

-- One value as text without a newline at its end, for a terminal of that number of columns if it is given.
function show.text(value, columns)
  local text
  if is_plain(value) then
    local names = columns_of(value)
    local room = { width = math.min(usual_width, columns or usual_width) }
    if not names then return table_text(value, 1, room) end
    text = rows_text(value, names)
  elseif type(value) == "table" or type(value) == "userdata" then
    text = columns and figure_text(value, columns) or scalar_text(value)
  else
    return (scalar_text(value):gsub("\n+$", ""))
  end
  text = text:gsub("\n+$", "")
  return columns and wrap.text(text, columns) or text
end

-- The values of table.pack, side by side if each is one line, else one below the other.
function show.all(packed, columns)
  local texts, long = {}, false
  for i = 1, packed.n do
    texts[i] = show.text(packed[i], columns)
    long = long or texts[i]:find("\n", 1, true) ~= nil
  end
  return table.concat(texts, long and "\n" or "\t")
end

return show
