-- Finds what is open at the end of a piece of Lua: brackets, a string, the item between two commas. Reads
-- text that is not finished yet, as it is before a cursor.
local open_text = {}

local closing = { ["("] = ")", ["{"] = "}", ["["] = "]" }

-- The end of the short string that begins at `from`, or nil if it is open.
local function string_end(text, from)
  local quote, i = text:sub(from, from), from + 1
  while i <= #text do
    local c = text:sub(i, i)
    if c == quote then return i end
    if c == "\n" then return i end  -- a string that was never closed ends with its line
    i = i + (c == "\\" and 2 or 1)
  end
end

-- The end of the long bracket "[[", "[=[" ... at `from`: nil = it is open, false = there is none.
local function long_end(text, from)
  local level = text:match("^%[(=*)%[", from)
  if not level then return false end
  local _, last = text:find("]" .. level .. "]", from + #level + 2, true)
  return last
end

-- The end of the comment at `from`, or nil if it is open.
local function comment_end(text, from)
  local last = long_end(text, from + 2)
  if last == false then last = text:find("\n", from, true) end
  return last
end

-- What stands at `at`, "string", "comment" or another "character", and where it ends.
function open_text.piece(text, at)
  local c = text:sub(at, at)
  if text:find("^%-%-", at) then return "comment", comment_end(text, at) or #text end
  if c == '"' or c == "'" then return "string", string_end(text, at) or #text end
  local last = c == "[" and long_end(text, at)
  if c == "[" and last ~= false then return "string", last or #text end
  return "character", at
end

-- The path of names that ends before position `at`, as in "cf.stats.t_test" or "result:curve"; that of
-- rows[1] is "rows.1".
local function path_before(text, at)
  local path = text:sub(1, at - 1):match("([%a_][%w_.:%[%]]*)%s*$")
  path = path and path:gsub("%[(%d+)%]", ".%1"):match("[^%[%]]*$")
  return path ~= "" and path or nil
end

local function note_bracket(text, frames, at, char)
  local outer = frames[#frames]
  frames[#frames + 1] = {
    char = char, at = at, item = at + 1, index = 1, items = {}, literals = {}, callee = path_before(text, at),
    -- The key whose value this is, as in metrics = { ...
    key = outer.char == "{" and text:sub(outer.item, at - 1):match("^%s*([%a_][%w_]*)%s*=%s*$") or nil,
  }
end

-- Frames, the innermost last: { char = "(" or "{" or "[", at = its position, callee = the path before
-- it or nil, item = where its current item begins, index = the number of that, literals = strings that
-- are items of it, by index, items = the text of those before the current one, key = the key whose value
-- it is }. The first frame is the text itself, with the char "". A second result is the open string as { from =
-- its first character, quote = } or nil, and whether the text ends in a comment.
function open_text.read(text)
  local frames, i = { { char = "", at = 0, item = 1, index = 1, items = {}, literals = {} } }, 1
  while i <= #text do
    local c, frame = text:sub(i, i), frames[#frames]
    if text:find("^%-%-", i) then
      i = comment_end(text, i)
      if not i then return frames, nil, true end
    elseif c == '"' or c == "'" then
      local last = string_end(text, i)
      if not last then return frames, { from = i + 1, quote = c } end
      if text:sub(frame.item, i - 1):find("^%s*$") then
        frame.literals[frame.index] = text:sub(i + 1, last - 1)
      end
      i = last
    elseif c == "[" and long_end(text, i) ~= false then
      i = long_end(text, i)
      if not i then return frames, { from = #text + 1, quote = "]]" } end
    elseif closing[c] then
      note_bracket(text, frames, i, c)
    elseif c == closing[frame.char] then
      frames[#frames] = nil
    elseif (c == "," or c == ";") and frame.char ~= "" then
      frame.items[frame.index] = text:sub(frame.item, i - 1)
      frame.item, frame.index = i + 1, frame.index + 1
    elseif (c == "\n" or c == ";") and frame.char == "" then
      frame.item = i + 1
    end
    i = i + 1
  end
  return frames
end

-- What is typed of a key at the end of the text, if a key may stand there: "k" of "{ a = 1, k".
function open_text.key_prefix(text, frame)
  return frame.char == "{" and text:sub(frame.item):match("^%s*([%w_]*)$") or nil
end

-- The key that the current item of the frame gives a value: "metric" of "{ metric = 'ac".
function open_text.item_key(text, frame)
  return frame.char == "{" and text:sub(frame.item):match("^%s*([%a_][%w_]*)%s*=[^=]") or nil
end

return open_text
