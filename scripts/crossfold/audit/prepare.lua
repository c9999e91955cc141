-- Checks what a script does to all rows before they are split: `prepare` runs again on data whose test rows
-- are changed, and must give the other rows as before.
local native = require "crossfold.native"
local perturbed_splits = require "crossfold.audit.perturbed_splits"
local options = require "crossfold.options"

local prepare = {}

-- What `f` makes of `data`, checked.
function prepare.apply(f, data)
  local made = f(data)
  if native.kind(made) ~= "dataset" then
    native.fail("audit: prepare returned a %s; it must return a dataset", native.kind(made) or type(made))
  end
  return made
end

-- Whether both datasets have the same number of rows under their views.
function prepare.same_length(a, b) return (pcall(native.rows_of, a, b)) end

local function names_of(changes)
  local names = {}
  for i, change in ipairs(changes) do names[i] = change.column end
  return names
end

local fate_texts = { gone = "is missing then", new = "appears then" }

-- A sentence about the first change.
local function change_text(changes, n)
  local first = changes[1]
  if first.fate ~= "changed" then
    return ("column '%s' %s"):format(first.column, fate_texts[first.fate])
  end
  return ("column '%s' changes in %d of %d untouched rows"):format(first.column, first.count, n)
end

-- How many rows outside the test rows of a place are there in one dataset only: gone, new.
local function other_rows(before, after, place)
  local is_test = options.set_of(place.test)
  local there, kept = options.set_of(after:row_ids()), options.set_of(before:row_ids())
  local gone, new = 0, 0
  for id in pairs(kept) do
    if not is_test[id] and not there[id] then gone = gone + 1 end
  end
  -- A row that prepare leaves out has no part in a split: it may be one of those that were changed.
  local touched = options.set_of(place.touched)
  for id in pairs(there) do
    if not kept[id] and not touched[id] then new = new + 1 end
  end
  return gone, new
end

local cause_texts = {
  features = "other test rows get other features", target = "test rows get other targets",
  both = "test rows get other features and targets",
}

-- What prepare makes of changed data, or nil and why it fails. Numbers beyond those of a column may be
-- refused; then others of the column do.
local function applied(context, place, what)
  local ok, made
  for _, beyond in ipairs { true, false } do
    what.beyond = beyond
    ok, made = pcall(prepare.apply, context.prepare, perturbed_splits.changed(context.raw, place, what))
    if ok then return made end
    if made == native.cancelled then error(made, 0) end
  end
  return nil, tostring(made)
end

-- The changes of the rows that should have stayed, or nil; and what went wrong instead.
local function difference(context, place, what)
  local made, problem = applied(context, place, what)
  if not made then return nil, problem end
  if not prepare.same_length(context.data, made) then return { other_rows = true } end
  local train = context.splits:train(place.split):row_ids()
  local gone, new = other_rows(context.data, made, place)
  if gone + new > 0 then return { gone = gone, new = new } end
  local changes = native.column_changes(context.data, made, train)
  local n = #train
  local roles = options.set_of { context.data:roles().target, context.data:roles().weights }
  for _, change in ipairs(native.column_changes(context.data, made, place.untouched)) do
    local known = roles[change.column]
    for _, other in ipairs(changes) do
      if other.column == change.column then
        known = true
        if other.count then other.count = other.count + (change.count or 0) end
      end
    end
    if not known then changes[#changes + 1] = change end
  end
  return #changes > 0 and { changes = changes, rows = n + #place.untouched } or nil
end

local function message_of(found, cause)
  local advice = "; make it a step of a pipeline, which is fitted on training rows only"
  if found.other_rows then
    return ("the number of rows changes when %s%s"):format(cause_texts[cause], advice)
  elseif found.gone then
    return ("it leaves out %d more and %d fewer of the other rows when %s%s"):format(found.gone,
      found.new, cause_texts[cause], advice)
  end
  return ("%s when %s, and %d %s in all%s"):format(change_text(found.changes, found.rows),
    cause_texts[cause], #found.changes, #found.changes == 1 and "column" or "columns", advice)
end

local function check_place(context, place)
  local found, problem = difference(context, place, { features = true, target = true })
  if problem then
    context.findings:check("prepare", nil, "it fails on changed rows: " .. problem)
    return
  end
  if not found then return end
  local cause = "both"
  for _, name in ipairs { "features", "target" } do
    local alone = difference(context, place, { [name] = true })
    if alone then
      cause, found = name, alone
      break
    end
  end
  context.findings:add {
    severity = "leak", kind = "prepare", stage = "prepare", place = place, one = true,
    columns = found.changes and names_of(found.changes) or nil,
    count = found.changes and found.changes[1].count or found.gone and found.gone + found.new or nil,
    message = message_of(found, cause),
  }
end

local function check_reproducible(context)
  local again = prepare.apply(context.prepare, context.raw)
  if prepare.same_length(context.data, again)
    and #native.column_changes(context.data, again, context.data:row_ids()) == 0 then
    return true
  end
  context.findings:add {
    severity = "risk", kind = "not_reproducible", stage = "prepare",
    message = "two calls with the same data give different data, so nothing can be shown about "
      .. "it; draw from a fixed seed",
  }
  return false
end

-- How many rows equal an earlier one.
local function count_copies(data)
  local count = 0
  for i, first in ipairs(native.equal_rows(data)) do
    if first ~= i then count = count + 1 end
  end
  return count
end

-- New rows cannot be followed; copies of rows can be counted.
local function check_made_rows(context)
  local before, after = #context.raw, #context.data
  if after <= before then
    return context.findings:add {
      severity = "note", kind = "rows_dropped_before_split", stage = "prepare",
      count = before - after, message = ("it makes a new dataset of %d rows from %d, so nothing "
        .. "can be shown about it; keep rows with data:select"):format(after, before),
    }
  end
  local copies = count_copies(context.data) - count_copies(context.raw)
  context.findings:add {
    severity = copies >= math.max(1, (after - before) // 2) and "leak" or "risk",
    kind = "rows_made_before_split", stage = "prepare", count = after - before,
    message = ("it makes %d rows of %d before the split, %d of them copies of others; rows made of test "
      .. "rows train then: use a transform such as oversample or smote in a pipeline, which changes "
      .. "training rows only"):format(after, before, math.max(0, copies)),
  }
end

-- Adds what shows that `context.prepare` looks at test rows. Needs raw, data, splits, places, findings.
function prepare.check(context)
  if not check_reproducible(context) then
    return context.findings:check("prepare", nil, "two equal calls differ")
  end
  if not prepare.same_length(context.raw, context.data) then
    check_made_rows(context)
    return context.findings:check("prepare", nil, "its rows are others, and cannot be followed")
  end
  for _, place in ipairs(context.places) do check_place(context, place) end
  context.findings:check("prepare")
end

return prepare
