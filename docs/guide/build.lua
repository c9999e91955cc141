-- The guide as HTML: lua5.4 build.lua ROOT PROGRAM CMARK FOLDER
-- Makes FOLDER/*.html of the Markdown pages below ROOT, a page for every component that PROGRAM has, one
-- for every file that a page links, and an index of terms. CMARK is cmark-gfm. No network, no times,
-- no paths of this machine: the same sources give the same bytes.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local components = require "components"
local headings = require "headings"
local html = require "html"
local terms = require "terms"
local root, program, cmark, folder = table.unpack(arg)

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function read_file(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

local made_folders = {}
local function write_file(out, text)
  local path = folder .. "/" .. out
  local parent = path:match("^(.*)/")
  if not made_folders[parent] then
    assert(os.execute("mkdir -p " .. quoted(parent)))
    made_folders[parent] = true
  end
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text))
end

local function split_lines(text)
  local lines = {}
  for line in (text:gsub("\r", "") .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  return lines
end

-- Names of what a folder of the tree holds, sorted; nil if it is none.
local function list_folder(path)
  local pipe = assert(io.popen("cd " .. quoted(root .. "/" .. path) .. " 2>/dev/null && LC_ALL=C ls -1p"))
  local names = {}
  for name in pipe:lines() do names[#names + 1] = name end
  return pipe:close() and names or nil
end

-- Pages: source path -> { source =, out =, title =, markdown =, base = folder that links start from }.
-- `queue` holds those that are not written yet.
local pages, queue, outs = {}, {}, {}

local function add_page(source, out, markdown, base)
  assert(not outs[out], out .. " would be made of two sources")
  local lines = split_lines(markdown)
  local list = headings.read(lines)
  local page = { source = source, out = out, markdown = markdown, headings = list,
    title = list[1] and list[1].text or source, base = base }
  pages[source], outs[out] = page, true
  queue[#queue + 1] = page
  return page
end

local function add_markdown(source)
  local out = source == "docs/README.md" and "index.html" or source:match("^docs/(.*)%.md$")
  if out ~= "index.html" then
    out = (out or "more/" .. source:gsub("%.md$", "")) .. ".html"
  end
  local text = assert(read_file(root .. "/" .. source), "there is no page " .. source)
  return add_page(source, out, text, source:match("^(.*)/") or "")
end

-- A file that is no Markdown, or a folder, as a page of its own.
local function add_source(source)
  local names = list_folder(source)
  if names then
    local lines = { "# " .. source, "" }
    -- Files of scripts/ are worth reading; those of the tests are named.
    local form = (source:find("^scripts/") or source:find("^docs/")) and "* [%s](%s)" or "* `%s`"
    for _, name in ipairs(names) do lines[#lines + 1] = form:format(name, name) end
    return add_page(source, "more/" .. source .. "/index.html", table.concat(lines, "\n") .. "\n", source)
  end
  local text = assert(read_file(root .. "/" .. source), "there is no file " .. source)
  if #text > 200000 or text:find("\0") then
    text = ("A file of %d bytes, which the guide does not show."):format(#text)
  end
  local fence = "````"
  while text:find(fence, 1, true) do fence = fence .. "`" end
  return add_page(source, "more/" .. source .. ".html",
    ("# %s\n\n%s\n%s\n%s\n"):format(source, fence, text:gsub("\n$", ""), fence),
    source:match("^(.*)/") or "")
end

local function resolve(base, path)
  local parts = {}
  for part in (base .. "/" .. path):gmatch("[^/]+") do
    if part == ".." and #parts > 0 then
      table.remove(parts)
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

-- The link of a page as it is in the guide; what it leads to becomes a page, too. Pages that are there
-- because others link them (their file is below more/) lead to pages only: nil for other files.
local function change_link(page, link)
  if link:find("^%a[%w+.-]*:") or link:sub(1, 1) == "#" then return link end
  local path, anchor = link:match("^([^#]*)(#?.*)$")
  local source = resolve(page.base, path)
  local target = pages[source] or (source:find("%.md$") and add_markdown(source))
  if not target then
    if page.out:find("^more/") and not source:find("^scripts/") then return nil end
    target = add_source(source)
  end
  return html.relative(page.out, target.out) .. anchor
end

local function convert(markdown)
  local temporary = os.tmpname()
  local file = assert(io.open(temporary, "wb"))
  file:write(markdown)
  file:close()
  local pipe = assert(io.popen(("%s --unsafe -e table %s"):format(quoted(cmark), quoted(temporary))))
  local body = pipe:read("a")
  assert(pipe:close(), "cmark-gfm fails")
  os.remove(temporary)
  return body
end

-- The sections of the navigation, as pages.
local function read_sections()
  local sections = {}
  for _, section in ipairs(dofile(root .. "/docs/guide/pages.lua")) do
    local entries = {}
    for _, name in ipairs(section.pages) do
      local parent = name:match("^(.*)/%*%.md$")
      if parent then
        for _, file in ipairs(assert(list_folder(parent))) do
          if file:find("%.md$") then entries[#entries + 1] = add_markdown(parent .. "/" .. file) end
        end
      else
        entries[#entries + 1] = add_markdown(name)
      end
    end
    sections[#sections + 1] = { title = section.title, entries = entries }
  end
  return sections
end

-- A section for each kind of component, behind the section "Components".
local function add_components(sections)
  local list, by_kind, at = components.list(root, program), {}, nil
  for i, section in ipairs(sections) do
    if section.title == "Components" then at = i end
  end
  assert(at, "docs/guide/pages.lua has no section 'Components'")
  for _, component in ipairs(list) do
    local name = "plugins/" .. component.folder
    local source = component.alone and name .. "/README.md" or name .. "/" .. component.short_id
    local page = add_page(source, "components/" .. component.short_id .. ".html", component.markdown, name)
    page.short_title, page.kind = component.short_id, component.kind
    by_kind[component.kind] = by_kind[component.kind] or {}
    table.insert(by_kind[component.kind], page)
  end
  for i, kind in ipairs(components.kinds) do
    local entries = by_kind[kind.kind] or {}
    table.insert(sections, at + i, { title = kind.title .. ", one by one", entries = entries })
  end
end

assert(os.execute("rm -rf " .. quoted(folder) .. " && mkdir -p " .. quoted(folder)))
local sections = read_sections()
add_components(sections)
add_page("terms", "terms.html",
  terms.markdown(sections, function(page) return split_lines(page.markdown) end), "")

local navigation, order = {}, {}
for i, section in ipairs(sections) do
  navigation[i] = { title = section.title, entries = {} }
  for j, page in ipairs(section.entries) do
    navigation[i].entries[j] = { title = page.short_title or page.title, out = page.out }
    order[#order + 1] = page
  end
end
for i, page in ipairs(order) do page.previous, page.following = order[i - 1], order[i + 1] end

local function entry(page) return page and { title = page.short_title or page.title, out = page.out } end

local written = 0
while written < #queue do
  written = written + 1
  local page = queue[written]
  local body = html.add_anchors(convert(page.markdown), page.headings, page.source)
  body = html.change_links(html.dress(body), function(link) return change_link(page, link) end)
  if page.source == "terms" then body = body:gsub("<ul>", '<ul class="terms">', 1) end
  write_file(page.out, html.page({ out = page.out, title = page.title, body = body,
    previous = entry(page.previous), following = entry(page.following) }, navigation))
end
write_file("guide.css", assert(read_file(root .. "/docs/guide/guide.css")))
print(("%d pages, %d of them in the navigation: %s/index.html"):format(written, #order, folder))
