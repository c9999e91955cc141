// The learner of centroid.c in C++20. Its failure is an exception, so that one is thrown and caught
// by the plugin's own runtime library.
#include <crossfold_plugin.hpp>
#include <span>
#include <stdexcept>
#include <vector>

namespace cf = crossfold::plugin;

struct Centroid {
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = PLUGIN ".centroid",
                    .title = "nearest centroid",
                    .doc = "The class of the nearest centroid."}};
  enum class Distance { kEuclidean, kManhattan };
  static constexpr std::array<const char*, 2> kDistances = {"euclidean", "manhattan"};
  struct Params {
    double shrink = 0.1, jitter = 0.01;
    Distance distance = Distance::kEuclidean;
    bool fail = false;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Real("shrink", &Params::shrink, {.low = 0, .high = 1},
               "How far centroids move to the middle."),
      cf::Real("jitter", &Params::jitter, {.low = 0, .high = 1}, "Random shift of centroids."),
      cf::Choice("distance", &Params::distance, kDistances, "Distance to centroids."),
      cf::Boolean("fail", &Params::fail, "Whether fit fails."));

  Distance distance;
  std::size_t n_features;
  std::vector<double> center;
  std::vector<std::int64_t> n_rows;

  static Centroid Fit(const Params& params, const cf::TrainingView& train,
                      const cf::Context& context) {
    if (params.fail) throw std::runtime_error("failed, as asked");
    const auto k = static_cast<std::size_t>(train.num_classes());
    const auto d = static_cast<std::size_t>(train.num_features());
    Centroid m{params.distance, d, std::vector<double>(k * d), std::vector<std::int64_t>(k)};
    std::vector<double> overall(d);
    const std::vector<double> rows = train.DenseRows();
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      const auto c = static_cast<std::size_t>(train.label(i));
      ++m.n_rows[c];
      for (std::size_t j = 0; j < d; ++j) {
        const double x = rows[static_cast<std::size_t>(i) * d + j];
        m.center[c * d + j] += x;
        overall[j] += x;
      }
    }
    for (double& mean : overall) mean /= static_cast<double>(train.num_rows());
    cf::Random random = context.MakeRandom();
    for (std::size_t c = 0; c < k; ++c) {
      for (std::size_t j = 0; j < d; ++j) {
        double& center = m.center[c * d + j];
        const double mean =
            m.n_rows[c] > 0 ? center / static_cast<double>(m.n_rows[c]) : overall[j];
        const double noise = static_cast<double>(random.Next() >> 11) * (1.0 / 9007199254740992.0);
        center = overall[j] + (1.0 - params.shrink) * (mean - overall[j]) + params.jitter * noise;
      }
    }
    return m;
  }

  cf::ModelShape shape() const {
    return {.n_features = static_cast<std::int64_t>(n_features),
            .n_classes = static_cast<std::int64_t>(n_rows.size())};
  }

  double Closeness(const double* row, std::size_t c) const {
    if (n_rows[c] == 0) return 0.0;
    double sum = 0.0;
    for (std::size_t j = 0; j < n_features; ++j) {
      const double gap = row[j] - center[c * n_features + j];
      sum += distance == Distance::kManhattan ? (gap < 0.0 ? -gap : gap) : gap * gap;
    }
    return 1.0 / (1.0 + sum);
  }

  void PredictProba(const cf::FeatureView& test, std::span<double> out, const cf::Context&) const {
    const std::vector<double> rows = test.DenseRows();
    const std::size_t k = n_rows.size();
    for (std::size_t i = 0; i < out.size() / k; ++i) {
      double sum = 0.0;
      for (std::size_t c = 0; c < k; ++c) {
        out[i * k + c] = Closeness(&rows[i * n_features], c);
        sum += out[i * k + c];
      }
      for (std::size_t c = 0; c < k; ++c) out[i * k + c] /= sum;
    }
  }
};

CROSSFOLD_PLUGIN(PLUGIN, "1.0.0", "The Crossfold Authors", "MIT", Centroid)
