-- Wraps text to the width of a terminal: prose breaks between words, tables whose last column is prose there,
-- and other tables between columns, as blocks below each other.
local wrap = {}

local function width_of(text) return utf8.len(text) or #text end

-- Adds `text` in lines of at most `width` characters where blanks allow it; the first one has `first` in
-- front, the others `indent`.
local function add_words(lines, text, width, first, indent)
  local line, room = first, width_of(first)
  local empty = true
  for word in text:gmatch("%S+") do
    local size = width_of(word)
    if not empty and room + 1 + size > width and #indent + size <= width then
      lines[#lines + 1] = line
      line, room, empty = indent, #indent, true
    end
    line, room = line .. (empty and "" or " ") .. word, room + size + (empty and 0 or 1)
    empty = false
  end
  lines[#lines + 1] = line
end

-- Where the columns of a table begin and end, by the line of dashes below their names.
local function columns_of(dashes)
  local columns = {}
  for first, behind in dashes:gmatch("()%-+()") do columns[#columns + 1] = { first, behind - 1 } end
  return columns
end

-- The part of a line between two columns of characters; the last cell goes on to the end.
local function part_of(line, first, last)
  local from = utf8.offset(line, first)
  if not from or from > #line then return "" end
  local behind = last and utf8.offset(line, last + 1) or #line + 1
  return line:sub(from, behind - 1)
end

local function has_prose(rows, first)
  for i = 3, #rows do
    if part_of(rows[i], first):find("%w %w.* ") then return true end
  end
  return false
end

-- The cells of a row from a column on, without blanks around them; empty ones are left out.
local function cells_from(row, columns, c)
  local cells = {}
  for i = c, #columns do
    local last = columns[i + 1] and columns[i + 1][1] - 1
    local cell = part_of(row, columns[i][1], last):match("^%s*(.-)%s*$")
    if cell ~= "" then cells[#cells + 1] = cell end
  end
  return cells
end

-- A table whose last column is prose. The columns before it share a line with it if that leaves room,
-- else the first column does with the others below each other.
local function add_prose_table(lines, rows, columns, width)
  local has_room = width - columns[#columns][1] >= 24
  local c = has_room and #columns or 2
  local at = has_room and columns[c][1] or math.min(columns[c][1], math.max(4, width // 3))
  local indent = (" "):rep(at - 1)
  for i, row in ipairs(rows) do
    local front = part_of(row, 1, columns[c][1] - 1):gsub("%s+$", "")
    front = front .. (" "):rep(math.max(at - 1 - width_of(front), 2))
    if i == 2 then
      lines[#lines + 1] = row:sub(1, at - 1) .. ("-"):rep(width - at + 1)
    else
      for _, cell in ipairs(cells_from(row, columns, c)) do
        add_words(lines, cell, width, front, indent)
        front = indent
      end
      if front ~= indent then lines[#lines + 1] = front:gsub("%s+$", "") end
    end
  end
end

-- Any other table: as many columns as fit, then the others below with the first column again.
local function add_blocks(lines, rows, columns, width)
  local own = columns[1][2]
  local from = 2
  while from <= #columns do
    local to = from
    while to < #columns and own + 2 + columns[to + 1][2] - columns[from][1] + 1 <= width do to = to + 1 end
    if from > 2 then lines[#lines + 1] = "" end
    for _, row in ipairs(rows) do
      local head = part_of(row, 1, own)
      local text = head .. (" "):rep(own - width_of(head) + 2)
        .. part_of(row, columns[from][1], to < #columns and columns[to][2] or nil)
      lines[#lines + 1] = text:gsub("%s+$", "")
    end
    from = to + 1
  end
end

local function add_table(lines, rows, width)
  local columns, widest = columns_of(rows[2]), 0
  for _, row in ipairs(rows) do widest = math.max(widest, width_of(row)) end
  if widest <= width or #columns == 1 then
    table.move(rows, 1, #rows, #lines + 1, lines)
  elseif has_prose(rows, columns[#columns][1]) then
    add_prose_table(lines, rows, columns, width)
  else
    add_blocks(lines, rows, columns, width)
  end
end

-- The rows of the table that begins at line `i`; nil if none does. It ends with an empty line, or with one
-- that has something where two columns are apart.
local function table_at(source, i)
  local dashes = source[i + 1]
  if not dashes or not dashes:find("^%-+ ") or dashes:find("[^- ]") then return nil end
  local columns, rows = columns_of(dashes), {}
  for j = i, #source do
    local line = source[j]
    if line == "" then break end
    for c = 2, #columns do
      if part_of(line, columns[c][1] - 1, columns[c][1] - 1):find("%S") then return rows end
    end
    rows[#rows + 1] = line
  end
  return rows
end

-- `text` in lines of at most `width` characters, prose in those of at most `prose`.
function wrap.text(text, width, prose)
  local source, lines, i = {}, {}, 1
  for line in (text .. "\n"):gmatch("([^\n]*)\n") do source[#source + 1] = line end
  while i <= #source do
    local line, rows = source[i], table_at(source, i)
    if rows and #rows >= 2 then
      add_table(lines, rows, width)
      i = i + #rows
    else
      local blanks = line:match("^%s*")
      if width_of(line) <= math.min(width, prose or width) then
        lines[#lines + 1] = line
      else
        add_words(lines, line, math.min(width, prose or width), blanks, blanks .. "  ")
      end
      i = i + 1
    end
  end
  return table.concat(lines, "\n")
end

return wrap
