-- The pages of the guide hang together: `lua5.4 check_pages.lua ROOT [PAGES_WITH_CODE]`.
--   Every page of docs/ stands in docs/guide/mkdocs.yml, once, except docs/checks.md, and what stands there
--   exists. Every script of scripts/lectures is linked by a page of docs/. In all Markdown pages of the tree every
--   link to a file or a heading leads somewhere. Every block of Lua in docs/ runs in the tests, equals a file that
--   does, or says why not. PAGES_WITH_CODE lists the pages that have a test, as list_pages.lua printed them when the
--   tests were made.
local here = arg[0]:match("^(.*)/")
package.path = here .. "/?.lua;" .. here .. "/../lint/?.lua;" .. package.path
local headings = require "headings"
local navigation = require "navigation"
local page_blocks = require "page_blocks"
local source = require "source_files"
local root = arg[1]

local findings = {}
local function add(...) findings[#findings + 1] = string.format(...) end

-- Pages that the build makes: docs/reference.cmake. docs.guide looks their anchors up.
local made_by_build = { ["docs/options.md"] = true }

local function is_there(path)
  if made_by_build[path] then return true end
  local file = io.open(root .. "/" .. path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- The page or file that `link` of page `name` means, without "..".
local function resolve(name, link)
  local path = link:sub(1, 1) == "/" and link:sub(2) or (name:match("^(.*/)") or "") .. link
  local parts = {}
  for part in path:gmatch("[^/]+") do
    if part == ".." and #parts > 0 then
      table.remove(parts)
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

local anchors = {}
local function anchors_of(page)
  if not anchors[page] then
    local set = {}
    for _, heading in ipairs(headings.read(source.lines(root .. "/" .. page))) do
      set[heading.anchor] = true
    end
    anchors[page] = set
  end
  return anchors[page]
end

local n_links, linked_by_docs = 0, {}
local function check_link(name, number, link)
  if link:find("^%a[%w+.-]*:") then return end  -- another site
  n_links = n_links + 1
  local path, anchor = link:match("^([^#]*)#?(.*)$")
  local target = path == "" and name or resolve(name, path)
  if name:find("^docs/") then linked_by_docs[target] = true end
  if not is_there(target) then
    add("%s:%d: link to '%s': there is no file '%s'", name, number, link, target)
  elseif anchor ~= "" and target:find("%.md$") and not made_by_build[target] and not anchors_of(target)[anchor] then
    add("%s:%d: link to '%s': '%s' has no heading with this anchor", name, number, link, target)
  end
end

-- A file or folder of the tree that a page names: `core/engine/data/dataset.cpp`.
local function check_path(name, number, path)
  local top = path:match("^(%l+)/")
  local is_source = top == "core" or top == "sdk" or top == "plugins" or top == "scripts"
    or path:find("^tests/[%w_]+/")
  if is_source and not is_there(path) then add("%s:%d: there is no '%s'", name, number, path) end
end

local function check_links(name, lines)
  local fence
  for number, line in ipairs(lines) do
    local mark = line:match("^%s*(```+)")
    if mark and (not fence or fence == mark) then
      fence = not fence and mark or nil
    elseif not fence then
      for path in line:gmatch("`(%l+/[%w_./-]+)`") do check_path(name, number, path) end
      local text = line:gsub("`[^`]*`", "")
      for link in text:gmatch("%]%(([^)%s]+)%)") do check_link(name, number, link) end
    end
  end
end

local has_test
if arg[2] then
  has_test = {}
  for page in io.lines(arg[2]) do has_test[page] = true end
end

local function check_blocks(name, lines)
  local blocks, wrong = page_blocks.read(lines)
  for _, finding in ipairs(wrong) do add("%s:%d: %s", name, finding.line, finding.text) end
  for _, block in ipairs(blocks) do
    if (block.mark == "from" or block.mark == "file") and not block.subject then
      add("%s:%d: the mark '%s' names no file", name, block.first, block.mark)
    elseif block.mark == "not run" and (block.subject or "") == "" then
      add("%s:%d: a block that is not run needs a reason: <!-- not run: REASON -->", name, block.first)
    elseif block.language == "console" and page_blocks.runs_commands(name) then
      add("%s:%d: a block of commands in this page is one of sh, so that it runs", name, block.first)
    end
    local role = page_blocks.role(block, name)
    if has_test and not has_test[name] and (role == "lua" or role == "sh") then
      add("%s:%d: no test runs this block; configure the build again, which makes one", name, block.first)
    end
  end
end

-- Navigation.
local listed = {}
for _, page in ipairs(navigation(root)) do
  if not is_there(page) then
    add("docs/guide/mkdocs.yml: there is no page '%s'", page)
  elseif listed[page] then
    add("docs/guide/mkdocs.yml: page '%s' is there twice", page)
  end
  listed[page] = true
end
for _, path in ipairs(source.list(root, { "docs" }, { "md" })) do
  local name = source.relative(root, path)
  if not listed[name] and name ~= "docs/checks.md" then
    add("%s: the guide has no way to this page; add the line \"- %s\" to a section of docs/guide/mkdocs.yml",
      name, name:sub(#"docs/" + 1))
  end
end

local folders = {}
for _, folder in ipairs { "CONTRIBUTING.md", "README.md", "docs", "plugins", "scripts", "sdk", "tests" } do
  if folder == "docs" or is_there(folder) then folders[#folders + 1] = folder end
end
for _, path in ipairs(source.list(root, folders, { "md" })) do
  local name, lines = source.relative(root, path), source.lines(path)
  if not name:find("^sdk/templates/") and not name:find("/bad_tree/")
    and name ~= "tests/bench/peers/page_head.md" then  -- the head of tests/bench/RESULTS.md
    check_links(name, lines)
    if name:find("^docs/") then check_blocks(name, lines) end
  end
end
if is_there("scripts/lectures") then
  for _, path in ipairs(source.list(root, { "scripts/lectures" }, { "lua" })) do
    local name = source.relative(root, path)
    if not linked_by_docs[name] then
      add("%s: no page of docs/ links it; docs/tutorials/10_worked_examples.md should", name)
    end
  end
end
print(("links followed: %d"):format(n_links))
source.finish("pages that do not hang together", findings)
