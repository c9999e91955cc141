-- Finds out which splits imported predictions were made on, and puts the entries of each learner into them.
local native = require "crossfold.native"
local entries = require "crossfold.import.entries"

local folds = {}

-- The different entries of a column, in order: numbers, then strings. nil of no column: one key.
local function keys_of(column, n, what, problems)
  if not column then return { false } end
  local keys, seen = {}, {}
  for i = 1, n do
    local value = column[i]
    if entries.is_missing(value) then
      problems:add(("no %s"):format(what), "entry", i)
    elseif not seen[value] then
      seen[value], keys[#keys + 1] = true, value
    end
  end
  table.sort(keys, function(a, b)
    if type(a) ~= type(b) then return type(a) == "number" end
    if type(a) == "boolean" then return not a and b end
    return a < b
  end)
  return keys
end

local function numbers_of(keys)
  local numbers = {}
  for i, key in ipairs(keys) do numbers[key] = i end
  return numbers
end

-- The groups of the entries of one learner, { { repeat_ =, fold =, places =, of = { [place] = entry } }, ... }, by
-- repeat, then fold. `list` has the entries of the learner; `table_of` = { places =, repeats =, folds =, n = }.
local function groups_of(list, source, numbers)
  local groups, by_key = {}, {}
  for _, i in ipairs(list) do
    local r = source.repeats and numbers.repeats[source.repeats[i]] or 1
    local f = source.folds and numbers.folds[source.folds[i]] or 1
    local place = source.places[i]
    if place then
      by_key[r] = by_key[r] or {}
      local group = by_key[r][f]
      if not group then
        group = { repeat_ = r, fold = f, places = {}, of = {} }
        by_key[r][f], groups[#groups + 1] = group, group
      end
      if group.of[place] then
        group.twice = group.twice or {}
        table.insert(group.twice, place)
      else
        group.of[place] = i
        table.insert(group.places, place)
      end
    end
  end
  table.sort(groups, function(a, b)
    if a.repeat_ ~= b.repeat_ then return a.repeat_ < b.repeat_ end
    return a.fold < b.fold
  end)
  for _, group in ipairs(groups) do table.sort(group.places) end
  return groups
end

local function of_learner(name, names)
  return #names > 1 and (" of '%s'"):format(name) or ""
end

-- "repeat 2" if there are several, else "".
local function in_repeat(r, context)
  return #context.repeats > 1 and (" in repeat %d"):format(r) or ""
end

-- Notes rows that are predicted twice in a repeat.
local function check_once(groups, name, context, problems)
  local seen = {}
  for _, group in ipairs(groups) do
    local r = group.repeat_
    seen[r] = seen[r] or {}
    local where = of_learner(name, context.names) .. in_repeat(r, context)
    local way_out = "name the column of repeats with repeat_, of learners with learner_column, or the splits with "
      .. "splits"
    for _, place in ipairs(group.twice or {}) do
      problems:add(("several predictions of one row%s"):format(where), "row", place, way_out)
    end
    for _, place in ipairs(group.places) do
      if seen[r][place] and not context.declared then
        problems:add(("several predictions of one row%s"):format(where), "row", place, way_out)
      end
      seen[r][place] = true
    end
  end
  return seen
end

-- Notes rows that are not predicted in a repeat.
local function check_all(seen, name, context, problems)
  if context.partial or context.declared then return end
  for r in ipairs(context.repeats) do
    local where = of_learner(name, context.names) .. in_repeat(r, context)
    for place = 1, context.n_rows do
      if not (seen[r] and seen[r][place]) then
        problems:add(("no prediction%s"):format(where), "row", place,
          "predictions of some of the rows need partial = true")
      end
    end
  end
end

-- The splits that the groups of a learner are the folds of, or nil if there are none.
local function splits_of(groups, context, problems)
  local partitions, counts = {}, {}
  for _, group in ipairs(groups) do
    local r = group.repeat_
    local partition = partitions[r]
    if not partition then
      partition = {}
      for place = 1, context.n_rows do partition[place] = 0 end
      partitions[r], counts[r] = partition, 0
    end
    counts[r] = counts[r] + 1
    for _, place in ipairs(group.places) do partition[place] = counts[r] end
  end
  if #groups == 1 and #groups[1].places == context.n_rows then return native.splits_test_only(context.data) end
  for r, partition in ipairs(partitions) do
    if counts[r] == 1 then
      local rest = false
      for _, fold in ipairs(partition) do rest = rest or fold == 0 end
      if not rest then
        problems:add(("repeat %d has one fold, which tests all rows"):format(r), nil, nil,
          "name the column of the folds with fold")
        return nil
      end
    end
  end
  return native.splits_from_partitions(context.data, partitions)
end

-- Places of rows as a key of a table.
local function signature(places) return table.concat(places, " ") end

-- The places that split s of `splits` tests, ascending.
local function tested(splits, s, place_of)
  local _, test = splits:rows(s)
  local places = {}
  for i, id in ipairs(test) do places[i] = place_of[id] end
  table.sort(places)
  return places
end

-- Without a column of folds the declared splits say which fold a row is in.
local function groups_by_splits(groups, context, name, problems)
  local made, taken = {}, {}
  for s = 1, #context.splits do
    local r = context.splits:place(s)
    local from, group = groups[r], { repeat_ = r, fold = s, places = context.tested[s], of = {} }
    local where = of_learner(name, context.names)
    taken[r] = taken[r] or {}
    for _, place in ipairs(group.places) do
      group.of[place] = from and from.of[place]
      if not group.of[place] then
        problems:add(("no prediction in repeat %d%s"):format(r, where), "row", place)
      elseif taken[r][place] then
        problems:add("several splits test a row", "row", place, "name the column of the folds with fold")
      end
      taken[r][place] = true
    end
    made[s] = group
  end
  return made
end

-- Group of each split: the same rows, in the order of repeats and folds.
local function match(groups, context, name, problems)
  local waiting, found = {}, {}
  for _, group in ipairs(groups) do
    local key = signature(group.places)
    waiting[key] = waiting[key] or {}
    table.insert(waiting[key], group)
  end
  local others = context.declared and "the declared splits" or ("'%s'"):format(context.names[1])
  local repeats = context.splits:design().repeats or 1
  for s = 1, #context.splits do
    local list = waiting[signature(context.tested[s])]
    found[s] = list and table.remove(list, 1)
    if not found[s] then
      local repeat_, fold = context.splits:place(s)
      problems:add(("'%s' has no fold with the same rows as in %s%s"):format(name, others,
        repeats > 1 and (", repeat %d"):format(repeat_) or ""), "fold", fold,
        "predictions are only comparable on the same folds")
    end
  end
  if #groups > #context.splits then
    problems:add(("'%s' has %d folds, %s: %d"):format(name, #groups, others, #context.splits), nil, nil,
      "predictions are only comparable on the same folds")
  end
  return found
end

-- `source` = { places =, repeats =, folds =, n =, learners = { { name =, entries = }, ... } }, of which repeats and
-- folds may be nil. Returns the splits, and groups[l][s] of learner l and split s: { places =, of = { [place] = entry }
-- }.
function folds.find(source, data, o, problems)
  local names, all = {}, {}
  for l, one in ipairs(source.learners) do names[l] = one.name end
  local numbers = {}
  local repeats = keys_of(source.repeats, source.n, "repeat", problems)
  numbers.repeats = numbers_of(repeats)
  numbers.folds = numbers_of(keys_of(source.folds, source.n, "fold", problems))
  local context = { names = names, repeats = repeats, n_rows = #data, data = data, partial = o.partial,
    declared = o.splits ~= nil, splits = o.splits, tested = {} }
  for l, one in ipairs(source.learners) do
    all[l] = groups_of(one.entries, source, numbers)
    check_all(check_once(all[l], one.name, context, problems), one.name, context, problems)
  end
  problems:raise()
  context.splits = context.splits or splits_of(all[1], context, problems)
  problems:raise()
  local place_of = {}
  for place, id in ipairs(data:row_ids()) do place_of[id] = place end
  for s = 1, #context.splits do context.tested[s] = tested(context.splits, s, place_of) end
  local found = {}
  for l, groups in ipairs(all) do
    if o.splits and not source.folds then groups = groups_by_splits(groups, context, names[l], problems) end
    found[l] = match(groups, context, names[l], problems)
  end
  problems:raise()
  return context.splits, found
end

return folds
