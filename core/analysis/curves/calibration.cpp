#include "crossfold/calibration.h"

#include "analysis/curves/probabilities.h"
#include "analysis/stats/class_scores.h"
#include "crossfold/scored_rows.h"

namespace crossfold {
namespace {

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

}  // namespace crossfold
