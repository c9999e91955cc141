-- Writes pictures of curves: a gnuplot script with the data inside, and SVG.
local native = require "crossfold.native"
local curve_axes = require "crossfold.plot.curve_axes"
local curves = require "crossfold.plot.curves"

local curve_plot = {}

local function style_of(curve)
  local style = curve_axes.kinds[curve.kind]
  if not style then native.fail("to: kind '%s' is a table without a picture; use csv or json", curve.kind) end
  if curve.undefined then native.fail("to: there is no curve to draw: %s", curve.undefined) end
  return style
end

local function refuse_empty(style)
  native.fail("to: there is no curve to draw: no point has both %s and %s", style.x, style.y)
end

-- Points { x, y, low, high } that have both coordinates, one list per fold.
local function series_of(curve, style)
  local series, by_fold, drawable = {}, {}, false
  for _, row in ipairs(curve:rows()) do
    local key = row.fold and ("%d/%d"):format(row.repeat_, row.fold) or ""
    if not by_fold[key] then
      by_fold[key] = {}
      series[#series + 1] = by_fold[key]
    end
    if row[style.x] and row[style.y] then
      local point = { row[style.x], row[style.y], row[style.low or "low"], row[style.high or "high"] }
      table.insert(by_fold[key], point)
      drawable = true
    end
  end
  if not drawable then refuse_empty(style) end
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
        style.intervals and "2:3:4 with yerrorbars" or "3:4 with filledcurves fs transparent solid 0.2")
    end
    if #points > 0 then
      plots[#plots + 1] = ("$%s using 1:2 with %s notitle"):format(name, style.intervals and "linespoints" or "lines")
    end
  end
  if style.guide then
    local guide = {}
    for i, point in ipairs(style.guide) do guide[i] = { point.x, point.y } end
    data_block(lines, "guide", guide)
    plots[#plots + 1] = "$guide using 1:2 with lines dashtype 2 notitle"
  end
  lines[#lines + 1] = "set title " .. quoted(title_of(curve)) .. " noenhanced"
  lines[#lines + 1] = "set xlabel " .. quoted(style.x_title)
  lines[#lines + 1] = "set ylabel " .. quoted(style.y_title)
  for _, name in ipairs(style.references or {}) do
    local points = {}
    for i, row in ipairs(curve:rows()) do points[i] = { row[style.x], row[name] } end
    data_block(lines, name, points)
    plots[#plots + 1] = ("$%s using 1:2 with lines dashtype 2 title %s"):format(name, quoted(name:gsub("_", " ")))
  end
  if style.fit_y then
    local _, y = curve_axes.of(style, curves.of_curve(curve, "").layers)
    lines[#lines + 1] = "set xrange [0:1]"
    lines[#lines + 1] = ("set yrange [%s:%s]"):format(native.format_number(y.low), native.format_number(y.high))
  elseif not style.deviates then
    lines[#lines + 1] = "set xrange [0:1]"
    lines[#lines + 1] = curve.kind == "cost" and "set yrange [0:0.5]" or "set yrange [0:1]"
  end
  lines[#lines + 1] = "plot " .. table.concat(plots, ", \\\n  ")
  return table.concat(lines, "\n") .. "\n"
end

-- SVG -----------------------------------------------------------------------------------------------

function curve_plot.svg(curve)
  local style = style_of(curve)
  local made = curves.of_curve(curve, title_of(curve))
  if not made then refuse_empty(style) end
  return made:svg()
end

return curve_plot
