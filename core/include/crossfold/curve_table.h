// Every kind of curve as a table of numbers, for bindings of other languages.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/calibration_curve.h"
#include "crossfold/decision_curve.h"
#include "crossfold/reliability_curve.h"
#include "crossfold/roc_average.h"
#include "crossfold/roc_curve.h"
#include "crossfold/scored_rows.h"

namespace crossfold {

enum class CurveKind {
  kRoc,
  kPrecisionRecall,
  kDet,
  kCalibration,
  kLift,
  kCost,
  kThresholds,
  kReliability,
  kDecision
};
// The names of the values in their order, then null; so are the other lists.
inline constexpr const char* kCurveKindNames[] = {
    "roc",  "precision_recall", "det",         "calibration", "lift",
    "cost", "thresholds",       "reliability", "decision",    nullptr};

enum class RocPoints { kAll, kCorners, kHull };
inline constexpr const char* kRocPointsNames[] = {"all", "corners", "hull", nullptr};
inline constexpr const char* kBinningNames[] = {"uniform", "quantile", nullptr};
inline constexpr const char* kReliabilityBandNames[] = {"consistency", "consistency_resampled",
                                                        "bootstrap", "none", nullptr};
inline constexpr const char* kReliabilityScoreNames[] = {"brier", "log", nullptr};
inline constexpr const char* kAverageIntervalNames[] = {"normal", "bootstrap", nullptr};

struct CurveOptions {
  RocPoints points = RocPoints::kAll;  // of a ROC curve
  CalibrationOptions calibration;
  ReliabilityOptions reliability;
  DecisionCurveOptions decision;
  // Of kThresholds, by truth and decision, the negative class first: {{tn, fp}, {fn, tp}}.
  std::optional<std::array<std::array<double, 2>, 2>> costs;
};

struct CurveTable {
  std::vector<const char*> columns;                     // names
  std::vector<double> cells;                            // row by row; NaN = there is no number
  std::vector<std::pair<const char*, double>> figures;  // such as {"auc", 0.93}
  std::string undefined;                                // the reason; "" = the curve is defined
};

// Throws Error as the function of the kind does.
CurveTable TabulateCurve(CurveKind kind, const ScoredRows& rows, const CurveOptions& options = {});

// Throws Error as AverageRocCurves does.
CurveTable TabulateRocAverage(std::span<const RocCurve> curves,
                              const RocAverageOptions& options = {});

// The index of the class called `name`; "" = the positive class of the data, else the second of
// two. Throws Error for another name, and for "" unless there is one of these.
std::int64_t FindPositiveClass(const std::string& name, const Dataset& data);

}  // namespace crossfold
