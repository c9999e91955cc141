-- People read plain English: `lua5.4 plain_english.lua ROOT [FOLDER...]`.
--   Finds words of the table in CONTRIBUTING.md in comments and strings of C, C++ and Lua, in Markdown outside of
--   code, and in all lines of other files. The table is longer: these are the words without a good use.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]

-- Folders and files that are clean; others may be given.
local clean = { "core", "docs", "plugins", "scripts", "sdk", "README.md", "CONTRIBUTING.md" }

local function is_there(name)
  local file = io.open(root .. "/" .. name)
  if file then file:close() end
  return file ~= nil
end

local folders = {}
for _, name in ipairs(#arg > 1 and { table.unpack(arg, 2) } or clean) do
  if is_there(name) then folders[#folders + 1] = name end
end

-- C headers of the plugin ABI are frozen with their comments, and the SQL of stores is part of every store.
local function is_frozen(name)
  return name:find("^sdk/include/.*%.h$") ~= nil or name == "core/store/cells/schema.h"
end

-- Lua pattern in lower case (%f[] = a word begins or ends) -> what to write.
local rules = {
  { "%f[%a]behind%f[%A]", "write 'after'" },
  { "%f[%a]in front of%f[%A]", "write 'before'" },
  { "%f[%a]anew%f[%A]", "write 'again'" },
  { "%f[%a]mend[eis]?[dns]?g?%f[%A]", "write 'fix'" },
  { "%f[%a]told%f[%A]", "write 'reported' or 'given'" },
  { "for the [%d{}%%]*d?%. time", "write 'on call 1'" },
}

-- "is no X" is stiff if X is a noun, except in "there is no X"; these words are not nouns.
local no_nouns = { longer = true, more = true, less = true, fewer = true, better = true, worse = true, later = true,
                   earlier = true, larger = true, smaller = true, greater = true, higher = true, lower = true,
                   different = true, one = true }

local findings = {}
local function add(name, number, words, advice)
  findings[#findings + 1] = ("%s:%d: '%s': %s"):format(name, number, words:gsub("%s+", " "), advice)
end

-- Markdown: lines in fences, indented blocks and `code` are empty.
local function markdown(lines)
  local out, fence = {}, nil
  for i, line in ipairs(lines) do
    local mark = line:match("^%s*(```+)")
    local inside = fence or mark or line:find("^    ")
    if mark and (not fence or fence == mark) then fence = not fence and mark or nil end
    out[i] = inside and "" or line:gsub("``[^`].-``", "`"):gsub("`[^`]*`", "`")
  end
  return out
end

-- The comments and strings of a program, line by line. `opening(text, at)` returns the content of a comment or string
-- that begins at `at` and the first position after it, or nil.
local function program(text, opening)
  local out, number, at = { "" }, 1, 1
  local function next_line()
    number = number + 1
    out[number] = ""
  end
  while at <= #text do
    local content, after = opening(text, at)
    if content then
      for part, ending in content:gmatch("([^\n]*)(\n?)") do
        out[number] = out[number] .. " " .. part
        if ending ~= "" then next_line() end
      end
      at = after
    else
      if text:byte(at) == 10 then next_line() end
      at = at + 1
    end
  end
  for i, line in ipairs(out) do out[i] = line:gsub("^[%s*/-]+", "") end
  return out
end

local function quoted(text, at)
  local quote, last = text:sub(at, at), at + 1
  while last <= #text and text:sub(last, last) ~= quote and text:sub(last, last) ~= "\n" do
    last = last + (text:sub(last, last) == "\\" and 2 or 1)
  end
  return text:sub(at + 1, last - 1), last + 1
end

local function opening_of_c(text, at)
  local two, before = text:sub(at, at + 1), text:sub(at - 1, at - 1)
  if two == "//" then return text:match("^//([^\n]*)()", at) end
  if two == "/*" then return text:match("^/%*(.-)%*/()", at) end
  if two == 'R"' then
    local bracket = text:match('^R"([^%s()]*)%(', at)
    if bracket then
      local first = at + 3 + #bracket
      local last, after = text:find(")" .. bracket .. '"', first, true)
      if last then return text:sub(first, last - 1), after + 1 end
    end
  end
  local mark = two:sub(1, 1)
  if mark == '"' or mark == "'" and not before:find("%w") then return quoted(text, at) end
end

local function opening_of_lua(text, at)
  local mark = text:sub(at, at)
  if mark == "-" or mark == "[" then
    local comment, equals = text:match("^(%-?%-?)%[(=*)%[", at)
    if equals and (comment == "" or comment == "--") then
      return text:match("^%-?%-?%[" .. equals .. "%[(.-)%]" .. equals .. "%]()", at)
    end
    return text:match("^%-%-([^\n]*)()", at)
  end
  if mark == '"' or mark == "'" then return quoted(text, at) end
end

local function readable(path)
  local ending = path:match("%.([%w_]+)$")
  if ending == "md" then return markdown(source.lines(path)) end
  if ending == "lua" then return program(source.read(path), opening_of_lua) end
  if ending == "h" or ending == "hpp" or ending == "cpp" or ending == "c" then
    return program(source.read(path), opening_of_c)
  end
  return source.lines(path)
end

-- A sentence may continue in the next line, so each line is read together with the next one. Words that begin in the
-- next line are reported there.
local function check(name, lines)
  for number, line in ipairs(lines) do
    local text = (line .. " " .. (lines[number + 1] or "")):lower()
    for _, rule in ipairs(rules) do
      for first, words in text:gmatch("()(" .. rule[1] .. ")") do
        if first <= #line then add(name, number, words, rule[2]) end
      end
    end
    for first, verb, noun in text:gmatch("()%f[%a](%a+)%s+no%s+(%a+)") do
      local is_verb = verb == "is" or verb == "are" or verb == "was" or verb == "were"
      local before = ((lines[number - 1] or "") .. " " .. line:sub(1, first - 1)):lower()
      if first <= #line and is_verb and not no_nouns[noun] and not before:find("there%s+$") then
        add(name, number, verb .. " no " .. noun, "write '" .. verb .. " not'")
      end
    end
  end
end

local endings = { "md", "lua", "h", "hpp", "cpp", "c", "py", "cmake", "txt" }
for _, path in ipairs(source.list(root, folders, endings)) do
  local name = source.relative(root, path)
  if not is_frozen(name) then check(name, readable(path)) end
end
source.finish("stiff words", findings)
