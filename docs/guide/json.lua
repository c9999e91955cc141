-- Reads JSON texts as `crossfold plugin describe --json` writes them: `json.read(text)`. null becomes nil.
local M = {}

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function read_string(text, at)
  local parts = {}
  while true do
    local plain, mark, last = text:match('^([^"\\]*)(["\\])()', at)
    assert(plain, "a string that never ends")
    parts[#parts + 1] = plain
    if mark == '"' then return table.concat(parts), last end
    local code = text:match("^u(%x%x%x%x)", last)
    if code then
      parts[#parts + 1] = utf8.char(tonumber(code, 16))
      at = last + 5
    else
      local letter = text:sub(last, last)
      parts[#parts + 1] = escapes[letter] or letter
      at = last + 1
    end
  end
end

local read_value

-- The members of an object or the elements of a list, up to the closing mark.
local function read_members(text, at, close, take)
  at = text:match("^%s*()", at)
  if text:sub(at, at) == close then return at + 1 end
  while true do
    at = take(at)
    local mark, after = text:match("^%s*(.)%s*()", at)
    if mark == close then return select(2, text:find(close, at, true)) + 1 end
    assert(mark == ",", "a comma is missing")
    at = after
  end
end

local words = { ["true"] = true, ["false"] = false }

function read_value(text, at)
  at = text:match("^%s*()", at)
  local mark = text:sub(at, at)
  if mark == '"' then return read_string(text, at + 1) end
  local value = {}
  if mark == "{" then
    return value, read_members(text, at + 1, "}", function(from)
      local name, after = read_string(text, text:match('^%s*"()', from))
      local member, last = read_value(text, text:match("^%s*:()", after))
      value[name] = member
      return last
    end)
  elseif mark == "[" then
    return value, read_members(text, at + 1, "]", function(from)
      local element, last = read_value(text, from)
      value[#value + 1] = element
      return last
    end)
  end
  local word, after = text:match("^(%l+)()", at)
  if word then return words[word], after end
  local number, last = text:match("^(-?[%d.eE+-]+)()", at)
  return assert(tonumber(number), "no JSON value"), last, number
end

function M.read(text) return (read_value(text, 1)) end

return M
