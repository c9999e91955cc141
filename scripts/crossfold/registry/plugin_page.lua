-- Makes the page of one plugin of a registry. All text in it is the plugin's, so everything is escaped.
local html = require "crossfold.report.html"
local native = require "crossfold.native"
local page = require "crossfold.report.page"
local parameter_text = require "crossfold.text.parameter_text"

local column, head, number = html.column, html.head_column, html.number_column

local plugin_page = {}

-- A value of the index or of a description; nil if it has none.
function plugin_page.given(value)
  if value == native.null or value == "" then return nil end
  return value
end

local given = plugin_page.given

local function words(list) return table.concat(list, ", ") end

local function code(text) return "<pre><code>" .. html.lines((text:gsub("\n$", ""))) .. "</code></pre>\n" end

-- A link if the address is one of the web; other schemes could run a script.
local function address(text)
  if not text:match("^https?://%S+$") then return html.text(text) end
  return ('<a href="%s" rel="noreferrer nofollow">%s</a>'):format(html.text(text), html.text(text))
end

local function range_text(param)
  local low, high = given(param.low), given(param.high)
  if #param.choices > 0 then return words(param.choices) end
  if not low and not high then return nil end
  local parts = {}
  if low then parts[1] = (param.low_open and "> " or "≥ ") .. native.format_number(low) end
  if high then parts[#parts + 1] = (param.high_open and "< " or "≤ ") .. native.format_number(high) end
  return words(parts)
end

local function default_text(param)
  if param.default ~= native.null then return parameter_text(param.default) end
  return param.nullable and "none" or "required"
end

local function doc_text(param)
  local text, active = param.doc, given(param.active_if)
  if not active then return text end
  return ("%s Only if %s is %s."):format(text, active.param, words(active.values))
end

local function parameters(component)
  if #component.params == 0 then return html.paragraph("It has no parameters.") end
  local rows = {}
  for i, param in ipairs(component.params) do
    rows[i] = { name = param.name, type = param.type, default = default_text(param), range = range_text(param),
      unit = given(param.unit), doc = doc_text(param) }
  end
  return html.table("Parameters", { head "name", column "type", column "default", column "range", column "unit",
    column("meaning", "doc") }, rows)
end

local function facts_of(component)
  local facts = {}
  local function add(title, list)
    if list and #list > 0 then facts[#facts + 1] = { title, words(list) } end
  end
  add("tasks", component.tasks)
  add("accepts", component.accepts)
  add("needs", component.needs)
  add("capabilities", component.capabilities)
  add("determinism", component.determinism)
  add("threads", { given(component.threading) })
  return html.facts(facts)
end

local function example_html(example, heading)
  if not example.code then return heading .. html.paragraph(example.reason) end
  local out = { heading, code(example.code) }
  if example.failure then
    out[#out + 1] = ('<div class="alert bad">%s</div>\n'):format(html.paragraph("The example failed: "
      .. example.failure .. "."))
  end
  out[#out + 1] = html.paragraph("Output:") .. code(example.output)
  return table.concat(out)
end

local function component_section(made, component, example)
  local out = {}
  if given(component.title) then out[1] = html.paragraph(component.title, "lead") end
  if given(component.doc) then out[#out + 1] = html.paragraph(component.doc) end
  if given(component.source) then out[#out + 1] = html.paragraph("Source: " .. component.source, "note") end
  out[#out + 1] = facts_of(component)
  out[#out + 1] = parameters(component)
  out[#out + 1] = example_html(example, made:heading("Example"))
  made:section(component.kind .. " " .. component.id, table.concat(out))
end

-- "31 ok, 2 skipped"
local function counts_text(check)
  local outcomes, parts = {}, {}
  for outcome in pairs(check.counts) do outcomes[#outcomes + 1] = outcome end
  table.sort(outcomes)
  for i, outcome in ipairs(outcomes) do parts[i] = ("%d %s"):format(check.counts[outcome], outcome) end
  return words(parts)
end

local function checks_section(made, checks)
  if #checks == 0 then
    made:section("Checks", html.paragraph("crossfold plugin check was not run for this version."))
    return
  end
  local out, hosts = {}, {}
  for i, check in ipairs(checks) do
    hosts[i] = { host = check.host, date = check.date, result = check.passed and "passed" or "failed",
      counts = counts_text(check) }
  end
  out[1] = html.table("crossfold plugin check", { head("Crossfold", "host"), column "date", column "result",
    column("checks", "counts") }, hosts)
  for _, check in ipairs(checks) do
    if #check.findings > 0 then
      out[#out + 1] = html.table("Checks that were skipped or not passed on Crossfold " .. check.host,
        { head "check", column "component", column "outcome", column("reason", "text") }, check.findings)
    end
  end
  made:section("Checks", table.concat(out))
end

local function versions_section(made, builds)
  local rows = {}
  for i, build in ipairs(builds) do
    rows[i] = { version = build.version, platform = build.platform, glibc = given(build.glibc), abi = build.abi,
      bytes = build.package_bytes, sha256 = ('<span class="hash">%s</span>'):format(html.text(build.sha256)) }
  end
  made:section("Versions", html.table("Versions and platforms", { head "version", column "platform",
    column "glibc", column("plugin ABI", "abi"), number "bytes",
    { title = "SHA-256", key = "sha256", html = true } }, rows))
end

-- `plugin` = { id =, builds = of the index, the newest one first, with `platform` as text, build = the documented one,
-- checks = of that one, components = as plugin describe has them, or problem = why they are not known, examples = by id
-- of a component }.
function plugin_page.text(plugin, registry)
  local build = plugin.build
  local made = page.new(plugin.id)
  made:section("Install", code(("crossfold plugin install %s"):format(plugin.id)))
  if plugin.problem then
    made:section("Components", ('<div class="alert">%s</div>\n'):format(html.paragraph(plugin.problem)))
  end
  for _, component in ipairs(plugin.components) do
    component_section(made, component, plugin.examples[component.id])
  end
  checks_section(made, plugin.checks)
  versions_section(made, plugin.builds)
  local opening = { given(build.title) and html.paragraph(build.title, "lead") or "", html.facts {
    { "version", build.version }, { "platform", build.platform }, { "kinds", words(build.kinds) },
    { "licence", given(build.license) or "unknown" }, { "vendor", given(build.vendor) or "unknown" } } }
  if given(build.homepage) then opening[3] = ("<p>%s</p>\n"):format(address(build.homepage)) end
  opening[#opening + 1] = '<p><a href="../index.html">All plugins</a></p>\n'
  return made:finish(table.concat(opening), html.paragraph(("Registry %s, index %d."):format(registry.id,
    registry.serial)))
end

return plugin_page
