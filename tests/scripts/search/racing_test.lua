local lu = require "luaunit"
local cf = require "crossfold"
local fold_noise = require "crossfold.search.fold_noise"
local native = require "crossfold.native"
local racing = require "crossfold.search.racing"
local fixtures = require "fixtures"

TestRacing = {}

-- Independent standard normal numbers by a path of seeds (Box and Muller 1958).
local function normal(seed, ...)
  local u = ((native.seed(seed, "u", ...) >> 11) + 0.5) * 2.0 ^ -53
  local v = ((native.seed(seed, "v", ...) >> 11) + 0.5) * 2.0 ^ -53
  return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v)
end

-- One race of candidates with these true means over 30 folds: scores share the noise of a fold, and
-- each has its own. Returns who is left and how many cells that took.
local function simulate(means, alpha, test_share, seed)
  local n_folds, min_folds = 30, 5
  local looks = racing.looks(n_folds, min_folds, 1)
  local level = racing.level(alpha, #means, #looks)
  local values, live, cells = {}, {}, 0
  for c in ipairs(means) do values[c], live[c] = {}, c end
  for fold = 1, n_folds do
    local shared = normal(seed, "fold", fold)
    for _, c in ipairs(live) do
      values[c][fold] = means[c] + shared + normal(seed, "cell", c, fold)
      cells = cells + 1
    end
    if fold >= min_folds and fold < n_folds then
      local _, dropped = racing.look(values, live, 1, test_share, level)
      local left = {}
      for _, c in ipairs(live) do
        if not dropped[c] then left[#left + 1] = c end
      end
      live = left
    end
  end
  local is_left = {}
  for _, c in ipairs(live) do is_left[c] = true end
  return is_left, cells
end

-- How often the first candidate, truly the best or as good as the best, is dropped in 500 races.
local function times_dropped(means, alpha, test_share)
  local dropped = 0
  for race = 1, 500 do
    if not simulate(means, alpha, test_share, native.seed(1, "race", race))[1] then
      dropped = dropped + 1
    end
  end
  return dropped
end

-- The worst case of the bound: all candidates are equally good. The plain t (no test_share) is exact for
-- these independent normal scores, so at most 0.2 of 500 races lose the first, 100, and three standard
-- errors more, 3 sqrt(500 * 0.2 * 0.8) = 27. Bonferroni's bound has much room here: it is some 5 %.
function TestRacing:test_the_best_is_dropped_no_more_often_than_the_stated_error()
  fixtures.skip_if_sanitized()
  local dropped = times_dropped({ 0, 0, 0, 0, 0 }, 0.2, nil)
  lu.assertTrue(dropped <= 127)
  lu.assertTrue(dropped > 0)
  -- The correction of the variance only adds to the safety of independent folds.
  lu.assertTrue(times_dropped({ 0, 0, 0, 0, 0 }, 0.2, 1 / 9) < dropped)
end

-- 1000 single tests of equal candidates at the level 0.05: 50, give or take three times 6.9.
function TestRacing:test_a_single_test_keeps_its_level()
  fixtures.skip_if_sanitized()
  local below = 0
  for i = 1, 1000 do
    local values = { {}, {} }
    for fold = 1, 10 do
      values[1][fold], values[2][fold] = normal(i, 1, fold), normal(i, 2, fold)
    end
    if fold_noise.p_better(values[1], values[2], 1, nil) < 0.05 then below = below + 1 end
  end
  lu.assertTrue(below >= 30 and below <= 70)
end

function TestRacing:test_clearly_worse_candidates_leave_and_save_cells()
  local left, cells = simulate({ 0, -4, -4, 0 }, 0.05, 1 / 9, 1)
  lu.assertEquals(left, { [1] = true, [4] = true })
  lu.assertTrue(cells < 100)  -- of 120
end

function TestRacing:test_a_race_without_looks_drops_nobody()
  lu.assertEquals(racing.looks(5, 5, 1), {})
  lu.assertEquals(racing.looks(10, 4, 3), { 4, 7 })
  lu.assertEquals(racing.looks(10, 5, 1), { 5, 6, 7, 8, 9 })
end

function TestRacing:test_the_level_is_split_over_looks_and_rivals()
  lu.assertAlmostEquals(racing.level(0.05, 6, 5), 0.05 / 25, 1e-15)
  lu.assertEquals(racing.level(0.05, 1, 0), 0.05)
end

local tenfold = cf.splitter("kfold", { folds = 10, repeats = 2, stratify = true })

local function race(changes)
  return cf.race_search(fixtures.with({ learner = "knn", grid = { k = { 1, 5, 120, 125 } }, splitter = tenfold,
    metric = "accuracy" }, changes))
end

function TestRacing:test_losers_leave_and_the_others_are_scored_as_in_a_grid_search()
  local data = fixtures.iris()
  local _, raced = race():fit(data, { seed = 1 })
  local _, all = cf.grid_search { learner = "knn", grid = { k = { 1, 5, 120, 125 } },
    splitter = tenfold, metric = "accuracy" }:fit(data, { seed = 1 })
  lu.assertEquals(raced.candidate, all.candidate)
  for c = 1, 2 do
    lu.assertEquals(raced.inner[c].mean, all.inner[c].mean)
    lu.assertEquals(raced.inner[c].n_folds, 20)
    lu.assertNil(raced.inner[c].dropped_after)
  end
  for c = 3, 4 do
    local entry = raced.inner[c]
    lu.assertTrue(entry.dropped_after >= 5 and entry.dropped_after < 20)
    lu.assertEquals(entry.n_folds, entry.dropped_after)
    lu.assertTrue(entry.p < raced.level)
    lu.assertStrContains(entry.worse_than, "knn{k=")
  end
  lu.assertTrue(raced.cells < 80)
  lu.assertEquals(raced.looks, 15)
  lu.assertAlmostEquals(raced.level, 0.05 / 45, 1e-15)
end

function TestRacing:test_the_rounds_tell_who_was_left()
  local _, detail = race { min_folds = 8, every = 6 }:fit(fixtures.iris(), { seed = 1 })
  local folds = fixtures.column(detail.rounds, "folds")
  lu.assertEquals(folds, { 8, 14, 20 })
  lu.assertEquals(detail.rounds[1].candidates, 4)
  lu.assertEquals(detail.rounds[#folds].left, 2)
end

function TestRacing:test_the_race_ends_when_one_is_left()
  local _, detail = race { grid = { k = { 1, 120 } } }:fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(detail.chosen, { k = 1 })
  lu.assertTrue(detail.inner[1].n_folds < 20)
  lu.assertEquals(detail.inner[1].n_folds, detail.inner[2].n_folds)
end

function TestRacing:test_a_candidate_that_fails_is_out_with_its_reason()
  local _, detail = race { grid = { k = { 500, 1 } } }:fit(fixtures.iris(), { seed = 1 })
  lu.assertStrContains(detail.inner[1].failure, "k = 500 exceeds the 135 training rows")
  lu.assertEquals(detail.chosen, { k = 1 })
  lu.assertEquals(detail.cells, 10)  -- both on the first five folds
end

function TestRacing:test_no_candidate_left_is_an_error_with_the_first_reason()
  lu.assertEquals(fixtures.message(function()
    race { grid = { k = { 500, 600 } } }:fit(fixtures.iris(), { seed = 1 })
  end), "cannot choose among 2 candidates: none could be evaluated; the first failed at check knn: "
    .. "k = 500 exceeds the 135 training rows")
end

function TestRacing:test_any_number_of_workers_gives_the_same_bits()
  local texts = {}
  for i, workers in ipairs { 1, 2, 7 } do
    local result = cf.evaluate { data = fixtures.iris(), learners = { s = race() },
      splitter = cf.splitter("kfold", { folds = 3 }), metrics = "accuracy", workers = workers }
    local lines = { result:to { csv = true } }
    for _, row in ipairs(result:tuning("s")) do
      for _, entry in ipairs(row.inner) do
        lines[#lines + 1] = entry.mean and ("%s %a %s"):format(entry.candidate, entry.mean,
          entry.dropped_after) or entry.failure
      end
    end
    texts[i] = table.concat(lines, "\n")
  end
  lu.assertEquals(texts[2], texts[1])
  lu.assertEquals(texts[3], texts[1])
end

function TestRacing:test_bad_options_are_refused()
  local cases = {
    { { error = 0 }, "error = 0 is out of range; use a number between 0 and 1" },
    { { min_folds = 1 }, "min_folds = 1 is out of range; a test needs 2 folds or more" },
    { { every = 0 }, "every = 0 is out of range; use 1 or more" },
    { { budget = { seconds = 1 } },
      "option 'budget': seconds are for grid_search and random_search; give cells" },
  }
  for _, case in ipairs(cases) do
    lu.assertEquals(fixtures.message(race, case[1]), "race_search: " .. case[2])
  end
end

-- Candidate 1 is worse in the first three folds and leaves; 2 and 3 fail in the last one.
function TestRacing:test_who_was_dropped_does_not_come_back_when_the_others_fail()
  local scores, i = { 0.10, 0.12, 0.11, 0.90, 0.91, 0.93, 0.90, 0.92, 0.91 }, 0
  local metric = cf.metric { name = "scripted", direction = "higher", score = function()
    i = i + 1
    return scores[i] or 0.9
  end }
  local fifths = cf.splitter { name = "fifths", split = function(input)
    local folds = {}
    for row = 1, input.n do folds[row] = (row - 1) % 5 + 1 end
    return { folds = folds }
  end }
  local search = race { learner = cf.learner("debug", { action = "throw_in_predict", when_row = 0 }),
    grid = { when_row = { 100000, 4, 9 } }, splitter = fifths, metric = metric, min_folds = 3,
    error = 0.5 }
  local kept
  local ok, problem = pcall(search.resolve, search, fixtures.iris(),
    { seed = 1, keep = function(detail) kept = detail end })
  lu.assertFalse(ok)
  lu.assertStrContains(problem, "cannot choose among 2 candidates: none could be evaluated")
  lu.assertEquals(kept.inner[1].dropped_after, 3)
  lu.assertStrContains(kept.inner[2].failure, "predict debug")
end

function TestRacing:test_infinite_scores_are_not_called_undefined()
  local metric = cf.metric { name = "endless", direction = "higher", score = function() return math.huge end }
  local search = race { metric = metric, grid = { k = { 1, 3 } } }
  lu.assertEquals(fixtures.message(search.fit, search, fixtures.iris()),
    "cannot choose among 2 candidates: endless is infinite in an inner fold of each")
end
