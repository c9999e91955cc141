-- How often the intervals of result:subgroups have the score of a level and the gap, and how often its tests find a
-- difference where there is none, over data sets that are drawn from known scores: subgroups_coverage.md.
--
--   crossfold run tests/bench/subgroups_coverage.lua [DATASETS] [SAMPLES]
local cf = require "crossfold"

local datasets, samples = tonumber(arg[1]) or 1000, tonumber(arg[2]) or 500

math.randomseed(23)

-- Predicts what the column `guess` has.
local copies = cf.learner { name = "copies", fit = function() return {} end, predict = function(_, data)
  if data:task() == "regression" then return { values = data:column("guess") } end
  return { labels = data:column("guess") }
end }

-- Rows by level whose guess is right with probability shares[level], or has a squared error with mean shares[level];
-- of `group` rows each in a group the guesses are all right or all wrong.
local function draw(sizes, shares, regression, group)
  local level, guess, y, who = {}, {}, {}, {}
  for l, size in ipairs(sizes) do
    local right
    for i = 1, size do
      if i % (group or 1) == 0 or not right then right = { math.random() < shares[l] } end
      if regression then
        -- Skewed losses: the square of a normal number.
        local r, a = math.sqrt(-2 * math.log(1 - math.random())), 2 * math.pi * math.random()
        y[#y + 1], guess[#guess + 1] = i + 0.5, i + 0.5 + math.sqrt(shares[l]) * r * math.cos(a)
      else
        y[#y + 1] = i % 2 == 0 and "a" or "b"
        guess[#guess + 1] = right[1] == (y[#y] == "a") and "a" or "b"
      end
      level[#level + 1], who[#who + 1] = "L" .. l, ("%d.%d"):format(l, i // (group or 1))
    end
  end
  local kind = not regression and "categorical" or nil
  return cf.dataset { name = "drawn", target = "y", groups = group and "who" or nil, columns = {
    { name = "level", values = level }, { name = "guess", values = guess, type = kind },
    { name = "y", values = y, type = kind }, { name = "who", values = who } } }
end

local function percent(x) return cf.format_number(100 * x, 1) end

local function study(one)
  local levels, gaps, found, none, undefined = 0, 0, 0, 0, 0
  local least, most = math.huge, -math.huge
  for _, share in ipairs(one.shares) do least, most = math.min(least, share), math.max(most, share) end
  for i = 1, datasets do
    local result = cf.evaluate { data = draw(one.sizes, one.shares, one.metric == "mse", one.group),
      learners = { copies = copies }, metrics = one.metric, seed = i,
      splitter = cf.splitter("holdout", { test_share = 0.999 }), keep = "labels" }
    local answer = result:subgroups { by = "level", samples = samples, seed = i, interval = one.interval,
      min_rows = 10 }
    local any = false
    for l, row in ipairs(answer:rows()) do
      if row.low then
        none, levels = none + 1, levels + (row.low <= one.shares[l] and one.shares[l] <= row.high and 1 or 0)
      else
        undefined = undefined + 1
      end
      any = any or (row.p_adjusted or 1) <= 0.05
    end
    found = found + (any and 1 or 0)
    local gap = most - least
    if answer.gap.low then
      gaps = gaps + (answer.gap.low <= gap + 1e-12 and gap <= answer.gap.high and 1 or 0)
    else
      gaps = gaps + 1  -- nothing wrong was said
    end
  end
  print(("| %s | %s | %s | %s | %s %% | %s | %s %% | %s %% |"):format(one.metric .. (one.group
    and (", groups of %d"):format(one.group) or ""), one.interval or "default", table.concat(one.sizes, ", "),
    table.concat(one.shares, ", "), percent(levels / none), undefined, percent(gaps / datasets),
    percent(found / datasets)))
end

print("| metric | interval | rows by level | true score | levels in their interval | without an interval | gap in its "
  .. "interval | any level found |")
print("|---|---|---|---|---|---|---|---|")
for _, sizes in ipairs { { 20, 30, 150 }, { 100, 100, 200 } } do
  for _, interval in ipairs { "wilson", "bootstrap" } do
    study { metric = "accuracy", interval = interval, sizes = sizes, shares = { 0.8, 0.8, 0.8 } }
    study { metric = "accuracy", interval = interval, sizes = sizes, shares = { 0.7, 0.8, 0.9 } }
  end
  study { metric = "mse", sizes = sizes, shares = { 1, 1, 1 } }
  study { metric = "mse", sizes = sizes, shares = { 2, 1, 1 } }
end
study { metric = "accuracy", sizes = { 200, 200, 400 }, shares = { 0.8, 0.8, 0.8 }, group = 5 }
