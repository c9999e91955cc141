-- Two learners on the same four folds: the t test looks at the differences of their accuracies. It takes
-- them for independent, but the training sets of the folds overlap; the corrected test adds
-- test rows / training rows (here 1/3) to 1/folds and is less easily convinced.
local cf = require "crossfold"

local function compare(first, second)
  local differences = {}
  for i = 1, #first do differences[i] = first[i] - second[i] end
  for _, test in ipairs {
    { name = "uncorrected", run = cf.stats.paired_t },
    { name = "corrected", run = cf.stats.corrected_t, test_train_ratio = 1 / 3 },
  } do
    for _, confidence in ipairs { 0.90, 0.95 } do
      local t = test.run(differences,
        { confidence = confidence, test_train_ratio = test.test_train_ratio })
      local verdict = math.abs(t.statistic) > t.critical and "significant" or "not significant"
      print(("%-11s  t = %.10f, df %d, beyond %.2f at %.0f %%: %s"):format(test.name, t.statistic,
        t.df, t.critical, 100 * confidence, verdict))
    end
  end
  local t = cf.stats.paired_t(differences)
  print(("mean difference %.4f, p = %.4f, corrected p = %.4f"):format(t.mean, t.p,
    cf.stats.corrected_t(differences, { n_train = 75, n_test = 25 }).p))
end

compare({ .84, .82, .80, .82 }, { .80, .79, .75, .82 })
print()
compare({ .90, .82, .76, .80 }, { .83, .79, .79, .75 })
