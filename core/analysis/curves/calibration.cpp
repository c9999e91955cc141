#include "crossfold/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "analysis/stats/class_scores.h"
#include "crossfold/calibration_lists.h"
#include "crossfold/decision.h"
#include "crossfold/error.h"
#include "crossfold/outcome.h"
#include "crossfold/scored_rows.h"
#include "crossfold/stats/expected_cost.h"

namespace crossfold {
namespace {

// Throws Error "cannot <attempt>: ..." unless every row has probabilities.
void CheckProbabilities(const std::string& attempt, const Prediction& prediction) {
  const std::size_t expected =
      prediction.rows.size() * static_cast<std::size_t>(prediction.n_classes);
  if (prediction.n_classes > 0 && prediction.probabilities.size() == expected) return;
  throw Error(ErrorKind::kInvalidArgument,
              "cannot " + attempt +
                  ": the prediction has no probabilities; use a learner that "
                  "gives them");
}

std::span<const double> ProbabilitiesOf(const Prediction& prediction, std::size_t row) {
  const auto k = static_cast<std::size_t>(prediction.n_classes);
  return std::span(prediction.probabilities).subspan(row * k, k);
}

// The class with the maximum probability; ties go to the lower index.
std::int32_t MostProbable(std::span<const double> probabilities) {
  return static_cast<std::int32_t>(std::max_element(probabilities.begin(), probabilities.end()) -
                                   probabilities.begin());
}

// The class that map `m` is for.
std::int64_t ClassOf(std::size_t m, std::int64_t n_classes) {
  return n_classes == 2 ? 1 : static_cast<std::int64_t>(m);
}

// Why a class cannot be calibrated; "" = it can.
std::string FitMap(const OwnedScoredRows& rows, Calibration& calibration) {
  const std::string missing = stats::MissingClass(
      stats::CheckClassScores("calibrate", rows.scores, rows.positive, rows.weights));
  if (!missing.empty()) return missing;
  if (calibration.method == CalibrationMethod::kPlatt) {
    std::vector<double> log_odds;
    for (const double p : rows.scores) log_odds.push_back(stats::LogOdds(p));
    calibration.platt.push_back(stats::FitPlattScaling(log_odds, rows.positive, rows.weights));
  } else {
    const std::vector<double> truth(rows.positive.begin(), rows.positive.end());
    calibration.isotonic.push_back(stats::FitIsotonicRegression(rows.scores, truth, rows.weights));
  }
  return "";
}

double Mapped(const Calibration& calibration, std::size_t m, double p) {
  return calibration.method == CalibrationMethod::kPlatt
             ? stats::Probability(calibration.platt[m], stats::LogOdds(p))
             : stats::ValueAt(calibration.isotonic[m], p);
}

// Writes the calibrated probabilities of one row over `p`.
void CalibrateRow(const Calibration& calibration, std::span<double> p) {
  if (p.size() == 2) {
    p[1] = Mapped(calibration, 0, p[1]);
    p[0] = 1 - p[1];
    return;
  }
  double sum = 0;
  for (std::size_t c = 0; c < p.size(); ++c) {
    p[c] = Mapped(calibration, c, p[c]);
    sum += p[c];
  }
  for (double& value : p) value = sum > 0 ? value / sum : 1 / static_cast<double>(p.size());
}

void LabelMostProbable(Prediction& prediction) {
  prediction.labels.clear();
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    prediction.labels.push_back(MostProbable(ProbabilitiesOf(prediction, i)));
  }
}

bool AreFinite(const std::vector<double>& numbers) {
  for (const double number : numbers) {
    if (!std::isfinite(number)) return false;
  }
  return true;
}

// Whether the points make a map from probabilities to probabilities.
bool IsMap(const stats::IsotonicRegression& map) {
  for (std::size_t i = 0; i < map.x.size(); ++i) {
    if (!(map.x[i] >= 0 && map.x[i] <= 1 && map.y[i] >= 0 && map.y[i] <= 1)) return false;
    if (i > 0 && !(map.x[i] > map.x[i - 1] && map.y[i] >= map.y[i - 1])) return false;
  }
  return !map.x.empty();
}

bool FillPlatt(const CalibrationLists& lists, std::size_t maps, Calibration& out) {
  if (lists.slope.size() != maps || lists.intercept.size() != maps) return false;
  if (!AreFinite(lists.slope) || !AreFinite(lists.intercept)) return false;
  for (std::size_t m = 0; m < maps; ++m) {
    out.platt.push_back({true, "", lists.slope[m], lists.intercept[m]});
  }
  return true;
}

bool FillIsotonic(const CalibrationLists& lists, std::size_t maps, Calibration& out) {
  out.method = CalibrationMethod::kIsotonic;
  if (lists.sizes.size() != maps || lists.x.size() != lists.y.size()) return false;
  std::size_t first = 0;
  for (const std::int64_t size : lists.sizes) {
    if (size < 1 || static_cast<std::size_t>(size) > lists.x.size() - first) return false;
    const auto from = static_cast<std::ptrdiff_t>(first), to = from + size;
    stats::IsotonicRegression map{true, "", {}, {}};
    map.x.assign(lists.x.begin() + from, lists.x.begin() + to);
    map.y.assign(lists.y.begin() + from, lists.y.begin() + to);
    if (!IsMap(map)) return false;
    out.isotonic.push_back(std::move(map));
    first += static_cast<std::size_t>(size);
  }
  return first == lists.x.size();
}

}  // namespace

std::size_t NumCalibrationMaps(std::size_t n_classes) { return n_classes == 2 ? 1 : n_classes; }

Calibration FitCalibration(const Dataset& data, const Prediction& prediction,
                           CalibrationMethod method) {
  Calibration calibration;
  calibration.method = method;
  const std::size_t maps = NumCalibrationMaps(static_cast<std::size_t>(data.num_classes()));
  for (std::size_t m = 0; m < maps; ++m) {
    const std::int64_t positive = ClassOf(m, data.num_classes());
    const std::string problem = FitMap(OneAgainstRest(data, prediction, positive), calibration);
    if (problem.empty()) continue;
    calibration.undefined =
        "for class '" + data.class_names()[static_cast<std::size_t>(positive)] + "' " + problem;
    return calibration;
  }
  calibration.defined = true;
  return calibration;
}

Prediction Calibrate(const Prediction& prediction, const Calibration& calibration) {
  CheckProbabilities("calibrate", prediction);
  Prediction calibrated = prediction;
  const auto k = static_cast<std::size_t>(prediction.n_classes);
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    CalibrateRow(calibration, std::span(calibrated.probabilities).subspan(i * k, k));
  }
  LabelMostProbable(calibrated);
  return calibrated;
}

Prediction MeanPrediction(const std::vector<Prediction>& predictions) {
  Prediction mean = predictions.at(0);
  for (std::size_t p = 0; p < predictions.size(); ++p) {
    CheckProbabilities("average predictions", predictions[p]);
    if (predictions[p].rows != mean.rows || predictions[p].n_classes != mean.n_classes) {
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot average predictions: they are for other rows or classes; give "
                  "predictions of the same rows");
    }
    if (p == 0) continue;
    for (std::size_t i = 0; i < mean.probabilities.size(); ++i) {
      mean.probabilities[i] += predictions[p].probabilities[i];
    }
  }
  for (double& value : mean.probabilities) value /= static_cast<double>(predictions.size());
  LabelMostProbable(mean);
  return mean;
}

Prediction DecideByThreshold(const Prediction& prediction, std::int64_t positive,
                             double threshold) {
  CheckProbabilities("decide by a threshold", prediction);
  if (prediction.n_classes != 2 || positive < 0 || positive > 1 || std::isnan(threshold)) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot decide by a threshold: it takes two classes, one of them positive, and a "
                "number; decide by costs instead");
  }
  Prediction decided = prediction;
  decided.labels.clear();
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    const double p = ProbabilitiesOf(prediction, i)[static_cast<std::size_t>(positive)];
    decided.labels.push_back(static_cast<std::int32_t>(p >= threshold ? positive : 1 - positive));
  }
  return decided;
}

Prediction DecideByCost(const Prediction& prediction, std::span<const double> costs) {
  CheckProbabilities("decide by costs", prediction);
  Prediction decided = prediction;
  decided.labels.clear();
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    decided.labels.push_back(
        static_cast<std::int32_t>(stats::CheapestDecision(ProbabilitiesOf(prediction, i), costs)));
  }
  return decided;
}

CalibrationLists ListsOf(const Calibration& calibration) {
  CalibrationLists lists;
  for (const stats::PlattScaling& map : calibration.platt) {
    lists.slope.push_back(map.slope);
    lists.intercept.push_back(map.intercept);
  }
  for (const stats::IsotonicRegression& map : calibration.isotonic) {
    lists.sizes.push_back(static_cast<std::int64_t>(map.x.size()));
    lists.x.insert(lists.x.end(), map.x.begin(), map.x.end());
    lists.y.insert(lists.y.end(), map.y.begin(), map.y.end());
  }
  return lists;
}

std::optional<Calibration> CalibrationOf(const CalibrationLists& lists, std::size_t n_classes) {
  Calibration made;
  made.defined = true;
  const std::size_t maps = NumCalibrationMaps(n_classes);
  const bool valid =
      lists.sizes.empty() ? FillPlatt(lists, maps, made) : FillIsotonic(lists, maps, made);
  if (!valid) return std::nullopt;
  return made;
}

}  // namespace crossfold
