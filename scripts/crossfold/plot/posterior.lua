-- plot.posterior(comparison, { a =, b = }): samples of the Bayesian comparison of two learners over datasets, as
-- points of a triangle: the corners are "a is worse", "alike" and "a is better" (Benavoli et al. 2017, figure 7).
-- A sample lies in the region of the corner that it finds most probable; the shares are the probabilities.
local figure = require "crossfold.plot.figure"
local number_text = require "crossfold.text.number_text"
local subject = require "crossfold.plot.subject"

local posterior = { options = {
  a = { "string", doc = "A learner; default the first of the ranking." },
  b = { "string", doc = "Another learner; default the second of the ranking." },
  points = { "integer", 500, doc = "Number of samples of the posterior." },
} }

local name = "posterior"

local function names_of(comparison, o)
  local ranking = comparison:ranking()
  local a, b = o.a, o.b
  for _, row in ipairs(ranking) do
    if not a and row.learner ~= b then
      a = row.learner
    elseif not b and row.learner ~= a then
      b = row.learner
    end
  end
  return a, b
end

-- A corner has the coordinates (better - worse, alike): (-1, 0), (0, 1) and (1, 0).
local function place(point) return point[3] - point[1], point[2] end

local function segment(x, y, x_end, y_end) return { x = x, y = y, x_end = x_end, y_end = y_end } end

-- The edges, and the borders of the regions, which meet where all three are equally probable.
local function guides()
  local third = 1 / 3
  return { mark = "segments", role = "guide", points = {
    segment(-1, 0, 1, 0), segment(-1, 0, 0, 1), segment(0, 1, 1, 0),
    segment(0, third, 0, 0), segment(0, third, -0.5, 0.5), segment(0, third, 0.5, 0.5),
  } }
end

function posterior.build(given, o)
  subject.check(given, "a comparison", name)
  local a, b = names_of(given, o)
  local row = given:posterior { a = a, b = b, points = o.points }
  if not row then
    subject.fail(name, "there is no posterior over datasets", "compare several datasets, with a rope")
  elseif row.undefined then
    subject.fail(name, row.undefined, "plot the ranks instead")
  end
  local points, rows = {}, {}
  for i, sample in ipairs(row.points) do
    local x, y = place(sample)
    points[i] = { x = x, y = y, size = 0.5 }
    rows[i] = { a = a, b = b, worse = sample[1], alike = sample[2], better = sample[3] }
  end
  local function corner(x, y, label, p)
    return { x = x, y = y, label = ("%s: %s"):format(label, number_text.probability(p)) }
  end
  return figure.new {
    kind = name, title = ("Posterior over datasets: '%s' and '%s'"):format(a, b), note = row.sentence,
    x = { label = "probability that a is better, less that it is worse", low = -1, high = 1 },
    y = { label = "probability that they are alike", low = 0, high = 1 }, aspect = 0.6,
    layers = { guides(), { mark = "points", points = points, faint = true },
      { mark = "text", points = { corner(-0.75, 0.04, "a is worse", row.p_worse),
        corner(0, 0.93, "alike", row.p_alike), corner(0.75, 0.04, "a is better", row.p_better) } } },
    columns = { "a", "b", "worse", "alike", "better" }, rows = rows,
  }
end

return posterior
