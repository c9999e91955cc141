#include "crossfold/curve_table.h"

#include <algorithm>
#include <cmath>

#include "crossfold/best_threshold.h"
#include "crossfold/cost_curve.h"
#include "crossfold/det_curve.h"
#include "crossfold/error.h"
#include "crossfold/lift_curve.h"
#include "crossfold/nearest_name.h"
#include "crossfold/precision_recall_curve.h"

namespace crossfold {
namespace {

void AppendCounts(std::vector<double>& cells, const ThresholdCounts& c) {
  cells.insert(cells.end(), {c.tp, c.fp, c.tn, c.fn});
}

void FillRoc(const ScoredRows& rows, const CurveOptions& options, CurveTable& out) {
  RocCurve curve = DrawRocCurve(rows, options.points == RocPoints::kCorners);
  out.columns = {"threshold", "fpr", "tpr", "tp", "fp", "tn", "fn"};
  out.undefined = curve.undefined;
  out.figures = {{"auc", curve.auc}};
  if (options.points == RocPoints::kHull) {
    curve.points = ConvexHull(curve);
    if (curve.defined) out.figures.emplace_back("hull_auc", AreaUnder(curve.points));
  }
  for (const RocPoint& p : curve.points) {
    out.cells.insert(out.cells.end(), {p.counts.threshold, p.fpr, p.tpr});
    AppendCounts(out.cells, p.counts);
  }
}

void FillPrecisionRecall(const ScoredRows& rows, const CurveOptions&, CurveTable& out) {
  const PrecisionRecallCurve curve = DrawPrecisionRecallCurve(rows);
  out.columns = {"threshold", "recall", "precision", "tp", "fp", "tn", "fn"};
  out.undefined = curve.undefined;
  out.figures = {{"average_precision", curve.average_precision}};
  for (const PrecisionRecallPoint& p : curve.points) {
    out.cells.insert(out.cells.end(), {p.counts.threshold, p.recall, p.precision});
    AppendCounts(out.cells, p.counts);
  }
}

void FillDet(const ScoredRows& rows, const CurveOptions&, CurveTable& out) {
  const DetCurve curve = DrawDetCurve(rows);
  out.columns = {"threshold", "fpr", "fnr", "probit_fpr", "probit_fnr"};
  out.undefined = curve.undefined;
  for (const DetPoint& p : curve.points) {
    out.cells.insert(out.cells.end(),
                     {p.counts.threshold, p.fpr, p.fnr, p.probit_fpr, p.probit_fnr});
  }
}

void FillCalibration(const ScoredRows& rows, const CurveOptions& options, CurveTable& out) {
  const CalibrationCurve curve = DrawCalibrationCurve(rows, options.calibration);
  out.columns = {"low",      "high",         "rows",         "weight", "mean_predicted",
                 "observed", "observed_low", "observed_high"};
  out.undefined = curve.undefined;
  out.figures = {{"ece", curve.expected_error}, {"mce", curve.largest_error}};
  for (const CalibrationBin& b : curve.bins) {
    out.cells.insert(out.cells.end(),
                     {b.low, b.high, static_cast<double>(b.rows), b.weight, b.mean_predicted,
                      b.observed, b.observed_low, b.observed_high});
  }
}

void FillLift(const ScoredRows& rows, const CurveOptions&, CurveTable& out) {
  const LiftCurve curve = DrawLiftCurve(rows);
  out.columns = {"threshold", "share", "gain", "lift"};
  out.undefined = curve.undefined;
  out.figures = {{"area", curve.area}};
  for (const LiftPoint& p : curve.points) {
    out.cells.insert(out.cells.end(), {p.counts.threshold, p.share, p.gain, p.lift});
  }
}

void FillCost(const ScoredRows& rows, const CurveOptions&, CurveTable& out) {
  const CostCurve curve = DrawCostCurve(rows);
  out.columns = {"probability_cost", "cost", "threshold", "fpr", "fnr"};
  out.undefined = curve.undefined;
  out.figures = {{"area", curve.area}};
  for (const CostPoint& p : curve.points) {
    out.cells.insert(out.cells.end(),
                     {p.probability_cost, p.cost, p.counts.threshold, p.fpr, p.fnr});
  }
}

double Ratio(double part, double whole) { return whole > 0 ? part / whole : std::nan(""); }

// Every threshold and its decisions. One class is enough; values that need both are then missing.
void FillThresholds(const ScoredRows& rows, const CurveOptions& options, CurveTable& out) {
  const ThresholdTable table = TabulateThresholds(rows);
  out.columns = {"threshold", "tp",        "fp",     "tn",          "fn",
                 "accuracy",  "precision", "recall", "specificity", "f1"};
  if (options.costs) out.columns.push_back("cost");
  if (table.rows.empty()) out.undefined = FindMissingClass(rows, table);
  for (const ThresholdCounts& c : table.rows) {
    out.cells.push_back(c.threshold);
    AppendCounts(out.cells, c);
    const double f1 = GoalValue({ThresholdGoal::kFBeta, 1, {}}, c);
    out.cells.insert(out.cells.end(),
                     {GoalValue({ThresholdGoal::kAccuracy, 1, {}}, c), Ratio(c.tp, c.tp + c.fp),
                      Ratio(c.tp, c.tp + c.fn), Ratio(c.tn, c.tn + c.fp), f1});
    if (!options.costs) continue;
    out.cells.push_back(GoalValue({ThresholdGoal::kCost, 1, *options.costs}, c));
  }
}

void FillReliability(const ScoredRows& rows, const CurveOptions& options, CurveTable& out) {
  const ReliabilityCurve curve = DrawReliabilityCurve(rows, options.reliability);
  out.columns = {"predicted", "recalibrated", "low", "high", "observed", "weight"};
  out.undefined = curve.undefined;
  out.figures = {{"score", curve.score},
                 {"miscalibration", curve.miscalibration},
                 {"discrimination", curve.discrimination},
                 {"uncertainty", curve.uncertainty},
                 {"p", curve.p}};
  for (const ReliabilityPoint& p : curve.points) {
    out.cells.insert(out.cells.end(),
                     {p.predicted, p.recalibrated, p.low, p.high, p.observed, p.weight});
  }
}

// Whether the probabilities mean what a threshold on them takes for granted. Where the prevalence
// is that of another population, the rows cannot show it.
void AppendMiscalibration(const ScoredRows& rows, const DecisionCurveOptions& options,
                          CurveTable& out) {
  if (options.prevalence || options.samples == 0) return;
  ReliabilityOptions reliability;
  reliability.samples = options.samples;
  reliability.seed = options.seed;
  reliability.cancel = options.cancel;
  if (!rows.groups.empty()) reliability.band = ReliabilityBand::kNone;
  const ReliabilityCurve curve = DrawReliabilityCurve(rows, reliability);
  out.figures.emplace_back("brier", curve.score);
  out.figures.emplace_back("miscalibration", curve.miscalibration);
  out.figures.emplace_back("p", curve.p);
}

void FillDecision(const ScoredRows& rows, const CurveOptions& options, CurveTable& out) {
  const DecisionCurve curve = DrawDecisionCurve(rows, options.decision);
  out.columns = {"threshold", "net_benefit", "low",       "high", "treat_all", "treat_none",
                 "gain",      "gain_low",    "gain_high", "tp",   "fp"};
  out.undefined = curve.undefined;
  out.figures = {{"prevalence", curve.prevalence}};
  if (curve.defined) AppendMiscalibration(rows, options.decision, out);
  for (const DecisionPoint& p : curve.points) {
    out.cells.insert(out.cells.end(), {p.threshold, p.net_benefit, p.low, p.high, p.treat_all, 0,
                                       p.gain, p.gain_low, p.gain_high, p.tp, p.fp});
  }
}

std::string JoinNames(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

CurveTable TabulateCurve(CurveKind kind, const ScoredRows& rows, const CurveOptions& options) {
  static constexpr decltype(&FillRoc) kFill[] = {
      &FillRoc,  &FillPrecisionRecall, &FillDet,         &FillCalibration, &FillLift,
      &FillCost, &FillThresholds,      &FillReliability, &FillDecision};
  CurveTable table;
  kFill[static_cast<std::size_t>(kind)](rows, options, table);
  return table;
}

CurveTable TabulateRocAverage(std::span<const RocCurve> curves, const RocAverageOptions& options) {
  CurveTable out;
  const RocAverage average = AverageRocCurves(curves, options);
  out.columns = {"fpr", "tpr", "sd", "low", "high"};
  out.undefined = average.undefined;
  out.figures = {{"auc", average.auc}, {"mean_auc", average.mean_auc}, {"sd_auc", average.sd_auc}};
  for (const AveragedRocPoint& p : average.points) {
    out.cells.insert(out.cells.end(), {p.fpr, p.tpr, p.sd, p.low, p.high});
  }
  return out;
}

std::int64_t FindPositiveClass(const std::string& given, const Dataset& data) {
  const std::span<const std::string> classes = data.class_names();
  const std::string& name = given.empty() ? data.roles().positive : given;
  const std::string attempt = "cannot find the positive class: ";
  if (name.empty()) {
    if (classes.size() == 2) return 1;
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "there are " + std::to_string(classes.size()) + " classes (" +
                    JoinNames(classes) + "); name one of them, as in positive = \"" +
                    (classes.empty() ? "" : classes.back()) + "\"");
  }
  const auto found = std::find(classes.begin(), classes.end(), name);
  if (found == classes.end()) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "there is no class '" + name + "'; " +
                    KnownNames(name, std::vector<std::string>(classes.begin(), classes.end())));
  }
  return found - classes.begin();
}

}  // namespace crossfold
