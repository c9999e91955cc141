-- The figure as a value, its scales, and its renderers: SVG, text and CSV.
local lu = require "luaunit"
local fixtures = require "fixtures"
local markup = require "markup"
local extent = require "crossfold.plot.extent"
local figure = require "crossfold.plot.figure"
local label = require "crossfold.plot.label"
local palette = require "crossfold.plot.palette"
local scale = require "crossfold.plot.scale"
local thinning = require "crossfold.plot.thinning"

TestPlotFigure = {}

local message = fixtures.message

local function made(changes)
  return figure.new(fixtures.with({ kind = "sample", title = "A sample", x = { label = "x" }, y = { label = "y" },
    layers = { { mark = "line", series = "a", points = { { x = 0, y = 0 }, { x = 1, y = 2 } } } },
    columns = { "x", "y" }, rows = { { x = 0, y = 0 }, { x = 1, y = 2 } } }, changes))
end

-- Colours -------------------------------------------------------------------------------------------

function TestPlotFigure:test_contrast_is_that_of_wcag()
  -- Values of WebAIM's contrast checker.
  lu.assertAlmostEquals(palette.contrast("#000000", "#ffffff"), 21, 1e-9)
  lu.assertAlmostEquals(palette.contrast("#777777", "#ffffff"), 4.48, 0.005)
  lu.assertAlmostEquals(palette.contrast("#0072b2", "#ffffff"), 5.19, 0.005)
end

function TestPlotFigure:test_marks_stand_out_from_the_page_and_text_more()
  for _, scheme in ipairs { palette.light, palette.dark } do
    for _, colour in ipairs(scheme.series) do
      lu.assertTrue(palette.contrast(colour, scheme.surface) >= 3, colour)
    end
    lu.assertTrue(palette.contrast(scheme.guide, scheme.surface) >= 3)
    lu.assertTrue(palette.contrast(scheme.ink, scheme.surface) >= 4.5)
    lu.assertTrue(palette.contrast(scheme.muted, scheme.surface) >= 4.5)
    local ramp = palette.ramp(scheme)
    for step, colour in ipairs(ramp) do
      lu.assertTrue(palette.contrast(colour, palette.text_on(colour)) >= 4.5, colour)
      if step >= palette.first_for_lines then  -- those that lines use
        lu.assertTrue(palette.contrast(colour, scheme.surface) >= 3, colour)
      end
    end
  end
end

-- What dichromats see of linear RGB: Machado, Oliveira and Fernandes 2009, severity 1.0.
local seen_by = {
  everybody = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  protanopes = { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
    { -0.003882, -0.048116, 1.051998 } },
  deuteranopes = { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
    { -0.011820, 0.042940, 0.968881 } },
  tritanopes = { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 },
    { 0.004733, 0.691367, 0.303900 } },
}

local function times(matrix, vector)
  local product = {}
  for i, row in ipairs(matrix) do
    product[i] = row[1] * vector[1] + row[2] * vector[2] + row[3] * vector[3]
  end
  return product
end

-- "#rrggbb" as CIELAB (D65) after a matrix.
local function lab(colour, matrix)
  local linear = {}
  for pair in colour:gmatch("%x%x") do
    local share = tonumber(pair, 16) / 255
    linear[#linear + 1] = share <= 0.04045 and share / 12.92 or ((share + 0.055) / 1.055) ^ 2.4
  end
  local shown = times(matrix, linear)
  for i = 1, 3 do shown[i] = math.min(1, math.max(0, shown[i])) end
  local xyz = times({ { 0.4124564, 0.3575761, 0.1804375 }, { 0.2126729, 0.7151522, 0.0721750 },
    { 0.0193339, 0.1191920, 0.9503041 } }, shown)
  local white, f = { 0.95047, 1, 1.08883 }, {}
  for i = 1, 3 do
    local t = xyz[i] / white[i]
    f[i] = t > 216 / 24389 and t ^ (1 / 3) or (24389 / 27 * t + 16) / 116
  end
  return { 116 * f[2] - 16, 500 * (f[1] - f[2]), 200 * (f[2] - f[3]) }
end

function TestPlotFigure:test_colours_differ_for_the_colour_blind()
  -- Red of sRGB is (53.24, 80.09, 67.20) in CIELAB.
  local red = lab("#ff0000", seen_by.everybody)
  lu.assertAlmostEquals(red[1], 53.24, 0.01)
  lu.assertAlmostEquals(red[2], 80.09, 0.01)
  lu.assertAlmostEquals(red[3], 67.20, 0.01)
  for who, matrix in pairs(seen_by) do
    for _, scheme in ipairs { palette.light, palette.dark } do
      for i, colour in ipairs(scheme.series) do
        for j = 1, i - 1 do
          local a, b = lab(colour, matrix), lab(scheme.series[j], matrix)
          local difference = math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
          lu.assertTrue(difference > 18, ("%s and %s for %s"):format(colour, scheme.series[j], who))
        end
      end
    end
  end
end

function TestPlotFigure:test_thirty_six_series_differ_in_colour_or_dash()
  local seen = {}
  for i = 1, 36 do
    local colour, dash, marker = palette.style(i)
    local key = colour .. "/" .. dash
    lu.assertNil(seen[key], key)
    seen[key] = true
    lu.assertTrue(marker >= 1 and marker <= #palette.markers)
  end
  local _, first = palette.style(1)
  local _, second = palette.style(2)
  lu.assertNotEquals(first, second)
end

-- Scales --------------------------------------------------------------------------------------------

local function ticks(axis, low, high, most)
  return fixtures.column(scale.new(axis, low, high):ticks(most or 6), "text")
end

function TestPlotFigure:test_ticks_are_round_numbers()
  lu.assertEquals(ticks({ scale = "linear", low = 0, high = 1 }, 0, 1),
    { "0.0", "0.2", "0.4", "0.6", "0.8", "1.0" })
  lu.assertEquals(ticks({ scale = "linear" }, -3, 12), { "0", "5", "10" })
  lu.assertEquals(ticks({ scale = "linear" }, 2e6, 4e6, 3), { "2e6", "3e6", "4e6" })
  lu.assertEquals(ticks({ scale = "linear", whole = true, low = 0 }, 0, 1), { "0", "1" })
  lu.assertEquals(ticks({ scale = "log" }, 1, 1000), { "1", "10", "100", "1000" })
  lu.assertEquals(ticks({ scale = "log", low = 1, high = 100 }, 1, 100),
    { "1", "2", "5", "10", "20", "50", "100" })
  lu.assertEquals(ticks({ scale = "log" }, 1e-6, 1e2, 4), { "1e-6", "0.001", "1" })
  lu.assertEquals(ticks({ scale = "deviate", low = -2, high = 2 }, nil, nil),
    { "5%", "20%", "50%", "80%", "95%" })
  lu.assertEquals(ticks({ scale = "category", categories = { "a", "b" } }, nil, nil), { "a", "b" })
end

function TestPlotFigure:test_one_value_alone_no_value_and_huge_ones_have_a_scale()
  local constant = scale.new({ scale = "linear" }, 5, 5)
  lu.assertEquals(constant:place(5), 0.5)
  lu.assertTrue(#constant:ticks(5) > 1)
  lu.assertEquals(scale.new({ scale = "linear" }, nil, nil):place(0.5), 0.5)
  local huge = scale.new({ scale = "linear", low = -1.7e308, high = 1.7e308 }, nil, nil)
  lu.assertEquals(huge:place(0), 0.5)
  lu.assertEquals(ticks({ scale = "linear", low = -1.7e308, high = 1.7e308 }, nil, nil), { "-1.5e308", "-1e308",
    "-5e307", "0", "5e307", "1e308", "1.5e308" })
  lu.assertEquals(ticks({ scale = "linear" }, 0, 5e-324), { "0", "4.941e-324" })
  lu.assertEquals(ticks({ scale = "log" }, 1e-300, 1e300, 3), { "1e-212", "1", "1e212" })
  lu.assertEquals(scale.share(1e308, -1e308, 1e308), 1)
  lu.assertEquals(scale.share(5e-324, 0, 1e-323), 0.5)
  lu.assertAlmostEquals(scale.log_share(1, 1e-300, 1e300), 0.5, 1e-15)
  lu.assertEquals(scale.new({ scale = "log" }, 7, 7):place(7), 0.5)
  lu.assertNil(huge:place(math.huge))
  lu.assertNil(huge:place(0 / 0))
  lu.assertNil(scale.new({ scale = "log" }, 1, 10):place(0))
end

-- Every mark at the ends of what a double can express, on axes of both kinds.
function TestPlotFigure:test_the_largest_and_smallest_numbers_have_a_picture()
  local ends = { 0x1.fffffffffffffp+1023, 1e308, 1.0, 2.5e-308, 5e-324, math.maxinteger }
  local values = { 0, math.mininteger }
  for _, value in ipairs(ends) do
    values[#values + 1] = value
    values[#values + 1] = -value
  end
  local rows = { scale = "category", categories = { "p", "q" } }
  for _, mark in ipairs { "line", "steps", "points", "band", "intervals", "bars", "rule", "segments", "text",
    "tiles" } do
    for _, kind in ipairs { "linear", "log" } do
      for _, a in ipairs(kind == "log" and ends or values) do
        for _, b in ipairs(kind == "log" and ends or values) do
          local points = { { x = a, y = 1, low = a, high = b, x_end = b, value = a, label = "a" },
            { x = b, y = 2, low = a, high = b, value = b, label = "b" } }
          if mark == "tiles" then points[1].x, points[2].x = 1, 2 end
          local one = made { y = rows, x = mark == "tiles" and rows or { scale = kind },
            layers = { { mark = mark, points = points } } }
          local text = one:svg() .. one:text()
          lu.assertNil(text:find("nan", 1, true) or text:find("inf", 1, true), ("%s from %s to %s"):format(mark, a, b))
        end
      end
    end
  end
end

function TestPlotFigure:test_the_largest_values_lie_on_the_axis_as_others_do()
  local one = made { layers = { { mark = "line", points = { { x = -1e308, y = -1e308 }, { x = 0, y = 0 },
    { x = 1e308, y = 1e308 } } } } }
  local same = made { layers = { { mark = "line", points = { { x = -1, y = -1 }, { x = 0, y = 0 },
    { x = 1, y = 1 } } } } }
  local function heights(drawn)  -- the labels of the ticks move the left end
    local path = drawn:svg():match('cf%-line[^>]* d="([^"]*)"')
    return { path:match("^M[%d.]+ ([%d.]+)L[%d.]+ ([%d.]+)$") }
  end
  lu.assertEquals(#heights(one), 2)
  lu.assertEquals(heights(one), heights(same))
end

function TestPlotFigure:test_numbers_are_short_and_keep_their_digits()
  lu.assertEquals(scale.text(5e-324), "4.941e-324")
  lu.assertEquals(scale.text(-0x1.fffffffffffffp+1023), "-1.798e308")
  lu.assertEquals(scale.text(9.9999e9), "1e10")
  lu.assertEquals(scale.text(0.93456), "0.9346")
  lu.assertEquals(scale.text(120), "120")
  lu.assertEquals(scale.text(1234567.0), "1.235e6")
  lu.assertEquals(scale.text(0.00001234), "1.234e-5")
  lu.assertEquals(scale.text(math.huge), "inf")
  lu.assertEquals(scale.text(nil), "undefined")
  lu.assertEquals(scale.text(100.0), "100")
end

local function bounded(points)
  return made { x = { least = 0, most = 1 }, y = { scale = "category", categories = { "p" } },
    layers = { { mark = "intervals", points = points }, { mark = "points", points = points } } }
end

function TestPlotFigure:test_an_interval_is_cut_where_the_axis_may_not_go_on()
  local one = bounded { { x = 0.9, y = 1, low = 0.5, high = 1.3 } }
  local axis = extent.scales(one)
  lu.assertEquals(axis.high, 1)
  lu.assertTrue(axis.low < 0.5)
  lu.assertEquals({ axis:holds(0.5), axis:holds(1), axis:holds(1.3) }, { true, true, false })
  -- The bar and the one end that it has.
  local path = one:svg():match('cf%-line[^>]* d="([^"]*)"')
  lu.assertEquals(select(2, path:gsub("M", "")), 2)
  lu.assertEquals(one:text { width = 40, unicode = false }, [[
A sample

p |  |----------------------o------  0.9
  +--------+----------+-----------+
          0.6        0.8        1.0]])
end

function TestPlotFigure:test_no_point_is_cut_whatever_the_axis_may_be()
  local axis = extent.scales(bounded { { x = 1.2, y = 1, low = -3, high = 4 }, { x = 0.5, y = 1 } })
  lu.assertEquals({ axis.low, axis.high }, { 0, 1.2 })
  axis = extent.scales(bounded { { x = 1, y = 1 } })  -- a value alone has room on both sides
  lu.assertEquals({ axis.low, axis.high }, { 0.9, 1 })
end

-- The value -----------------------------------------------------------------------------------------

function TestPlotFigure:test_what_is_no_figure_is_refused()
  lu.assertEquals(message(made, { layers = { { mark = "lines", points = {} } } }),
    "cannot make figure 'sample': layer 1 has mark = 'lines'; did you mean 'line'? known: band, "
      .. "bars, intervals, line, points, rule, segments, steps, text, tiles")
  lu.assertEquals(message(made, { x = { scale = "logarithmic" } }),
    "cannot make figure 'sample': axis x has scale = 'logarithmic'; did you mean 'log'? known: "
      .. "category, deviate, linear, log")
  lu.assertEquals(message(made, { x = { scale = "category" } }),
    "cannot make figure 'sample': axis x has no categories; give scale = \"category\" and categories "
      .. "= {...}")
  lu.assertEquals(message(made, { x = { scale = "category", categories = { "a", "a" } } }),
    "cannot make figure 'sample': category 'a' is on axis x twice; give each once")
  lu.assertEquals(message(made, { y = { low = 0 / 0 } }),
    "cannot make figure 'sample': low of axis y is nan; give a finite number, or leave it out")
  lu.assertEquals(message(made, { layers = { { mark = "line", points = { { x = "a", y = 1 } } } } }),
    "cannot make figure 'sample': layer 1 has a point at a string; give numbers")
  lu.assertEquals(message(made, { x = { scale = "category", categories = { "b" } },
    layers = { { mark = "points", points = { { x = "a", y = 1 } } } } }),
    "cannot make figure 'sample': layer 1 has a point at 'a', which is not a category; add it to the "
      .. "categories")
  local log = made { x = { scale = "log", low = 0 } }
  lu.assertEquals(message(log.svg, log),
    "figure 'sample': a logarithmic axis cannot start at 0; use a linear one")
end

function TestPlotFigure:test_it_is_saved_by_the_ending_of_its_path()
  local one, folder = made(), os.tmpname()
  os.remove(folder)
  for ending, text in pairs { svg = one:svg(), csv = one:csv(), txt = one:text() } do
    local path = folder .. "." .. ending
    lu.assertIs(one:save(path), one)
    local file = assert(io.open(path, "rb"))
    lu.assertEquals(file:read("a"), text)
    file:close()
    os.remove(path)
  end
  lu.assertEquals(one:csv(), "x,y\n0,0\n1,2\n")
  lu.assertEquals(message(one.save, one, "roc.png"),
    "cannot save figure 'roc.png': the path ends with none of .svg, .csv, .txt; give one that does")
  lu.assertEquals(tostring(one), one:text())
  lu.assertEquals(message(one.svg, one, { width = 10 }),
    "svg: width = 10 is out of range; use 240 to 10000")
end

-- SVG -----------------------------------------------------------------------------------------------

local nasty = "a<b>&\"'c\1\2\t\n]]>" .. "\xff" .. "\u{202e}" .. ("x"):rep(300)

function TestPlotFigure:test_names_cannot_break_the_markup()
  local categories = {}
  for i = 1, 3 do categories[i] = nasty .. i end
  for _, mark in ipairs { "line", "steps", "points", "band", "intervals", "bars", "tiles", "rule",
    "segments", "text" } do
    local points = {}
    for i = 1, 3 do
      points[i] = { x = i, y = i, low = i - 1, high = i + 1, value = i, label = nasty, text = nasty,
        x_end = 2, y_end = 2 }
    end
    for _, axis in ipairs { { label = nasty }, { label = nasty, scale = "category",
      categories = categories } } do
      local one = made { title = nasty, note = nasty, x = axis, y = { label = nasty,
        scale = "category", categories = categories },
        layers = { { mark = mark, series = nasty, points = points },
          { mark = mark, series = nasty .. "2", points = points } } }
      if not (mark == "tiles" and axis.categories == nil) then
        markup.check(one:svg())
        markup.check(one:svg { inline = true })
        lu.assertTrue(#one:text() > 0)
      end
    end
  end
end

function TestPlotFigure:test_an_inline_svg_has_no_styles_and_a_description()
  local one = made { note = "Nothing is left out." }
  local elements = markup.check(one:svg { inline = true, width = 400 })
  lu.assertEquals(markup.count(elements, "style"), 0)
  lu.assertEquals(elements[1][2].role, "img")
  lu.assertEquals(elements[1][2]["aria-label"], "A sample; x: x; y: y; Nothing is left out.")
  lu.assertEquals(elements[1][2].width, "400")
  lu.assertEquals(markup.count(markup.check(one:svg()), "style"), 1)
  lu.assertStrContains(one:svg(), "@media (prefers-color-scheme:dark)")
  lu.assertStrContains(one:svg(), "<style>\n" .. figure.stylesheet() .. "</style>")
end

function TestPlotFigure:test_text_is_never_below_11_pixels()
  for size in figure.stylesheet():gmatch("font%-size:([%d.]+)px") do
    lu.assertTrue(tonumber(size) >= 11)
  end
end

function TestPlotFigure:test_a_gap_is_no_zero()
  local points = { { x = 0, y = 1 }, { x = 1, y = 1 }, { x = 2 }, { x = 3, y = math.huge },
    { x = 4, y = 1 }, { x = 5, y = 1 } }
  local one = made { layers = { { mark = "line", points = points } } }
  local elements = markup.check(one:svg())
  lu.assertEquals(markup.count(elements, "path", "cf-line"), 2)
end

function TestPlotFigure:test_no_points_at_all_are_a_figure_too()
  for _, mark in ipairs { "line", "points", "band", "intervals", "bars", "rule", "segments" } do
    local one = made { layers = { { mark = mark, points = {} }, { mark = mark, points = { {} } } } }
    markup.check(one:svg())
    lu.assertStrContains(one:text(), "A sample")
  end
  markup.check(made({ y = { scale = "category", categories = {} }, layers = {} }):svg())
end

-- The lowest and the highest place of a line in each column of pixels.
local function covered(points)
  local lows, highs = {}, {}
  local function at(column, y)
    lows[column] = math.min(lows[column] or y, y)
    highs[column] = math.max(highs[column] or y, y)
  end
  for i, p in ipairs(points) do
    at(math.floor(p[1]), p[2])
    local before = points[i - 1]
    for edge = before and math.floor(before[1]) + 1 or math.huge, math.floor(p[1]) do
      local y = before[2] + (edge - before[1]) / (p[1] - before[1]) * (p[2] - before[2])
      at(edge - 1, y)
      at(edge, y)
    end
  end
  return lows, highs
end

function TestPlotFigure:test_long_lines_are_thinned_to_the_same_picture()
  fixtures.skip_if_sanitized()
  local points = {}
  for i = 0, 50000 do
    local x = i / 50000
    points[i + 1] = { 600 * x, 300 * x ^ 0.2 + (i % 7 == 0 and 5 or 0) }
  end
  local thin = thinning.line(points)
  lu.assertTrue(#thin <= 4 * 601)
  local lows, highs = covered(points)
  local thin_lows, thin_highs = covered(thin)
  for column = 0, 600 do
    lu.assertAlmostEquals(thin_lows[column], lows[column], 0.1)
    lu.assertAlmostEquals(thin_highs[column], highs[column], 0.1)
  end
end

function TestPlotFigure:test_straight_points_go_and_turns_stay()
  lu.assertEquals(thinning.line { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 0 } },
    { { 0, 0 }, { 2, 2 }, { 3, 0 } })
  lu.assertEquals(thinning.line { { 0, 0 }, { 5, 0 }, { 2, 0 } }, { { 0, 0 }, { 5, 0 }, { 2, 0 } })
  lu.assertEquals(thinning.line { { 0, 0 } }, { { 0, 0 } })
end

function TestPlotFigure:test_many_points_make_a_small_file()
  fixtures.skip_if_sanitized()
  local points = {}
  for i = 0, 100000 do points[i + 1] = { x = i / 1e5, y = (i / 1e5) ^ 0.3 } end
  local one = made { layers = { { mark = "line", points = points } } }
  lu.assertTrue(#one:svg() < 60000)
end

-- Text ----------------------------------------------------------------------------------------------

function TestPlotFigure:test_widths_are_those_of_a_terminal()
  lu.assertEquals(label.width("abc"), 3)
  lu.assertEquals(label.width("\u{65e5}\u{672c}"), 4)
  lu.assertEquals(label.width("e\u{301}"), 1)
  lu.assertEquals(label.width("\u{1f600}"), 2)
  lu.assertEquals(label.cut("\u{65e5}\u{672c}\u{8a9e}", 5), "\u{65e5}\u{672c}\u{2026}")
  lu.assertEquals(label.cut("abcdef", 4, "~"), "abc~")
  lu.assertEquals(label.cut_name("pipeline number 17", 11), "pipel\u{2026}er 17")
  lu.assertEquals(label.wrap("one two three", 8), { "one two", "three" })
  lu.assertEquals(label.wrap("abcdefghij", 4, 2), { "abcd", "efg\u{2026}" })
  lu.assertEquals(label.clean("a\0b\xffc\u{202e}d"), "a b\u{fffd}c d")
end

local function lines_of(text)
  local lines = {}
  for line in (text .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  return lines
end

function TestPlotFigure:test_no_line_is_wider_than_the_terminal()
  local names, points = {}, {}
  for i = 1, 30 do
    names[i] = ("learner \u{65e5}\u{672c} number %d with a long name"):format(i)
    points[i] = { x = i, y = i, low = i - 1, high = i + 1, value = i, text = tostring(i) }
  end
  local by_mark = { bars = {}, tiles = { x = true }, line = { none = true } }
  for _, mark in ipairs { "bars", "tiles", "line" } do
    local how = by_mark[mark]
    local one = made { title = names[1]:rep(4), note = names[2]:rep(9), y = how.none and {} or
      { scale = "category", categories = names }, x = how.x and { scale = "category",
        categories = names } or { label = names[3]:rep(5) },
      layers = { { mark = mark, series = "a", points = points },
        { mark = mark, series = names[1], points = points } } }
    for _, width in ipairs { 30, 78, 200 } do
      for _, unicode in ipairs { true, false } do
        for _, line in ipairs(lines_of(one:text { width = width, unicode = unicode })) do
          lu.assertTrue(label.width(line) <= width, line)
        end
      end
    end
  end
end

function TestPlotFigure:test_ascii_is_ascii()
  local points = { { x = 1, y = 1, low = 0, high = 2, value = 1, x_end = 2 }, { x = 2, y = 2, low = 1,
    high = 3, value = 2 } }
  local rows = { scale = "category", categories = { "p", "q" } }
  for _, mark in ipairs { "line", "steps", "points", "band", "intervals", "bars", "tiles", "rule",
    "segments" } do
    for _, y in ipairs { {}, rows } do
      local one = made { y = y, x = mark == "tiles" and rows or {},
        layers = { { mark = mark, points = points } } }
      if mark ~= "tiles" or y == rows then
        lu.assertNil(one:text({ unicode = false }):find("[\x80-\xff]"))
      end
    end
  end
end

function TestPlotFigure:test_the_text_of_bars()
  local one = made { x = { label = "count", low = 0, high = 4 },
    y = { scale = "category", categories = { "knn", "tree" } },
    layers = { { mark = "bars", points = { { x = 4, y = 1 }, { x = 2, y = "tree" } } } } }
  lu.assertEquals(one:text { width = 30, unicode = false }, [[
A sample

knn  |=====================  4
tree |===========            2
     ++---------+---------+
      0         2         4
              count]])
end

function TestPlotFigure:test_the_text_of_tiles()
  local rows = { scale = "category", categories = { "p", "q" } }
  local tiles = { { x = 1, y = 1, value = 0, text = "0" }, { x = 2, y = 1, value = 1, text = "10" },
    { x = 1, y = 2, value = 0.5, text = "5" } }
  local one = made { x = rows, y = rows, layers = { { mark = "tiles", points = tiles } } }
  lu.assertEquals(one:text(), "A sample\n\n   p   q\np  0  10\nq  5")
  tiles[3].marked = true
  one = made { x = rows, y = rows, layers = { { mark = "tiles", points = tiles } } }
  lu.assertEquals(one:text(), "A sample\n\n    p   q\np   0  10\nq  *5")
end
