-- Reads the entries of predictions that another tool made: from a file or a table, column by column, as values that
-- are checked against the data.
local native = require "crossfold.native"
local dataset = require "crossfold.dataset"
local read = require "crossfold.read"

local entries = {}

local null = native.null

local function is_missing(value) return value == nil or value == null or value ~= value end

-- An entry as text: "3" of 3.0.
local function text_of(value)
  return type(value) == "number" and native.format_number(value) or tostring(value)
end

-- The columns that options name, once each; those of labels are read as the text of the file.
local function label_columns(o, is_regression)
  local types = {}
  for _, name in ipairs { o.learner_column or false, not is_regression and o.label or false,
    not is_regression and o.truth or false } do
    if name then types[name] = "categorical" end
  end
  return types
end

-- The predictions as a dataset, which has the columns, and where they come from: { text =, sha256 = }.
function entries.open(o, is_regression)
  if o.file then
    local given = { types = label_columns(o, is_regression) }
    for name, value in pairs(o.read or {}) do
      if name ~= "types" then given[name] = value end
    end
    for name, value in pairs(o.read and o.read.types or {}) do given.types[name] = value end
    local found = read.of(o.file, given)
    local name = o.file:match("[^/\\]+$") or o.file
    return found, { text = name, sha256 = native.file_sha256(o.file) or found:hash() }
  end
  local found = o.predictions
  if native.kind(found) ~= "dataset" then
    local columns, names = {}, {}
    for name in pairs(found) do names[#names + 1] = tostring(name) end
    table.sort(names)
    for i, name in ipairs(names) do columns[i] = { name = name, values = found[name] } end
    found = dataset.new { name = "predictions", columns = columns, infinite = "keep" }  -- refused with all entries
  end
  return found, { text = ("table '%s'"):format(found:name()), sha256 = found:hash() }
end

-- The names of all columns of a dataset.
local function names_of(found)
  local names, roles = found:features(), found:roles()
  for _, role in ipairs { "target", "weights", "groups", "time", "folds", "strata" } do
    if roles[role] then names[#names + 1] = roles[role] end
  end
  for _, name in ipairs(roles.coordinates or {}) do names[#names + 1] = name end
  return names
end

-- Entries of the column that `option` names, or nil if it names none; a column that is missing is a problem.
function entries.column(found, name, option, problems)
  if name == nil then return nil end
  local names = names_of(found)
  for _, known in ipairs(names) do
    if known == name then return found:column(name) end
  end
  problems:add(("there is no column '%s' (option '%s')"):format(name, option), nil, nil,
    native.known_names(name, names))
  return nil
end

-- What finds the class of an entry by its text; "2:no" is Weka's way to write "no".
function entries.class_finder(data)
  local classes, by_number = {}, {}
  for _, class in ipairs(data:classes()) do
    classes[class] = class
    if tonumber(class) then by_number[tonumber(class)] = class end
  end
  return function(value)
    local text = text_of(value)
    return classes[text] or by_number[tonumber(text) or false] or classes[text:match("^%d+:(.+)$") or false]
  end
end

-- One column per class of the data, in their order, and the place of the class that has none: 1 minus the others.
-- `given`: { class = column }, a list in the order of the classes, or "p_*", where * is the class.
local function probability_names(given, classes, problems)
  local names, known, absent, n_absent = {}, {}, nil, 0
  for c, class in ipairs(classes) do
    known[class] = true
    if type(given) == "string" then
      names[c] = given:gsub("%*", function() return class end)
    else
      names[c] = given[class] or given[c]
    end
    if names[c] == nil then absent, n_absent = c, n_absent + 1 end
  end
  for name in pairs(type(given) == "table" and given or {}) do
    if not known[name] and not (math.type(name) == "integer" and classes[name]) then
      problems:add(("option 'probabilities' names '%s', which is not a class"):format(tostring(name)), nil, nil,
        "the classes are " .. table.concat(classes, ", "))
    end
  end
  if n_absent > (#classes == 2 and 1 or 0) then
    problems:add(("option 'probabilities' names columns of %d of %d classes"):format(#classes - n_absent, #classes),
      nil, nil, "name one for each of " .. table.concat(classes, ", "))
  end
  return names, absent
end

-- columns[c][i]: the probability of class c in entry i.
function entries.probabilities(found, given, classes, problems)
  if given == nil then return nil end
  local names, absent = probability_names(given, classes, problems)
  local columns = {}
  for c = 1, #classes do
    columns[c] = entries.column(found, names[c], "probabilities", problems) or {}
  end
  if absent and #classes == 2 then
    local other = columns[3 - absent]
    for i, p in ipairs(other) do columns[absent][i] = type(p) == "number" and 1 - p or p end
  end
  return columns
end

-- The place of each row of the data by the text of its entry in column `key`, which must identify it.
local function places_by_key(data, key, problems)
  local places = {}
  for place, value in ipairs(data:column(key)) do
    local text = text_of(value)
    if is_missing(value) or places[text] then
      problems:add(("column '%s' of '%s' does not identify each row"):format(key, data:name()), "row", place)
    end
    places[text] = place
  end
  return places
end

-- The place that a number of a row stands for, which may be outside of the data; nil of what is not such a number.
local function place_of_number(value, first_row)
  local number = type(value) ~= "boolean" and not is_missing(value) and math.tointeger(tonumber(value))
  return number and number - first_row + 1 or nil
end

-- The place in `data` of each entry, from 1; nil where it has none, which is a problem. `column`: row numbers, the
-- first of which is o.first_row, or entries of the column o.key of the data; nil: entry i is of row i.
function entries.places(column, n, data, o, problems)
  local places, by_key = {}, o.key and places_by_key(data, o.key, problems)
  for i = 1, n do
    local place = i
    if column and by_key then
      place = by_key[text_of(column[i])]
    elseif column then
      place = place_of_number(column[i], o.first_row)
    end
    if place and place >= 1 and place <= #data then
      places[i] = place
    elseif by_key then
      problems:add(("row not found in column '%s' of '%s'"):format(o.key, data:name()), "entry", i)
    elseif column then
      problems:add(("row number not in %d .. %d"):format(o.first_row, o.first_row + #data - 1), "entry", i,
        place == 0 and o.first_row == 1 and "tools that count rows from 0 need first_row = 0" or nil)
    else
      problems:add(("more predictions than the %d rows of '%s'"):format(#data, data:name()), "entry", i,
        "name the column of row numbers with row")
    end
  end
  return places
end

entries.is_missing, entries.text_of = is_missing, text_of

return entries
