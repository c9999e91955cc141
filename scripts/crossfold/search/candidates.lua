-- Makes the candidates of a search, as a list of { params =, learner =, name = }: the settings of a grid,
-- or settings drawn from a space.
--
-- Order of a grid: parameter names sorted, the last one varies fastest; a list of grids is searched
-- one after the other.
local native = require "crossfold.native"
local kept_predictions = require "crossfold.search.kept_predictions"
local options = require "crossfold.options"
local parameters = require "crossfold.parameters"
local selection = require "crossfold.search.selection"
local search_space = require "crossfold.search.space"

local candidates = {}

-- All settings of one grid, as parameter tables, in grid order.
local function expand(grid, what)
  local names = options.sorted_keys(grid)
  local settings = { {} }
  for _, name in ipairs(names) do
    local values = grid[name]
    if type(values) ~= "table" or next(values) == nil then
      native.fail("%s: the values of '%s' must be a list that is not empty", what, name)
    end
    options.list(("%s: the values of '%s'"):format(what, name), values)
    local longer = {}
    for _, setting in ipairs(settings) do
      for _, value in ipairs(values) do longer[#longer + 1] = options.joined(setting, { [name] = value }) end
    end
    settings = longer
  end
  return settings
end

local function all_settings(grid, what)
  local grids = grid[1] ~= nil and options.list(what .. ": option 'grid'", grid) or { grid }
  local settings = {}
  for _, one in ipairs(grids) do
    if type(one) ~= "table" then
      native.fail("%s: option 'grid' must be { name = {values} } or a list of such", what)
    end
    for _, setting in ipairs(expand(one, what)) do settings[#settings + 1] = setting end
  end
  return settings
end

local function count(params)
  local n = 0
  for _ in pairs(params) do n = n + 1 end
  return n
end

-- A list of sentences without repeats.
local function problem_list()
  local list, seen = {}, {}
  return list, function(problem)
    if not seen[problem] then
      seen[problem] = true
      list[#list + 1] = problem
    end
  end
end

-- Candidates of a grid or a list of grids; every problem of the whole grid is reported at once. With
-- `drop` parameters that the others make inactive are left out, and settings that are equal then count
-- once.
function candidates.of_grid(base, grid, drop, what)
  local list, named, inactive = {}, {}, false
  local problems, complain = problem_list()
  for _, setting in ipairs(all_settings(grid, what)) do
    local active = parameters.active(base, setting)
    local partial = count(active) < count(setting)
    local params = drop and active or setting
    local made, problem = parameters.try_with(base, params)
    if not made then
      complain(problem)
      inactive = inactive or partial
    else
      local name = tostring(made)
      local whole = not (drop and partial)
      if named[name] and named[name].whole and whole then
        complain(("the setting %s occurs twice"):format(name))
      end
      if not named[name] then
        list[#list + 1] = { params = params, learner = made, name = name }
        named[name] = { whole = whole }
      end
      named[name].whole = named[name].whole or whole
    end
  end
  if #problems > 0 then
    if inactive and not drop then
      complain("inactive = \"drop\" leaves out of a setting what has no effect in it")
    end
    native.fail("%s: %s", what, table.concat(problems, "\n  "))
  end
  return list
end

-- Candidates of `draws` settings drawn from a space. Draw i depends on the seed and on i alone. What a
-- setting makes inactive is left out of it; settings that are equal then count once.
function candidates.of_space(base, space, draws, seed, what)
  local dimensions = search_space.check(base, space, what)
  local list, named = {}, {}
  local problems, complain = problem_list()
  for i = 1, draws do
    local setting = search_space.draw(dimensions, native.seed(seed, "draw", i))
    local params = parameters.active(base, setting)
    local made, problem = parameters.try_with(base, params)
    if not made then
      complain(problem)
    else
      local name = tostring(made)
      if not named[name] then list[#list + 1] = { params = params, learner = made, name = name } end
      named[name] = true
    end
  end
  if #problems > 0 then native.fail("%s: %s", what, table.concat(problems, "\n  ")) end
  return list
end

-- The options that say where candidates come from.
candidates.options = {
  grid = { "table", is = "table<string, any[]>|table[]",
    doc = "The values of each parameter, of which all combinations are tried; or a list of such tables." },
  inactive = { "string", words = { "drop", "refuse" },
    doc = "What to do with values that have no effect in a setting: \"refuse\" (default) raises an error." },
  space = { "table", is = "table<string, \"declared\"|crossfold.Range|any[]>",
    doc = "What the values of each parameter are drawn from: a list, a range, or \"declared\"." },
  candidates = { "integer", doc = "Number of settings that are drawn; default 60." },
  seed = { "integer", doc = "Seed of the settings that are drawn; default the seed of the program." },
}

local shared = options.joined(selection.options, {
  learner = { "any!", is = "learner", doc = "The learner whose parameters are searched." },
  splitter = { "any!", is = "splitter", doc = "The inner splits, which are made of the training rows." },
  metric = { "any!", is = "metric", doc = "The metric that decides." },
  metrics = { "any", is = "metrics", doc = "Further metrics whose inner means are kept." },
  keep_inner = kept_predictions.option,
  budget = { "table", is = "crossfold.SearchBudget",
    doc = "A limit of the search: { cells = } or, for grid_search and random_search, { seconds = }." },
})

-- Declares the options of a kind of search: the shared ones and those of the declarations after the name.
function candidates.declare(name, ...) return options.declare(name, options.joined(shared, ...)) end

local function refuse(o, names, where, what)
  for _, name in ipairs(names) do
    if o[name] ~= nil then native.fail("%s: option '%s' goes with '%s'", what, name, where) end
  end
end

-- Candidates as options ask for, and how many settings were drawn (nil for a grid).
function candidates.make(base, o, what)
  if (o.grid == nil) == (o.space == nil) then native.fail("%s: give either 'grid' or 'space'", what) end
  if o.grid then
    refuse(o, { "candidates", "seed" }, "space", what)
    return candidates.of_grid(base, o.grid, o.inactive == "drop", what)
  end
  refuse(o, { "inactive" }, "grid", what)
  local draws = o.candidates or 60
  if draws < 1 then native.fail("%s: candidates = %d is out of range; use 1 or more", what, draws) end
  return candidates.of_space(base, o.space, draws, o.seed or native.defaults().seed, what), draws
end

return candidates
