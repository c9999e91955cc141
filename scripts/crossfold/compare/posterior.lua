-- The Bayesian comparison of two learners over several datasets: the probabilities that the first is worse, alike and
-- better on the next dataset.
--   signed_rank    of the means of the datasets (Benavoli et al. 2014)
--   hierarchical   of the differences of all splits, so that a dataset with a large spread counts less (Corani et
--                  al. 2017)
local comparison_tests = require "crossfold.compare.tests"
local equal_means = require "crossfold.stats.equal_means"
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"
local stats = require "crossfold.stats.stats"
local options = require "crossfold.options"

local posterior = { kinds = { "signed_rank", "hierarchical" } }

-- Names at the start of a sentence, and within one.
posterior.names = { signed_rank = "Bayesian signed ranks", hierarchical = "Bayesian hierarchical model" }

-- Means of learner i less those of learner j (places), one per dataset.
function posterior.differences_of_means(means, i, j)
  local differences = {}
  for d, row in ipairs(means) do
    local pair = equal_means.unified { row[i], row[j] }
    differences[d] = pair[1] - pair[2]
  end
  return differences
end

local tests = {}

function tests.signed_rank(_, means, i, j, given)
  return stats.bayes_signed_rank(posterior.differences_of_means(means, i, j), given)
end

-- The mean difference of each different split: the model counts them.
local function means_of_distinct(both)
  local of, means = {}, {}
  for i, first in ipairs(both.same_as) do
    if not of[first] then
      of[first] = {}
      means[#means + 1] = of[first]
    end
    table.insert(of[first], both.differences[i])
  end
  for i, list in ipairs(means) do means[i] = #list == 1 and list[1] or native.summary(list).mean end
  return means
end

-- The differences of the splits of a dataset and their correlation, or nil and why there are none.
local function splits_of(dataset, i, j)
  local both = comparison_tests.common_scores(dataset.entries[i], dataset.entries[j])
  if both.distinct < 2 then
    return nil, ("on dataset '%s' both learners have a score in %d of %d splits; the hierarchical model needs 2")
      :format(dataset.name, #both.differences, both.all)
  end
  for _, difference in ipairs(both.differences) do
    if difference ~= difference or math.abs(difference) == math.huge then
      return nil, ("on dataset '%s' a score is infinite"):format(dataset.name)
    end
  end
  return means_of_distinct(both), both.n_test / (both.n_train + both.n_test)
end

function tests.hierarchical(c, _, i, j, given)
  local lists, rhos = {}, {}
  for d, dataset in ipairs(c.datasets) do
    local differences, rho = splits_of(dataset, i, j)
    if not differences then return { undefined = rho } end
    lists[d], rhos[d] = differences, rho
  end
  given.rho = rhos
  return stats.bayes_hierarchical(lists, given)
end

-- { a, b, rope, p_worse, p_alike, p_better, undefined, points } of learners i and j (places). `points` are those of
-- some samples, { worse, alike, better } each, if o.points asks for some.
function posterior.of(c, means, i, j, points)
  local o = c.options
  local found = tests[o.bayes](c, means, i, j, { rope = o.rope, seed = o.seed, points = points or 0 })
  local row = { a = c.learners[i], b = c.learners[j], rope = o.rope, undefined = found.undefined,
    p_worse = found.left, p_alike = found.rope, p_better = found.right, points = found.points }
  if c.direction < 0 then
    row.p_worse, row.p_better = row.p_better, row.p_worse
    for _, point in ipairs(row.points or {}) do point[1], point[3] = point[3], point[1] end
  end
  return row
end

-- "'a' is better than 'b' with probability 0.7, alike (within 0.01) with probability 0.2, worse with probability 0.1."
function posterior.sentence(row, kind)
  local probability = number_text.probability
  if row.undefined then
    return ("%s: there are no probabilities for '%s' and '%s': %s."):format(posterior.names[kind], row.a, row.b,
      row.undefined)
  end
  local alike = row.rope > 0 and (" alike (within %s) with probability %s,"):format(number_text.chosen(row.rope, 3),
    probability(row.p_alike)) or ""
  return ("%s: '%s' is better than '%s' with probability %s,%s worse with probability %s."):format(
    posterior.names[kind], row.a, row.b, probability(row.p_better), alike, probability(row.p_worse))
end

-- The cells of a table about `a` and `b`, of whom the row has one as its first.
function posterior.cells(row, a, b)
  local cells = { a = a, b = b }
  if row.undefined then return cells end
  local worse, better = row.p_worse, row.p_better
  if row.a ~= a then worse, better = better, worse end
  cells["a worse"], cells["a better"] = number_text.probability(worse), number_text.probability(better)
  cells.alike = number_text.probability(row.p_alike)
  return cells
end

-- Raises unless `kind` is one of them.
function posterior.check(kind)
  options.place_of("compare: there is no Bayesian test", kind, posterior.kinds)
end

return posterior
