-- Draws the units of cf.variance: samples of the data, splits of each, and the seeds of tunings and fits.
--
-- The draws are nested: each sample has splits of its own, each split tunings of its own, each tuning seeds of its
-- own. A source that is held fixed is one draw, which all others share.
local native = require "crossfold.native"
local learner = require "crossfold.learner"
local row_groups = require "crossfold.row_groups"
local splitter = require "crossfold.splitter"

local variance_units = {}

-- The seed of a draw: its place among the draws of the sources that vary; `place` = { data = i, split = j, ... }. A
-- source that is fixed has the same seed everywhere.
local function seed_of(o, source, place, ...)
  local path = { ... }
  if o.counts[source] then
    for _, varied in ipairs(o.varied) do
      path[#path + 1], path[#path + 2] = varied.source, place[varied.source]
      if varied.source == source then break end
    end
  end
  return native.seed(o.seed, source, table.unpack(path))
end

-- A bootstrap sample: { data = its rows, some more than once, distinct = each of them once, copies = lists of places
-- in `data` by row id }. Groups are drawn as a whole.
local function bootstrap_sample(data, groups, seed)
  local times, positions, distinct, copies = {}, {}, {}, {}
  for _, g in ipairs(native.draw(#groups, #groups, true, seed)) do times[g] = (times[g] or 0) + 1 end
  local ids = data:row_ids()
  for g, group in ipairs(groups) do
    for _, position in ipairs(times[g] and group or {}) do
      distinct[#distinct + 1] = position
      copies[ids[position]] = {}
      for _ = 1, times[g] do
        positions[#positions + 1] = position
        table.insert(copies[ids[position]], #positions)
      end
    end
  end
  return { data = data:select(positions), distinct = data:select(distinct), copies = copies }
end

-- The samples, one per unit of the data: { data =, distinct =, copies = } or { data = } as it is.
local function samples_of(o)
  local samples = {}
  if o.datasets then
    for i, data in ipairs(o.datasets) do samples[i] = { data = splitter.prepare(o.splitter, data) } end
  elseif o.counts.data then
    local data = splitter.prepare(o.splitter, o.data)
    local groups = row_groups(data)
    for i = 1, o.counts.data do samples[i] = bootstrap_sample(data, groups, native.seed(o.seed, "data", i)) end
  else
    samples[1] = { data = splitter.prepare(o.splitter, o.data) }
  end
  return samples
end

-- Places in a sample of the rows with these ids, which are all copies of each.
local function places_of(copies, ids)
  local places = {}
  for _, id in ipairs(ids) do
    for _, place in ipairs(copies[id]) do places[#places + 1] = place end
  end
  table.sort(places)
  return places
end

-- Splits of a sample. All copies of a row are on the same side, so each row is split once.
local function splits_of(o, sample, seed)
  if not sample.copies then return splitter.split(o.splitter, sample.data, seed) end
  local splits, lists = splitter.split(o.splitter, sample.distinct, seed), {}
  for s = 1, #splits do
    local train, test = splits:rows(s)
    lists[s] = { train = places_of(sample.copies, train), test = places_of(sample.copies, test) }
  end
  return native.splits_from_lists(sample.data, lists)
end

-- Raises if other seeds give the same splits: nothing varies then.
local function check_varied(o, splits)
  if #splits < 2 then return end
  for j = 2, #splits do
    if not splits[1]:same_sets(splits[j]) then return end
  end
  native.fail("variance: splitter '%s' makes the same splits for every seed, so splits are not a source of variance; "
    .. "leave 'split' out of sources, or use a splitter that draws, as holdout or kfold",
    native.short_spec(tostring(o.splitter)))
end

-- Splits by sample and number.
local function all_splits(o, samples)
  local splits = {}
  for i, sample in ipairs(samples) do
    splits[i] = {}
    for j = 1, o.counts.split or 1 do
      splits[i][j] = splits_of(o, sample, seed_of(o, "split", { data = i, split = j }))
    end
    if i == 1 then check_varied(o, splits[1]) end
  end
  return splits
end

-- The units of all learners, learner by learner, as scored_units runs them, in the order of the draws, and the
-- number of folds of each. Learners share samples and splits. `o`: data or datasets, splitter, learners, seed, counts =
-- units by source, varied = the list of { source =, units = }.
function variance_units.draw(o)
  local samples, units = samples_of(o), {}
  local splits = all_splits(o, samples)
  for _, entry in ipairs(o.learners) do
    local definition = learner.definition(entry.learner)
    for i in ipairs(samples) do
      for j in ipairs(splits[i]) do
        for k = 1, o.counts.tuning or 1 do
          local place, seeds = { data = i, split = j, tuning = k }, {}
          for l = 1, o.counts.seed or 1 do
            place.seed = l
            seeds[l] = seed_of(o, "seed", place, "learner", definition)
          end
          units[#units + 1] = { learner = entry.learner, name = entry.name, dataset = samples[i].data:name(),
            splits = splits[i][j], seeds = seeds,
            tuning_seed = seed_of(o, "tuning", place, "learner", definition) }
        end
      end
    end
  end
  return units, #splits[1][1]
end

return variance_units
