-- A ROC curve by hand: go through the rows by descending score; equal scores are one step, so the
-- curve climbs slantwise there. Its area is P(score+ > score-) + P(score+ = score-) / 2.
local cf = require "crossfold"

local truth  = {  1,   1,   0,   1,   0,   1,   0,   0,   1,   0  }
local scores = { 0.9, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.1 }

local roc = cf.curve("roc", { truth = truth, scores = scores, positive = 1 })
print("score >=   TP  FP    TPR   FPR")
for _, row in ipairs(roc:rows()) do
  print(("%-9s %3d %3d   %.2f  %.2f"):format(row.threshold, row.tp, row.fp, row.tpr, row.fpr))
end

-- The same area from all pairs of a positive and a negative row.
local above, equal, pairs_ = 0, 0, 0
for i, class in ipairs(truth) do
  for j, other in ipairs(truth) do
    if class == 1 and other == 0 then
      pairs_ = pairs_ + 1
      if scores[i] > scores[j] then above = above + 1 end
      if scores[i] == scores[j] then equal = equal + 1 end
    end
  end
end
print(("\narea under the curve    %.4f"):format(roc.auc))
print(("P(higher) + P(equal)/2  %d/%d + %d/%d/2 = %.4f"):format(above, pairs_, equal, pairs_,
  (above + equal / 2) / pairs_))

-- Breaking the ties would give one of these instead, by luck.
local function area(shift)
  local moved = {}
  for i, score in ipairs(scores) do moved[i] = score + shift * truth[i] end
  return cf.curve("roc", { truth = truth, scores = moved }).auc
end
print(("ties broken for the positive rows %.4f, against them %.4f"):format(area(0.01), area(-0.01)))
