-- Successive halving, as halving_search and hyperband use it: the resource that grows from round to round, and one
-- bracket, which is a series of rounds for some candidates.
--
-- resource = "rows": the share of the training rows of each inner fold; smaller sets are parts of the greater ones and
-- keep the shares of the classes. Otherwise the name of a parameter, such as "trees", and max_resource is its value in
-- the last round.
local native = require "crossfold.native"
local inner_scores = require "crossfold.search.inner_scores"
local parameters = require "crossfold.parameters"
local selection = require "crossfold.search.selection"

local rounds = {}

-- The options that a search with such rounds has in addition to others.
rounds.options = {
  factor = { "integer", 3, doc = "One candidate of this number goes on to the next round." },
  resource = { "string", "rows", doc = "What grows from round to round: \"rows\", or a parameter of the learner." },
  min_resource = { "number!", doc = "The resource of the first round; of rows a share." },
  max_resource = { "number", doc = "The resource of the last round, where it is a parameter." },
}

-- The resource of round r of n_rounds.
function rounds.resource(self, r, n_rounds)
  local resource = self.max_resource / self.factor ^ (n_rounds - r)
  return self.whole and math.tointeger(math.floor(resource + 0.5)) or resource
end

-- The number of rounds from max_resource down to min_resource.
function rounds.most(self)
  local n, resource = 1, self.max_resource
  while resource / self.factor >= self.min_resource * (1 - 1e-12) do
    n, resource = n + 1, resource / self.factor
  end
  return n
end

local function check_rows(self, o, what)
  if o.max_resource then
    native.fail("%s: option 'max_resource' goes with a parameter as the resource; the last round has all rows", what)
  end
  if not (o.min_resource > 0 and o.min_resource <= 1) then
    native.fail("%s: min_resource = %s is out of range; rows are a share above 0, at most 1", what,
      native.format_number(o.min_resource))
  end
  self.min_resource, self.max_resource = o.min_resource, 1
end

local function check_parameter(self, o, what)
  local declared, problem = parameters.declared(self.learner, o.resource)
  if not declared then native.fail("%s: option 'resource': %s", what, problem) end
  local kind_of_number = parameters.number_type(declared, o.min_resource, o.max_resource)
  if not kind_of_number then
    native.fail("%s: option 'resource': '%s' is not a number: %s", what, o.resource, declared.text)
  end
  if not o.max_resource then
    native.fail("%s: option 'max_resource' is missing: the value of '%s' in the last round", what, o.resource)
  end
  if not (o.min_resource > 0 and o.min_resource <= o.max_resource) then
    native.fail(what .. ": min_resource must be greater than 0 and at most max_resource")
  end
  self.whole = kind_of_number == "integer"
  self.min_resource, self.max_resource = o.min_resource, o.max_resource
  local made, why = parameters.try_with(self.learner, { [o.resource] = o.max_resource })
  if not made then native.fail("%s: option 'max_resource': %s", what, why) end
  self.learner = made
end

-- Takes the options above into the search `self`.
function rounds.setup(self, o)
  local what = self.kind.name
  if o.factor < 2 then native.fail("%s: factor = %d is out of range; use 2 or more", what, o.factor) end
  self.factor, self.resource = o.factor, o.resource
  if o.resource == "rows" then check_rows(self, o, what) else check_parameter(self, o, what) end
end

-- Raises if candidates differ in the resource, or if the resource of one of `n_rounds` is not a value of the parameter.
function rounds.check(self, n_rounds)
  if self.resource == "rows" then return end
  local what = self.kind.name
  for _, candidate in ipairs(self.candidates) do
    local whole = parameters.with(candidate.learner, { [self.resource] = self.max_resource })
    if tostring(whole) ~= candidate.name then
      native.fail("%s: '%s' is the resource, so it cannot be searched", what, self.resource)
    end
  end
  for r = 1, n_rounds do
    local _, why = parameters.try_with(self.learner, { [self.resource] = rounds.resource(self, r, n_rounds) })
    if why then native.fail("%s: round %d: %s", what, r, why) end
  end
end

-- Evaluates the live candidates with the resource of one round.
local function run_round(self, board, live, resource, splits, seed)
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
end

-- The first `n` of a ranking, in the order of the candidates.
local function survivors(ranked, n)
  local kept = table.move(ranked, 1, math.min(n, #ranked), 1, {})
  table.sort(kept)
  return kept
end

-- Runs one bracket for the candidates of the list `live`: sizes[r] of them in round r, the last of which has the whole
-- resource and `board`. Fills `entries` of the candidates. Returns a table of each round, the candidates that were in
-- the last one, the folds that count there and, if some do not, why, and the number of cells.
function rounds.run(self, live, sizes, board, splits, seed, entries)
  local list, cells = {}, 0
  local counted, reason
  for r = 1, #sizes do
    local resource = rounds.resource(self, r, #sizes)
    local own = r == #sizes and board or inner_scores.board(self, #splits)
    run_round(self, own, live, resource, splits, seed)
    local found
    found, counted, reason = inner_scores.entries(own, self, live)
    for c, entry in pairs(found) do
      entry.round, entry.resource = r, resource
      entries[c] = entry
    end
    local ranked = selection.ranked(entries, live, self.direction)
    local n_cells = #live * #splits
    cells = cells + n_cells
    list[r] = { round = r, resource = resource, candidates = #live, cells = n_cells,
      best = ranked[1] and self.candidates[ranked[1]].name, mean = ranked[1] and entries[ranked[1]].mean }
    if r == #sizes or #ranked == 0 then return list, live, own, counted, reason, cells end
    live = survivors(ranked, sizes[r + 1])
  end
end

return rounds
