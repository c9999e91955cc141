-- Puts figures on the page: drawn by crossfold.plot, in a box with a caption and links to the picture and its data.
local html = require "crossfold.report.html"
local plot = require "crossfold.plot.plot"

local figures = {}

-- Pixels of figures, of which three, two or one are next to each other; a full one scrolls on a phone.
local sizes = { small = 320, half = 400, medium = 420, full = 640 }

-- A larger picture would make the page slow.
local most_of_a_picture = 1024 * 1024

-- An error as a reader of the page wants it: the finding, without the place in the script and the call.
function figures.reason(problem)
  return (tostring(problem):gsub("^[^\n]-:%d+: ", "", 1):gsub("^cannot plot [^:]*: ", "", 1):gsub("^curve: ", "", 1))
end

-- A page has many pictures, whose links would be most of it.
local most_of_a_link = 64 * 1024

-- The same picture in fewer bytes: an address has three for a double quote, and one for a single one. In texts of
-- a picture both are entities.
local function with_single_quotes(svg) return (svg:gsub("['\"]", { ['"'] = "'", ["'"] = '"' })) end

local function links(page, figure, name)
  local list = {
    page:download("SVG", name .. ".svg", "image/svg+xml;charset=utf-8", with_single_quotes(figure:svg {}),
      most_of_a_link),
    page:download("CSV", name .. ".csv", "text/csv;charset=utf-8", figure:csv(), most_of_a_link),
  }
  local text = table.concat(list)
  return text == "" and "" or ('<figcaption class="links">%s</figcaption>'):format(text)
end

-- A figure that is made already. `size` is one of small, half, medium, full.
function figures.show(page, figure, caption, size)
  local width = sizes[size or "half"]
  local svg = figure:svg { width = width, inline = true }
  local name = html.file_name(caption)
  if #svg > most_of_a_picture then
    return html.paragraph(("The picture '%s' has %d bytes, too many for this page."):format(caption,
      #svg), "note") .. links(page, figure, name)
  end
  return ('<figure class="%s-figure"><div class="scroll" role="region" tabindex="0" aria-label="%s">'
    .. '\n%s</div>%s</figure>\n'):format(size or "half", html.text(caption), svg, links(page, figure, name))
end

-- The figure `name` of a subject, or nil and the reason why there is none.
function figures.draw(page, name, subject, options, caption, size)
  local ok, figure = pcall(plot[name], subject, options)
  if not ok then return nil, figures.reason(figure) end
  return figures.show(page, figure, caption, size), figure
end

return figures
