-- Will a married tenant pay the loan back? Once with the income in levels, once as a number.
local cf = require "crossfold"

-- Ten borrowers, and the applicant.
local owner = { "yes", "no", "no", "yes", "yes", "no", "yes", "no", "no", "no" }
local marital = { "single", "married", "single", "married", "divorced", "married", "divorced",
  "single", "married", "single" }
local default = { "yes", "yes", "no", "no", "yes", "no", "no", "yes", "no", "yes" }
local incomes = {
  levels = { "very high", "high", "medium", "very high", "high", "low", "very high", "high", "medium", "low" },
  thousands = { 125, 100, 70, 120, 95, 60, 220, 85, 75, 90 },
}
local applicant = { owner = "no", marital = "married", levels = "very high", thousands = 120 }

-- The number that the text of a model gives for "P(...)".
local function number_of(text, name)
  local _, stop = assert(text:find(name .. " = ", 1, true))
  return tonumber(text:match("^%S+", stop + 1))
end

-- What the model says of one value of a feature within a class: a share, or a normal density.
local function factor(text, name, value, class)
  if type(value) == "string" then
    return number_of(text, ("P(%s = %s | %s)"):format(name, value, class))
  end
  local mean, sd = text:match(name .. " | " .. class .. " ~ normal%(mean = (%S+), sd = (%S+)%)")
  local z = (value - mean) / sd
  local density = math.exp(-z * z / 2) / (sd * math.sqrt(2 * math.pi))
  print(("  %s of class %-3s: mean %g, sd %.4f, density at %g = %.7f"):format(
    name, class, mean, sd, value, density))
  return density
end

for _, unit in ipairs { "levels", "thousands" } do
  local loans = cf.dataset { name = "loan", target = "default", columns = {
    { name = "owner", values = owner }, { name = "marital", values = marital },
    { name = "income", values = incomes[unit] }, { name = "default", values = default },
  } }
  local asks = cf.dataset { name = "applicant", columns = {
    { name = "owner", values = { applicant.owner } }, { name = "marital", values = { applicant.marital } },
    { name = "income", values = { applicant[unit] } },
  } }
  local model = cf.learner("naive_bayes", { laplace = 0, variance = "sample" }):fit(loans)
  local prediction = model:predict(asks)
  local p = prediction:probabilities()[1]
  print("income in " .. unit)
  local text = model:export("text")
  for c, class in ipairs(model:classes()) do
    local likelihood = 1
    for _, name in ipairs(model:features()) do
      likelihood = likelihood * factor(text, name, asks:column(name)[1], class)
    end
    local prior = number_of(text, ("P(%s)"):format(class))
    print(("  P(applicant | %s) P(%s) = %.6f x %.1f = %.6f, P(%s | applicant) = %.6f"):format(
      class, class, likelihood, prior, likelihood * prior, class, p[c]))
  end
  print(("  no : yes = %.6f  -> %s"):format(p[1] / p[2], prediction:labels()[1]))
end
