-- The source tree as the rules of lint.lua see it: each file is listed once, and read once. Fields of a file:
--   name, ending           its path below the root, and what follows the last dot
--   text, lines            its bytes, and its lines without their ends
--   line_count             as `wc -l` counts, and an unfinished line
--   includes               of C and C++: { at =, name = } of each #include
--   code                   of C and C++: comments are a blank, strings are ""
--   prose                  what people read: comments and strings of programs, Markdown outside of code, or all
-- `code` and `prose` have the line breaks of `text`.
local source = require "source_files"

local M = {}

function M.line_of(text, at) return select(2, text:sub(1, at - 1):gsub("\n", "")) + 1 end

-- The line around `at`: what is before, and from there on.
function M.line_around(text, at)
  local before = text:sub(math.max(1, at - 1000), at - 1)
  return before:match(".*\n(.*)") or before, text:match("^[^\r\n]*", at)
end

-- The position of the quote that ends the string that `mark` opens at `at`, or of the end of its line.
local function end_of_string(text, at, mark)
  local stops = "[\\\n" .. mark .. "]"
  local last = text:find(stops, at + 1)
  while last and text:find("^\\", last) do last = text:find(stops, last + 2) end
  return last or #text
end

-- Where the content of the comment or string at `at` begins and ends, and where it ends itself; or nil.
local function piece_of_c(text, at)
  local mark = text:sub(at, at)
  if mark == "/" then
    if text:find("^/", at + 1) then
      local last = (text:find("\n", at, true) or #text + 1) - 1
      return at + 2, last, last
    elseif text:find("^%*", at + 1) then
      local last, ending = text:find("*/", at + 2, true)
      return at + 2, (last or #text + 1) - 1, ending or #text
    end
    return nil
  end
  local bracket, first = text:match('^R"([^%s()]*)%(()', at - 1)
  if bracket and mark == '"' then
    local last, ending = text:find(")" .. bracket .. '"', first, true)
    if last then return first, last - 1, ending end
  end
  if mark == '"' or not text:find("^%w", at - 1) then  -- 1'000 has no characters
    local last = end_of_string(text, at, mark)
    return at + 1, last - 1, last
  end
end

local function piece_of_lua(text, at)
  local mark = text:sub(at, at)
  if mark == '"' or mark == "'" then
    local last = end_of_string(text, at, mark)
    return at + 1, last - 1, last
  end
  local dashes, equals, first = text:match("^(%-?%-?)%[(=*)%[()", at)
  if equals and dashes ~= "-" then
    local last, ending = text:find("]" .. equals .. "]", first, true)
    return first, (last or #text + 1) - 1, ending or #text
  elseif text:find("^%-%-", at) then
    local last = (text:find("\n", at, true) or #text + 1) - 1
    return at + 2, last, last
  end
end

-- Sets `code` and `prose` of a program whose comments and strings begin with one of `marks`.
local function read_program(file, marks, piece_of)
  local text, code, prose, start = file.text, {}, {}, 1
  local at = text:find(marks)
  while at do
    local first, last, ending = piece_of(text, at)
    if first then
      local before, content = text:sub(start, at - 1), text:sub(first, last)
      local filler = text:find("^[/-]", at) and " " or '""'
      code[#code + 1] = before
      code[#code + 1] = content:find("\n", 1, true) and filler .. content:gsub("[^\n]+", filler) or filler
      prose[#prose + 1] = before:gsub("[^\n]+", "")
      prose[#prose + 1] = content
      start = ending + 1
      -- A string that its line ends.
      if text:find("^\n", ending) then start = ending end
    end
    at = text:find(marks, first and start or at + 1)
  end
  local rest = text:sub(start)
  code[#code + 1], prose[#prose + 1] = rest, rest:gsub("[^\n]+", "")
  file.code = table.concat(code)
  file.prose = ("\n" .. table.concat(prose, " ")):gsub("[ \t]*\n[ \t*/-]*", "\n"):sub(2)
end

-- Markdown: lines in fences, indented blocks and `code` are empty.
local function read_markdown(file)
  local out, fence = {}, nil
  for i, line in ipairs(file.lines) do
    local mark = line:match("^%s*(```+)")
    local inside = fence or mark or line:find("^    ")
    if mark and (not fence or fence == mark) then fence = not fence and mark or nil end
    out[i] = inside and "" or line:gsub("``[^`].-``", "`"):gsub("`[^`]*`", "`")
  end
  file.prose = table.concat(out, "\n")
end

local function read_c(file) read_program(file, "[/\"']", piece_of_c) end
local readers = { h = read_c, hpp = read_c, cpp = read_c, c = read_c, inl = read_c, md = read_markdown,
                  lua = function(file) read_program(file, "[-%[\"']", piece_of_lua) end }

-- Field -> what sets it when a rule first asks for it.
local fields = {}
function fields.text(file) file.text = source.read(file.path) end
function fields.lines(file) file.lines = source.split(file.text) end
function fields.line_count(file)
  file.line_count = M.line_of(file.text, #file.text + 1) - (file.text:find("[^\n]$") and 0 or 1)
end
function fields.prose(file)
  file.prose = file.text
  if readers[file.ending] then readers[file.ending](file) end
end
fields.code = fields.prose
function fields.includes(file)
  file.includes = {}
  for at, name in ("\n" .. file.text):gmatch('\n()[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]') do
    file.includes[#file.includes + 1] = { at = at - 1, name = name }
  end
end

local File = {}
function File.__index(file, field)
  if not fields[field] then return nil end
  fields[field](file)
  return rawget(file, field)
end

-- The files below the root in a fixed order, but for the offences that the tests of the rules look for.
function M.read(root)
  local tree = { root = root, files = {}, by_name = {} }
  local left_out = ("-path '%s/build' -o -name .git -o -name .cache -o -path '%s/tests/lint/bad_tree' "
    .. "-o -path '%s/expected'"):format(root, root, root)
  for _, path in ipairs(source.find(("'%s' \\( %s \\) -prune -o -type f -print"):format(root, left_out))) do
    local name = source.relative(root, path)
    local file = setmetatable({ name = name, path = path, ending = name:match("%.([%w_]+)$") or "" }, File)
    tree.files[#tree.files + 1] = file
    tree.by_name[name] = file
  end
  return setmetatable(tree, { __index = M })
end

-- The files of `folders` (or files of that name) whose ending is one of `endings`, as "h cpp".
function M.list(tree, folders, endings)
  local list = {}
  for _, file in ipairs(tree.files) do
    if file.ending ~= "" and (" " .. endings .. " "):find(" " .. file.ending .. " ", 1, true) then
      for _, folder in ipairs(folders) do
        if file.name == folder or file.name:sub(1, #folder + 1) == folder .. "/" then list[#list + 1] = file end
      end
    end
  end
  return list
end

return M
