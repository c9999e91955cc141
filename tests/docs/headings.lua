-- Headings of Markdown pages and their anchors, as GitHub makes them.
local M = {}

-- The text of inline Markdown: without marks, links and code quotes.
function M.plain(text)
  text = text:gsub("!?%[([^%]]*)%]%b()", "%1"):gsub("`", ""):gsub("%*%*", "")
  return (text:gsub("^%s+", ""):gsub("%s+$", ""))
end

-- Letters, digits, "-" and "_" stay, blanks become "-"; bytes of other alphabets are letters, but for the
-- signs of Latin-1, general punctuation and arrows.
function M.slug(text)
  local out = {}
  for _, code in utf8.codes(M.plain(text):lower()) do
    local letter = utf8.char(code)
    if letter:find("^[%w_%-]$") then
      out[#out + 1] = letter
    elseif letter == " " then
      out[#out + 1] = "-"
    elseif code >= 0xC0 and code ~= 0xD7 and code ~= 0xF7 and (code < 0x2000 or code > 0x2BFF) then
      out[#out + 1] = letter
    end
  end
  return table.concat(out)
end

-- { level =, text =, anchor =, line = } for every heading (# ...) of the lines of a page.
function M.read(lines)
  local headings, seen, fence = {}, {}, nil
  for number, line in ipairs(lines) do
    local mark = line:match("^%s*(```+)")
    if fence then
      if mark and #mark >= #fence and not line:find("^%s*```+%s*%S") then fence = nil end
    elseif mark then
      fence = mark
    else
      local hashes, text = line:match("^(#+)%s+(.-)%s*#*%s*$")
      if hashes and #hashes <= 6 then
        local slug = M.slug(text)
        local n = seen[slug]
        seen[slug] = (n or 0) + 1
        headings[#headings + 1] = { level = #hashes, text = M.plain(text), line = number,
          anchor = n and slug .. "-" .. n or slug }
      end
    end
  end
  return headings
end

return M
