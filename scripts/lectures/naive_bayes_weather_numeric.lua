-- Shall we play at 66 degrees Fahrenheit and 90 % humidity? Temperature and humidity as normal
-- densities within each class, with the sample variance (n - 1) of the lecture; then with kernels.
-- (The lecture rounds means and standard deviations, so for no it has 0.0381 and 0.000137.)
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local days = cf.read(here .. "/../data/weather_numeric.csv", { target = "play" })

local new = { outlook = "sunny", temperature = 66, humidity = 90, windy = true }
local columns = {}
for name, value in pairs(new) do columns[#columns + 1] = { name = name, values = { value } } end
local new_day = cf.dataset { name = "new", columns = columns }

-- The number that the text of a model gives for "P(...)".
local function number_of(text, name)
  local _, stop = assert(text:find(name .. " = ", 1, true))
  return tonumber(text:match("^%S+", stop + 1))
end

-- P(day | class) P(class) by hand, from the shares, means and standard deviations of the model.
local function print_scores(model)
  local text = model:export("text")
  for _, class in ipairs(model:classes()) do
    local score = number_of(text, ("P(%s)"):format(class))
    for _, name in ipairs(days:features()) do
      local x = new[name]
      if type(x) == "number" then
        local mean, sd = text:match(
          name .. " | " .. class .. " ~ normal%(mean = (%S+), sd = (%S+)%)")
        local z = (x - mean) / sd
        local density = math.exp(-z * z / 2) / (sd * math.sqrt(2 * math.pi))
        print(("  %-11s of class %-3s: mean %.4f, sd %.4f, density at %d = %.4f"):format(
          name, class, mean, sd, x, density))
        score = score * density
      else
        score = score * number_of(text, ("P(%s = %s | %s)"):format(name, x, class))
      end
    end
    print(("  P(day | %s) P(%s) = %.6f"):format(class, class, score))
  end
end

local bayes = cf.learner("naive_bayes", { laplace = 0, variance = "sample" })
for _, learner in ipairs {
  bayes,
  bayes:with { variance = "ml" },
  bayes:with { numeric = "kernel", bandwidth = "silverman" },
  bayes:with { columns = "temperature=kernel" },
} do
  local model = learner:fit(days)
  local prediction = model:predict(new_day)
  local p = prediction:probabilities()[1]
  print(learner)
  if learner == bayes then print_scores(model) end
  print(("  no %.6f  yes %.6f  no : yes = %.6f  -> %s"):format(
    p[1], p[2], p[1] / p[2], prediction:labels()[1]))
end
