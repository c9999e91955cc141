-- Shall we play at 66 degrees Fahrenheit and 90 % humidity? Temperature and humidity as normal
-- densities within each class, with the sample variance (n - 1) of the lecture; then with kernels.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local days = cf.read(here .. "/../data/weather_numeric.csv", { target = "play" })

local new = { outlook = "sunny", temperature = 66, humidity = 90, windy = true }
local columns = {}
for _, name in ipairs(days:features()) do
  local values = days:column(name)
  values[#values + 1] = new[name]
  columns[#columns + 1] = { name = name, values = values }
end
local play = days:target()
play[#play + 1] = "no"  -- never looked at
columns[#columns + 1] = { name = "play", values = play }
local all = cf.dataset { name = "weather", columns = columns, target = "play" }

local known = {}
for i = 1, #days do known[i] = i end

local bayes = cf.learner("naive_bayes", { laplace = 0, variance = "sample" })
for _, learner in ipairs {
  bayes,
  bayes:with { variance = "ml" },
  bayes:with { numeric = "kernel", bandwidth = "silverman" },
  bayes:with { columns = "temperature=kernel" },
} do
  local prediction = learner:fit(all:select(known))
    :predict(all:select { #days + 1 }:without_target())
  local p = prediction:probabilities()[1]
  print(learner)
  print(("  no %.6f  yes %.6f  no : yes = %.6f  -> %s"):format(
    p[1], p[2], p[1] / p[2], prediction:labels()[1]))
end
