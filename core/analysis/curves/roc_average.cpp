#include "crossfold/roc_average.h"

#include <algorithm>
#include <cmath>

#include "analysis/stats/distributions.h"
#include "crossfold/error.h"
#include "crossfold/summary.h"
#include "crossfold_plugin/random.hpp"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

[[noreturn]] void RefuseAverage(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot average ROC curves: " + finding);
}

void CheckAverage(const RocAverageOptions& options) {
  if (options.points < 2 || options.points > 100000) {
    RefuseAverage(std::to_string(options.points) + " points; use 2 to 100000");
  }
  if (options.samples < 100 || options.samples > 1000000) {
    RefuseAverage(std::to_string(options.samples) + " samples; use 100 to 1000000");
  }
  if (!(options.confidence > 0 && options.confidence < 1)) {
    RefuseAverage("confidence " + FormatShortest(options.confidence) + " is not between 0 and 1");
  }
}

// For each sample, how often each fold was drawn; the same draws serve all points of the curve.
std::vector<std::vector<int>> DrawFolds(std::size_t folds, const RocAverageOptions& options) {
  plugin::Random random(options.seed);
  std::vector<std::vector<int>> samples(static_cast<std::size_t>(options.samples),
                                        std::vector<int>(folds, 0));
  for (std::vector<int>& times : samples) {
    for (std::size_t i = 0; i < folds; ++i) ++times[static_cast<std::size_t>(random.Below(folds))];
  }
  return samples;
}

// The quantile of sorted values, on a straight line between neighbours (Hyndman and Fan 1996,
// type 7).
double Quantile(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

void SetBootstrapInterval(AveragedRocPoint& point, const std::vector<double>& tprs,
                          const std::vector<std::vector<int>>& samples, double confidence) {
  std::vector<double> means;
  means.reserve(samples.size());
  for (const std::vector<int>& times : samples) {
    double sum = 0;
    for (std::size_t f = 0; f < tprs.size(); ++f) sum += times[f] * tprs[f];
    means.push_back(sum / static_cast<double>(tprs.size()));
  }
  std::sort(means.begin(), means.end());
  point.low = Quantile(means, (1 - confidence) / 2);
  point.high = Quantile(means, (1 + confidence) / 2);
}

void SetNormalInterval(AveragedRocPoint& point, std::size_t folds, double confidence) {
  const double z = stats::NormalQuantile((1 + confidence) / 2);
  const double half = z * point.sd / std::sqrt(static_cast<double>(folds));
  point.low = std::max(0.0, point.tpr - half);
  point.high = std::min(1.0, point.tpr + half);
}

}  // namespace

double TprAt(const RocCurve& curve, double fpr) {
  const auto after =
      std::upper_bound(curve.points.begin(), curve.points.end(), fpr,
                       [](double value, const RocPoint& point) { return value < point.fpr; });
  const RocPoint& at = *(after - 1);  // the first point has fpr 0
  if (at.fpr == fpr || after == curve.points.end()) return at.tpr;
  return at.tpr + (after->tpr - at.tpr) * (fpr - at.fpr) / (after->fpr - at.fpr);
}

RocAverage AverageRocCurves(std::span<const RocCurve> curves, const RocAverageOptions& options) {
  CheckAverage(options);
  RocAverage average;
  std::vector<const RocCurve*> defined;
  std::vector<double> aucs;
  for (const RocCurve& curve : curves) {
    if (!curve.defined) continue;
    defined.push_back(&curve);
    aucs.push_back(curve.auc);
  }
  average.folds = static_cast<std::int64_t>(defined.size());
  if (defined.empty()) {
    average.undefined =
        curves.empty() ? "there are no folds" : "no fold has a curve: " + curves[0].undefined;
    return average;
  }
  average.defined = true;
  const bool bootstrap = options.interval == AverageInterval::kBootstrap && defined.size() >= 2;
  std::vector<std::vector<int>> samples;
  if (bootstrap) samples = DrawFolds(defined.size(), options);
  std::vector<RocPoint> line;
  for (int i = 0; i < options.points; ++i) {
    AveragedRocPoint point;
    point.fpr = static_cast<double>(i) / (options.points - 1);
    std::vector<double> tprs;
    for (const RocCurve* curve : defined) tprs.push_back(TprAt(*curve, point.fpr));
    const Summary summary = Summarize(tprs);
    point.tpr = summary.mean;
    point.sd = summary.sd;
    if (bootstrap) {
      SetBootstrapInterval(point, tprs, samples, options.confidence);
    } else if (defined.size() >= 2) {
      SetNormalInterval(point, defined.size(), options.confidence);
    }
    average.points.push_back(point);
    line.push_back({point.fpr, point.tpr, {}});
  }
  const Summary auc = Summarize(aucs);
  average.auc = AreaUnder(line);
  average.mean_auc = auc.mean;
  average.sd_auc = auc.sd;
  return average;
}

}  // namespace crossfold
