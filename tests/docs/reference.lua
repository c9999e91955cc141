-- Everything public has its entry in the reference: `crossfold run reference.lua ROOT`.
--   Every function of cf stands in docs/lua.md, every one of cf.stats and other tables of the module in a
--   page of docs/. So does every method of what they return: with the name of an object in front, such as
--   result:scores, in any page, or in the page that the table below names. (options.md, which the build makes,
--   has every option by construction: see docs/reference.)
local here = arg[0]:match("^(.*)/")
package.path = here .. "/../lint/?.lua;" .. package.path
local cf = require "crossfold"
local source = require "source_files"
local root = arg[1]

local findings, n_names = {}, 0
local function add(...) findings[#findings + 1] = string.format(...) end

local texts = {}
local function text_of(page)
  texts[page] = texts[page] or source.read(root .. "/docs/" .. page)
  return texts[page]
end

-- The page has `prefix..name`, as a whole word.
local function has(page, prefix, name)
  local text, from = text_of(page), 1
  while true do
    local first, last = text:find(prefix .. name, from, true)
    if not first then return false end
    if not text:find("^[%w_]", last + 1) then return true end
    from = last + 1
  end
end

local pages = {}
for _, path in ipairs(source.list(root, { "docs" }, { "md" })) do
  pages[#pages + 1] = source.relative(root, path):gsub("^docs/", "")
end

local function any_has(prefix, name)
  for _, page in ipairs(pages) do
    if has(page, prefix, name) then return true end
  end
  return false
end

local function check(what, name, page, prefixes)
  n_names = n_names + 1
  for _, prefix in ipairs(prefixes) do
    if has(page, prefix, name) or prefix:find("^%l+:$") and any_has(prefix, name) then return end
  end
  add("docs/%s: there is no entry for %s%s", page, what, name)
end

-- The functions themselves.
for name, value in pairs(cf) do
  if type(value) == "function" then check("cf.", name, "lua.md", { "cf." }) end
end
for name in pairs(cf.stats) do
  n_names = n_names + 1
  local found = false
  for _, page in ipairs { "statistics.md", "statistics_ranks.md", "learning_curves.md" } do
    for _, mark in ipairs { "`", "`cf.stats.", "cf.stats." } do found = found or has(page, mark, name) end
  end
  if not found then add("docs/statistics.md: there is no entry for cf.stats.%s", name) end
end
for field, members in pairs(cf) do
  if type(members) == "table" and field ~= "stats" then
    for name, value in pairs(members) do
      local full = ("cf.%s."):format(field)
      if type(value) == "function" and not name:find("^_") then
        n_names = n_names + 1
        if not any_has(full, name) and not any_has("`", name) then
          add("docs: there is no entry for %s%s", full, name)
        end
      end
    end
  end
end

-- One object of each kind.
local iris = cf.read(root .. "/scripts/data/iris.csv", { target = "class" })
local folds = cf.splitter("kfold", { folds = 3, stratify = true })
local result = cf.evaluate { data = iris, splitter = folds, metrics = "accuracy", seed = 1,
  learners = { bayes = "naive_bayes", lda = "lda" }, keep = "probabilities" }
local tuned = cf.grid_search { learner = "knn", grid = { k = { 1, 3 } }, splitter = folds,
  metric = "accuracy" }
local model = cf.learner("naive_bayes"):fit(iris, { seed = 1 })
local splits = cf.split(folds, iris, { seed = 1 })
local learning = cf.learning_curve { data = iris, learners = { bayes = "naive_bayes" }, from = 12,
  points = 5, trials = 3, metrics = "accuracy", seed = 1 }
local fitted = learning:fit("bayes")

local kinds = {
  { "data", iris, "lua.md", { "data:" } },
  { "splits", splits, "lua.md", { "splits:" } },
  { "outcomes", cf.run { { learner = cf.learner("lda"), splits = splits, metrics = { "accuracy" } } }, "lua.md",
    { "`:" } },
  { "learner", cf.learner("lda"), "lua.md", { "learner:" } },
  { "spec", folds, "lua.md", { "spec:", "learner:" } },
  { "model", model, "lua.md", { "model:" } },
  { "prediction", model:predict(iris), "lua.md", { "`:" } },
  { "ensemble", cf.voting { learners = { "lda", "naive_bayes" } }, "lua.md", { "ensemble:", "learner:" } },
  { "result", result, "lua.md", { "result:" } },
  { "search", tuned, "tuning.md", { "search:" } },
  { "curve", result:curve("roc", { learner = "lda", positive = "setosa" }), "curves.md", { "curve:" } },
  { "comparison", cf.compare(result), "comparing.md", { "`:" } },
  { "curve", learning, "learning_curves.md", { "curve:" } },
  { "fit", fitted, "learning_curves.md", { "fit:" } },
  { "found", cf.bias_variance { data = iris, learners = { lda = "lda" }, rounds = 3, seed = 1 },
    "bias_variance.md", { "found:" } },
  { "curve", cf.validation_curve { data = iris, learner = "knn", parameter = "k", values = { 1, 3 },
    splitter = folds, metric = "accuracy" }, "learning_curves.md", { "`" } },
  { "report", cf.check(cf.metric { name = "m", direction = "higher", score = function() return 1 end }), "check.md",
    { "report:" } },
}

-- The protocol between parts of the library: no one calls these from outside.
local internal = { new = true, cells_for = true, check = true, definition = true, map_learners = true, parts = true,
  resolve = true, splits = true, splits_rows = true, to_bytes = true, with_parts = true,
  needs_probabilities = true,
  slice = true, of_cells = true, ["fit:crossing"] = true, ["splits:unseen_levels"] = true }

for _, kind in ipairs(kinds) do
  local name, object, page, prefixes = table.unpack(kind)
  local methods = (debug.getmetatable(object) or {}).__index
  if type(methods) ~= "table" then
    methods = {}
    for key, value in pairs(object) do
      if type(value) == "function" then methods[key] = value end
    end
  end
  local any = false
  for method, value in pairs(methods) do
    if type(value) == "function" and not internal[method]
      and not internal[name .. ":" .. method] and not method:find("^__") then
      any = true
      check(name .. ":", method, page, prefixes)
    end
  end
  if not any then add("%s: the object has no methods; the test looks at the wrong place", name) end
end
table.sort(findings)
print(("%d names looked up"):format(n_names))
assert(n_names > 120, "too few names")
source.finish("public names without an entry", findings)
