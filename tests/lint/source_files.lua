-- Reading the source tree for the lint scripts. Each script prints what it finds, one line a finding,
-- and ends the program with status 1 if there was any.
local M = {}

-- All files below `folders` whose name matches one of the endings, in a fixed order.
function M.list(root, folders, endings)
  local wanted = {}
  for _, ending in ipairs(endings) do wanted[ending] = true end
  local quoted = {}
  for i, folder in ipairs(folders) do quoted[i] = "'" .. root .. "/" .. folder .. "'" end
  local pipe = assert(io.popen("find " .. table.concat(quoted, " ") .. " -type f | LC_ALL=C sort"))
  local files = {}
  for path in pipe:lines() do
    if wanted[path:match("%.([%w_]+)$") or ""] then files[#files + 1] = path end
  end
  assert(pipe:close(), "cannot list the files of " .. root)
  assert(#files > 0, "no file found below " .. root)
  return files
end

-- All files of the repository in a fixed order, but for the offences that the tests of the lints look for.
function M.list_all(root)
  local left_out = ("-path '%s/build' -o -name .git -o -name .cache -o -path '%s/tests/lint/bad_tree' "
    .. "-o -name house_rules.expected"):format(root, root)
  local pipe = assert(io.popen(("find '%s' \\( %s \\) -prune -o -type f -print | LC_ALL=C sort"):format(root,
    left_out)))
  local files = {}
  for path in pipe:lines() do files[#files + 1] = path end
  assert(pipe:close(), "cannot list the files of " .. root)
  return files
end

function M.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

function M.lines(path)
  local lines = {}
  for line in (M.read(path):gsub("\r", "") .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  if lines[#lines] == "" then lines[#lines] = nil end
  return lines
end

-- The path as people write it.
function M.relative(root, path) return path:sub(#root + 2) end

-- Prints the findings and leaves.
function M.finish(subject, findings)
  for _, finding in ipairs(findings) do print(finding) end
  print(("%s: %d found"):format(subject, #findings))
  os.exit(#findings == 0 and 0 or 1)
end

return M
