-- Puts the page together: a head with a policy that forbids the network, the contents, the sections, the foot. Also the
-- room that is left for downloads, and ids that occur once.
local figure = require "crossfold.plot.figure"
local html = require "crossfold.report.html"
local script = require "crossfold.report.script"
local style = require "crossfold.report.style"

local page = {}
page.__index = page

-- Bytes. Links to SVG and CSV are the data itself, so a page with hundreds of figures would grow without
-- end: what does not fit has no link, and the page says so.
local most_of_a_download = 400 * 1024
local most_of_all_downloads = 3 * 1024 * 1024

function page.new(title)
  return setmetatable({ title = title, ids = {}, contents = {}, body = {}, downloads = 0,
    without_download = 0, depth = 2 }, page)
end

-- `text` as an id that no other element has.
function page:id(text)
  local base = html.file_name(text)
  local id, n = base, 1
  while self.ids[id] do
    n = n + 1
    id = base .. "-" .. n
  end
  self.ids[id] = true
  return id
end

function page:add(text) self.body[#self.body + 1] = text end

-- A heading at a depth below that of the section: 1 = a part of it.
function page:heading(text, below)
  local level = math.min(self.depth + (below or 1), 6)
  return ("<h%d>%s</h%d>\n"):format(level, html.text(text), level)
end

-- A section with a place in the contents.
function page:section(title, body)
  local id = self:id(title)
  self.contents[#self.contents + 1] = { id = id, title = title, depth = self.depth }
  self:add(('<section aria-labelledby="%s">\n<h%d id="%s">%s</h%d>\n%s</section>\n'):format(id,
    self.depth, id, html.text(title), self.depth, body))
end

-- A heading over sections, which are then one level below it, until page:end_part.
function page:begin_part(title)
  local id = self:id(title)
  self.contents[#self.contents + 1] = { id = id, title = title, depth = 2, part = true }
  self:add(('<section class="part" aria-labelledby="%s">\n<h2 id="%s">%s</h2>\n'):format(id, id, html.text(title)))
  self.depth = 3
end

function page:end_part()
  self:add("</section>\n")
  self.depth = 2
end

-- A link that saves `text` under `name`; "" where it would be too large, for which `most` bytes are the limit.
function page:download(label, name, media_type, text, most)
  if #text > (most or most_of_a_download) then
    self:leave_out_download()
    return ""
  end
  local address = html.data_address(media_type, text)
  if self.downloads + #address > most_of_all_downloads then
    self:leave_out_download()
    return ""
  end
  self.downloads = self.downloads + #address
  return ('<a href="%s" download="%s">%s</a>'):format(address, html.text(name), html.text(label))
end

-- A line with the link that saves what subject:to gives as CSV; "" where it would be too large.
function page:csv_link(subject, name, label)
  return html.links(self:download(label or "as CSV", name, "text/csv;charset=utf-8", subject:to { csv = true }))
end

-- Says of a link that it would be too large, which is known before its text is made.
function page:leave_out_download() self.without_download = self.without_download + 1 end

-- What stands at the end about downloads that are not there; "" if all are.
function page:download_note()
  if self.without_download == 0 then return "" end
  return ("%s would have made this page too large; figure:save(path) and result:to{ csv = path } write "
    .. "them."):format(html.count(self.without_download, "download"))
end

local function contents_html(entries)
  local out, inside = { '<nav aria-label="Contents"><ol>\n' }, false
  for i, entry in ipairs(entries) do
    if entry.depth == 2 and inside then
      out[#out + 1] = "</ol></li>\n"
      inside = false
    end
    local link = ('<a%s href="#%s">%s</a>'):format(entry.part and ' class="part"' or "", entry.id,
      html.text(entry.title))
    local parent = entry.part and entries[i + 1] and entries[i + 1].depth == 3
    out[#out + 1] = parent and ("<li>%s<ol>\n"):format(link) or ("<li>%s</li>\n"):format(link)
    inside = inside or parent
  end
  if inside then out[#out + 1] = "</ol></li>\n" end
  out[#out + 1] = "</ol></nav>\n"
  return table.concat(out)
end

-- The styles of the figures, which follow the reader's scheme; on paper the light one, which is their first
-- rule.
local function figure_styles()
  local sheet = figure.stylesheet()
  local light = assert(sheet:match("^%.cf%-figure(%b{})"), "the first rule of the figures is not .cf-figure")
  return sheet .. ("@media print{.cf-figure%s}\n"):format(light)
end

-- Nothing from the network; styles of the page itself; the scripts, by their hashes.
local policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
  .. "script-src"

local head = [[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="frame wide">
]]

-- The whole text. `opening` stands under the title, `foot` at the end; both are HTML. `more` = { text =, sha256 = }, a
-- script in addition to that of every page.
function page:finish(opening, foot, more)
  local hashes, scripts = "", ""
  for _, each in ipairs { script, more } do
    hashes = ("%s 'sha256-%s'"):format(hashes, each.sha256)
    scripts = ("%s<script>%s</script>\n"):format(scripts, each.text)
  end
  return table.concat {
    head:format(policy .. hashes, html.text(self.title), style .. figure_styles()),
    "<header>\n<h1>", html.text(self.title), "</h1>\n", opening, "</header>\n", contents_html(self.contents),
    '<main id="content" tabindex="-1">\n', table.concat(self.body), "</main>\n",
    "<footer>\n", foot, "</footer>\n</div>\n", scripts, "</body>\n</html>\n",
  }
end

return page
