// The baseline that every learner must beat: see README.md.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "../baseline.h"
#include "../onnx_parts.h"
#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;

namespace {

enum class Strategy { kAuto, kPrior, kMajority, kRandom, kMean, kMedian, kConstant };
constexpr std::array<const char*, 7> kStrategyNames = {"auto", "prior",  "majority", "random",
                                                       "mean", "median", "constant"};

std::string StrategyText(Strategy strategy) {
  return std::string("strategy = ") + kStrategyNames[static_cast<std::size_t>(strategy)];
}

// The median of the targets; of an even number of them, the mean of the two in the middle.
double Median(const cf::TrainingView& train) {
  std::vector<double> values(static_cast<std::size_t>(train.num_rows()));
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    values[static_cast<std::size_t>(i)] = train.value(i);
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return *std::max_element(values.begin(), middle) / 2 + *middle / 2;
}

// The weighted median of the targets; in the middle of a gap, the mean of both sides.
double WeightedMedian(const cf::TrainingView& train) {
  if (!train.has_weights()) return Median(train);
  std::vector<std::pair<double, double>> rows;  // target, weight
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    if (train.weight(i) > 0) rows.emplace_back(train.value(i), train.weight(i));
  }
  std::sort(rows.begin(), rows.end());
  const double total = crossfold::bundled::TotalWeight(train);
  double passed = 0;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    passed += rows[i].second;
    if (2 * passed == total) return rows[i].first / 2 + rows[i + 1].first / 2;
    if (2 * passed > total) return rows[i].first;
  }
  return rows.back().first;
}

double NumberOf(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) {
    throw cf::Error(CF_E_INVALID_ARGUMENT, "constant = '" + text + "' is not a finite number");
  }
  return value;
}

std::size_t ClassNamed(const cf::TrainingView& train, const std::string& name) {
  for (std::int64_t c = 0; c < train.num_classes(); ++c) {
    if (train.class_name(c) == name) return static_cast<std::size_t>(c);
  }
  throw cf::Error(CF_E_INVALID_ARGUMENT, "constant = '" + name + "' is not a class");
}

class Featureless {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.featureless",
                    .title = "Baseline without features",
                    .doc = "Predicts the class shares (classification) or the mean (regression) "
                           "of the training rows, or as strategy says. The label is the most "
                           "probable class; ties go to the lower class index.",
                    .source = "I. H. Witten, E. Frank and M. A. Hall, Data Mining, 3rd edition, "
                              "Morgan Kaufmann 2011 (as ZeroR)"},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};

  struct Params {
    Strategy strategy = Strategy::kAuto;
    std::string constant;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("strategy", &Params::strategy, kStrategyNames,
                 "What is predicted; auto = prior in classification, mean in regression."),
      cf::Text("constant", &Params::constant, "Class or number that is predicted for every row.",
               {.active_if = "strategy=constant"}));

  static Featureless Fit(const Params& params, const cf::TrainingView& train,
                         const cf::Context& context) {
    Featureless fitted;
    fitted.seed_ = context.seed();
    if (train.is_classification()) {
      fitted.FitClasses(params, train);
    } else {
      fitted.FitValue(params, train);
    }
    return fitted;
  }

  static std::uint64_t FitBytes(const Params& params, const cf_shape& shape, const cf::Context&) {
    constexpr std::uint64_t kFixed = 4096;
    // A weighted median sorts the targets with their weights.
    const std::uint64_t per_row = params.strategy == Strategy::kMedian ? 2 * sizeof(double) : 0;
    return kFixed + per_row * static_cast<std::uint64_t>(shape.n_rows) +
           sizeof(double) * static_cast<std::uint64_t>(shape.n_classes);
  }

  // Rows with any features are accepted.
  cf::ModelShape shape() const { return {.n_classes = std::ssize(baseline_.shares)}; }
  void Predict(const cf::FeatureView&, std::span<double> values, const cf::Context&) const {
    std::fill(values.begin(), values.end(), baseline_.mean);
  }

  // Of 10,000 classes the probabilities would take 80 KB a row.
  void Predict(const cf::FeatureView& rows, std::span<std::int32_t> labels,
               const cf::Context&) const {
    const auto& shares = baseline_.shares;
    const auto best = std::max_element(shares.begin(), shares.end()) - shares.begin();
    std::fill(labels.begin(), labels.end(), static_cast<std::int32_t>(best));
    for (std::int64_t i = 0; draws_ && i < rows.num_rows(); ++i) {
      labels[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(Draw(rows.row_id(i)));
    }
  }

  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context&) const {
    const std::size_t n_classes = baseline_.shares.size();
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      const auto out = probabilities.subspan(static_cast<std::size_t>(i) * n_classes, n_classes);
      if (draws_) {
        std::fill(out.begin(), out.end(), 0.0);
        out[Draw(rows.row_id(i))] = 1;
      } else {
        std::copy(baseline_.shares.begin(), baseline_.shares.end(), out.begin());
      }
    }
  }

  void AddOnnx(const cf::FeatureView&, cf::OnnxGraph& graph, const cf::Context&) const {
    using crossfold::bundled::OnEveryRow;
    if (draws_) {
      throw cf::Error(CF_E_UNSUPPORTED,
                      "labels that are drawn have no ONNX form; use another strategy");
    }
    const auto& shares = baseline_.shares;
    if (shares.empty()) {
      const auto mean = graph.Numbers({&baseline_.mean, 1}, {1, 1});
      return crossfold::bundled::SetValueOutput(graph, OnEveryRow(graph, mean));
    }
    const auto row = graph.Numbers(shares, {1, shares.size()});
    crossfold::bundled::SetClassOutputs(graph, OnEveryRow(graph, row));
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.WriteSpan<double>(baseline_.shares);
    w.Write(baseline_.mean);
    w.Write(draws_);
    w.Write(seed_);
  }
  static Featureless Load(cf::Reader& r) {
    Featureless loaded;
    loaded.baseline_.shares = r.ReadVector<double>();
    double sum = 0;
    for (const double share : loaded.baseline_.shares) {
      if (share < 0 || share > 1) sum = std::numeric_limits<double>::quiet_NaN();
      sum += share;
    }
    if (!loaded.baseline_.shares.empty() && !(std::abs(sum - 1) <= 1e-9)) {
      throw cf::Error(CF_E_BAD_BLOB, "the shares of the saved model are not probabilities");
    }
    loaded.baseline_.mean = r.Read<double>();
    if (!std::isfinite(loaded.baseline_.mean)) {
      throw cf::Error(CF_E_BAD_BLOB, "the mean of the saved model is not finite");
    }
    loaded.draws_ = r.Read<bool>();
    loaded.seed_ = r.Read<std::uint64_t>();
    return loaded;
  }

 private:
  void FitClasses(const Params& params, const cf::TrainingView& train) {
    if (params.strategy == Strategy::kMean || params.strategy == Strategy::kMedian) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, StrategyText(params.strategy) + " needs regression");
    }
    baseline_ = crossfold::bundled::FitBaseline(train);
    std::vector<double>& shares = baseline_.shares;
    draws_ = params.strategy == Strategy::kRandom;
    std::size_t only = 0;
    if (params.strategy == Strategy::kMajority) {
      only =
          static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    } else if (params.strategy == Strategy::kConstant) {
      only = ClassNamed(train, params.constant);
    } else {
      return;
    }
    std::fill(shares.begin(), shares.end(), 0.0);
    shares[only] = 1;
  }

  void FitValue(const Params& params, const cf::TrainingView& train) {
    switch (params.strategy) {
      case Strategy::kPrior:
      case Strategy::kMajority:
      case Strategy::kRandom:
        throw cf::Error(CF_E_UNSUPPORTED_DATA,
                        StrategyText(params.strategy) + " needs classification");
      case Strategy::kMedian:
        baseline_.mean = WeightedMedian(train);
        break;
      case Strategy::kConstant:
        baseline_.mean = NumberOf(params.constant);
        break;
      case Strategy::kAuto:
      case Strategy::kMean:
        baseline_ = crossfold::bundled::FitBaseline(train);
        break;
    }
  }

  // A class drawn with the shares as probabilities, by number row_id + 1 of the generator that
  // starts at the seed, so a row gets the same class in every view.
  std::size_t Draw(std::int64_t row_id) const {
    constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15u;  // of Random
    const double u = cf::Random(seed_ + kStep * static_cast<std::uint64_t>(row_id)).Uniform();
    double passed = 0;
    std::size_t last = 0;
    for (std::size_t c = 0; c < baseline_.shares.size(); ++c) {
      if (baseline_.shares[c] == 0) continue;
      last = c;
      passed += baseline_.shares[c];
      if (u < passed) break;
    }
    return last;
  }

  crossfold::bundled::Baseline baseline_;  // `mean` is the predicted value under any strategy
  bool draws_ = false;
  std::uint64_t seed_ = 0;
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.featureless", "1.0.0", "The Crossfold Authors", "MIT", Featureless)
