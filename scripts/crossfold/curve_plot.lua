-- Pictures of curves: a gnuplot script with the data inside, and SVG.
local native = require "crossfold.native"

local curve_plot = {}

-- Columns of the axes, their titles, the line to compare with, and how points are joined.
local styles = {
  roc = { x = "fpr", y = "tpr", x_title = "false positive rate", y_title = "true positive rate",
    guide = { { 0, 0 }, { 1, 1 } } },
  precision_recall = { x = "recall", y = "precision", x_title = "recall", y_title = "precision",
    steps = true },
  det = { x = "probit_fpr", y = "probit_fnr", x_title = "false positive rate (normal deviates)",
    y_title = "false negative rate (normal deviates)", deviates = true },
  calibration = { x = "mean_predicted", y = "observed", low = "observed_low",
    high = "observed_high", x_title = "mean predicted probability", y_title = "observed share",
    guide = { { 0, 0 }, { 1, 1 } }, bars = true },
  lift = { x = "share", y = "gain", x_title = "share of rows", y_title = "share of positive rows",
    guide = { { 0, 0 }, { 1, 1 } } },
  cost = { x = "probability_cost", y = "cost", x_title = "probability cost",
    y_title = "normalised expected cost", guide = { { 0, 0 }, { 0.5, 0.5 }, { 1, 0 } } },
}

local function style_of(curve)
  local style = styles[curve.kind]
  if not style then
    native.fail(("to: kind '%s' is a table without a picture; use csv or json"):format(curve.kind))
  end
  if curve.undefined then
    native.fail(("to: there is no curve to draw: %s"):format(curve.undefined))
  end
  return style
end

-- Points { x, y, low, high } that have both coordinates, one list a fold.
local function series_of(curve, style)
  local series, by_fold, drawable = {}, {}, false
  for _, row in ipairs(curve:rows()) do
    local key = row.fold and ("%d/%d"):format(row.repeat_, row.fold) or ""
    if not by_fold[key] then
      by_fold[key] = {}
      series[#series + 1] = by_fold[key]
    end
    if row[style.x] and row[style.y] then
      local point = { row[style.x], row[style.y], row[style.low or "low"],
        row[style.high or "high"] }
      table.insert(by_fold[key], point)
      drawable = true
    end
  end
  if not drawable then
    native.fail(("to: there is no curve to draw: no point has both %s and %s"):format(style.x, style.y))
  end
  return series
end

local function title_of(curve)
  if not curve.learner then return curve.kind end
  return ("%s: %s on %s, %s"):format(curve.kind, curve.learner, curve.dataset, curve.aggregation)
end

-- The line itself; steps hold each value back to the threshold before.
local function path_of(points, style)
  if not style.steps then return points end
  local path, before = {}, 0
  for _, p in ipairs(points) do
    path[#path + 1] = { before, p[2] }
    path[#path + 1] = p
    before = p[1]
  end
  return path
end

-- gnuplot -------------------------------------------------------------------------------------------

local function data_block(lines, name, points)
  lines[#lines + 1] = ("$%s << EOD"):format(name)
  for _, p in ipairs(points) do
    local numbers = {}
    for i = 1, 4 do numbers[i] = p[i] and native.format_number(p[i]) or nil end
    lines[#lines + 1] = table.concat(numbers, " ")
  end
  lines[#lines + 1] = "EOD"
end

-- Text between double quotes of gnuplot.
local function quoted(text)
  return '"' .. text:gsub("[%c]", " "):gsub('[\\"]', "\\%0") .. '"'
end

-- A script for `gnuplot -p file`.
function curve_plot.gnuplot(curve)
  local style, lines, plots = style_of(curve), {}, {}
  for i, points in ipairs(series_of(curve, style)) do
    local name = ("curve%d"):format(i)
    data_block(lines, name, path_of(points, style))
    if #points > 0 and points[1][3] then
      plots[#plots + 1] = ("$%s using 1:%s notitle"):format(name,
        style.bars and "2:3:4 with yerrorbars" or "3:4 with filledcurves fs transparent solid 0.2")
    end
    if #points > 0 then
      plots[#plots + 1] = ("$%s using 1:2 with %s notitle"):format(name,
        style.bars and "linespoints" or "lines")
    end
  end
  if style.guide then
    data_block(lines, "guide", style.guide)
    plots[#plots + 1] = "$guide using 1:2 with lines dashtype 2 notitle"
  end
  lines[#lines + 1] = "set title " .. quoted(title_of(curve)) .. " noenhanced"
  lines[#lines + 1] = "set xlabel " .. quoted(style.x_title)
  lines[#lines + 1] = "set ylabel " .. quoted(style.y_title)
  if not style.deviates then
    lines[#lines + 1] = "set xrange [0:1]"
    lines[#lines + 1] = curve.kind == "cost" and "set yrange [0:0.5]" or "set yrange [0:1]"
  end
  lines[#lines + 1] = "plot " .. table.concat(plots, ", \\\n  ")
  return table.concat(lines, "\n") .. "\n"
end

-- SVG -----------------------------------------------------------------------------------------------

local left, top, size = 70, 40, 400  -- of the square between the axes, in pixels

-- Ticks of an axis: { coordinate, label }.
local unit_ticks = { { 0, "0" }, { 0.2, "0.2" }, { 0.4, "0.4" }, { 0.6, "0.6" }, { 0.8, "0.8" },
  { 1, "1" } }
local half_ticks = { { 0, "0" }, { 0.1, "0.1" }, { 0.2, "0.2" }, { 0.3, "0.3" }, { 0.4, "0.4" },
  { 0.5, "0.5" } }
-- Normal quantiles of error rates: SciPy's norm.ppf.
local deviate_ticks = { { -3.090232, "0.1%" }, { -2.326348, "1%" }, { -1.644854, "5%" },
  { -0.841621, "20%" }, { 0, "50%" }, { 0.841621, "80%" }, { 1.644854, "95%" },
  { 2.326348, "99%" }, { 3.090232, "99.9%" } }

local function axes_of(curve, style)
  if style.deviates then
    local axis = { low = -3.5, high = 3.5, ticks = deviate_ticks }
    return axis, axis
  end
  local unit = { low = 0, high = 1, ticks = unit_ticks }
  if curve.kind == "cost" then return unit, { low = 0, high = 0.5, ticks = half_ticks } end
  return unit, unit
end

local function escaped(text)
  return (text:gsub("%c", " "):gsub("[&<>\"]",
    { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

local function pixel(number) return native.format_number(number, 2) end

-- Functions from values to pixels; what lies outside the range is moved to its edge.
local function scales(x_axis, y_axis)
  local function share(axis, value)
    return (math.min(math.max(value, axis.low), axis.high) - axis.low) / (axis.high - axis.low)
  end
  return function(x) return pixel(left + size * share(x_axis, x)) end,
    function(y) return pixel(top + size * (1 - share(y_axis, y))) end
end

local function polyline(points, to_x, to_y, attributes)
  local places = {}
  for i, p in ipairs(points) do places[i] = to_x(p[1]) .. "," .. to_y(p[2]) end
  return ('<polyline points="%s" %s/>'):format(table.concat(places, " "), attributes)
end

local function add_axes(lines, x_axis, y_axis, to_x, to_y)
  lines[#lines + 1] = ('<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="black"/>')
    :format(left, top, size, size)
  for _, tick in ipairs(x_axis.ticks) do
    lines[#lines + 1] = ('<text x="%s" y="%d" text-anchor="middle">%s</text>'):format(to_x(tick[1]),
      top + size + 18, tick[2])
  end
  for _, tick in ipairs(y_axis.ticks) do
    lines[#lines + 1] = ('<text x="%d" y="%s" text-anchor="end" dy="4">%s</text>'):format(left - 8,
      to_y(tick[1]), tick[2])
  end
end

local function add_titles(lines, curve, style)
  local middle = left + size // 2
  local text = '<text x="%d" y="%d" text-anchor="middle"%s>%s</text>'
  lines[#lines + 1] = text:format(middle, top - 14, "", escaped(title_of(curve)))
  lines[#lines + 1] = text:format(middle, top + size + 40, "", style.x_title)
  lines[#lines + 1] = text:format(18, top + size // 2,
    (' transform="rotate(-90 18 %d)"'):format(top + size // 2), style.y_title)
end

-- Intervals: bars at the points of a calibration curve, else a band around the line.
local function add_intervals(lines, points, style, to_x, to_y)
  if #points == 0 or not points[1][3] then return end
  if style.bars then
    for _, p in ipairs(points) do
      lines[#lines + 1] = polyline({ { p[1], p[3] }, { p[1], p[4] } }, to_x, to_y,
        'stroke="steelblue" fill="none"')
      lines[#lines + 1] = ('<circle cx="%s" cy="%s" r="3" fill="steelblue"/>'):format(to_x(p[1]),
        to_y(p[2]))
    end
    return
  end
  local outline = {}
  for _, p in ipairs(points) do outline[#outline + 1] = { p[1], p[3] } end
  for i = #points, 1, -1 do outline[#outline + 1] = { points[i][1], points[i][4] } end
  lines[#lines + 1] = polyline(outline, to_x, to_y, 'fill="steelblue" fill-opacity="0.2"')
end

function curve_plot.svg(curve)
  local style = style_of(curve)
  local x_axis, y_axis = axes_of(curve, style)
  local to_x, to_y = scales(x_axis, y_axis)
  local lines = {
    '<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500" font-family="sans-serif" '
      .. 'font-size="13">',
    '<rect width="500" height="500" fill="white"/>',
  }
  add_axes(lines, x_axis, y_axis, to_x, to_y)
  add_titles(lines, curve, style)
  if style.guide then
    lines[#lines + 1] = polyline(style.guide, to_x, to_y,
      'fill="none" stroke="gray" stroke-dasharray="5 4"')
  end
  for _, points in ipairs(series_of(curve, style)) do
    add_intervals(lines, points, style, to_x, to_y)
    lines[#lines + 1] = polyline(path_of(points, style), to_x, to_y,
      'fill="none" stroke="steelblue" stroke-width="1.5"')
  end
  lines[#lines + 1] = "</svg>"
  return table.concat(lines, "\n") .. "\n"
end

return curve_plot
