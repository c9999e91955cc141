// k nearest neighbours: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;

namespace {

enum class Distance { kManhattan, kEuclidean, kChebyshev, kMinkowski };
enum class Weights { kUniform, kDistance };
constexpr std::array<const char*, 4> kDistanceNames = {"manhattan", "euclidean", "chebyshev",
                                                       "minkowski"};
constexpr std::array<const char*, 2> kWeightNames = {"uniform", "distance"};

// ---- distances ---------------------------------------------------------------------------------
// Neighbours are compared by a key that grows with the distance and needs no root: whole-number
// data then have exact keys, so equal distances compare equal. Terms are added in feature order.

struct Manhattan {
  double Add(double key, double difference) const { return key + std::abs(difference); }
  double Length(double key) const { return key; }
};
struct SquaredEuclidean {
  double Add(double key, double difference) const { return key + difference * difference; }
  double Length(double key) const { return std::sqrt(key); }
};
struct Chebyshev {
  double Add(double key, double difference) const { return std::max(key, std::abs(difference)); }
  double Length(double key) const { return key; }
};
struct PowerSum {
  double p;
  // Below this the key has lost digits, or all of them, although the rows may differ.
  static constexpr double kLeastKey = std::numeric_limits<double>::min();
  double Add(double key, double difference) const {
    return key + std::pow(std::abs(difference), p);
  }
  double Length(double key) const { return std::pow(key, 1 / p); }
};

// ---- neighbours --------------------------------------------------------------------------------

struct Neighbour {
  double key;
  std::int64_t row_id;
  std::int64_t position;  // among the training rows

  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return a.key != b.key ? a.key < b.key : a.row_id < b.row_id;
  }
};

// The k smallest of the neighbours offered: a heap with the worst of them on top.
class NearestK {
 public:
  explicit NearestK(std::size_t k) : k_(k) { heap_.reserve(k); }

  void Offer(const Neighbour& candidate) {
    if (heap_.size() == k_) {
      if (!(candidate < heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end());
    if (heap_.size() == k_) worst_key_ = heap_.front().key;
  }
  // A candidate with a larger key need not be offered.
  double worst_key() const { return worst_key_; }

  // Nearest first. Empties the selection.
  void Take(std::vector<Neighbour>& out) {
    std::sort_heap(heap_.begin(), heap_.end());
    out.assign(heap_.begin(), heap_.end());
    heap_.clear();
    worst_key_ = std::numeric_limits<double>::infinity();
  }

 private:
  std::size_t k_;
  std::vector<Neighbour> heap_;
  double worst_key_ = std::numeric_limits<double>::infinity();
};

// ---- rows --------------------------------------------------------------------------------------

std::vector<double> FiniteRows(const cf::FeatureView& rows) {
  std::vector<double> dense = rows.DenseRows();
  const auto bad =
      std::find_if(dense.begin(), dense.end(), [](double x) { return !std::isfinite(x); });
  if (bad == dense.end()) return dense;
  const std::int64_t entry = bad - dense.begin();
  throw cf::Error(CF_E_UNSUPPORTED_DATA, "feature '" +
                                             std::string(rows.name(entry % rows.num_features())) +
                                             "' has an infinite or missing entry");
}

// The training rows in blocks of kLanes, feature by feature within a block, so that the distances
// from one row to a whole block are computed side by side, each still summed in feature order.
class Blocks {
 public:
  static constexpr std::size_t kLanes = 8;

  Blocks(std::span<const double> dense, std::size_t n_rows, std::size_t n_features)
      : n_rows_(n_rows), n_features_(n_features) {
    entries_.resize(num_blocks() * kLanes * n_features);
    for (std::size_t i = 0; i < n_rows; ++i) {
      double* block = entries_.data() + (i / kLanes) * kLanes * n_features;
      for (std::size_t j = 0; j < n_features; ++j) {
        block[j * kLanes + i % kLanes] = dense[i * n_features + j];
      }
    }
  }

  std::size_t num_rows() const { return n_rows_; }
  std::size_t num_features() const { return n_features_; }
  std::size_t num_blocks() const { return (n_rows_ + kLanes - 1) / kLanes; }
  // Rows of block b; the other lanes are padding.
  std::size_t rows_in(std::size_t b) const { return std::min(kLanes, n_rows_ - b * kLanes); }

  template <class Metric>
  std::array<double, kLanes> Keys(const Metric& metric, std::size_t b, const double* query) const {
    std::array<double, kLanes> keys{};
    const double* block = entries_.data() + b * kLanes * n_features_;
    for (std::size_t j = 0; j < n_features_; ++j) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        keys[lane] = metric.Add(keys[lane], block[j * kLanes + lane] - query[j]);
      }
    }
    return keys;
  }

  // Whether a row of block b has exactly the features of the query.
  bool IsEqual(std::size_t b, std::size_t lane, const double* query) const {
    const double* block = entries_.data() + b * kLanes * n_features_;
    for (std::size_t j = 0; j < n_features_; ++j) {
      if (block[j * kLanes + lane] != query[j]) return false;
    }
    return true;
  }

 private:
  std::size_t n_rows_, n_features_;
  std::vector<double> entries_;
};

class Knn {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.knn",
                    .title = "k nearest neighbours",
                    .doc = "Predicts from the k training rows nearest to the row, equal distances "
                           "in the order of the row ids: the class with the most votes (ties to "
                           "the lower class index) or the mean target.",
                    .source = "T. M. Cover and P. E. Hart, Nearest neighbor pattern "
                              "classification, IEEE Transactions on Information Theory 13 (1967)"},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC};

  struct Params {
    std::int64_t k = 5;
    Distance distance = Distance::kEuclidean;
    double p = 2;
    Weights weights = Weights::kUniform;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("k", &Params::k, {.low = 1}, "Number of neighbours."),
      cf::Choice("distance", &Params::distance, kDistanceNames, "Distance between two rows."),
      cf::Real("p", &Params::p, {.low = 1}, "Exponent of the Minkowski distance.",
               {.active_if = "distance=minkowski"}),
      cf::Choice("weights", &Params::weights, kWeightNames,
                 "Every neighbour counts the same, or in inverse proportion to its distance."));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    CheckParams(params, shape.n_rows);
  }

  static Knn Fit(const Params& params, const cf::TrainingView& train, const cf::Context&) {
    CheckParams(params, train.num_rows());
    return Knn(params, train);
  }

  void Predict(const cf::FeatureView& rows, std::span<double> values,
               const cf::Context& context) const {
    ForEachRow(rows, context, [&](std::size_t i, std::span<const Vote> votes) {
      double sum = 0, total = 0;
      for (const Vote& vote : votes) {
        sum += vote.weight * values_[vote.position];
        total += vote.weight;
      }
      values[i] = sum / total;
    });
  }

  // Labels follow from these: with uniform weights a share is a whole number of votes over k, so
  // shares tie exactly where votes do.
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    std::vector<double> shares(n_classes_);
    ForEachRow(rows, context, [&](std::size_t i, std::span<const Vote> votes) {
      std::fill(shares.begin(), shares.end(), 0.0);
      double total = 0;
      for (const Vote& vote : votes) {
        shares[static_cast<std::size_t>(labels_[vote.position])] += vote.weight;
        total += vote.weight;
      }
      for (std::size_t c = 0; c < n_classes_; ++c) {
        probabilities[i * n_classes_ + c] = shares[c] / total;
      }
    });
  }

 private:
  struct Vote {
    std::size_t position;  // among the training rows
    double weight;
  };
  // So many rows are predicted side by side while a block of training rows is in the cache.
  static constexpr std::size_t kTile = 16;

  Knn(const Params& params, const cf::TrainingView& train)
      : params_(params),
        n_classes_(static_cast<std::size_t>(train.num_classes())),
        blocks_(FiniteRows(train), static_cast<std::size_t>(train.num_rows()),
                static_cast<std::size_t>(train.num_features())) {
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      row_ids_.push_back(train.row_id(i));
      if (train.is_classification()) {
        labels_.push_back(train.label(i));
      } else {
        values_.push_back(train.value(i));
      }
    }
  }

  static void CheckParams(const Params& params, std::int64_t n_rows) {
    if (params.k > n_rows) {
      throw cf::Error(CF_E_INVALID_PARAM, "k = " + std::to_string(params.k) + " exceeds the " +
                                              std::to_string(n_rows) + " training row" +
                                              (n_rows == 1 ? "" : "s"));
    }
  }

  // Calls use(row, votes) with the votes of the k nearest training rows, nearest first.
  template <class Use>
  void ForEachRow(const cf::FeatureView& rows, const cf::Context& context, Use&& use) const {
    switch (params_.distance) {
      case Distance::kManhattan:
        return ForEachRowBy(Manhattan{}, rows, context, use);
      case Distance::kEuclidean:
        return ForEachRowBy(SquaredEuclidean{}, rows, context, use);
      case Distance::kChebyshev:
        return ForEachRowBy(Chebyshev{}, rows, context, use);
      case Distance::kMinkowski:
        // The library's pow may round differently from these.
        if (params_.p == 1) return ForEachRowBy(Manhattan{}, rows, context, use);
        if (params_.p == 2) return ForEachRowBy(SquaredEuclidean{}, rows, context, use);
        return ForEachRowBy(PowerSum{params_.p}, rows, context, use);
    }
  }

  template <class Metric, class Use>
  void ForEachRowBy(const Metric& metric, const cf::FeatureView& rows, const cf::Context& context,
                    Use&& use) const {
    const std::vector<double> queries = FiniteRows(rows);
    const auto n = static_cast<std::size_t>(rows.num_rows());
    std::vector<NearestK> nearest(kTile, NearestK(static_cast<std::size_t>(params_.k)));
    std::vector<Neighbour> neighbours;
    std::vector<Vote> votes;
    for (std::size_t first = 0; first < n; first += kTile) {
      context.Progress(static_cast<double>(first) / static_cast<double>(n));
      const std::size_t size = std::min(kTile, n - first);
      for (std::size_t b = 0; b < blocks_.num_blocks(); ++b) {
        for (std::size_t i = 0; i < size; ++i) {
          OfferBlock(metric, b, queries.data() + (first + i) * blocks_.num_features(), nearest[i]);
        }
      }
      for (std::size_t i = 0; i < size; ++i) {
        nearest[i].Take(neighbours);
        Weigh(metric, neighbours, votes);
        use(first + i, std::span<const Vote>(votes));
      }
    }
  }

  template <class Metric>
  void OfferBlock(const Metric& metric, std::size_t b, const double* query,
                  NearestK& nearest) const {
    const std::array<double, Blocks::kLanes> keys = blocks_.Keys(metric, b, query);
    for (std::size_t lane = 0; lane < blocks_.rows_in(b); ++lane) {
      if (keys[lane] > nearest.worst_key()) continue;
      if constexpr (std::is_same_v<Metric, PowerSum>) {
        if (keys[lane] < Metric::kLeastKey && !blocks_.IsEqual(b, lane, query)) {
          throw cf::Error(CF_E_NUMERIC,
                          "the distance of two different rows vanishes in the sum of "
                          "powers; use a smaller p or rescale the features");
        }
      }
      const std::size_t position = b * Blocks::kLanes + lane;
      nearest.Offer({keys[lane], row_ids_[position], static_cast<std::int64_t>(position)});
    }
  }

  template <class Metric>
  void Weigh(const Metric& metric, std::span<const Neighbour> neighbours,
             std::vector<Vote>& votes) const {
    if (!std::isfinite(neighbours.back().key)) {
      throw cf::Error(CF_E_NUMERIC,
                      "a distance exceeds the range of numbers; rescale the features");
    }
    const double nearest = metric.Length(neighbours.front().key);
    votes.clear();
    for (const Neighbour& n : neighbours) {
      votes.push_back({static_cast<std::size_t>(n.position),
                       params_.weights == Weights::kUniform
                           ? 1.0
                           : InverseDistance(nearest, metric.Length(n.key))});
    }
  }

  // 1/length, in units in which the nearest neighbour gets 1: tiny distances cannot overflow.
  static double InverseDistance(double nearest, double length) {
    if (nearest == 0) return length == 0 ? 1 : 0;
    return nearest / length;
  }

  Params params_;
  std::size_t n_classes_;
  Blocks blocks_;
  std::vector<std::int64_t> row_ids_;
  std::vector<std::int32_t> labels_;  // classification
  std::vector<double> values_;        // regression
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.knn", "1.0.0", "The Crossfold Authors", "MIT", Knn)
