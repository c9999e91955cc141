-- The tree grows in plain view: no folder has more lines of text than its row of tests/budget.txt allows. A row counts
-- all files below its folder; `.` is the tree. Files that git ignores do not count; without git all do.
local kFile = "tests/budget.txt"

-- The rows { name =, maximum =, unit = "lines" or "reference compiles" } in their order.
local function read_rows(tree)
  local rows = {}
  for line in (tree.by_name[kFile] and tree.by_name[kFile].text or ""):gmatch("[^\n]+") do
    local name, maximum, unit = line:match("^([^#%s]%S*)%s+([%d.]+) (%l.*)$")
    if name then rows[#rows + 1] = { name = name, maximum = tonumber(maximum), unit = unit } end
  end
  return rows
end

local function files_of_git(tree)
  local pipe = assert(io.popen(("git -C '%s' ls-files -z --cached --others --exclude-standard 2>/dev/null"):format(
    tree.root)))
  local files = {}
  for name in pipe:read("a"):gmatch("%Z+") do files[#files + 1] = tree.by_name[name] end
  pipe:close()
  return files
end

-- Path of a folder -> the lines of text below it.
local function count_lines(tree)
  local files, counts = files_of_git(tree), {}
  for _, file in ipairs(#files > 0 and files or tree.files) do
    local lines = file.text:find("\0", 1, true) and 0 or file.line_count
    local folder = file.name
    repeat
      folder = folder:match("^(.*)/") or "."
      counts[folder] = (counts[folder] or 0) + lines
    until folder == "."
  end
  return counts
end

local function check(tree, add)
  local counts, rows = count_lines(tree), read_rows(tree)
  if #rows == 0 then add(kFile, nil, "has no rows") end
  for _, row in ipairs(rows) do
    local lines = counts[row.name]
    if row.unit == "lines" and not lines then
      add(kFile, nil, "there is no folder '%s'; delete its row", row.name)
    elseif row.unit == "lines" and lines > row.maximum then
      add(row.name, nil, "%d lines, and %s allows %d; delete something, or raise the number there in the same commit",
        lines, kFile, row.maximum)
    end
  end
end

return { name = "budget", finds = "folders above their budget", check = check, file = kFile, read_rows = read_rows,
         count_lines = count_lines }
