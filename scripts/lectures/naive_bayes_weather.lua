-- Shall we play? Naive Bayes on the weather data: a sunny, cool, humid and windy day; the same day
-- with the outlook unknown; and with the Laplace correction, which adds one row to every count.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local days = cf.read(here .. "/../data/weather_nominal.csv", { target = "play" })

-- Two new days, without a class.
local new = cf.dataset { name = "new", columns = {
  { name = "outlook", values = { "sunny", cf.null } }, { name = "temperature", values = { "cool", "cool" } },
  { name = "humidity", values = { "high", "high" } }, { name = "windy", values = { true, true } },
} }

-- The number that the text of a model gives for "P(...)".
local function number_of(text, name)
  local _, stop = assert(text:find(name .. " = ", 1, true))
  return tonumber(text:match("^%S+", stop + 1))
end

-- P(day | class) P(class): the prior times what the model says of every feature that is known.
local function score(text, row, class)
  local product = number_of(text, ("P(%s)"):format(class))
  for _, name in ipairs(new:features()) do
    local value = new:column(name)[row]
    if value ~= cf.null then
      product = product * number_of(text, ("P(%s = %s | %s)"):format(name, value, class))
    end
  end
  return product
end

-- P(no | day) and P(yes | day): these scores, divided by their sum.
local function show(what, laplace, row)
  local model = cf.learner("naive_bayes", { laplace = laplace }):fit(days)
  local prediction = model:predict(new)
  local p = prediction:probabilities()[row]
  local text = model:export("text")
  local no, yes = score(text, row, "no"), score(text, row, "yes")
  print(what)
  print(("  P(day | no) P(no) = %.12f  P(day | yes) P(yes) = %.12f"):format(no, yes))
  print(("  P(no | day) = %.6f  P(yes | day) = %.6f  no : yes = %.6f  -> %s"):format(
    p[1], p[2], p[1] / p[2], prediction:labels()[row]))
end

print("classes: " .. table.concat(days:classes(), ", "))
show("the whole day", 0, 1)
show("outlook missing", 0, 2)
show("with Laplace correction", 1, 1)
