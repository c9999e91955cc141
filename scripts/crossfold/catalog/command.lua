-- What `crossfold catalog` runs: prints what a catalog returns, and ends with the status of the program.
local catalog = require "crossfold.catalog.catalog"

local command = {}

-- As exit_code.h has them.
local failed, differs = 1, 3

local function print_rows(rows, form)
  if form == "text" then
    print(rows)
  else
    io.write(rows:to { [form] = true })
  end
end

local function complain(rows)
  for _, row in ipairs(rows) do
    if row.problem then
      io.stdout:flush()
      io.stderr:write("crossfold: ", row.problem, "\n")
    end
  end
end

local function any(rows, has)
  for _, row in ipairs(rows) do
    if has(row) then return true end
  end
  return false
end

local actions = {
  add = function(self, o) return self:add(#o.stores > 0 and o.stores or nil, { who = o.who }) end,
  list = function(self) return self:list() end,
  best = function(self, o) return self:best { dataset = o.dataset, metric = o.metric } end,
  find = function(self, o) return self:find(o.hash) end,
  query = function(self, o) return self:query(o.sql) end,
  agree = function(self, o) return self:agree { inner = o.inner } end,
}

-- o = { action =, catalog =, form = "text", "csv" or "json", and what the action takes }.
function command.run(o)
  local self = catalog.new(o.catalog)
  if o.action == "remove" then
    for _, store in ipairs(o.stores) do self:remove(store) end
    return
  end
  if o.action == "page" then
    self:page { file = o.output, title = o.title }
    return print(o.output)
  end
  local rows = actions[o.action](self, o)
  print_rows(rows, o.form)
  if o.action == "add" then
    complain(rows)
    if any(rows, function(row) return row.problem end) then os.exit(failed, true) end
  elseif o.action == "agree" and any(rows, function(row) return row.equal < row.cells end) then
    os.exit(differs, true)
  end
end

return command
