-- Draws the legend of a text plot, with as many entries per line as fit.
local glyphs = require "crossfold.plot.terminal_glyphs"
local label = require "crossfold.plot.label"

-- Lines that name the marker of each series; none for fewer than two.
local function legend(figure, o)
  local lines, line, set = {}, "", glyphs.of(o)
  if #figure.series < 2 then return lines end
  for i, name in ipairs(figure.series) do
    local entry = glyphs.marker(set, i) .. " " .. label.cut_name(name, o.width - 4, set.ellipsis)
    if line ~= "" and label.width(line) + 3 + label.width(entry) > o.width then
      lines[#lines + 1], line = line, ""
    end
    line = line == "" and entry or line .. "   " .. entry
  end
  lines[#lines + 1] = line
  lines[#lines + 1] = ""
  return lines
end

return legend
