-- Pages of the components: what the program says of each (`crossfold plugin describe`), and the README.md
-- of its plugin, which has the method, the formulas and the sources.
local json = require "json"
local M = {}

M.kinds = {
  { kind = "learner", title = "Learners", page = "docs/learners.md" },
  { kind = "transform", title = "Transforms", page = "docs/transforms.md" },
  { kind = "splitter", title = "Splitters", page = "docs/splitters.md" },
  { kind = "metric", title = "Metrics", page = "docs/metrics.md" },
  { kind = "source", title = "Sources", page = "docs/sources.md" },
}

local function run(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read("a")
  assert(pipe:close(), "cannot run: " .. command)
  return text
end

-- Numbers as the program writes them in its tables.
local function number_text(value)
  if math.type(value) == "integer" or value == math.floor(value) and math.abs(value) < 1e15 then
    return ("%d"):format(value)
  end
  return ("%.14g"):format(value)
end

local function value_text(value)
  if type(value) == "number" then return number_text(value) end
  if type(value) == "table" then
    local parts = {}
    for i, element in ipairs(value) do parts[i] = value_text(element) end
    return "{" .. table.concat(parts, ", ") .. "}"
  end
  if type(value) == "string" then return '"' .. value .. '"' end
  return value == nil and "none" or tostring(value)
end

local function range_text(p)
  if #p.choices > 0 then
    local quoted = {}
    for i, choice in ipairs(p.choices) do quoted[i] = '`"' .. choice .. '"`' end
    return table.concat(quoted, ", ")
  end
  local text = p.type
  if p.low and p.high then
    text = ("%s in %s%s, %s%s"):format(p.type, p.low_open and "(" or "[", number_text(p.low),
      number_text(p.high), p.high_open and ")" or "]")
  elseif p.low then
    text = ("%s %s %s"):format(p.type, p.low_open and ">" or "≥", number_text(p.low))
  elseif p.high then
    text = ("%s %s %s"):format(p.type, p.high_open and "<" or "≤", number_text(p.high))
  end
  return text .. (p.nullable and ", or none" or "")
end

local function cell(text) return (text:gsub("|", "\\|"):gsub("<", "&lt;"):gsub("\n", " ")) end

local function parameter_rows(params)
  if #params == 0 then return "No parameters." end
  local lines = { "| parameter | values | default | meaning |", "|---|---|---|---|" }
  for _, p in ipairs(params) do
    local meaning = cell(p.doc)
    if p.scale == "log" then meaning = meaning .. " Searched on a logarithmic scale." end
    if p.unit then meaning = meaning .. " In " .. p.unit .. "." end
    if p.active_if then
      local values = {}
      for i, value in ipairs(p.active_if.values) do values[i] = value_text(value) end
      meaning = meaning .. (" Only with `%s` = %s."):format(p.active_if.param, table.concat(values, " or "))
    end
    lines[#lines + 1] = ("| `%s` | %s | `%s` | %s |"):format(p.name, range_text(p),
      cell(value_text(p.default)), meaning)
  end
  return table.concat(lines, "\n")
end

-- The part "declared" of what the program prints for people, as rows of a table.
local function declared_rows(text)
  local lines, inside = { "| declared | |", "|---|---|" }, false
  for line in text:gmatch("[^\n]*") do
    if line:find("^declared%s*$") then
      inside = true
    elseif inside and line == "" then
      break
    elseif inside and not line:find("^%-%-%-") then
      local name, words = line:match("^(%S+)%s+(.+)$")
      if name then lines[#lines + 1] = ("| %s | %s |"):format(name, cell(words)) end
    end
  end
  return #lines > 2 and table.concat(lines, "\n") or nil
end

-- The rows of the README's tables about one of several components, each under the head of its table.
local function own_rows(readme, short_id)
  local out, head, head_done = {}, nil, false
  local previous
  for line in readme:gmatch("[^\n]*") do
    if line:find("^|%-") or line:find("^|%s*%-") then
      head, head_done = previous .. "\n" .. line, false
    elseif line:find("^|") and head then
      local first = line:match("^|([^|]*)|")
      if first:find("`crossfold%." .. short_id .. "`") or first:find("`" .. short_id .. "`") then
        if not head_done then out[#out + 1] = (#out > 0 and "\n" or "") .. head end
        head_done = true
        out[#out + 1] = line
      end
    elseif line ~= "" then
      head = line:find("^|") and head or nil
    end
    previous = line
  end
  return table.concat(out, "\n")
end

local function bounds(component)
  local direction = component.direction
  if not direction then return nil end
  local worst, best = component.worst, component.best
  return ("%s is better; from %s (worst) to %s (best)."):format(
    direction == "higher" and "Higher" or direction == "lower" and "Lower" or "No direction",
    worst and number_text(worst) or "no bound", best and number_text(best) or "no bound")
end

-- The part of the README.md of several components that one of them needs: without the sections of the
-- others; or, where a table has a row for each, what stands in front of it and the rows of this one.
local function own_part(readme, short_id, siblings, folder)
  local rows = own_rows(readme, short_id)
  if rows ~= "" then
    local intro = ("\n" .. readme):match("^(.-)\n|"):gsub("^\n#[^\n]*\n", "")
    return ("%s\n\n%s\n\n[More of these metrics, conventions and corner cases](../%s/README.md)."):format(intro,
      rows, folder)
  end
  local lines, skip, found = {}, false, false
  for line in (readme .. "\n"):gmatch("(.-)\n") do
    local title = line:match("^## (.+)$")
    if title then
      local of_siblings, of_this = false, false  -- a title may name several of them
      for id in title:gmatch("[%w_]+") do
        of_siblings, of_this = of_siblings or siblings[id] or false, of_this or id == short_id
      end
      skip, found = of_siblings and not of_this, found or of_this
    end
    if not skip then lines[#lines + 1] = line end
  end
  assert(found, ("%s/README.md says nothing of '%s': neither a row of a table nor a section"):format(folder, short_id))
  return table.concat(lines, "\n")
end

-- The Markdown of a component's page. `readme` is the text of its plugin's README.md, `siblings` the set
-- of the components of the plugin in `folder`.
local function markdown(component, described, readme, siblings, folder)
  local parts = {}
  local function add(text) if text and text ~= "" then parts[#parts + 1] = text end end
  add("# " .. component.short_id .. ": " .. component.title)
  add(component.doc)
  add(('```lua\ncf.%s("%s")\n```'):format(component.kind, component.short_id))
  add(bounds(component))
  add(component.source and component.source ~= "" and "Source: " .. component.source .. "." or nil)
  add("## Parameters")
  add(parameter_rows(component.params))
  add("## What it declares")
  add(declared_rows(described))
  add("## In detail")
  local detail = readme
  if next(siblings, next(siblings)) then
    detail = own_part(readme, component.short_id, siblings, folder)
  end
  add((("\n" .. detail):gsub("^\n# [^\n]*\n", "\n"):gsub("\n## ", "\n### ")))
  return table.concat(parts, "\n\n") .. "\n"
end

-- Folder of plugins/ by the id of a component.
local function folders_of(root)
  local folders = {}
  local pipe = assert(io.popen("grep -rHoE '\\.id = \"crossfold\\.[a-z0-9_]+\"' '" .. root
    .. "/plugins' --include=*.cpp --include=*.h --include=*.c | LC_ALL=C sort"))
  for line in pipe:lines() do
    local folder, id = line:match("/plugins/([^/]+)/[^:]*:%.id = \"(crossfold%.[%w_]+)\"")
    if folder and not folders[id] then folders[id] = folder end
  end
  pipe:close()
  return folders
end

local function read_file(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

-- All bundled components that the program has, sorted by kind and id, each with `kind`, `short_id`,
-- `title`, `markdown`, `folder` and `alone`.
function M.list(root, program)
  local quoted = "'" .. program .. "' --quiet plugin "
  local folders, members = folders_of(root), {}
  for id, folder in pairs(folders) do
    members[folder] = members[folder] or {}
    members[folder][id:match("([%w_]+)$")] = true
  end
  local components = {}
  for _, entry in ipairs(json.read(run(quoted .. "list --json"))) do
    local folder = folders[entry.id]
    if folder and entry.status == "ready" then
      local component = json.read(run(quoted .. "describe " .. entry.id .. " --json"))
      local siblings = members[folder]
      component.folder, component.alone = folder, not next(siblings, next(siblings))
      component.markdown = markdown(component, run(quoted .. "describe " .. entry.id),
        read_file(root .. "/plugins/" .. folder .. "/README.md"), siblings, folder)
      components[#components + 1] = component
    end
  end
  table.sort(components, function(a, b) return a.short_id < b.short_id end)
  return components
end

return M
