-- A file includes what it uses, which a unity build does not show.
--   std::NAME, a macro or ::function() of C or POSIX    comes from a header of names_of_headers.lua
--   what headers of the project declare at namespace scope (types, functions, kConstants, macros)
--                                                       comes from one of them
-- Either is included by the file itself or by files of the project that it includes, and so on.
local line_of = require("tree").line_of
local homes = require "rules.names_of_headers"

-- The name that the beginning of a statement at namespace scope declares, or nil; `stop` follows it.
local function declared_name(head, stop)
  head = head:gsub("^%s*template%s*%b<>", ""):gsub("%[%[.-%]%]", "")
  local kind, first = head:match("^%s*(%a+)%s+([%w_]+)")
  if kind == "enum" then return head:match("^%s*enum%s+[cs]%l+%s+([%w_]+)") or first end
  if kind == "class" or kind == "struct" or kind == "union" then return stop == "{" and first or nil end
  if kind == "using" then return head:match("^%s*using%s+([%w_]+)%s*=") end
  if kind == "concept" then return first end
  local before, called = head:match("^([^=(]*)%f[%w_]([%w_]+)%s*%(")
  if called then return before:find("%S") and not before:find("::%s*$") and called or nil end
  return head:match("%f[%w_](k%u[%w_]*)")
end

local function newlines(text) return (text:gsub("[^\n]", "")) end

local function without_directives(code)
  return (("\n" .. code:gsub("\\\n", "\\\r")):gsub("\n[ \t]*#[^\n]*", function(directive)
    return newlines(directive:gsub("\r", "\n"))
  end):sub(2))
end

-- What a header declares at namespace scope: name -> set of the namespaces around it. `statements`: its code without
-- directives.
local function namespace_names(code, statements)
  local names, open, pos = {}, {}, 1
  for macro in ("\n" .. code):gmatch("\n[ \t]*#%s*define%s+([%w_]+)") do names[macro] = {} end
  code = statements
  local at, stop = code:match("()([;{}])")
  while at do
    local head = code:sub(pos, at - 1)
    pos = at + 1
    local space = head:match("namespace%s*([%w_:]*)%s*$") or head:match('extern%s*(""%s*)$')
    if stop == "{" and space then
      open[#open + 1] = space
    elseif stop == "}" then
      open[#open] = nil
    else
      if stop == "{" then pos = code:match("^%b{}()", at) or #code + 1 end
      local name = declared_name(head, stop)
      if name and name:find("^k?%u") then
        names[name] = {}
        for part in table.concat(open, " "):gmatch("[%w_]+") do names[name][part] = true end
      end
    end
    at, stop = code:match("()([;{}])", pos)
  end
  return names
end

-- Set of the names that a file seems to declare in any scope; too many rather than too few.
local no_types = { case = true, co_return = true, delete = true, ["else"] = true, new = true, operator = true,
                   private = true, protected = true, public = true, ["return"] = true, throw = true }
local function names_of_any_scope(code)
  local names = {}
  for at, name, pos in code:gmatch("()[%w_>&*]%s+(k?%u[%w_]*)()%s*[%(;={,):%[]") do
    local word = code:sub(math.max(1, at - 20), at):match("([%w_]+)[>&*]*$")
    if word and not no_types[word] and not code:find("^::", pos) then names[name] = true end
  end
  for name in code:gmatch("(k%u[%w_]*)%s*[={]%f[^={]") do names[name] = true end
  for name in code:gmatch("class%s+(%u[%w_]*)") do names[name] = true end
  for name in code:gmatch("typename%s+(%u[%w_]*)") do names[name] = true end
  for name in code:gmatch("using%s[%w_:]*::([%w_]+);") do names[name] = true end
  for name in code:gmatch("#%s*define%s+([%w_]+)") do names[name] = true end
  for name in code:gmatch("MATCHER[_%u%d]*%((%w+)") do names[name] = true end
  for body in code:gmatch("enum%s[%w_%s:]*(%b{})") do
    for name in body:gmatch("[{,]%s*([%w_]+)") do names[name] = true end
  end
  return names
end

-- What the rule knows of a tree: per path of a file its `own` files that it includes and the set of the `others`, of a
-- header the `names` that it declares; and `owners`, name -> the headers that declare it.
local Graph = {}
Graph.__index = Graph

-- The file of the project that an #include means, or nil.
local include_folders = { "", "core/", "core/include/", "plugins/", "sdk/", "sdk/conformance/", "sdk/include/",
                          "tests/" }
local function resolve(tree, folder, include)
  local own = folder .. include
  while own:find("/../", 1, true) do own = own:gsub("[^/]+/%.%./", "", 1) end
  if tree.by_name[own] then return own end
  for _, base in ipairs(include_folders) do
    if tree.by_name[base .. include] then return base .. include end
  end
end

local function read_graph(tree, files)
  local graph = setmetatable({ nodes = {}, owners = {} }, Graph)
  for _, file in ipairs(files) do
    local node = { own = {}, others = {}, code = file.code, statements = without_directives(file.code), names = {} }
    for _, include in ipairs(file.includes) do
      local found = resolve(tree, file.name:match("^.*/"), include.name)
      if found then node.own[#node.own + 1] = found else node.others[include.name] = true end
    end
    if file.ending:find("^hp?p?$") then node.names = namespace_names(node.code, node.statements) end
    for name in pairs(node.names) do
      graph.owners[name] = graph.owners[name] or {}
      table.insert(graph.owners[name], file.name)
    end
    graph.nodes[file.name] = node
  end
  return graph
end

-- Sets of the files that a file includes, itself among them, and of the foreign headers that these include.
function Graph:closure(path)
  local seen, headers, stack = { [path] = true }, {}, { path }
  while #stack > 0 do
    local node = self.nodes[table.remove(stack)]
    for header in pairs(node.others) do headers[header] = true end
    for _, include in ipairs(node.own) do
      if not seen[include] and self.nodes[include] then
        seen[include] = true
        stack[#stack + 1] = include
      end
    end
  end
  return seen, headers
end

function Graph:declares(path, name)
  local node = self.nodes[path]
  if not node.code:find(name, 1, true) then return false end
  node.any_scope = node.any_scope or names_of_any_scope(node.code)
  return node.any_scope[name]
end

-- Can `qualifiers` NAME in the file at `path` be what the header `owner` declares?
function Graph:may_mean(path, qualifiers, name, owner)
  for qualifier in qualifiers:gmatch("[%w_]+") do
    if not self.nodes[owner].names[name][qualifier] then return false end
  end
  local from, to = owner:match("^%w+"), path:match("^%w+")
  return from == to or from == "sdk" or to == "tests"
end

-- What would give `id` to a file that includes `seen` and `headers`, or nil if these do.
function Graph:lacking(path, id, seen, headers)
  local givers = homes[id]
  if givers then
    for _, header in ipairs(givers) do
      if headers[header] then return nil end
    end
    return "<" .. table.concat(givers, "> or <") .. ">"
  end
  if id:find("^std::") then return "a header, which tests/lint/rules/names_of_headers.lua lacks" end
  local qualifiers, name = id:match("^(.-)(k?%u[%w_]*)$")
  local possible = {}
  for _, owner in ipairs(self.owners[name] or {}) do
    if seen[owner] then return nil end
    if self:may_mean(path, qualifiers, name, owner) then possible[#possible + 1] = owner end
  end
  if #possible == 0 then return nil end
  if self:declares(path, name) then return nil end
  for file in pairs(seen) do
    if self:declares(file, name) then return nil end
  end
  return '"' .. table.concat(possible, '" or "') .. '"'
end

local function check_file(graph, path, add)
  local seen, headers = graph:closure(path)
  local done = {}
  -- The names of tests are not of the project.
  local statements = graph.nodes[path].statements:gsub("%f[%w_]TEST[_FP]*%b()", newlines)
    :gsub("INSTANTIATE_TEST_SUITE_P%(%s*[%w_]+", newlines)
  -- Members are those of a type, whose header the file may get from anywhere.
  for whole in statements:gsub("%.[%w_:]+", "."):gsub("%->[%w_:]+", ">"):gmatch("[%w_:]+") do
    if not done[whole] then
      local id = whole:match("^std::[%w_]+") or whole:match("^[%l%d_:]*k?%u[%w_]*") or whole
      local giver = not id:find("^%d") and (id == whole or not done[id]) and graph:lacking(path, id, seen, headers)
      done[whole], done[id] = true, true
      if giver then
        local at = (" " .. statements):find("[^%w_:.>]" .. id .. "%f[^%w_]") or 1
        add(path, line_of(statements, at), "%s needs %s", id, giver)
      end
    end
  end
end

local function check(tree, add)
  local files = {}
  for _, file in ipairs(tree:list({ "core", "plugins", "sdk", "tests" }, "h hpp cpp c inl")) do
    if not file.name:find("^tests/lint/") then files[#files + 1] = file end
  end
  local graph = read_graph(tree, files)
  for _, file in ipairs(tree:list({ "core", "plugins", "sdk/include", "tests/unit" }, "h hpp cpp")) do
    check_file(graph, file.name, add)
  end
end

return { name = "includes", finds = "names without their headers", check = check }
