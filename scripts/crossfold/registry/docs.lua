-- Makes the pages of a registry of plugins: a list with a search field, and a page for each plugin. What plugins say of
-- themselves and the outputs of examples come from the program, run once for each.
local compatibility = require "crossfold.registry.compatibility"
local example = require "crossfold.registry.example"
local html = require "crossfold.report.html"
local native = require "crossfold.native"
local page = require "crossfold.report.page"
local plugin_page = require "crossfold.registry.plugin_page"
local program = require "crossfold.registry.program"
local search = require "crossfold.registry.search"

local docs, given = {}, plugin_page.given

-- Without the place where the plugin was unpacked, which is another one each time.
local function without_place(text, folder)
  local pattern = folder:gsub("%p", "%%%0") .. "/?"
  return (text:gsub(pattern, ""):gsub("%s+$", ""))
end

-- An unpacked plugin as `plugin describe` has it; or nil and why that is not known.
local function description_of(host, unpacked)
  local output, errors, failure = program.run(host, unpacked.path, unpacked.folder,
    { "plugin", "describe", unpacked.path, "--json" })
  if failure then
    return nil, ("The plugin cannot be described: %s; %s"):format(failure, without_place(errors, unpacked.folder))
  end
  local is_json, described = pcall(native.json_value, output)
  if not is_json then return nil, "The plugin cannot be described: its description is not JSON." end
  return described
end

local function run_script(host, unpacked, code)
  local file = assert(io.open(unpacked.folder .. "/example.lua", "wb"))
  assert(file:write(code))
  assert(file:close())
  local output, errors, failure = program.run(host, unpacked.path, unpacked.folder, { "run", "example.lua" })
  output = output:sub(1, program.most_shown)
  if failure then output = output .. errors end
  return { code = code, output = without_place(output, unpacked.folder), failure = failure }
end

-- The first example that works, or the first one with its failure. After one that does not end there are no more.
local function run_example(host, unpacked, component)
  local scripts, reason = example.scripts(component)
  if not scripts then return { reason = reason } end
  local first
  for _, code in ipairs(scripts) do
    local made = run_script(host, unpacked, code)
    if not made.failure or made.failure == program.too_long then return made end
    first = first or made
  end
  return first
end

local function newest_first(builds)
  local turned = {}
  for i = #builds, 1, -1 do turned[#turned + 1] = builds[i] end
  return turned
end

-- The plugins of the index by id, each with its builds.
local function plugins_of(registry)
  local plugins, by_id = {}, {}
  for _, build in ipairs(registry.plugins) do
    build.platform = compatibility.platform(build)
    local plugin = by_id[build.id]
    if not plugin then
      plugin = { id = build.id, builds = {} }
      by_id[build.id] = plugin
      plugins[#plugins + 1] = plugin
    end
    table.insert(plugin.builds, build)
  end
  for _, plugin in ipairs(plugins) do plugin.builds = newest_first(plugin.builds) end
  return plugins
end

-- What the index does not know, as of a plugin that was added without checks, is as the plugin declares it.
local function use_description(plugin, described)
  plugin.components = described.components
  for _, field in ipairs { "license", "vendor" } do
    if not given(plugin.build[field]) then plugin.build[field] = described[field] end
  end
end

local function document(plugin, unpacked, host, results)
  plugin.build, plugin.components, plugin.examples = plugin.builds[1], {}, {}
  if not unpacked then
    plugin.problem = "No build of this plugin runs on the machine that made this page."
  elseif unpacked.problem then
    plugin.problem = ("The package of this plugin cannot be used: %s."):format(unpacked.problem)
  else
    for _, build in ipairs(plugin.builds) do
      if build.package == unpacked.package then plugin.build = build end
    end
    local described
    described, plugin.problem = description_of(host, unpacked)
    if described then use_description(plugin, described) end
    for _, component in ipairs(plugin.components) do
      plugin.examples[component.id] = run_example(host, unpacked, component)
    end
  end
  plugin.checks = compatibility.checks_of(plugin.build, results)
end

-- What the search finds a plugin by, in addition to what its row shows.
local function hidden_words(plugin)
  local parts = {}
  for _, component in ipairs(plugin.build.components) do parts[#parts + 1] = component.id end
  for _, component in ipairs(plugin.components) do
    parts[#parts + 1] = given(component.title)
    parts[#parts + 1] = given(component.doc)
    for _, param in ipairs(component.params) do parts[#parts + 1] = param.name end
  end
  return table.concat(parts, " ")
end

local function title_of(plugin)
  if given(plugin.build.title) then return plugin.build.title end
  local first = plugin.components[1]
  return first and given(first.title) or ""
end

local function list_page(registry, plugins)
  local made, rows = page.new(given(registry.title) or registry.id), {}
  for i, plugin in ipairs(plugins) do
    local check = plugin.checks[#plugin.checks]
    rows[i] = {
      plugin = ('<a href="plugins/%s.html">%s</a><span hidden> %s</span>'):format(html.text(plugin.id),
        html.text(plugin.id), html.text(hidden_words(plugin))),
      kinds = table.concat(plugin.build.kinds, ", "), title = title_of(plugin), version = plugin.build.version,
      licence = given(plugin.build.license), checks = not check and "not run" or check.passed and "passed" or "failed",
    }
  end
  local field = '<p id="search-box" hidden><label>Search <input type="search" id="search"></label> '
    .. '<span id="found" role="status"></span></p>\n'
  made:section("Plugins", field .. '<div id="plugin-list">' .. html.table("Plugins", {
    { title = "plugin", head = true, html = true }, { title = "kinds" }, { title = "title" }, { title = "version" },
    { title = "licence" }, { title = "checks" } }, rows, { sortable = true }) .. "</div>\n")
  return made:finish(html.facts { { "registry", registry.id }, { "index", registry.serial },
    { "plugins", #plugins } }, html.paragraph("Made by crossfold registry docs."), search)
end

-- The text of a plugin's page. A description that is not one must not cost the pages of others.
local function page_of(plugin, unpacked, host, results, registry)
  local is_made, text = pcall(function()
    document(plugin, unpacked, host, results)
    hidden_words(plugin)
    return plugin_page.text(plugin, registry)
  end)
  if is_made then return text end
  plugin.components, plugin.examples = {}, {}
  plugin.problem = "The plugin cannot be described: its description is not one of a plugin."
  plugin.checks = compatibility.checks_of(plugin.build, results)
  return plugin_page.text(plugin, registry)
end

-- `wanted` = { index =, checks = (texts of the registry's files, checks "" if there are none), program = (its path),
-- unpacked = { { id =, package =, path =, folder =, problem = }, ... }, cancelled = (a function) }. Returns the pages
-- by their paths in docs/.
function docs.pages(wanted)
  local registry = native.json_value(wanted.index)
  local results, unpacked, pages = compatibility.results(wanted.checks), {}, {}
  for _, each in ipairs(wanted.unpacked) do unpacked[each.id] = each end
  local plugins = plugins_of(registry)
  for _, plugin in ipairs(plugins) do
    pages["plugins/" .. plugin.id .. ".html"] = page_of(plugin, unpacked[plugin.id], wanted, results, registry)
  end
  pages["index.html"] = list_page(registry, plugins)
  return pages
end

return docs
