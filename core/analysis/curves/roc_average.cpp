#include "crossfold/roc_average.h"

#include <algorithm>
#include <cmath>

#include "analysis/stats/distributions.h"
#include "analysis/stats/sampled_units.h"
#include "crossfold/error.h"
#include "crossfold/stats/bootstrap.h"
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

using FoldTimes = std::vector<std::size_t>;  // how often each fold was drawn

// Those of each sample; the same draws serve all points of the curve.
std::vector<FoldTimes> DrawFolds(std::size_t folds, const RocAverageOptions& options) {
  plugin::Random random(options.seed);
  std::vector<FoldTimes> samples(static_cast<std::size_t>(options.samples));
  for (FoldTimes& times : samples) stats::DrawUnits(random, folds, times);
  return samples;
}

void SetBootstrapInterval(AveragedRocPoint& point, const std::vector<double>& tprs,
                          const std::vector<FoldTimes>& samples, double confidence) {
  std::vector<double> means;
  means.reserve(samples.size());
  for (const FoldTimes& times : samples) {
    double sum = 0;
    for (std::size_t f = 0; f < tprs.size(); ++f) sum += static_cast<double>(times[f]) * tprs[f];
    means.push_back(sum / static_cast<double>(tprs.size()));
  }
  std::sort(means.begin(), means.end());
  point.low = stats::SortedQuantile(means, (1 - confidence) / 2);
  point.high = stats::SortedQuantile(means, (1 + confidence) / 2);
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
  std::vector<FoldTimes> samples;
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
