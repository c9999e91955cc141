-- Users find every bundled plugin: a folder of plugins/ with a CROSSFOLD_PLUGIN or a crossfold.json has a README.md,
-- one of the pages below links it and names each of its components in `backquotes`. What these pages link is there.
local pages = {
  "docs/learners.md", "docs/transforms.md", "docs/splitters.md", "docs/metrics.md",
  "docs/metrics_scores.md", "docs/reading.md",
}

-- Folders with a plugin in them -> the short ids of its components.
local function read_plugins(tree)
  local is_plugin, ids = {}, {}
  for _, file in ipairs(tree:list({ "plugins" }, "h cpp c json")) do
    local folder = file.name:match("^plugins/([^/]+)/")
    if folder then
      ids[folder] = ids[folder] or {}
      if file.text:find("\n%s*CROSSFOLD_PLUGIN") or file.name:find("/crossfold%.json$") then
        is_plugin[folder] = ids[folder]
      end
      for _, pattern in ipairs { '"id": "crossfold%.([%w_]+)"', '%.id = "crossfold%.([%w_]+)"' } do
        for id in file.text:gmatch(pattern) do table.insert(ids[folder], id) end
      end
    end
  end
  return is_plugin
end

local function check(tree, add)
  local text = ""
  for _, page in ipairs(pages) do
    local content = tree.by_name[page] and tree.by_name[page].text or ""
    for link in content:gmatch("%]%(%.%./(plugins/[^)]*)%)") do
      if not tree.by_name[link] then add(page, nil, "there is no file '%s'", link) end
    end
    text = text .. content
  end
  for plugin, ids in pairs(read_plugins(tree)) do
    local folder = "plugins/" .. plugin
    local readme = folder .. "/README.md"
    if not tree.by_name[readme] then add(folder, nil, "has no README.md") end
    if not text:find("(../" .. readme .. ")", 1, true) then
      add(folder, nil, "no page links it; the pages are %s", table.concat(pages, ", "))
    end
    for _, id in ipairs(ids) do
      if not text:find("`" .. id .. "`", 1, true) then add(folder, nil, "no page names its component '%s'", id) end
    end
  end
end

return { name = "plugin_pages", finds = "plugins that users do not find", check = check }
