-- What each kind of curve is drawn with: the columns of its axes, their titles, the line to compare with.
--   steps: a value holds back to the threshold before; intervals: the columns of an interval a point;
--   none: why no point may have both coordinates; shown: the columns that the reader sees instead of those of the
--   axes.
local curve_axes = {}

local diagonal = { { x = 0, y = 0 }, { x = 1, y = 1 } }

curve_axes.kinds = {
  roc = { x = "fpr", y = "tpr", name = "ROC curve", x_title = "false positive rate",
    y_title = "true positive rate", guide = diagonal, figure = "auc" },
  precision_recall = { x = "recall", y = "precision", name = "Precision and recall",
    x_title = "recall", y_title = "precision", steps = true, figure = "average_precision" },
  det = { x = "probit_fpr", y = "probit_fnr", name = "DET curve", deviates = true,
    none = "at no threshold are both error rates between 0 and 1", shown = { "fpr", "fnr" },
    x_title = "false positive rate (normal deviates)",
    y_title = "false negative rate (normal deviates)" },
  calibration = { x = "mean_predicted", y = "observed", low = "observed_low",
    high = "observed_high", name = "Calibration", x_title = "mean predicted probability",
    y_title = "observed share", guide = diagonal, intervals = true, figure = "ece" },
  lift = { x = "share", y = "gain", name = "Cumulative gain", x_title = "share of rows",
    y_title = "share of positive rows", guide = diagonal, figure = "area" },
  cost = { x = "probability_cost", y = "cost", name = "Cost curve", x_title = "probability cost",
    y_title = "normalised expected cost", y_high = 0.5, figure = "area",
    guide = { { x = 0, y = 0 }, { x = 0.5, y = 0.5 }, { x = 1, y = 0 } } },
}

-- The axes of a figure.
function curve_axes.of(style)
  if style.deviates then
    return { label = style.x_title, scale = "deviate", low = -3.5, high = 3.5 },
      { label = style.y_title, scale = "deviate", low = -3.5, high = 3.5 }
  end
  return { label = style.x_title, low = 0, high = 1 },
    { label = style.y_title, low = 0, high = style.y_high or 1 }
end

return curve_axes
