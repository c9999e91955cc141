-- Shall we play? Naive Bayes on the weather data: a sunny, cool, humid and windy day; the same day
-- with the outlook unknown; and with the Laplace correction, which adds one row to every count.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local days = cf.read(here .. "/../data/weather_nominal.csv", { target = "play" })

-- The days, then the new ones; the class of a new day is never looked at.
local new = {
  { outlook = "sunny", temperature = "cool", humidity = "high", windy = true },
  { outlook = cf.null, temperature = "cool", humidity = "high", windy = true },
}
local columns = {}
for _, name in ipairs(days:features()) do
  local values = days:column(name)
  for _, day in ipairs(new) do values[#values + 1] = day[name] end
  columns[#columns + 1] = { name = name, values = values }
end
local play = days:target()
for _ = 1, #new do play[#play + 1] = "no" end
columns[#columns + 1] = { name = "play", values = play }
local all = cf.dataset { name = "weather", columns = columns, target = "play" }

local known = {}
for i = 1, #days do known[i] = i end

-- The number that the text of a model gives for "P(...)".
local function number_of(text, name)
  local _, stop = assert(text:find(name .. " = ", 1, true))
  return tonumber(text:match("^%S+", stop + 1))
end

-- P(day | class) P(class): the prior times what the model says of every feature that is known.
local function score(text, row, class)
  local product = number_of(text, ("P(%s)"):format(class))
  for _, name in ipairs(all:features()) do
    local value = all:column(name)[row]
    if value ~= cf.null then
      product = product * number_of(text, ("P(%s = %s | %s)"):format(name, value, class))
    end
  end
  return product
end

-- P(no | day) and P(yes | day): these scores, divided by their sum.
local function show(what, laplace, row)
  local model = cf.learner("naive_bayes", { laplace = laplace }):fit(all:select(known))
  local prediction = model:predict(all:select { row }:without_target())
  local p = prediction:probabilities()[1]
  local text = model:export("text")
  local no, yes = score(text, row, "no"), score(text, row, "yes")
  print(what)
  print(("  P(day | no) P(no) = %.12f  P(day | yes) P(yes) = %.12f"):format(no, yes))
  print(("  P(no | day) = %.6f  P(yes | day) = %.6f  no : yes = %.6f  -> %s"):format(
    p[1], p[2], p[1] / p[2], prediction:labels()[1]))
end

print("classes: " .. table.concat(all:classes(), ", "))
show("the whole day", 0, #days + 1)
show("outlook missing", 0, #days + 2)
show("with Laplace correction", 1, #days + 1)
