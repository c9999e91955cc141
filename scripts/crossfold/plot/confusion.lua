-- plot.confusion(result, { learner =, dataset = }): how often each class was predicted for each true
-- class; the colour is the share of the true class.
local figure = require "crossfold.plot.figure"
local number_text = require "crossfold.text.number_text"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local confusion = { options = { learner = subject.options.learner, dataset = subject.options.dataset } }

-- Of more classes than this, tiles of nothing are left out.
local most_empty = 20

local function total(list)
  local sum = 0
  for _, n in ipairs(list) do sum = sum + n end
  return sum
end

local function tiles_of(classes, counts)
  local points, rows, empty = {}, {}, {}
  for t, truth in ipairs(classes) do
    local of_truth = total(counts[t])
    if of_truth == 0 then empty[#empty + 1] = truth end
    for p, predicted in ipairs(classes) do
      local n = counts[t][p]
      local share = of_truth > 0 and n / of_truth or nil
      rows[#rows + 1] = { truth = truth, predicted = predicted, count = n, share = share }
      if n ~= 0 or #classes <= most_empty then
        points[#points + 1] = { x = p, y = t, value = share, text = scale.text(n),
          label = ("true %s, predicted %s: %s%s"):format(truth, predicted, scale.text(n),
            share and (" (%s of the true class)"):format(number_text.share(share)) or "") }
      end
    end
  end
  return points, rows, empty
end

local function note_of(matrix, classes, empty)
  local notes = { "Counts over all out-of-fold predictions; with repeats a row counts once for each." }
  local without = matrix.failed + matrix.missing
  if without > 0 then notes[1] = ("%s %d of %d folds have none."):format(notes[1], without, matrix.folds) end
  if #classes > most_empty then notes[#notes + 1] = "A missing tile is 0." end
  if #empty > 0 then
    local names = table.concat(empty, ", ", 1, math.min(5, #empty)) .. (#empty > 5 and ", ..." or "")
    notes[#notes + 1] = ("No row is truly of class %s, so there are no shares."):format(names)
  end
  return table.concat(notes, " ")
end

function confusion.build(result, o)
  subject.check(result, "a result of cf.evaluate", "confusion")
  local matrix = result:confusion(o.learner, { dataset = o.dataset })
  local classes = {}
  for i, class in ipairs(matrix.classes) do classes[i] = tostring(class) end
  local points, rows, empty = tiles_of(classes, matrix.counts)
  local places = subject.places(result)
  local learner = o.learner or subject.distinct(places, "learner")[1]
  local dataset = o.dataset or subject.distinct(places, "dataset")[1]
  return figure.new {
    kind = "confusion", title = ("Confusion matrix: %s on %s"):format(learner, dataset),
    note = note_of(matrix, classes, empty),
    x = { label = "predicted class", scale = "category", categories = classes },
    y = { label = "true class", scale = "category", categories = classes },
    ramp = { low = 0, high = 1, label = "share of the true class" },
    layers = { { mark = "tiles", points = points } },
    columns = { "truth", "predicted", "count", "share" }, rows = rows,
  }
end

return confusion
