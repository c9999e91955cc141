-- A strict check of XML for the tests: well-formed, without entities beyond the five, and nothing that
-- runs or fetches.
local markup = {}

local function fail(text, at, finding)
  error(("%s at byte %d: %s"):format(finding, at, text:sub(at, at + 60)), 0)
end

local known = { ["&amp;"] = true, ["&lt;"] = true, ["&gt;"] = true, ["&quot;"] = true,
  ["&#39;"] = true }

local function check_text(text, from, to)
  for at in text:sub(from, to):gmatch("()&") do
    local entity = text:match("^&[^;]*;", from + at - 1)
    if not known[entity] then fail(text, from + at - 1, "no entity") end
  end
  if text:sub(from, to):find("<", 1, true) then fail(text, from, "a bare <") end
end

-- The attributes of a tag as a table; `at` is after the name.
local function attributes(text, at, stop)
  local list = {}
  while at <= stop do
    local name, value, next_at = text:match('^%s+([%w:_-]+)="([^"<]*)"()', at)
    if not name then
      if text:sub(at, stop):find("^%s*$") then return list end
      fail(text, at, "no attribute")
    end
    if list[name] then fail(text, at, "an attribute twice") end
    check_text(text, at, next_at - 1)
    list[name], at = value, next_at
  end
  return list
end

-- Raises unless `text` is one element of XML, after an optional header. Returns its elements: {
-- name, attributes }, in order.
function markup.check(text)
  local valid, bad = utf8.len(text)
  if not valid then fail(text, bad, "no UTF-8") end
  if text:find("[%z\1-\8\11\12\14-\31\127]") then fail(text, 1, "a control character") end
  local at, open, elements = 1, {}, {}
  at = text:match('^<%?xml version="1.0" encoding="UTF%-8"%?>\n()') or at
  while at <= #text do
    local from, to, closing, name, rest, empty = text:find("<(/?)([%a][%w]*)([^<>]-)(/?)>", at)
    if not from then break end
    check_text(text, at, from - 1)
    if #open == 0 and #elements > 0 then fail(text, from, "a second element") end
    if closing == "/" then
      if table.remove(open) ~= name then fail(text, from, "a wrong end") end
    else
      elements[#elements + 1] = { name, attributes(text, from + 1 + #name, from + #name + #rest) }
      if empty == "" then open[#open + 1] = name end
    end
    at = to + 1
  end
  if #open > 0 then fail(text, #text, "no end of " .. open[#open]) end
  if text:sub(at):find("%S") then fail(text, at, "text after the end") end
  for _, element in ipairs(elements) do
    if element[1] == "script" or element[2].id or element[2].href or element[2]["xlink:href"] then
      error("a script, id or reference: " .. element[1], 0)
    end
  end
  return elements
end

-- Elements of a name.
function markup.count(elements, name, class)
  local n = 0
  for _, element in ipairs(elements) do
    if element[1] == name and (not class or (element[2].class or ""):find(class, 1, true)) then
      n = n + 1
    end
  end
  return n
end

return markup
