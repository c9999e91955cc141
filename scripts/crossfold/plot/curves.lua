-- plot.roc, precision_recall, det, calibration, reliability, decision, lift and cost: a curve of each learner in one
-- figure, with a band that shows how the folds differ, or what the curve has.
--
--   plot.roc(result, { learners =, dataset =, positive =, aggregation =, bands = })
--
-- aggregation: "pooled" (all out-of-fold predictions in one curve), "folds" (a line per fold) or, for ROC,
-- "vertical" (the mean of the folds' curves, default where there are several folds). A band around a mean is
-- its 95 % interval at each false positive rate; one around a pooled curve goes from the lowest to the
-- highest of the folds' own curves. The intervals of calibration are those of its bins.
local number_text = require "crossfold.text.number_text"
local curve_axes = require "crossfold.plot.curve_axes"
local figure = require "crossfold.plot.figure"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local curves = {}

-- More learners than this have no bands: they would hide each other, as lines with intervals do, of which
-- a figure has no more.
local most_bands = 4
-- Lines of more points than this have no hover text a point.
local most_labels = 120

local function hover(name, style, row)
  local x, y = table.unpack(style.shown or { style.x, style.y })
  local text = ("%s: %s %s, %s %s"):format(name, (x:gsub("_", " ")), scale.text(row[x]),
    (y:gsub("_", " ")), scale.text(row[y]))
  if row.threshold and x ~= "threshold" then text = ("%s, threshold %s"):format(text, scale.text(row.threshold)) end
  if style.low and row[style.low] then
    text = ("%s (%s to %s)"):format(text, scale.text(row[style.low]), scale.text(row[style.high]))
  end
  return text
end

-- Points of the rows of a curve; a gap between folds. Steps start at recall 0.
local function points_of(rows, style, name)
  local points, before = {}, nil
  for _, row in ipairs(rows) do
    local key = row.fold and row.repeat_ .. "/" .. row.fold or ""
    if before ~= key then
      if before then points[#points + 1] = {} end
      if style.steps then points[#points + 1] = { x = 0, y = row[style.y] } end
      before = key
    end
    points[#points + 1] = { x = row[style.x], y = row[style.y],
      label = #rows <= most_labels and hover(name, style, row) or nil,
      low = row[style.low or "low"], high = row[style.high or "high"] }
  end
  return points
end

local function is_drawable(points)
  for _, point in ipairs(points) do
    if scale.is_finite(point.x) and scale.is_finite(point.y) then return true end
  end
  return false
end

-- The layers of one curve with its rows under the name of a series (nil: no legend).
local function layers_of(curve, rows, style, series)
  local points = points_of(rows, style, series or curve.learner or curve.kind)
  if not is_drawable(points) then return nil end
  local layers = {}
  if style.intervals then
    layers[1] = { mark = "intervals", series = series, points = points }
  elseif curve.aggregation == "vertical" or style.band and curve.aggregation ~= "folds" then
    layers[1] = { mark = "band", series = series, points = points }
  end
  layers[#layers + 1] = { mark = style.steps and "steps" or "line", series = series,
    points = points }
  if style.intervals then layers[#layers + 1] = { mark = "points", series = series, points = points } end
  return layers
end

-- The lines to compare with that are columns of a curve, in grey.
local function add_references(layers, rows, style)
  for _, name in ipairs(style.references or {}) do
    local points = {}
    for i, row in ipairs(rows) do points[i] = { x = row[style.x], y = row[name] } end
    table.insert(layers, 1, { mark = "line", role = "guide", points = points })
  end
end

-- Bands ---------------------------------------------------------------------------------------------

-- The lowest and the highest value of a fold's curve at `x`, which differ where it is upright, and the place
-- in the list: straight between its points, or for steps that of the first point from x on; nil outside.
local function values_at(list, x, style, start)
  local i = start
  while list[i] and list[i][1] < x do i = i + 1 end
  local after, before = list[i], list[i - 1]
  if not after then return nil, nil, i end
  if style.steps then return after[2], after[2], i end
  if after[1] == x then
    local low, high, at = after[2], after[2], i
    while list[at] and list[at][1] == x do
      low, high, at = math.min(low, list[at][2]), math.max(high, list[at][2]), at + 1
    end
    return low, high, i
  end
  if not before then return nil, nil, i end
  local share = (x - before[1]) / (after[1] - before[1])
  local y = before[2] + share * (after[2] - before[2])
  return y, y, i
end

-- { { x, y }, ... } of each fold, points with both coordinates, sorted by x; and the ends of all.
local function fold_lists(rows, style)
  local lists, by_key, low, high = {}, {}, nil, nil
  for _, row in ipairs(rows) do
    local key, x, y = row.repeat_ .. "/" .. row.fold, row[style.x], row[style.y]
    if not by_key[key] then
      by_key[key] = {}
      lists[#lists + 1] = by_key[key]
    end
    if scale.is_finite(x) and scale.is_finite(y) then
      table.insert(by_key[key], { x, y, #by_key[key] })
      low, high = math.min(low or x, x), math.max(high or x, x)
    end
  end
  for _, list in ipairs(lists) do
    table.sort(list, function(a, b)
      if a[1] ~= b[1] then return a[1] < b[1] end
      return a[3] < b[3]
    end)
  end
  return lists, low, high
end

-- From the lowest to the highest fold at 101 places.
local function range_of_folds(curve, style)
  local lists, low, high = fold_lists(curve:rows(), style)
  if #lists < 2 or not low then return nil end
  local points, starts = {}, {}
  for i = 0, 100 do
    local x = i == 100 and high or low + (high - low) * i / 100
    local point = { x = x }
    for l, list in ipairs(lists) do
      local least, most
      least, most, starts[l] = values_at(list, x, style, starts[l] or 1)
      if least then
        point.low, point.high = math.min(point.low or least, least), math.max(point.high or most, most)
      end
    end
    points[#points + 1] = point
  end
  return points
end

-- Figures -------------------------------------------------------------------------------------------

local function aggregation_of(kind, result, o)
  if o.aggregation then return o.aggregation end
  if kind ~= "roc" then return "pooled" end
  for _, job in ipairs(result.jobs) do
    if #job.folds > 1 then return "vertical" end
  end
  return "pooled"
end

local function series_name(curve, style, learner)
  local figure_name = curve.aggregation == "vertical" and "mean_auc" or style.figure
  local value = figure_name and curve[figure_name]
  if not value then return learner end
  return ("%s (%s %s)"):format(learner, (figure_name:gsub("_", " ")), number_text.fixed(value, 3))
end

local function add_rows(rows, added, learner)
  for _, row in ipairs(added) do
    row.learner, row["repeat"] = learner, row.repeat_
    rows[#rows + 1] = row
  end
end

local function add_columns(columns, names)
  for _, name in ipairs(names) do
    if not columns[name] then
      columns[name], columns[#columns + 1] = true, name
    end
  end
end

-- Adds a learner's curve to `made` = { layers, rows, columns, notes, bands = whether to draw them }.
local function add_learner(made, kind, result, learner, o)
  local style = curve_axes.kinds[kind]
  local asked = { learner = learner, dataset = o.dataset, positive = o.positive,
    aggregation = made.aggregation }
  for name, value in pairs(not made.bands and style.without_band or {}) do asked[name] = value end
  local curve = result:curve(kind, asked)
  made.positive, made.dataset = curve.positive or made.positive, curve.dataset
  for _, fold in ipairs(curve.folds or {}) do
    if fold.undefined then
      made.missing[#made.missing + 1] = ("%s, repeat %d, fold %d: %s"):format(learner, fold.repeat_,
        fold.fold, fold.undefined)
    end
  end
  local rows = curve:rows()
  local layers = not curve.undefined and layers_of(curve, rows, style, series_name(curve, style, learner))
  if not layers then
    made.notes[#made.notes + 1] = ("%s has no curve: %s."):format(learner,
      curve.undefined or style.none or ("no point has both %s and %s"):format(style.x, style.y))
    return
  end
  made.drawn = made.drawn + 1
  if made.drawn == 1 then add_references(made.layers, rows, style) end
  local sentence = made.bands and curve:sentence()
  if sentence then made.sentences[#made.sentences + 1] = ("%s: %s"):format(learner, sentence) end
  if made.bands and made.aggregation == "pooled" and not style.intervals and not style.band then
    asked.aggregation = "folds"
    local points = range_of_folds(result:curve(kind, asked), style)
    if points then
      made.has_range = true
      table.insert(layers, 1, { mark = "band", series = layers[1].series, points = points })
    end
  end
  for _, layer in ipairs(layers) do
    if layer.mark ~= "band" or made.bands then made.layers[#made.layers + 1] = layer end
  end
  add_rows(made.rows, rows, learner)
  add_columns(made.columns, curve.columns)
end

-- The learners whose curves are drawn. Lines with intervals hide each other, so that of many those with the
-- smallest figure are, and a note has the others. `asked` is what result:curve takes but for the learner.
local function choose(made, kind, result, learners, asked)
  local figure_name = curve_axes.kinds[kind].figure
  local ranked, chosen, drawn, others = {}, {}, {}, {}
  for i, learner in ipairs(learners) do
    asked.learner = learner
    ranked[i] = { place = i, figure = result:curve(kind, asked)[figure_name] }
  end
  table.sort(ranked, function(a, b)
    local x, y = a.figure or math.huge, b.figure or math.huge
    if x ~= y then return x < y end
    return a.place < b.place
  end)
  for i, one in ipairs(ranked) do
    local learner = learners[one.place]
    chosen[learner] = i <= most_bands
    if i > most_bands then
      others[#others + 1] = one.figure and ("%s (%s)"):format(learner, number_text.fixed(one.figure, 3)) or learner
    end
  end
  for _, learner in ipairs(learners) do
    if chosen[learner] then drawn[#drawn + 1] = learner end
  end
  made.notes[1] = ("Drawn: the %d of %d learners with the smallest %s; the others: %s."):format(#drawn,
    #learners, figure_name, table.concat(others, ", "))
  return drawn
end

local what_it_is = {
  pooled = "All out-of-fold predictions in one curve.",
  folds = "One line per fold.",
  vertical = "Mean of the folds' curves at each false positive rate.",
}

local function note_of(made, style, learners)
  local notes = { what_it_is[made.aggregation] }
  if style.intervals then
    notes[#notes + 1] = "Bars: 95 % Wilson intervals of the bins."
  elseif style.band and made.bands and made.aggregation == "pooled" then
    notes[#notes + 1] = ("Bands: %s."):format(style.band)
  elseif made.bands and made.aggregation == "vertical" then
    notes[#notes + 1] = "Bands: 95 % interval of the mean at each place; somewhat too narrow, because "
      .. "training sets overlap."
  elseif made.has_range then
    notes[#notes + 1] = "Bands: from the lowest to the highest fold."
  elseif #learners > most_bands and not made.bands then
    notes[#notes + 1] = ("Bands are left out for more than %d learners."):format(most_bands)
  end
  notes[#notes + 1] = style.references_note
  table.move(made.notes, 1, #made.notes, #notes + 1, notes)
  if #made.missing > 0 then
    notes[#notes + 1] = ("%s without a curve; the first: %s."):format(
      subject.count(#made.missing, "fold"), made.missing[1])
  end
  return table.concat(notes, " ")
end

local function check_result(kind, result)
  subject.check(result, "a result of cf.evaluate", kind)
  if type(result.curve) ~= "function" then
    subject.fail(kind, "the result has no curves", "give a result of cf.evaluate")
  end
end

local function build(kind, result, o)
  check_result(kind, result)
  local style, places = curve_axes.kinds[kind], subject.places(result)
  local wanted, learners = subject.filter(kind, places, o), {}
  for _, learner in ipairs(subject.distinct(places, "learner")) do
    if wanted(learner, o.dataset) then learners[#learners + 1] = learner end
  end
  local made = { layers = {}, rows = {}, notes = {}, missing = {}, sentences = {}, drawn = 0,
    columns = { "learner", learner = true }, aggregation = aggregation_of(kind, result, o),
    bands = o.bands == nil and #learners <= most_bands or o.bands == true }
  if style.guide then
    made.layers[1] = { mark = "line", role = "guide", points = style.guide }
  end
  if style.intervals and not o.learners and #learners > most_bands then
    learners = choose(made, kind, result, learners, { dataset = o.dataset, positive = o.positive,
      aggregation = made.aggregation })
  end
  for _, learner in ipairs(learners) do add_learner(made, kind, result, learner, o) end
  if made.drawn == 0 then
    subject.fail(kind, "no learner has a curve: "
      .. (made.notes[1] or "there is no learner"):gsub("%.$", ""), made.aggregation == "pooled"
      and "look at result:failures(), and at the classes of the test rows"
      or "look at result:failures(), or take all test rows together with aggregation = \"pooled\"")
  end
  local x, y = curve_axes.of(style, made.layers)
  local drawn = figure.new {
    kind = kind, title = ("%s: class %s on %s"):format(style.name, made.positive or "?", made.dataset or "?"),
    note = note_of(made, style, learners), x = x, y = y, layers = made.layers, aspect = 1,
    columns = made.columns, rows = made.rows,
  }
  drawn.sentences = made.sentences
  return drawn
end

local curve_options = {
  learners = subject.options.learners, dataset = subject.options.dataset, positive = subject.options.positive,
  aggregation = { "string", names = { "pooled", "vertical", "folds" },
    doc = "Whether folds are pooled, averaged (kind \"roc\"), or drawn each; default that of the subject." },
  bands = { "boolean", doc = "Whether the range of the folds is drawn as a band." },
}

-- The builder of one kind.
function curves.builder(kind)
  return {
    options = curve_options,
    build = function(result, o) return build(kind, result, o) end,
  }
end

-- The figure of one curve object, for curve:to{ svg = }.
function curves.of_curve(curve, title)
  local style = curve_axes.kinds[curve.kind]
  local rows = curve:rows()
  local layers = layers_of(curve, rows, style)
  if not layers then return nil end
  if style.guide then
    table.insert(layers, 1, { mark = "line", role = "guide", points = style.guide })
  end
  add_references(layers, rows, style)
  local x, y = curve_axes.of(style, layers)
  return figure.new { kind = curve.kind, title = title, x = x, y = y, layers = layers, aspect = 1,
    columns = curve.columns, rows = rows }
end

return curves
