// @NAME@: predicts the class whose mean of the training rows is nearest (nearest centroid).
#include <crossfold_plugin.hpp>
namespace cf = crossfold::plugin;

struct @STRUCT@ {
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "@ID@", .version = "0.1.0", .title = "@NAME@",
                    .doc = "The class with the nearest mean; ties go to the first class.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS};
  struct Params { double shrink = 0; };
  static constexpr auto kSchema = cf::Schema(cf::Real("shrink", &Params::shrink, {0, 1},
      "Share by which the class means move to the overall mean."));
  std::int64_t d, k;          // features, classes
  std::vector<double> means;  // k x d; NaN for a class without training rows, never nearest
  static @STRUCT@ Fit(const Params& p, const cf::TrainingView& train, const cf::Context&) {
    const std::int64_t d = train.num_features(), k = train.num_classes();
    std::vector<double> means(k * d), weights(k);  // sums at first
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      weights[train.label(i)] += train.weight(i);
      double* sums = means.data() + train.label(i) * d;
      for (std::int64_t j = 0; j < d; ++j) sums[j] += train.weight(i) * train.x(i, j);
    }
    for (std::int64_t j = 0; j < d; ++j) {
      double middle = 0, total = 0;
      for (std::int64_t c = 0; c < k; ++c) total += weights[c];
      for (std::int64_t c = 0; c < k; ++c) middle += means[c * d + j] / total;
      if (!std::isfinite(middle)) throw cf::Error(CF_E_NUMERIC, "a feature has no mean");
      for (std::int64_t c = 0; c < k; ++c) {
        means[c * d + j] = (1 - p.shrink) * (means[c * d + j] / weights[c]) + p.shrink * middle;
      }
    }
    return {d, k, means};
  }
  cf::ModelShape shape() const { return {.n_features = d, .n_classes = k}; }
  void Predict(const cf::FeatureView& rows, std::span<std::int32_t> out, const cf::Context&) const {
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) out[i] = rows.NearestPoint(i, means);
  }
};
CROSSFOLD_PLUGIN("@ID@", "0.1.0", "@VENDOR@", "@LICENSE@", @STRUCT@)
