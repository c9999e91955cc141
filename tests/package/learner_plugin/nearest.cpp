//###begin plugin
#include <algorithm>
#include <crossfold_plugin.hpp>
#include <vector>

namespace cf = crossfold::plugin;

// Predicts the class that most of the k nearest training rows have.
struct Nearest {
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "org.example.nearest",
                    .title = "nearest rows",
                    .doc = "The class that most of the k nearest rows have, Euclidean distance."}};
  struct Params {
    std::int64_t k = 5;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Integer("k", &Params::k, {.low = 1}, "Number of neighbours."));

  std::size_t k, n_features, n_classes;
  std::vector<double> rows;  // row-major
  std::vector<std::int32_t> labels;

  static Nearest Fit(const Params& params, const cf::TrainingView& train, const cf::Context&) {
    Nearest model{std::size_t(params.k),
                  std::size_t(train.num_features()),
                  std::size_t(train.num_classes()),
                  train.DenseRows(),
                  {}};
    for (std::int64_t i = 0; i < train.num_rows(); ++i) model.labels.push_back(train.label(i));
    return model;
  }

  cf::ModelShape shape() const {  // Predict gets only such rows
    return {.n_features = std::int64_t(n_features), .n_classes = std::int64_t(n_classes)};
  }

  void Predict(const cf::FeatureView& test, std::span<std::int32_t> out, const cf::Context&) const {
    const std::vector<double> queries = test.DenseRows();
    std::vector<std::pair<double, std::size_t>> near(labels.size());  // squared distance, row
    for (std::size_t q = 0; q < out.size(); ++q) {
      for (std::size_t r = 0; r < near.size(); ++r) {
        near[r] = {0.0, r};
        for (std::size_t j = 0; j < n_features; ++j) {
          const double d = queries[q * n_features + j] - rows[r * n_features + j];
          near[r].first += d * d;
        }
      }
      std::sort(near.begin(), near.end());  // equal distances: the earlier row
      std::vector<int> votes(n_classes);
      for (std::size_t i = 0; i < std::min(k, near.size()); ++i) ++votes[labels[near[i].second]];
      out[q] = std::int32_t(std::max_element(votes.begin(), votes.end()) - votes.begin());
    }
  }
};

CROSSFOLD_PLUGIN("org.example.neighbours", "1.0.0", "Example Org", "MIT", Nearest)
//###end plugin
