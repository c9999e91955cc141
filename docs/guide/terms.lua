-- The index of terms: components, functions and methods of the Lua module, words of the glossary and titles
-- of pages, each with the place where it is explained.
local headings = require "headings"
local M = {}

-- Calls `take(name)` for each function (cf.name) and method (object:name) that stands in `quotes`. The pages
-- on statistics list functions of cf.stats without that prefix.
local function each_name(line, of_statistics, take)
  for code in line:gmatch("`([^`]+)`") do
    for name in code:gmatch("%f[%w_.]cf%.[%l_][%w_.]*%f[^%w_]") do
      if not name:find("%.$") then take(name) end
    end
    local object, method = code:match("^(%l[%w_]*):(%l[%w_]*)%f[^%w_]")
    if object and object ~= "index" then take(object .. ":" .. method) end
    local statistic = of_statistics and code:match("^(%l[%l%d_]+)[{(]")
    if statistic then take("cf.stats." .. statistic) end
  end
end

-- Where each name is explained: in the page of `pages` that has it most often, at the heading in front of
-- its first place. `lines_of(page)` gives the lines of a page.
local function explained(pages, lines_of)
  local best = {}
  for order, page in ipairs(pages) do
    local list, at, found, lines = page.headings, 0, {}, lines_of(page)
    for number, line in ipairs(lines) do
      while list[at + 1] and list[at + 1].line <= number do at = at + 1 end
      local anchor = at > 1 and list[at].anchor or nil
      each_name(line, page.source:find("^docs/statistics"), function(name)
        found[name] = found[name] or { count = 0, anchor = anchor, page = page, order = order }
        found[name].count = found[name].count + 1
      end)
    end
    for name, place in pairs(found) do
      local old = best[name]
      if not old or place.count > old.count or place.count == old.count and order < old.order then
        best[name] = place
      end
    end
  end
  return best
end

-- The first cells of the glossary's table.
local function glossary_words(lines)
  local words = {}
  for _, line in ipairs(lines) do
    local cell = line:match("^| ([^|]-) |")
    if cell and cell ~= "word" and not cell:find("^%-") then words[#words + 1] = cell end
  end
  return words
end

local function quoted(text) return (text:gsub("[%[%]<>*_]", "\\%0")) end

-- Markdown of the index. `sections` are those of the navigation; their entries have `source`, `title`,
-- `headings`, `markdown`, and components `short_title` and `kind`.
function M.markdown(sections, lines_of)
  local terms = {}
  local function add(text, key, source, anchor)
    terms[#terms + 1] = { text = text, key = key:lower(),
      link = source .. (anchor and "#" .. anchor or "") }
  end
  local reference, glossary = {}, nil
  for _, section in ipairs(sections) do
    for _, page in ipairs(section.entries) do
      if page.kind then
        add(("`%s`, %s"):format(page.short_title, page.kind), page.short_title, page.source)
      elseif not page.source:find("^docs/checks/") then
        add(quoted(page.title), page.title, page.source)
      end
      if section.title == "Lua" or section.title == "Running" then reference[#reference + 1] = page end
      if page.source == "docs/glossary.md" then glossary = page end
    end
  end
  for name, place in pairs(explained(reference, lines_of)) do
    add("`" .. name .. "`", name:match("[^.:]+$"), place.page.source, place.anchor)
  end
  for _, word in ipairs(glossary and glossary_words(lines_of(glossary)) or {}) do
    add(quoted(word), headings.plain(word), glossary.source)
  end
  table.sort(terms, function(a, b)
    if a.key ~= b.key then return a.key < b.key end
    if a.text ~= b.text then return a.text < b.text end
    return a.link < b.link
  end)
  local lines = { "# Index", "" }
  for _, term in ipairs(terms) do lines[#lines + 1] = ("* [%s](%s)"):format(term.text, term.link) end
  return table.concat(lines, "\n") .. "\n"
end

return M
