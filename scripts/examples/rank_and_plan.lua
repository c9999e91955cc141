-- Four learners on fourteen datasets (table 6 of Demsar 2006): do they differ, and which? And before an
-- experiment of your own: what can it show?
local cf = require "crossfold"

--###begin friedman
local scores = {
  { .763, .768, .771, .798 }, { .599, .591, .590, .569 }, { .954, .971, .968, .967 },
  { .628, .661, .654, .657 }, { .882, .888, .886, .898 }, { .936, .931, .916, .931 },
  { .661, .668, .609, .685 }, { .583, .583, .563, .625 }, { .775, .838, .866, .875 },
  { 1, 1, 1, 1 }, { .940, .962, .965, .962 }, { .619, .666, .614, .669 },
  { .972, .981, .975, .975 }, { .957, .978, .946, .970 },
}
local test = cf.stats.friedman(scores, {
  higher_is_better = true, learners = { "C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf" }, alpha = 0.10,
})
for i, name in ipairs(test.learners) do
  print(("%-10s average rank %.4f"):format(name, test.average_ranks[i]))
end
print(("Friedman       chi2 = %.4f, p = %.4f"):format(test.tie_corrected.statistic,
  test.tie_corrected.p))
print(("Iman-Davenport F    = %.4f, p = %.4f"):format(test.iman_davenport.statistic,
  test.iman_davenport.p))
print(("average ranks differ from %.4f on (alpha %.2f)"):format(test.critical_difference, test.alpha))
for _, group in ipairs(test.groups) do print("alike: " .. table.concat(group, ", ")) end
--###end friedman

--###begin plan
local seen = cf.stats.detectable_difference {
  rows = 300, folds = 10, repeats = 10, disagreement = 0.05, power = 0.8,
}
print(("with 300 rows and 10 x 10 folds you can see %.1f points"):format(100 * seen.difference))
local needed = cf.stats.rows_needed { difference = 0.02, disagreement = 0.05 }
print(("2 points need %d rows"):format(needed.rows))
--###end plan
