-- Says what the splits of a job are, as far as the interval of a score depends on it.
local native = require "crossfold.native"
local splitters = require "crossfold.splitter"

local interval_design = {}

local function id_of(splitter)
  return native.kind(splitter) == "splitter" and splitter:id() or nil
end

-- Whether rows are put into folds at random: a splitter that can shuffle does, unless it is said otherwise.
local function shuffles(splitter) return splitter:params().shuffle ~= false end

-- "10 folds", "3 times 10 folds".
local function folds_text(d)
  return d.repeats == 1 and ("%d folds"):format(d.folds) or ("%d times %d folds"):format(d.repeats, d.folds)
end

local function of_partition(d, facts)
  d.repeats, d.folds = facts.repeats, facts.folds
  d.kind, d.text = "folds", folds_text(d)
  if facts.folds == facts.rows then d.kind, d.text = "leave_one_out", "leave-one-out" end
end

-- By the splitter that made them.
local function name_kind(d, splitter, id)
  local in_time = splitters.follows_time(splitter)
  if in_time then
    d.kind, d.text = "time", ("the splits of %s"):format(tostring(splitter))
  elseif id == "crossfold.leave_p_out" then
    d.kind, d.text = "all_subsets", ("%d sets of rows that overlap"):format(d.size)
  elseif id == "crossfold.bootstrap" then
    d.kind, d.text = "bootstrap", ("%d bootstrap samples"):format(d.size)
  elseif id == "crossfold.holdout" and d.size > 1 then
    d.kind, d.text = "random_splits", ("%d random splits"):format(d.size)
  end
  local random = id == "crossfold.kfold" or id == "crossfold.holdout" or id == "crossfold.bootstrap"
  d.own = not (random and shuffles(splitter) or id == "crossfold.leave_one_out"
    or id == "crossfold.leave_p_out" or id == "crossfold.leave_one_group_out" or in_time)
end

local function tears_groups(splits)
  return not pcall(native.refuse_torn_groups, splits, "splits", "")
end

-- { kind, text, size = number of splits, rows, repeats and folds of folds, own = whether nobody knows that they were
-- made at random, groups, time, weights = columns of the data, torn = whether a group is on both sides of a split }.
-- `kind` is one of one_split, folds, leave_one_out, random_splits, bootstrap, all_subsets, time, lists (other splits
-- that may overlap), unknown (a store has no splits).
function interval_design.of(job, splitter)
  if not job.splits then
    return { kind = "unknown", size = #job.folds, own = true,
      text = job.refusal or "the store does not have the splits" }
  end
  local facts, roles = job.splits:design(), job.data and job.data:roles() or {}
  local d = { kind = "lists", size = facts.size, rows = facts.rows, text = ("%d splits"):format(facts.size),
    groups = roles.groups, time = roles.time, weights = roles.weights }
  if facts.size == 1 then
    d.kind, d.text = "one_split", "one split"
  elseif facts.kind == "partition" then
    of_partition(d, facts)
  end
  name_kind(d, splitter, id_of(splitter))
  d.torn = d.groups ~= nil and tears_groups(job.splits)
  return d
end

return interval_design
