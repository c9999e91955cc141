-- Makes HTML from data: escaped text, tables, data: addresses. Everything that comes from data passes through
-- html.text or html.attribute.
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"

local html = {}

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

-- U+2400 and on are pictures of the control characters, U+2421 that of DEL.
local function control_picture(c)
  local byte = c:byte()
  return utf8.char(byte == 127 and 0x2421 or 0x2400 + byte)
end

local replacement = utf8.char(0xFFFD)

-- `text` as valid UTF-8: each byte that is part of no character becomes U+FFFD.
local function valid_utf8(text)
  local parts, from = {}, 1
  while true do
    local length, bad = utf8.len(text, from)
    if length then
      if from == 1 then return text end
      parts[#parts + 1] = text:sub(from)
      return table.concat(parts)
    end
    parts[#parts + 1] = text:sub(from, bad - 1)
    parts[#parts + 1] = replacement
    from = bad + 1
  end
end

-- Characters that turn the direction of what follows them, as the marks U+202A to U+202E and U+2066 to
-- U+2069: a name with one could show another name. They become U+FFFD.
local function without_direction(text)
  return (text:gsub("\u{202A}", replacement):gsub("\u{202B}", replacement)
    :gsub("\u{202C}", replacement):gsub("\u{202D}", replacement):gsub("\u{202E}", replacement)
    :gsub("\u{2066}", replacement):gsub("\u{2067}", replacement):gsub("\u{2068}", replacement)
    :gsub("\u{2069}", replacement))
end

-- Text between tags or in a quoted attribute. Control characters become visible pictures of them.
function html.text(value)
  local text = without_direction(valid_utf8(tostring(value)))
  return (text:gsub("%c", control_picture):gsub("[&<>\"']", entities))
end

-- The same for <pre>: ends of lines and tabulators stay.
function html.lines(value)
  local text = without_direction(valid_utf8(tostring(value))):gsub("\r\n?", "\n")
  return (text:gsub("[^%C\n\t]", control_picture):gsub("[&<>\"']", entities))
end

-- Numbers of tables: four decimals; more where these would all be zeros, or make 1 of what is below; few
-- where the number is large.
-- "" for nil: the caller says why there is none.
function html.number(value, decimals)
  if value == nil then return "" end
  if math.type(value) == "integer" then return native.format_number(value) end
  if value ~= value or value == math.huge or value == -math.huge then
    return native.format_number(value)
  end
  local size = math.abs(value)
  if size >= 1e15 or size > 0 and size < 1e-9 then return number_text.with_exponent(value, 4, true) end
  return number_text.fixed(value, decimals or (size >= 1e5 and 0 or size >= 1000 and 1 or size >= 100 and 2 or 4))
end

-- Three significant digits, as of times.
function html.significant(value)
  if value == nil then return "" end
  if value == 0 then return "0" end
  local decimals = 2 - math.floor(math.log(math.abs(value), 10) + 1e-9)
  return native.format_number(value, math.max(0, decimals))
end

-- "1 fold", "3 folds".
function html.count(n, one, many)
  return ("%d %s"):format(n, n == 1 and one or many or one .. "s")
end

local function cell_text(column, row)
  local value = row[column.key or column.title]
  if column.html then return value or "" end
  if value == nil then return "" end
  if type(value) == "number" then
    if column.significant then return html.significant(value) end
    return html.number(value, column.decimals)
  end
  return html.text(value)
end

-- Columns of html.table: of text, of what names the row, of numbers. `key` is the field of a row; default the title.
function html.column(title, key) return { title = title, key = key } end
function html.head_column(title, key) return { title = title, key = key, head = true } end
function html.number_column(title, key) return { title = title, key = key, number = true } end

-- A text so short does not break into lines.
local short_text = 28

-- The classes of a cell: numbers to the right, short texts in one line.
local function cell_class(column, row)
  if column.number then return ' class="n"' end
  local value = row[column.key or column.title]
  local is_short = not column.html and value ~= nil and #tostring(value) <= short_text
  return is_short and ' class="k"' or ""
end

-- Tables of up to this number of rows stay on one page of paper.
local short_table = 20

-- A table in a box that scrolls by itself. `columns` = { { title =, key = title, number = true (to the
-- right), head = true (names the row), html = true (is HTML already), decimals =, significant = true }, ... }.
-- `options` = { sortable = true }.
function html.table(caption, columns, rows, options)
  options = options or {}
  local out = {}
  local function add(...) out[#out + 1] = table.concat { ... } end
  add('<div class="scroll" role="region" tabindex="0" aria-label="', html.text(caption), '"><table class="',
    options.sortable and #rows > 1 and "sortable" or "plain", #rows <= short_table and " short" or "",
    '"><caption>', html.text(caption), "</caption><thead><tr>")
  for _, column in ipairs(columns) do
    add('<th scope="col"', column.number and ' class="n"' or "", ">", html.text(column.title), "</th>")
  end
  add("</tr></thead><tbody>\n")
  for _, row in ipairs(rows) do
    local cells = {}
    for c, column in ipairs(columns) do
      local class, tag = cell_class(column, row), column.head and "th" or "td"
      cells[c] = ("<%s%s%s>%s</%s>"):format(tag, column.head and ' scope="row"' or "", class,
        cell_text(column, row), tag)
    end
    add("<tr>", table.concat(cells), "</tr>\n")
  end
  add("</tbody></table></div>\n")
  return table.concat(out)
end

function html.paragraph(text, class)
  return ("<p%s>%s</p>\n"):format(class and (' class="%s"'):format(class) or "", html.text(text))
end

function html.list(items, class)
  if #items == 0 then return "" end
  local out = { ("<ul%s>\n"):format(class and (' class="%s"'):format(class) or "") }
  for _, item in ipairs(items) do out[#out + 1] = "<li>" .. html.text(item) .. "</li>\n" end
  out[#out + 1] = "</ul>\n"
  return table.concat(out)
end

-- A line of links; "" without any.
function html.links(text) return text == "" and "" or ('<p class="links">%s</p>\n'):format(text) end

-- Pairs of a name and a text.
function html.facts(pairs_)
  local out = { '<dl class="facts">\n' }
  for _, pair in ipairs(pairs_) do
    out[#out + 1] = ("<div><dt>%s</dt><dd>%s</dd></div>\n"):format(html.text(pair[1]), html.text(pair[2]))
  end
  out[#out + 1] = "</dl>\n"
  return table.concat(out)
end

function html.details(summary, body, open)
  return ("<details%s><summary>%s</summary>\n%s</details>\n"):format(open and " open" or "", html.text(summary), body)
end

-- The address of a text in itself, for href. What no browser changes stays as it is, to keep it small.
function html.data_address(media_type, text)
  local encoded = text:gsub("[^%w%-_.~!*'(),;/?:@=+$|{}> ]", function(c)
    return ("%%%02X"):format(c:byte())
  end)
  return ("data:%s,%s"):format(media_type, (encoded:gsub(" $", "%%20")))
end

-- The name of a file: letters, digits, dashes.
function html.file_name(text)
  local name = text:gsub("[^%w]+", "-"):gsub("^%-+", ""):gsub("%-+$", ""):lower()
  return name == "" and "figure" or name:sub(1, 60)
end

return html
