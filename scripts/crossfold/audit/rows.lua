-- Checks for rows that are on both sides of a split in disguise: copies, near copies, rows of one group, and rows
-- of a later time.
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"

local rows = {}

-- Maximum number of pairs "12 = 7" that are reported.
local most_pairs = 5

local function percent(part, whole) return number_text.share(part / whole) end

local function positions_of(ids)
  local position = {}
  for p, id in ipairs(ids) do position[id] = p end
  return position
end

-- ---- equal rows ----------------------------------------------------------------------------------

-- Whether so few different rows are possible that equal ones are to be expected.
local function few_values(data)
  local combinations, n = 1, #data
  for _, name in ipairs(data:features()) do
    local seen, count = {}, 0
    for _, value in ipairs(data:column(name)) do
      if not seen[value] then seen[value], count = true, count + 1 end
    end
    combinations = combinations * math.max(1, count)
    if combinations > n / 2 then return false end
  end
  return true
end

-- The test rows of a place with an equal training row: pairs { test id, training id, same target }.
local function equal_pairs(context, place, first, position)
  local target, of_group, found = context.data:target(), {}, {}
  for _, id in ipairs(context.splits:train(place.split):row_ids()) do
    local group = first[position[id]]
    of_group[group] = of_group[group] or id
  end
  for _, id in ipairs(place.test) do
    local twin = of_group[first[position[id]]]
    if twin then
      found[#found + 1] = { id, twin, target[position[id]] == target[position[twin]] }
    end
  end
  return found
end

local function add_equal(context, place, pairs_found, expected)
  local same, shown = 0, {}
  for i, pair in ipairs(pairs_found) do
    if pair[3] then same = same + 1 end
    if i <= most_pairs then shown[i] = ("%d = %d"):format(pair[1], pair[2]) end
  end
  local n = #pairs_found
  context.findings:add {
    severity = expected and "note" or "risk", kind = "duplicates", stage = "data", place = place,
    rows = shown, count = n,
    message = ("%d of %d test rows (%s) %s the features of a training row, %d of them with the same "
      .. "target%s"):format(n, #place.test, percent(n, #place.test), n == 1 and "has" or "have", same,
      expected and "; the features have so few values that this is to be expected"
        or "; remove the copies, or give them a common group"),
  }
end

local function check_equal(context)
  local position = positions_of(context.data:row_ids())
  local first, expected = native.equal_rows(context.data), nil
  for _, place in ipairs(context.places) do
    local found = equal_pairs(context, place, first, position)
    if #found > 0 then
      if expected == nil then expected = few_values(context.data) end
      add_equal(context, place, found, expected)
    end
  end
  context.findings:check("equal rows")
end

-- ---- near rows -----------------------------------------------------------------------------------

local function median(list)
  table.sort(list)
  local n = #list
  return n % 2 == 1 and list[n // 2 + 1] or (list[n // 2] + list[n // 2 + 1]) / 2
end

-- The dimension of the data near a row, from the distances of second and third neighbours: for points
-- spread evenly in d dimensions (second / third)^d has the median sqrt(1/2). The first neighbour may be
-- the copy that is looked for. As in E. Facco et al., "Estimating the intrinsic dimension of datasets
-- by a minimal neighborhood information", Scientific Reports 7 (2017) 12140, one neighbour further.
local function dimension(logs)
  local middle = median(logs)
  return middle > 0 and 0.5 * math.log(2) / middle or math.huge
end

local function sample(data, most, seed)
  if #data <= most then return data, nil end
  return data:select(native.draw(#data, most, false, seed)), most
end

local function check_near_place(context, place)
  local near = context.near
  local test = sample(context.splits:test(place.split), near.rows, native.seed(place.seed, "near", "test"))
  local train = sample(context.splits:train(place.split), near.train_rows, native.seed(place.seed, "near", "train"))
  local seconds, logs, list = {}, {}, native.near_rows(test, train)
  for _, one in ipairs(list) do
    if one.third then
      seconds[#seconds + 1] = one.second
      logs[#logs + 1] = math.log(one.third / one.second)
    end
  end
  if #seconds < 10 then return false end
  local limit, found, shown = near.ratio * median(seconds), 0, {}
  local ids = test:row_ids()
  for i, one in ipairs(list) do
    if one.row and one.distance < limit then
      found = found + 1
      if found <= most_pairs then shown[found] = ("%d ~ %d"):format(ids[i], one.row) end
    end
  end
  local by_chance = #list * near.ratio ^ dimension(logs)
  if found >= 3 and found > 2 * by_chance + 5 * math.sqrt(by_chance) then
    context.findings:add {
      severity = "risk", kind = "near_duplicates", stage = "data", place = place, rows = shown,
      count = found, message = ("%d of %d test rows (%s) are %s times nearer to a training row than "
        .. "is usual, about %s by chance; copies with some noise should have a common group"):format(
        found, #list, percent(found, #list), native.format_number(1 / near.ratio, 0),
        native.format_number(by_chance, 1)),
    }
  end
  return true
end

local function check_near(context)
  if not context.near then
    return context.findings:check("near rows", nil, "near = false")
  end
  local done = false
  for _, place in ipairs(context.places) do done = check_near_place(context, place) or done end
  context.findings:check("near rows", nil,
    not done and "fewer than 10 test rows have three neighbours among numbers" or nil)
end

-- ---- groups and time -----------------------------------------------------------------------------

-- Values that rows on both sides of a place have: how many, and the test rows with one.
local function shared_values(context, place, column)
  local in_training, shared, count, n_values = {}, {}, 0, 0
  for _, value in ipairs(context.splits:train(place.split):column(column)) do
    in_training[value] = true
  end
  for _, value in ipairs(context.splits:test(place.split):column(column)) do
    if in_training[value] and value ~= native.null then
      count = count + 1
      if not shared[value] then shared[value], n_values = true, n_values + 1 end
    end
  end
  return n_values, count
end

local function check_groups(context)
  local column = context.data:roles().groups
  if not column then return context.findings:check("groups", nil, "the data name no groups") end
  for _, place in ipairs(context.places) do
    local groups, count = shared_values(context, place, column)
    if count > 0 then
      context.findings:add {
        severity = "leak", kind = "groups", stage = context.splitter_name, place = place,
        columns = { column }, count = count,
        message = ("%d %s of column '%s' %s rows in training and test, %d of %d test rows; use a "
          .. "splitter that keeps groups together"):format(groups, groups == 1 and "group" or "groups",
          column, groups == 1 and "has" or "have", count, #place.test),
      }
    end
  end
  context.findings:check("groups")
end

local id_words = { "id", "patient", "subject", "person", "user", "customer", "client", "session",
  "household", "site", "device", "student", "speaker", "animal", "plot", "batch" }

local function looks_like_id(name)
  local words = " " .. name:lower():gsub("[^%a]+", " ") .. " "
  for _, word in ipairs(id_words) do
    if words:find(" " .. word .. " ", 1, true) then return true end
  end
  return false
end

-- Whether the values of a feature name few rows each, as those of a patient do.
local function names_groups(data, column)
  local values, counts, distinct = data:column(column), {}, 0
  local kind
  for _, value in ipairs(values) do
    if value ~= native.null then
      kind = math.type(value) or type(value)
      if not counts[value] then distinct = distinct + 1 end
      counts[value] = (counts[value] or 0) + 1
    end
  end
  local n = #values
  if kind == "float" or kind == "boolean" or distinct < 5 or n < 1.5 * distinct then return false end
  if kind == "integer" then return looks_like_id(column) end
  return distinct >= n / 10 or looks_like_id(column)
end

local function check_group_candidates(context)
  local declared = context.data:roles().groups
  if declared then return end
  for _, column in ipairs(context.data:features()) do
    if names_groups(context.data, column) then
      for _, place in ipairs(context.places) do
        local groups, count = shared_values(context, place, column)
        if count > 0 then
          context.findings:add {
            severity = "risk", kind = "group_candidate", stage = "data", place = place,
            columns = { column }, cause = "group", count = count,
            message = ("column '%s' looks like the name of a group of rows, and %d of its values are in "
              .. "training and test; if it is one, read the data with groups = \"%s\""):format(column, groups, column),
          }
        end
      end
    end
  end
  context.findings:check("columns that look like groups")
end

-- Splitters that know the time. Those of blocks train on later rows on purpose.
local order_kept = { ["crossfold.time_series"] = "leak", ["crossfold.blocked"] = false,
  ["crossfold.purged"] = false }

local function check_time_of_place(context, place, column, severity)
  local earliest, later = math.huge, 0
  for _, t in ipairs(native.times(context.splits:test(place.split))) do
    earliest = math.min(earliest, t)
  end
  local train = native.times(context.splits:train(place.split))
  for _, t in ipairs(train) do
    if t > earliest then later = later + 1 end
  end
  if later == 0 then return end
  context.findings:add {
    severity = severity, kind = "time", stage = context.splitter_name, place = place,
    columns = { column }, count = later,
    message = ("%d of %d training rows (%s) are later than the first test row; a forecast would not "
      .. "have them: use the splitter time_series"):format(later, #train, percent(later, #train)),
  }
end

local function check_time(context)
  local column = context.data:roles().time
  if not column then return context.findings:check("time", nil, "the data name no time") end
  local id = native.kind(context.splitter) == "splitter" and context.splitter:id()
  local severity = order_kept[id]
  if severity == nil then severity = "risk" end
  for _, place in ipairs(severity and context.places or {}) do
    check_time_of_place(context, place, column, severity)
  end
  context.findings:check("time")
end

-- Adds what is found about the rows of the audited splits. context = { data, splits, places, splitter,
-- splitter_name, near, findings }.
function rows.check(context)
  check_equal(context)
  check_near(context)
  check_groups(context)
  check_group_candidates(context)
  check_time(context)
end

return rows
