-- A figure that no builder makes.
--###begin figure
local figure = require "crossfold.plot.figure"

local made = figure.new {
  kind = "cost", title = "Cost of one mistake", x = { label = "euro" },
  y = { scale = "category", categories = { "missed", "false alarm" } },
  layers = { { mark = "bars", points = { { x = 40, y = "missed", label = "missed: 40 euro" },
    { x = 5, y = "false alarm", label = "false alarm: 5 euro" } } } },
  columns = { "mistake", "euro" },
  rows = { { mistake = "missed", euro = 40 }, { mistake = "false alarm", euro = 5 } },
}
print(made)
--###end figure
