-- A prompt's session: takes lines, reports when a chunk is complete, makes the function that runs it and shows
-- what it returns. Knows no terminal: core/programs/cli/repl_command.cpp and the tests feed it.
local complete = require "crossfold.prompt.complete"
local help = require "crossfold.prompt.help"
local native = require "crossfold.native"
local one_line = require "crossfold.prompt.one_line"
local show = require "crossfold.prompt.show"
local values = require "crossfold.prompt.values"

local session = {}
session.__index = session

-- `options` = { globals = the table that chunks run in, traceback = whether errors come with the call
-- stack, list_files = see complete.at_end, columns = a function that returns how many the terminal has;
-- optional }. Sets cf, help and _ in it.
function session.new(options)
  local self = setmetatable({
    globals = options.globals, traceback = options.traceback, list_files = options.list_files,
    columns = options.columns or function() end, module = require "crossfold", input = "", pending = nil,
    constants = {}, closing = {},
  }, session)
  self.globals.cf = self.module
  self.globals.help = function(...) print(self:help(table.pack(...))) end
  return self
end

-- Locals of one input would be gone at the next one, so "local x = 1" makes a variable that stays: the
-- text without "local", and what was declared as { { name, attribute or nil }, ... }. Nil if the text does
-- not begin so.
local function without_local(text)
  local rest = text:match("^%s*local%s+(function%s.*)$")
  if rest then return rest, { { rest:match("^function%s+([%a_][%w_]*)") } } end
  local names, declared = {}, {}
  local name
  name, rest = text:match("^%s*local%s+([%a_][%w_]*)(.*)$")
  while name do
    local attribute, after = rest:match("^%s*<%s*(%w+)%s*>(.*)$")
    rest = after or rest
    names[#names + 1], declared[#declared + 1] = name, { name, attribute }
    local next_name, behind = rest:match("^%s*,%s*([%a_][%w_]*)(.*)$")
    name, rest = next_name, behind or rest
  end
  if #names == 0 then return nil end
  local list = table.concat(names, ", ")
  return rest:find("^%s*=") and list .. rest or list .. " = nil" .. rest, declared
end

-- Makes the constants that `text` names constants of its chunk, but those that it declares itself.
local function with_constants(self, text, declared)
  local own, names = {}, {}
  for _, one in ipairs(declared or {}) do own[one[1]] = true end
  for word in text:gmatch("[%a_][%w_]*") do
    if self.constants[word] and not own[word] then
      own[word] = true
      names[#names + 1] = ("local %s <const> = %s; "):format(word, word)
    end
  end
  return table.concat(names) .. text
end

-- Which of the problems of "return " .. text and of `text` is shown: that of the expression if the other
-- one is about the first symbol already.
local function better_problem(text, of_expression, of_text)
  local symbol = of_text:match("unexpected symbol near '(.*)'$")
  local begins_so = symbol and text:match("^%s*(.*)$"):sub(1, #symbol) == symbol
  return begins_so and not of_expression:find("unexpected symbol near 'return'", 1, true) and of_expression or of_text
end

-- Whether what is wrong is the end of the text only. A string in quotes does not go on in the next line.
local function is_unfinished(text, of_expression, of_text)
  local last = text:match("[^\n]*$")
  if of_text:find("unfinished string near", 1, true) and not last:find("\\z?%s*$") then return false end
  return of_text:find("<eof>'?$") ~= nil or of_expression:find("<eof>'?$") ~= nil and not of_text:find("'='")
end

-- The symbol without which the text cannot be whole, as in "'end' expected (to close 'do' at line 1) near
-- <eof>"; nil if that is not known.
local function missing_symbol(of_expression, of_text)
  local function of(problem) return problem:match("^[^']*'(%S-)' expected .*<eof>'?$") end
  local wanted = of(of_text)
  return (wanted == of(of_expression) or not of_expression:find("<eof>'?$")) and wanted or nil
end

-- A function of the text and what it declares, or nil, the problem and whether the text only is not
-- finished yet.
local function compile(self, text)
  local function loaded(chunk, declared)
    return load(with_constants(self, chunk, declared), "=input", "t", self.globals)
  end
  local value, no_value = loaded("return " .. text)
  if value then return value end
  local chunk, problem = loaded(text)
  if chunk then
    local lasting, declared = without_local(text)
    return lasting and loaded(lasting, declared) or chunk, declared
  end
  self.missing = missing_symbol(no_value, problem)
  return nil, better_problem(text, no_value, problem), is_unfinished(text, no_value, problem)
end

-- Notes the attributes of what a chunk declared, once it has come to its end or failed. A variable
-- <close> is closed when the session ends.
local function note_declared(self, declared)
  for _, one in ipairs(declared) do
    local name, attribute = one[1], one[2]
    self.constants[name] = attribute and true or nil
    local value = attribute == "close" and self.globals[name]
    if value then
      local meta = debug.getmetatable(value)
      if type(meta) ~= "table" or meta.__close == nil then
        error(("variable '%s' got a non-closable value"):format(name), 0)
      end
      self.closing[#self.closing + 1] = value
    end
  end
end

-- help(...) for packed arguments, as wide as the terminal; see help.text.
function session:help(packed, name, owner)
  return help.text(self.module, packed, name, owner, self.columns())
end

-- What "help knn" and "help(knn)" ask for: the name, whatever it means or does not mean in Lua.
local function asked_name(text)
  return text:match("^%s*help%s+([%a_][%w_.:]*)%s*$") or text:match("^%s*help%s*%(%s*([%a_][%w_.:]*)%s*%)%s*$")
end

function session:help_on(name)
  local value, owner = values.resolve(self.globals, name)
  if value == nil then return self:help(table.pack(name)) end
  return self:help(table.pack(value), name, owner)
end

-- A command that begins with a colon: its answer, or nil to leave.
local function obey(self, text)
  local word, argument = text:match("^%s*:(%a*)%s*(%S*)%s*$")
  if word == "quit" or word == "q" or word == "exit" then return nil end
  if word == "help" then return self:help(argument == "" and table.pack() or table.pack(argument)) end
  if word == "traceback" and (argument == "on" or argument == "off" or argument == "") then
    if argument ~= "" then self.traceback = argument == "on" end
    return "tracebacks are " .. (self.traceback and "on" or "off")
  end
  error(("there is no command '%s'; known: :help, :quit, :traceback on, :traceback off")
    :format(text:match("^%s*(.-)%s*$")), 0)
end

local function leaves(self, text)
  local word = text:match("^%s*(%a+)%s*%(?%s*%)?%s*$")
  return (word == "exit" or word == "quit") and self.globals[word] == nil
end

-- The function that runs `f` and returns what is to be printed, or nil.
local function job_of(self, f, declared)
  return function(...)
    local _ <close> = declared and setmetatable({}, { __close = function() note_declared(self, declared) end })
    local packed = table.pack(f(...))
    if packed.n == 0 then return nil end
    if packed[1] ~= nil then self.globals._ = packed[1] end
    if packed.n == 1 and help.is_part(self.module, packed[1]) then return self:help(packed) end
    return show.all(packed, self.columns())
  end
end

-- A function that raises a problem of the input itself, whose call stack says nothing.
local function refusal(self, problem)
  return function()
    self.refused = problem
    error(problem, 0)
  end
end

-- Takes the next line. Returns
--   "more"      the chunk goes on
--   "run", f    f() runs it and returns the text to print, or nil; it may raise anything
--   "leave"     the user wants to go
-- A chunk that is not Lua has an f that raises the problem.
function session:feed(line)
  if not self.pending then
    self.is_long = false
    if line:find("^%s*$") then return "run", function() end end
    if line:find("^%s*:") then
      local ok, answer = pcall(obey, self, line)
      if ok and answer == nil then return "leave" end
      return "run", ok and function() return answer end or refusal(self, answer)
    end
    if leaves(self, line) then return "leave" end
    if line:find("^%s*help%s*$") then return "run", function() return self:help(table.pack()) end end
    local name = asked_name(line)
    if name then return "run", function() return self:help_on(name) end end
  end
  local text = self.pending and self.pending .. "\n" .. line or line
  -- A long chunk is not read again for every line that is pasted.
  if #text > 4096 and self.pending and self.missing and not line:find(self.missing, 1, true) then
    self.pending = text
    return "more"
  end
  local f, found, unfinished = compile(self, text)
  if unfinished then
    self.pending = text
    return "more"
  end
  self.pending, self.input = nil, text
  self.is_long = text:find("\n", 1, true) ~= nil
  return "run", f and job_of(self, f, found) or refusal(self, found)
end

-- The function that closes the variables <close>, the last one first, as the session ends.
function session:finish()
  local closing = self.closing
  self.closing = {}
  local function close_from(i)
    local _ <close> = closing[i]
    if i < #closing then close_from(i + 1) end
  end
  return function() close_from(1) end
end

-- The function that runs a file.
function session:file(path)
  self.is_long = true
  local f, problem = loadfile(path, nil, self.globals)
  if not f and problem:find("^cannot open .*: No such file") then
    problem = ("cannot run '%s': there is no such file"):format(path)
  end
  return f and job_of(self, f) or refusal(self, problem)
end

-- What the history keeps of a chunk of these lines: one line if it can be said in one, else the lines. Nothing
-- of a very long one, which would push out all others.
function session:history(text)  -- luacheck: ignore self
  return #text > 10000 and "" or one_line(text) or text
end

-- Forgets what is not finished; whether there was something.
function session:clear()
  local was = self.pending ~= nil
  self.pending = nil
  return was
end

-- What may have been meant by the name that an error calls nil: " (did you mean 'learner'?)", or "".
local function meant(self, problem)
  local name = problem:match("attempt to %a+ a nil value %(%a+ '([%w_]+)'%)")
  if not name then return "" end
  local path, separator = self.input:match("([%a_][%w_.]*)([.:])" .. name .. "%f[^%w_]")
  local owner = path == nil and self.globals or values.resolve(self.globals, path)
  if owner == nil then return "" end
  local names = values.names(owner, separator == ":" and "function" or nil)
  local known = native.known_names(name, names)
  known = separator == ":" and known or known:match("^did you mean [^?]*%?")
  return known and "; " .. known or ""
end

-- The text of an error without the position that one line does not need, and without the prompt's own
-- part of a call stack.
function session:problem(text)
  if self.refused then text, self.refused = self.refused, nil end
  text = text:gsub("\n[^\n]*%[crossfold%]/prompt/[^\n]*", "")
  text = text:gsub("(input:%d+: in )upvalue 'f'$", "%1the input")
  text = text:gsub("^[^\n]*", function(line) return line .. meant(self, line) end)
  return self.is_long and text or (text:gsub("^input:1: ", ""))
end

-- What may stand at the end of `text`, the current line up to the cursor: where what is typed of it
-- begins, what follows a single candidate, and the candidates.
function session:complete(text)
  local before = self.pending and self.pending .. "\n" or ""
  local found = complete.at_end(before .. text, self)
  return found.from - #before, found.suffix, found.candidates
end

return session
