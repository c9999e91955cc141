-- HTML of the guide: the page around a text, the navigation, and what is added to the HTML of cmark-gfm
-- (anchors of headings, links to other pages, tables that scroll).
local M = {}

function M.escape(text)
  return (text:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

function M.unescape(text)
  return (text:gsub("&(%w+);", { amp = "&", lt = "<", gt = ">", quot = '"' }))
end

-- The way from one page of the guide to another: both are paths below its folder.
function M.relative(from, to)
  local up = from:gsub("[^/]", ""):len()
  local common = from:match("^(.*/)") or ""
  if common ~= "" and to:sub(1, #common) == common and not to:sub(#common + 1):find("/") then
    return to:sub(#common + 1)
  end
  return ("../"):rep(up) .. to
end

-- Gives the headings of a body their anchors, in order. `headings` are those of headings.read.
function M.add_anchors(body, headings, name)
  local n = 0
  local function replace(level, text)
    n = n + 1
    local heading = headings[n]
    assert(heading and tostring(heading.level) == level, name .. ": heading " .. n .. " is not the same")
    return ('<h%s id="%s">%s</h%s>'):format(level, M.escape(heading.anchor), text, level)
  end
  body = body:gsub("<h([1-6])>(.-)</h%1>", replace)
  assert(n == #headings, name .. ": there are " .. #headings .. " headings, and " .. n .. " in the HTML")
  return body
end

-- Marks of blocks become classes, other comments go; wide tables scroll by themselves.
function M.dress(body)
  body = body:gsub("<!%-%- output %-%->%s*<pre>", '<pre class="output" aria-label="output">')
  body = body:gsub("<!%-%- error %-%->%s*<pre>", '<pre class="output error" aria-label="error">')
  body = body:gsub("<!%-%- file: (%S+) %-%->%s*<pre>", '<p class="file"><code>%1</code>:</p>\n<pre>')
  body = body:gsub("<!%-%-.-%-%->\n?", "")
  return (body:gsub("<table>", '<div class="table" tabindex="0"><table>'):gsub("</table>", "</table></div>"))
end

-- Every link of a body goes through `change(link)`, which returns the new one, or nil for none.
function M.change_links(body, change)
  return (body:gsub('<a href="([^"]*)">(.-)</a>', function(link, text)
    local changed = change(M.unescape(link))
    return changed and ('<a href="%s">%s</a>'):format(M.escape(changed), text) or text
  end))
end

-- `sections`: { title =, entries = { { title =, out = }, ... } }. The section of the page is open.
function M.navigation(sections, out)
  local parts = {}
  for _, section in ipairs(sections) do
    local open, items = "", {}
    for _, entry in ipairs(section.entries) do
      local current = ""
      if entry.out == out then open, current = " open", ' aria-current="page"' end
      items[#items + 1] = ('<li><a href="%s"%s>%s</a></li>'):format(M.escape(M.relative(out, entry.out)),
        current, M.escape(entry.title))
    end
    parts[#parts + 1] = ("<details%s><summary>%s</summary><ul>%s</ul></details>"):format(open,
      M.escape(section.title), table.concat(items, "\n"))
  end
  return table.concat(parts, "\n")
end

local template = [[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>@title@ - Crossfold</title>
<link rel="stylesheet" href="@style@">
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header><a href="@home@">Crossfold</a> <a href="#pages">Pages</a> <a href="@index@">Index</a></header>
<div class="columns">
<main id="main">
@body@
@neighbours@
</main>
<nav id="pages" aria-label="Pages">
@navigation@
</nav>
</div>
</body>
</html>
]]

-- A whole page. `page`: { out =, title =, body =, previous =, following = }, the last two entries or nil.
function M.page(page, sections)
  local neighbours = {}
  for _, side in ipairs { { "previous", "prev", "← " }, { "following", "next", "" } } do
    local entry = page[side[1]]
    if entry then
      neighbours[#neighbours + 1] = ('<a rel="%s" href="%s">%s%s%s</a>'):format(side[2],
        M.escape(M.relative(page.out, entry.out)), side[3], M.escape(entry.title),
        side[2] == "next" and " →" or "")
    end
  end
  local fields = {
    title = M.escape(page.title), body = page.body, navigation = M.navigation(sections, page.out),
    style = M.relative(page.out, "guide.css"), home = M.relative(page.out, "index.html"),
    index = M.relative(page.out, "terms.html"),
    neighbours = #neighbours > 0
      and '<p class="neighbours">' .. table.concat(neighbours, " ") .. "</p>" or "",
  }
  return (template:gsub("@(%l+)@", fields))
end

return M
