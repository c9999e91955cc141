-- When does a tree stop to grow? One rule after the other on the weather data, each as the number of
-- leaves of ID3 with this rule alone.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local weather = cf.read(here .. "/../data/weather_nominal.csv", { target = "play" })
local id3 = cf.learner("decision_tree", { criterion = "entropy" })

local function show(rule, learner, data)
  local _, leaves = learner:fit(data):export("rules"):gsub("\n", "")
  print(("%-58s leaves %d"):format(rule, leaves))
end

-- Rows of one class need no question, rows that are equal in every feature have none.
local function rows_of(play)
  local rows = {}
  for i, class in ipairs(weather:target()) do
    if class == play then rows[#rows + 1] = i end
  end
  return weather:select(rows)
end
local equal = cf.dataset {
  name = "equal", target = "class",
  columns = {
    { name = "a", values = { "x", "x", "x", "x" } },
    { name = "class", values = { "no", "yes", "yes", "no" } },
  },
}
-- Exclusive or: no single question gains anything.
local xor = cf.dataset {
  name = "xor", target = "class",
  columns = {
    { name = "a", values = { "0", "0", "1", "1" } },
    { name = "b", values = { "0", "1", "0", "1" } },
    { name = "class", values = { "no", "yes", "yes", "no" } },
  },
}

show("no rule but those below that always hold", id3, weather)
show("pure node (the days with play = yes)", id3, rows_of "yes")
show("equal attributes", id3, equal)
show("no impurity gain (exclusive or)", id3, xor)
show("a gain of less than 0.25 bit", id3:with { min_gain = 0.25 }, weather)
show("fewer than 6 rows", id3:with { min_rows = 6 }, weather)
show("maximum depth 1", id3:with { max_depth = 1 }, weather)
for _, p in ipairs { 0.5, 0.05 } do
  show(("chi-squared test of independence: p above %g"):format(p),
    id3:with { chi_squared_p = p }, weather)
end
