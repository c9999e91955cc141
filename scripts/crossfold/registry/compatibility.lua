-- Makes the table of a registry that shows which plugins pass `crossfold plugin check` on which hosts.
local html = require "crossfold.report.html"
local native = require "crossfold.native"
local page = require "crossfold.report.page"

local column, head, number = html.column, html.head_column, html.number_column

local compatibility = {}

-- "linux-x86_64", or "any"
function compatibility.platform(build)
  return build.os == "any" and "any" or build.os .. "-" .. build.arch
end

-- The results of checks.json.
function compatibility.results(text)
  return text == "" and {} or native.json_value(text).results
end

-- "0.10.0" after "0.9.0".
local function version_key(host)
  return (host:gsub("%d+", function(digits) return ("0"):rep(12 - #digits) .. digits end))
end

local function by_host(a, b)
  local left, right = version_key(a.host), version_key(b.host)
  if left ~= right then return left < right end
  return a.host < b.host
end

-- The checks of the very bytes of a build, one for each host: of checks.json, else of the index.
function compatibility.checks_of(build, results)
  local checks, seen = {}, {}
  for _, result in ipairs(results) do
    if result.id == build.id and result.version == build.version
      and result.platform == compatibility.platform(build) and result.package_sha256 == build.package_sha256 then
      checks[#checks + 1] = result.check
      seen[result.check.host] = true
    end
  end
  if build.check ~= native.null and not seen[build.check.host] then checks[#checks + 1] = build.check end
  table.sort(checks, by_host)
  return checks
end

local not_a_fault = { skipped = true, warning = true, ["expected-failure"] = true }

local function faults(check)
  local found = {}
  for _, finding in ipairs(check.findings) do
    if not not_a_fault[finding.outcome] then found[#found + 1] = finding end
  end
  return found
end

local function cell(check)
  if not check then return '<span class="blank">not run</span>' end
  if check.passed then return "passed" end
  local names, seen = {}, {}
  for _, finding in ipairs(faults(check)) do
    if not seen[finding.check] then names[#names + 1] = finding.check end
    seen[finding.check] = true
  end
  return "<strong>failed</strong>: " .. html.text(table.concat(names, ", "))
end

local function host_list(rows)
  local hosts, by_name = {}, {}
  for _, row in ipairs(rows) do
    for _, check in ipairs(row.checks) do
      local host = by_name[check.host]
      if not host then
        host = { host = check.host, date = check.date, passed = 0, failed = 0 }
        by_name[check.host] = host
        hosts[#hosts + 1] = host
      end
      if check.date > host.date then host.date = check.date end
      local outcome = check.passed and "passed" or "failed"
      host[outcome] = host[outcome] + 1
    end
  end
  table.sort(hosts, by_host)
  for _, host in ipairs(hosts) do host.not_run = #rows - host.passed - host.failed end
  return hosts
end

local function plugin_table(rows, hosts)
  local columns = { head("plugin", "id"), column "version", column "platform" }
  for h, host in ipairs(hosts) do columns[#columns + 1] = { title = host.host, key = "host " .. h, html = true } end
  for _, row in ipairs(rows) do
    for h, host in ipairs(hosts) do
      local check
      for _, each in ipairs(row.checks) do
        if each.host == host.host then check = each end
      end
      row["host " .. h] = cell(check)
    end
  end
  return html.table("Plugins on versions of Crossfold", columns, rows, { sortable = true })
end

local function failure_rows(rows)
  local failures = {}
  for _, row in ipairs(rows) do
    for _, check in ipairs(row.checks) do
      for _, finding in ipairs(check.passed and {} or faults(check)) do
        failures[#failures + 1] = { plugin = row.id .. " " .. row.version, host = check.host, check = finding.check,
          component = finding.component, outcome = finding.outcome, text = finding.text }
      end
    end
  end
  return failures
end

local function failure_table(rows)
  local failures = failure_rows(rows)
  if #failures == 0 then return html.paragraph("There are none.") end
  return html.table("What was found", { head "plugin", column("Crossfold", "host"), column "check",
    column "component", column "outcome", column("finding", "text") }, failures)
end

-- `wanted` = { index =, checks = }, texts of the registry's files; checks is "" if there are none. Returns the page by
-- its path in the registry.
function compatibility.pages(wanted)
  local registry, results, rows = native.json_value(wanted.index), compatibility.results(wanted.checks), {}
  for i, build in ipairs(registry.plugins) do
    rows[i] = { id = build.id, version = build.version, platform = compatibility.platform(build),
      checks = compatibility.checks_of(build, results) }
  end
  local hosts = host_list(rows)
  local made = page.new("Compatibility of " .. registry.id)
  made:section("Plugins", plugin_table(rows, hosts))
  made:section("Failures", failure_table(rows))
  made:section("Versions of Crossfold", html.table("Versions of Crossfold", { { title = "Crossfold", key = "host",
    head = true }, column "date", number "passed", number "failed", number("not run", "not_run") }, hosts))
  return { ["compatibility.html"] = made:finish(html.facts { { "registry", registry.id },
    { "index", registry.serial }, { "plugins", #rows } }, html.paragraph("Made by crossfold registry check.")) }
end

return compatibility
