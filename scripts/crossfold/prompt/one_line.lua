-- A chunk of several lines as one line, for the history of a prompt: it means the same in Lua.
local open_text = require "crossfold.prompt.open_text"

-- Nil if there is no such line: a string goes over the end of one.
return function(text)
  local parts, behind_blank, i = {}, false, 1
  while i <= #text do
    local kind, last = open_text.piece(text, i)
    local piece = text:sub(i, last)
    if kind == "string" and piece:find("\n", 1, true) then return nil end
    local is_blank = kind == "comment" or kind == "character" and piece:find("%s") ~= nil
    if not is_blank then
      parts[#parts + 1] = piece
    elseif not behind_blank then
      parts[#parts + 1] = " "
    end
    behind_blank = is_blank
    i = last + 1
  end
  return (table.concat(parts):gsub("%s+$", ""))
end
