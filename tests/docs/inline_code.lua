-- What pages mention in `quotes` exists: `crossfold run inline_code.lua ROOT`.
--   cf.name and cf.stats.name are functions of the module. A whole call of cf.learner, cf.transform,
--   cf.splitter or cf.metric makes its component. In docs/coming_from the second column of each table,
--   what to write here, compiles; what needs nothing but the names of `stand_ins` runs.
local here = arg[0]:match("^(.*)/")
package.path = here .. "/?.lua;" .. here .. "/../lint/?.lua;" .. package.path
local cf = require "crossfold"
local source = require "source_files"
local root = arg[1]

local findings, n_names, n_made, n_compiled = {}, 0, 0, 0
local function add(...) findings[#findings + 1] = string.format(...) end

-- Ids of plugins that are built where their library is installed.
local optional = { libsvm = true, liblinear = true, xgboost = true }
local function is_optional(code)
  for id in code:gmatch('"([%w_]+)"') do
    if optional[id] then return true end
  end
  return false
end

local function check_names(name, number, code)
  for path in code:gmatch("%f[%w_]cf%.([%w_.]+)") do
    local value, whole = cf, true
    for key in path:gmatch("[%w_]+") do  -- of cf.stats.* the dot is not part
      value = type(value) == "table" and value[key]
      whole = whole and value ~= nil and value ~= false
    end
    n_names = n_names + 1
    -- cf.plot.NAME stands for all of them; the page on the prompt completes names.
    if not whole and not path:find("%u%u") and name ~= "docs/repl.md" then
      add("%s:%d: there is no cf.%s", name, number, path)
    end
  end
end

local function make(name, number, code, environment)
  local chunk, problem = load("return " .. code, "=code", "t", environment)
  if not chunk then
    add("%s:%d: `%s` does not compile: %s", name, number, code, problem)
    return
  end
  local ok, message = pcall(chunk)
  n_made = n_made + 1
  if not ok then add("%s:%d: `%s`: %s", name, number, code, message) end
end

-- Every `...` of a line; a quote of two backquotes may hold one.
local function quotes(line)
  local list = {}
  for code in line:gmatch("`([^`]+)`") do list[#list + 1] = code end
  return list
end

local is_component = { learner = true, transform = true, splitter = true, metric = true }
local function check_line(name, number, line)
  for _, code in ipairs(quotes(line)) do
    check_names(name, number, code)
    local kind, arguments = code:match("^cf%.(%l+)(%b())$")
    if kind and is_component[kind] and arguments:find('^%("') and not code:find("%.%.%.")
      and not code:find("id, params") and not code:find("org%.example") and not is_optional(code) then
      make(name, number, code, { cf = cf })
    end
  end
end

-- The tables of docs/coming_from.
local knn = cf.learner("knn")
local stand_ins = {
  cf = cf, l = knn, f = cf.learner("lda"), ls = { knn, "lda" }, s = cf.splitter("kfold"),
  g = { k = { 1, 3 } }, sp = { k = { low = 1, high = 9 } }, m = "accuracy",
  c = { { 0, 1 }, { 5, 0 } }, folds = { 1, 2, 1, 2 },
}
local runs = { calibration = true, grid_search = true, pipeline = true, stacking = true, voting = true,
  bagging = true, random_search = true, race_search = true, halving_search = true,
  model_search = true, hyperband = true }

local function check_row(name, number, line)
  local cells = {}
  for cell in line:gmatch("|([^|]*)") do cells[#cells + 1] = cell end
  for _, code in ipairs(quotes(cells[2] or "")) do
    if not code:find("^%-%-") then
      local assignment = code:match("^[%l_]+ = (.+)$")
      local chunk, problem = load("return " .. (assignment or code), "=code", "t", stand_ins)
      n_compiled = n_compiled + 1
      if not chunk and not code:find("^:%l") then
        add("%s:%d: `%s` does not compile: %s", name, number, code, problem)
      end
      local called = code:match("^cf%.([%l_]+)[ ({]")
      if chunk and called and runs[called] and not is_optional(code) then
        make(name, number, code, stand_ins)
      end
    end
  end
end

for _, path in ipairs(source.list(root, { "docs", "README.md" }, { "md" })) do
  local name, fence = source.relative(root, path), nil
  for number, line in ipairs(source.lines(path)) do
    local mark = line:match("^%s*(```+)")
    if mark then
      fence = not fence and mark or nil
    elseif not fence then
      check_line(name, number, line)
      if name:find("^docs/coming_from/") and line:find("^|") then check_row(name, number, line) end
    end
  end
end
print(("%d names looked up, %d components made, %d pieces of tables compiled"):format(n_names, n_made,
  n_compiled))
assert(n_names > 100 and n_made > 50 and n_compiled > 100, "the pages are not read")
source.finish("code in quotes that does not exist", findings)
