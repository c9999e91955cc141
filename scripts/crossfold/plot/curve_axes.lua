-- What each kind of curve is drawn with: the columns of its axes, their titles, the line to compare with.
--   band: what the columns `low` and `high` of a curve are, drawn around it; without_band: the options of a curve
--   that needs none; references: columns that are drawn once, in grey; fit_y: whether the height is that of the data;
--   steps: a value holds back to the threshold before; intervals: the columns of an interval a point;
--   none: why no point may have both coordinates; shown: the columns that the reader sees instead of those of the
--   axes.
local options = require "crossfold.options"

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
  reliability = { x = "predicted", y = "recalibrated", low = "low", high = "high", name = "Reliability",
    x_title = "predicted probability", y_title = "recalibrated probability", guide = diagonal,
    band = "where 95 % of the curves of calibrated probabilities are, at each place (with groups: bootstrap "
      .. "interval, somewhat too narrow)",
    without_band = { band = "none" }, figure = "miscalibration" },
  decision = { x = "threshold", y = "net_benefit", low = "low", high = "high", name = "Decision curve",
    x_title = "threshold probability", y_title = "net benefit", fit_y = true,
    band = "95 % bootstrap interval at each threshold", without_band = { samples = 0 },
    references = { "treat_all", "treat_none" },
    references_note = "Grey: treating all rows (falls), and treating none (flat)." },
}

-- The height of a figure of net benefits: from somewhat below 0 to the largest value.
local function fitted_height(layers)
  local most = 0
  for _, layer in ipairs(layers) do
    for _, point in ipairs(layer.points) do most = math.max(most, point.y or 0, point.high or 0) end
  end
  most = most > 0 and most or 0.1
  return -most / 10, most
end

-- Leaves out what is outside the height.
local function cut(layers, low)
  for _, layer in ipairs(layers) do
    for i, point in ipairs(layer.points) do
      if point.y and point.y < low then
        layer.points[i] = {}
      elseif point.low and point.low < low then
        local copy = options.joined(point)
        copy.low, copy.high = low, math.max(low, copy.high)
        layer.points[i] = copy
      end
    end
  end
end

-- The axes of a figure; `layers` without what is outside.
function curve_axes.of(style, layers)
  if style.fit_y then
    local low, high = fitted_height(layers)
    cut(layers, low)
    return { label = style.x_title, low = 0, high = 1 }, { label = style.y_title, low = low, high = high }
  end
  if style.deviates then
    return { label = style.x_title, scale = "deviate", low = -3.5, high = 3.5 },
      { label = style.y_title, scale = "deviate", low = -3.5, high = 3.5 }
  end
  return { label = style.x_title, low = 0, high = 1 },
    { label = style.y_title, low = 0, high = style.y_high or 1 }
end

return curve_axes
