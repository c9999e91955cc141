-- Says for each row of a dataset to which level of a grouping it belongs: the values of a column, bins of a
-- numeric one, the rows that meet a condition and the rest, or what a function returns.
local native = require "crossfold.native"

local levels = {}

levels.missing = "(missing)"

-- More values than this of a numeric column are not levels.
local most_numbers = 12

local function fail(finding, way) native.fail("subgroups: option 'by': %s; %s", finding, way) end

local function is_missing(entry) return entry == nil or entry == native.null or entry ~= entry end

-- The names of all columns.
local function columns_of(data)
  local names, seen = {}, {}
  local function add(name)
    if type(name) == "string" and not seen[name] then seen[name], names[#names + 1] = true, name end
  end
  for _, name in ipairs(data:features()) do add(name) end
  for role, name in pairs(data:roles()) do
    if role ~= "positive" then add(name) end
  end
  table.sort(names)
  return names
end

local function text_of(entry)
  return type(entry) == "number" and native.format_number(entry) or tostring(entry)
end

-- The entries of a list whose texts differ, in order; and whether all are numbers.
local function distinct(entries)
  local found, list, numbers = {}, {}, true
  for _, entry in ipairs(entries) do
    if not is_missing(entry) then
      local text = text_of(entry)
      if not found[text] then found[text], list[#list + 1] = true, entry end
      numbers = numbers and type(entry) == "number"
    end
  end
  if numbers then
    table.sort(list)
    return list, numbers
  end
  local of_text, texts = {}, {}
  for i, entry in ipairs(list) do texts[i], of_text[text_of(entry)] = text_of(entry), entry end
  for i, text in ipairs(native.order_levels(texts)) do list[i] = of_text[text] end
  return list, numbers
end

-- Levels of each row from the entries, and their names in order.
local function by_entry(entries)
  local of_row, names, any = {}, {}, false
  for _, entry in ipairs((distinct(entries))) do
    if text_of(entry) ~= levels.missing then names[#names + 1] = text_of(entry) end
  end
  for i, entry in ipairs(entries) do
    of_row[i] = is_missing(entry) and levels.missing or text_of(entry)
    any = any or of_row[i] == levels.missing
  end
  if any then names[#names + 1] = levels.missing end
  return of_row, names
end

-- The same with as many bins as possible up to `bins`, each with about the same number of rows; equal numbers
-- are never parted.
local function by_bin(entries, bins)
  local sorted, edges = {}, {}
  for _, entry in ipairs(entries) do
    if not is_missing(entry) then sorted[#sorted + 1] = entry end
  end
  table.sort(sorted)
  for b = 1, bins do
    local edge = sorted[math.max(1, #sorted * b // bins)]
    if edge and edge ~= edges[#edges] then edges[#edges + 1] = edge end
  end
  local names = {}
  for b, edge in ipairs(edges) do
    names[b] = b == 1 and ("<= %s"):format(text_of(edge)) or b == #edges and ("> %s"):format(text_of(edges[b - 1]))
      or ("> %s and <= %s"):format(text_of(edges[b - 1]), text_of(edge))
  end
  local of_row, any = {}, false
  for i, entry in ipairs(entries) do
    if is_missing(entry) then
      of_row[i], any = levels.missing, true
    else
      local b = 1
      while entry > edges[b] do b = b + 1 end
      of_row[i] = names[b]
    end
  end
  if any then names[#names + 1] = levels.missing end
  return of_row, names
end

local function by_column(data, name, bins)
  local entries = data:column(name)
  local found, numbers = distinct(entries)
  if bins and not numbers then
    fail(("column '%s' is not numeric, so it has no bins"):format(name), "leave 'bins' out")
  end
  if bins then return by_bin(entries, bins) end
  if numbers and #found > most_numbers then
    fail(("column '%s' has %d different numbers"):format(name, #found),
      ("give bins = 4, a condition as in by = \"%s > %s\", or a function"):format(name, text_of(found[#found // 2])))
  end
  return by_entry(entries)
end

local function by_condition(data, expression)
  local rest, of_row = ("not (%s)"):format(expression), {}
  for i, inside in ipairs(native.subgroup_rows(expression, data)) do
    of_row[i] = inside and expression or rest
  end
  local names = { expression, rest }
  for _, name in ipairs(native.subgroup_columns(expression)) do
    for i, entry in ipairs(data:column(name)) do
      if is_missing(entry) then of_row[i], names[3] = levels.missing, levels.missing end
    end
  end
  return of_row, names
end

local function by_function(data, f)
  local names, columns, entries = columns_of(data), {}, {}
  for _, name in ipairs(names) do columns[name] = data:column(name) end
  for i = 1, #data do
    local row = {}
    for _, name in ipairs(names) do
      local entry = columns[name][i]
      if not is_missing(entry) then row[name] = entry end
    end
    local level = f(row)
    if level ~= nil and type(level) ~= "string" and type(level) ~= "number" and type(level) ~= "boolean" then
      fail(("the function returned a %s for row %d"):format(type(level), i), "return a string, a number, a boolean "
        .. "or nil")
    end
    entries[i] = level == nil and native.null or level
  end
  return by_entry(entries)
end

-- The level of each row by its id, and the names of the levels in their order. `by` is the name of a column, a
-- condition as in "age > 60 and sex = f", or a function of a row; `bins` parts a numeric column.
function levels.of(data, by, bins)
  local of_row, names
  if type(by) == "function" then
    of_row, names = by_function(data, by)
  else
    local is_column = false
    for _, name in ipairs(columns_of(data)) do is_column = is_column or name == by end
    if is_column or not by:find("[=<>]") then
      of_row, names = by_column(data, by, bins)
    else
      of_row, names = by_condition(data, by)
    end
  end
  local by_id = {}
  for i, id in ipairs(data:row_ids()) do by_id[id] = of_row[i] end
  return by_id, names
end

return levels
