-- Successive halving (Jamieson and Talwalkar 2016, "Non-stochastic best arm identification and
-- hyperparameter optimization"): all candidates with little of a resource, the better 1/factor of them
-- with `factor` times as much, and so on; the last round has all of it.
--
--   cf.halving_search{
--     learner = "knn", grid = { k = {1, 3, 5, 7, 9, 11, 13, 15, 17} },   -- or space, candidates, seed
--     factor = 3, min_resource = 0.1, resource = "rows",
--     splitter = ..., metric = ...,
--   }
--
-- resource = "rows": the share of the training rows of each inner fold; smaller sets are parts of the
-- greater ones and keep the shares of the classes. Otherwise the name of a parameter, such as "trees",
-- and max_resource is its value in the last round.
--
-- Rounds: the last has max_resource, each before it 1/factor of the next one, none less than
-- min_resource; there are no more than it takes to leave at least two candidates for the last.
-- ceil(n / factor) of the n candidates of a round go on, by their means, ties to the earlier. Who fails
-- in a round is out. Only candidates of the last round can be chosen.
local native = require "crossfold.native"
local candidates = require "crossfold.search.candidates"
local inner_scores = require "crossfold.search.inner_scores"
local parameters = require "crossfold.parameters"
local search = require "crossfold.search.search"
local search_budget = require "crossfold.search.budget"
local selection = require "crossfold.search.selection"

local halving_search = {}

local kind = { name = "halving_search", at_most = true }
kind.options = candidates.declare(kind.name, candidates.options, {
  factor = { "integer", 3, doc = "One candidate of this number goes on to the next round." },
  resource = { "string", "rows", doc = "What grows from round to round: \"rows\", or a parameter of the learner." },
  min_resource = { "number!", doc = "The resource of the first round; of rows a share." },
  max_resource = { "number", doc = "The resource of the last round, where it is a parameter." },
})

-- Sizes of the rounds of n candidates.
local function sizes_of(self, n)
  local sizes, resource = { n }, self.max_resource
  while resource / self.factor >= self.min_resource * (1 - 1e-12) and
      math.ceil(sizes[#sizes] / self.factor) > 1 do
    sizes[#sizes + 1] = math.ceil(sizes[#sizes] / self.factor)
    resource = resource / self.factor
  end
  return sizes
end

-- The resource of round r of n_rounds.
local function resource_of(self, r, n_rounds)
  local resource = self.max_resource / self.factor ^ (n_rounds - r)
  return self.whole and math.tointeger(math.floor(resource + 0.5)) or resource
end

function kind.cells_for(self, n, n_folds)
  local cells = 0
  for _, size in ipairs(sizes_of(self, n)) do cells = cells + size * n_folds end
  return cells
end

local function check_rows(self, o)
  if o.max_resource then
    native.fail("halving_search: option 'max_resource' goes with a parameter as the resource; the "
      .. "last round has all rows")
  end
  if not (o.min_resource > 0 and o.min_resource <= 1) then
    native.fail(("halving_search: min_resource = %s is out of range; rows are a share above 0, at "
      .. "most 1"):format(native.format_number(o.min_resource)))
  end
  self.min_resource, self.max_resource = o.min_resource, 1
end

local function check_parameter(self, o)
  local declared, problem = parameters.declared(self.learner, o.resource)
  if not declared then native.fail("halving_search: option 'resource': " .. problem) end
  local kind_of_number = parameters.number_type(declared, o.min_resource, o.max_resource)
  if not kind_of_number then
    native.fail(("halving_search: option 'resource': '%s' is not a number: %s"):format(o.resource,
      declared.text))
  end
  if not o.max_resource then
    native.fail(("halving_search: option 'max_resource' is missing: the value of '%s' in the last "
      .. "round"):format(o.resource))
  end
  if not (o.min_resource > 0 and o.min_resource <= o.max_resource) then
    native.fail("halving_search: min_resource must be greater than 0 and at most max_resource")
  end
  self.whole = kind_of_number == "integer"
  self.min_resource, self.max_resource = o.min_resource, o.max_resource
  local made, why = parameters.try_with(self.learner, { [o.resource] = o.max_resource })
  if not made then native.fail("halving_search: option 'max_resource': " .. why) end
  self.learner = made
end

function kind.setup(self, o)
  if o.factor < 2 then
    native.fail(("halving_search: factor = %d is out of range; use 2 or more"):format(o.factor))
  end
  self.factor, self.resource = o.factor, o.resource
  if o.resource == "rows" then check_rows(self, o) else check_parameter(self, o) end
end

-- Raises if candidates differ in the resource, or if a round's resource is not a value of the parameter.
function kind.finish(self)
  if self.resource == "rows" then return end
  for _, candidate in ipairs(self.candidates) do
    local whole = parameters.with(candidate.learner, { [self.resource] = self.max_resource })
    if tostring(whole) ~= candidate.name then
      native.fail(("halving_search: '%s' is the resource, so it cannot be searched"):format(
        self.resource))
    end
  end
  local n_rounds = #sizes_of(self, #self.candidates)
  for r = 1, n_rounds do
    local _, why = parameters.try_with(self.learner,
      { [self.resource] = resource_of(self, r, n_rounds) })
    if why then native.fail(("halving_search: round %d: %s"):format(r, why)) end
  end
end

-- Evaluates the live candidates with the resource of one round.
local function run_round(self, live, resource, splits, seed)
  local board = inner_scores.board(self, #splits)
  local folds = { splits = splits, first = 1, last = #splits }
  local learner_of
  if self.resource ~= "rows" then
    learner_of = function(candidate)
      return parameters.with(candidate.learner, { [self.resource] = resource })
    end
  elseif resource < 1 then
    folds.splits = native.shrink(splits, resource, native.seed(seed, "rows"))
  end
  inner_scores.run(board, self, live, folds, seed, learner_of)
  return board
end

-- The first `n` of a ranking, in the order of the candidates.
local function survivors(ranked, n)
  local kept = table.move(ranked, 1, math.min(n, #ranked), 1, {})
  table.sort(kept)
  return kept
end

function kind.explore(self, data, seed)
  local splits, detail = self:splits(data, seed), { resource = self.resource }
  local live, entries = search_budget.places(self, #splits, detail)
  local sizes, rounds, cells = sizes_of(self, #live), {}, 0
  local board, counted, reason
  for r = 1, #sizes do
    local resource = resource_of(self, r, #sizes)
    board = run_round(self, live, resource, splits, seed)
    local found
    found, counted, reason = inner_scores.entries(board, self, live)
    for c, entry in pairs(found) do
      entry.round, entry.resource = r, resource
      entries[c] = entry
    end
    local ranked = selection.ranked(entries, live, self.direction)
    cells = cells + board.cells
    rounds[r] = { round = r, resource = resource, candidates = #live, cells = board.cells,
      best = ranked[1] and self.candidates[ranked[1]].name,
      mean = ranked[1] and entries[ranked[1]].mean }
    if r == #sizes or #ranked == 0 then break end
    live = survivors(ranked, sizes[r + 1])
  end
  detail.rounds = rounds
  return { entries = entries, places = live, board = board, folds = counted, reason = reason,
    cells = cells, detail = detail }
end

function halving_search.new(given) return search.new(kind, given) end

return halving_search
