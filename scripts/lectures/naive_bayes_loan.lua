-- Will a married tenant pay the loan back? Once with the income in levels, once as a number.
local cf = require "crossfold"

-- Ten borrowers and, last, the applicant, whose class is never looked at.
local owner = { "yes", "no", "no", "yes", "yes", "no", "yes", "no", "no", "no", "no" }
local marital = { "single", "married", "single", "married", "divorced", "married", "divorced",
  "single", "married", "single", "married" }
local default = { "yes", "yes", "no", "no", "yes", "no", "no", "yes", "no", "yes", "no" }
local incomes = {
  levels = { "very high", "high", "medium", "very high", "high", "low", "very high", "high",
    "medium", "low", "very high" },
  thousands = { 125, 100, 70, 120, 95, 60, 220, 85, 75, 90, 120 },
}

for _, unit in ipairs { "levels", "thousands" } do
  local loans = cf.dataset {
    name = "loan",
    columns = {
      { name = "owner", values = owner },
      { name = "marital", values = marital },
      { name = "income", values = incomes[unit] },
      { name = "default", values = default },
    },
    target = "default",
  }
  local known = {}
  for i = 1, #loans - 1 do known[i] = i end
  local model = cf.learner("naive_bayes", { laplace = 0, variance = "sample" })
    :fit(loans:select(known))
  local prediction = model:predict(loans:select { #loans }:without_target())
  local p = prediction:probabilities()[1]
  print(("income in %-9s  default no %.6f  yes %.6f  no : yes = %.6f  -> %s"):format(
    unit, p[1], p[2], p[1] / p[2], prediction:labels()[1]))
end
