-- ID3 on the weather data: the information gain of every feature at the root and under
-- outlook = sunny, and the tree. The gain of a feature is what a tree of depth 1 shows that has
-- only this feature to split on.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local weather = cf.read(here .. "/../data/weather_nominal.csv", { target = "play" })
local id3 = cf.learner("decision_tree", { criterion = "entropy" })

local function only(feature, data)
  return cf.dataset {
    name = feature, target = "play",
    columns = {
      { name = feature, values = data:column(feature) },
      { name = "play", values = data:target() },
    },
  }
end

local function print_gains(where, data)
  print("information gain " .. where)
  for _, feature in ipairs(data:features()) do
    local stump = id3:with { max_depth = 1 }:fit(only(feature, data))
    print(("  %-12s%s"):format(feature, stump:export("text"):match("gain ([%d.e-]+)") or "0"))
  end
end

print_gains("at the root", weather)

local sunny = {}
for i, outlook in ipairs(weather:column("outlook")) do
  if outlook == "sunny" then sunny[#sunny + 1] = i end
end
print_gains("under outlook = sunny", weather:select(sunny))

print("\nthe tree")
io.write(id3:fit(weather):export("text"))
print("\nas rules")
io.write(id3:fit(weather):export("rules"))
