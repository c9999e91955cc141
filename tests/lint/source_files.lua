-- Reading the source tree for scripts that check it. Each script prints what it finds, one line a finding, and ends
-- the program with status 1 if there was any.
local M = {}

-- What find prints for `arguments`, in a fixed order.
function M.find(arguments)
  local pipe = assert(io.popen("find " .. arguments .. " | LC_ALL=C sort"))
  local files = {}
  for path in pipe:lines() do files[#files + 1] = path end
  assert(pipe:close() and #files > 0, "no file found: find " .. arguments)
  return files
end

-- All files below `folders` whose name matches one of the endings.
function M.list(root, folders, endings)
  local quoted, names = {}, {}
  for i, folder in ipairs(folders) do quoted[i] = ("'%s/%s'"):format(root, folder) end
  for i, ending in ipairs(endings) do names[i] = "-name '*." .. ending .. "'" end
  return M.find(table.concat(quoted, " ") .. " -type f \\( " .. table.concat(names, " -o ") .. " \\)")
end

function M.read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

function M.split(text)
  local lines = {}
  for line in (text:gsub("\r", "") .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  if lines[#lines] == "" then lines[#lines] = nil end
  return lines
end

function M.lines(path) return M.split(M.read(path)) end

-- The path as people write it.
function M.relative(root, path) return path:sub(#root + 2) end

-- Prints the findings and leaves.
function M.finish(subject, findings)
  for _, finding in ipairs(findings) do print(finding) end
  print(("%s: %d found"):format(subject, #findings))
  os.exit(#findings == 0 and 0 or 1)
end

return M
