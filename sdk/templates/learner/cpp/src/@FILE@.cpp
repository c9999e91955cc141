// @NAME@: predicts the class whose mean of the training rows is nearest (nearest centroid).
#include <cmath>
#include <crossfold_plugin.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace cf = crossfold::plugin;

struct @STRUCT@ {
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "@ID@",
                    .version = "0.1.0",
                    .title = "@NAME@",
                    .doc = "The class whose mean of the training rows is nearest in Euclidean "
                           "distance; ties to the lower class index.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS};

  struct Params {
    double shrink = 0;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Real("shrink", &Params::shrink, {.low = 0, .high = 1},
               "How far the means of the classes move to the mean of all rows; 1 = all the way."));

  // What is learned: a row a class. A class without training rows has NaN and is never predicted.
  std::size_t n_features, n_classes;
  std::vector<double> means;

  static @STRUCT@ Fit(const Params& params, const cf::TrainingView& train, const cf::Context&) {
    const auto n_features = std::size_t(train.num_features());
    const auto n_classes = std::size_t(train.num_classes());
    const std::vector<double> rows = train.DenseRows();
    std::vector<double> sums(n_classes * n_features), all(n_features), weights(n_classes);
    double total = 0;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      const double weight = train.weight(i);
      if (weight == 0) continue;
      const auto c = std::size_t(train.label(i));
      weights[c] += weight;
      total += weight;
      for (std::size_t j = 0; j < n_features; ++j) {
        const double x = rows[std::size_t(i) * n_features + j];
        if (std::isnan(x)) {
          throw cf::Error(
              CF_E_UNSUPPORTED_DATA,
              "feature '" + std::string(train.name(std::int64_t(j))) + "' has a missing entry");
        }
        sums[c * n_features + j] += weight * x;
        all[j] += weight * x;
      }
    }
    if (total == 0) throw cf::Error(CF_E_UNSUPPORTED_DATA, "no training row has a weight above 0");
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const double weight = weights[k / n_features];
      const double mean = weight > 0 ? sums[k] / weight : std::nan("");
      const double middle = all[k % n_features] / total;
      if (std::isinf(mean) || !std::isfinite(middle)) {
        throw cf::Error(CF_E_NUMERIC, "the mean of a feature is too large for a number");
      }
      sums[k] = mean + params.shrink * (middle - mean);
    }
    return {n_features, n_classes, sums};
  }

  // The calls below get only rows with so many features, and only so many classes.
  cf::ModelShape shape() const {
    return {.n_features = std::int64_t(n_features), .n_classes = std::int64_t(n_classes)};
  }

  void Predict(const cf::FeatureView& test, std::span<std::int32_t> out, const cf::Context&) const {
    const std::vector<double> rows = test.DenseRows();
    for (std::size_t i = 0; i < out.size(); ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      out[i] = -1;
      for (std::size_t c = 0; c < n_classes; ++c) {
        double distance = 0;  // squared; NaN for a class without training rows
        for (std::size_t j = 0; j < n_features; ++j) {
          const double d = rows[i * n_features + j] - means[c * n_features + j];
          distance += d * d;
        }
        if (!std::isnan(distance) && (distance < nearest || out[i] < 0)) {
          nearest = distance;
          out[i] = std::int32_t(c);
        }
      }
      if (out[i] < 0) throw cf::Error(CF_E_UNSUPPORTED_DATA, "a row has a missing entry");
    }
  }

  // Saving: model:save(path) and isolated runs of ensembles need it.
  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(std::uint64_t(n_features));
    w.Write(std::uint64_t(n_classes));
    w.WriteSpan<double>(means);
  }
  static @STRUCT@ Load(cf::Reader& r) {
    const auto n_features = r.Read<std::uint64_t>();
    const auto n_classes = r.Read<std::uint64_t>();
    std::vector<double> means = r.ReadVector<double>();
    if (n_features == 0 || means.size() % n_features != 0 ||
        means.size() / n_features != n_classes) {
      throw cf::Error(CF_E_BAD_BLOB, "the saved model has not one mean a class and feature");
    }
    return {std::size_t(n_features), std::size_t(n_classes), means};
  }
};

CROSSFOLD_PLUGIN("@ID@", "0.1.0", "@VENDOR@", "@LICENSE@", @STRUCT@)
