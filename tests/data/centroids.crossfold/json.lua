-- Reads JSON. Null is nil; a list is a table with the keys 1, 2 and so on.
local json = {}

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local words = { ["true"] = true, ["false"] = false }
local read

local function after_space(text, at) return text:match("^%s*()", at) end

local function read_string(text, at)
  local parts = {}
  while true do
    local plain, stop = text:match('^([^"\\]*)()', at)
    parts[#parts + 1] = plain
    if text:sub(stop, stop) == '"' then return table.concat(parts), stop + 1 end
    local letter = text:sub(stop + 1, stop + 1)
    if letter == "u" then
      parts[#parts + 1] = utf8.char(tonumber(text:sub(stop + 2, stop + 5), 16))
      at = stop + 6
    else
      parts[#parts + 1] = escapes[letter] or letter
      at = stop + 2
    end
  end
end

-- Reads what is between two brackets; `add` reads one entry and returns the place after it.
local function read_entries(text, at, close, add)
  at = after_space(text, at)
  while text:sub(at, at) ~= close do
    at = after_space(text, add(at))
    if text:sub(at, at) == "," then at = after_space(text, at + 1) end
  end
  return at + 1
end

function read(text, at)
  at = after_space(text, at)
  local first = text:sub(at, at)
  local value = {}
  if first == '"' then return read_string(text, at + 1) end
  if first == "{" then
    return value, read_entries(text, at + 1, "}", function(entry)
      local key, colon = read_string(text, entry + 1)
      value[key], entry = read(text, after_space(text, colon) + 1)
      return entry
    end)
  end
  if first == "[" then
    return value, read_entries(text, at + 1, "]", function(entry)
      value[#value + 1], entry = read(text, entry)
      return entry
    end)
  end
  local word, stop = text:match("^([%w.+-]+)()", at)
  return words[word] == nil and tonumber(word) or words[word], stop
end

function json.read(text) return (read(text, 1)) end

return json
