-- Users find every bundled plugin: `lua5.4 plugin_pages.lua ROOT`.
--   A folder of plugins/ with a CROSSFOLD_PLUGIN or a crossfold.json has a README.md, one of the pages below links it
--   and names each of its components in `backquotes`. What these pages link is there.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]

local pages = {
  "docs/learners.md", "docs/transforms.md", "docs/splitters.md", "docs/metrics.md",
  "docs/metrics_scores.md", "docs/reading.md",
}

local findings = {}
local function add(...) findings[#findings + 1] = string.format(...) end

local function exists(path)
  local file = io.open(root .. "/" .. path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- Folders with a plugin in them, in order; and the short ids of the components of each.
local function read_plugins()
  local folders, is_plugin, ids = {}, {}, {}
  for _, path in ipairs(source.list(root, { "plugins" }, { "h", "cpp", "c", "json" })) do
    local folder = source.relative(root, path):match("^plugins/([^/]+)/")
    if folder then
      if not ids[folder] then
        folders[#folders + 1] = folder
        ids[folder] = {}
      end
      local text = source.read(path)
      if text:find("\n%s*CROSSFOLD_PLUGIN") or path:find("/crossfold%.json$") then is_plugin[folder] = true end
      for id in text:gmatch('"id": "crossfold%.([%w_]+)"') do table.insert(ids[folder], id) end
      for id in text:gmatch('%.id = "crossfold%.([%w_]+)"') do table.insert(ids[folder], id) end
    end
  end
  local plugins = {}
  for _, folder in ipairs(folders) do
    if is_plugin[folder] then plugins[#plugins + 1] = { folder = folder, ids = ids[folder] } end
  end
  return plugins
end

local text = ""
for _, page in ipairs(pages) do
  if exists(page) then
    local content = source.read(root .. "/" .. page)
    for link in content:gmatch("%]%(%.%./(plugins/[^)]*)%)") do
      if not exists(link) then add("%s: there is no file '%s'", page, link) end
    end
    text = text .. content
  end
end

for _, plugin in ipairs(read_plugins()) do
  local readme = "plugins/" .. plugin.folder .. "/README.md"
  if not exists(readme) then add("plugins/%s: has no README.md", plugin.folder) end
  if not text:find("(../" .. readme .. ")", 1, true) then
    add("plugins/%s: no page links it; the pages are %s", plugin.folder, table.concat(pages, ", "))
  end
  for _, id in ipairs(plugin.ids) do
    if not text:find("`" .. id .. "`", 1, true) then
      add("plugins/%s: no page names its component '%s'", plugin.folder, id)
    end
  end
end
source.finish("plugins that users do not find", findings)
