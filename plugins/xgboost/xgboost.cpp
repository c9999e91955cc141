// Gradient boosting of XGBoost: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../bytes_of_rows.h"
#include "../class_labels.h"
#include "../feature_text.h"
#include "../number_text.h"
#include "../used_rows.h"
#include "../validation_rows.h"
#include "booster.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled::xgb {
namespace {

namespace cf = crossfold::plugin;

enum class TreeMethod { kExact, kApprox, kHist };
constexpr std::array<const char*, 3> kTreeMethodNames = {"exact", "approx", "hist"};

// The library computes with floats. A missing number stays NaN.
float AsFloat(double number, std::string_view subject) {
  if (std::abs(number) > static_cast<double>(std::numeric_limits<float>::max())) {
    throw cf::Error(CF_E_UNSUPPORTED_DATA, std::string(subject) +
                                               " has an entry beyond the range of xgboost's "
                                               "numbers (3.4e38)");
  }
  return static_cast<float>(number);
}

// Row-major.
std::vector<float> FloatRows(const cf::FeatureView& rows, std::span<const std::int64_t> chosen) {
  const auto d = static_cast<std::size_t>(rows.num_features());
  std::vector<float> dense(chosen.size() * d);
  for (std::size_t j = 0; j < d; ++j) {
    const auto feature = static_cast<std::int64_t>(j);
    const std::string subject = FeatureText(rows, feature);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      dense[i * d + j] = AsFloat(rows.x(chosen[i], feature), subject);
    }
  }
  return dense;
}

class Xgboost {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.xgboost",
                    .title = "Gradient boosted trees (XGBoost)",
                    .doc = "Trees that are added one after the other along the gradient of the "
                           "loss, with second derivatives and penalties, by the library XGBoost.",
                    .source = "T. Chen and C. Guestrin, XGBoost: a scalable tree boosting system, "
                              "KDD 2016",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER,
                    .process_flags = CF_USES_OPENMP,
                    .threading = CF_MT_OBJECTS},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_MISSING | CF_ACCEPTS_WEIGHTS};

  struct Params {
    std::int64_t rounds = 100;
    std::int64_t max_depth = 6;
    double eta = 0.3;
    double subsample = 1;
    double colsample_bytree = 1;
    double lambda = 1;
    double alpha = 0;
    double gamma = 0;
    double min_child_weight = 1;
    TreeMethod tree_method = TreeMethod::kHist;
    std::int64_t max_bin = 256;
    std::int64_t patience = 10;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer(
          "rounds", &Params::rounds, {.low = 1, .high = 1000000},
          "Number of boosting rounds: of trees, or of trees per class with more than two classes.",
          {.flags = CF_PF_LOG}),
      cf::Integer("max_depth", &Params::max_depth, {.low = 1, .high = 30},
                  "Maximum depth of a tree.", {.unit = "levels"}),
      cf::Real("eta", &Params::eta, {.low = 0, .high = 1}, "Share of each tree that is added.",
               {.flags = CF_PF_LOG | CF_PF_LO_OPEN}),
      cf::Real("subsample", &Params::subsample, {.low = 0, .high = 1},
               "Share of the rows that is drawn for each round.",
               {.flags = CF_PF_LO_OPEN, .unit = "share of the rows"}),
      cf::Real("colsample_bytree", &Params::colsample_bytree, {.low = 0, .high = 1},
               "Share of the features that is drawn for each tree.",
               {.flags = CF_PF_LO_OPEN, .unit = "share of the features"}),
      cf::Real("lambda", &Params::lambda, {.low = 0}, "L2 penalty of the leaves' values."),
      cf::Real("alpha", &Params::alpha, {.low = 0}, "L1 penalty of the leaves' values."),
      cf::Real("gamma", &Params::gamma, {.low = 0}, "Minimum loss reduction of a split."),
      cf::Real(
          "min_child_weight", &Params::min_child_weight, {.low = 0},
          "Minimum sum of second derivatives in a leaf; in regression the weight of its rows."),
      cf::Choice("tree_method", &Params::tree_method, kTreeMethodNames,
                 "Try all thresholds, or only those between the bins of each feature."),
      cf::Integer("max_bin", &Params::max_bin, {.low = 2, .high = 65536},
                  "Number of bins of a feature.",
                  {.active_if = "tree_method=approx,hist", .unit = "bins"}),
      cf::Integer("patience", &Params::patience, {.low = 1},
                  "Number of rounds without a lower loss on the validation rows after which "
                  "boosting stops; only with early_stopping_share.",
                  {.unit = "rounds"}));

  static Xgboost Fit(const Params& params, const cf::TrainingView& train,
                     const cf::Context& context) {
    return FitUntil(params, train, nullptr, context);
  }

  static constexpr std::array<const char*, 1> kValidationParams = {"patience"};
  static Xgboost FitValidated(const Params& params, const cf::TrainingView& train,
                              const cf::TrainingView& validation, const cf::Context& context) {
    return FitUntil(params, train, &validation, context);
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    // The entries as floats, as pairs in pages, and in bins.
    return BytesOfRows(shape, 24, 96);
  }

  cf::ModelShape shape() const { return {.n_features = n_features_, .n_classes = n_classes_}; }
  void Predict(const cf::FeatureView& rows, std::span<double> values,
               const cf::Context& context) const {
    ForEachBlock(rows, context, [&](std::size_t first, std::size_t n, std::span<const float> out) {
      for (std::size_t i = 0; i < n; ++i) values[first + i] = static_cast<double>(out[i]);
    });
  }

  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    std::fill(probabilities.begin(), probabilities.end(), 0.0);
    const auto n_classes = static_cast<std::size_t>(n_classes_);
    ForEachBlock(rows, context, [&](std::size_t first, std::size_t n, std::span<const float> out) {
      for (std::size_t i = 0; i < n; ++i) {
        Spread(out.subspan(i * num_outputs(), num_outputs()),
               probabilities.subspan((first + i) * n_classes, n_classes));
      }
    });
  }

  static constexpr std::uint32_t kFormatVersion = 1;

  void Save(cf::Writer& w) const {
    w.Write(n_features_);
    w.Write(n_classes_);
    w.WriteSpan<std::int32_t>(classes_);
    if (classes_.size() == 1) return;
    w.WriteText(booster_.Bytes());
    w.Write(w.checksum());
  }

  // The library trusts its bytes, so the checksum is compared first.
  static Xgboost Load(cf::Reader& r) {
    Xgboost loaded;
    loaded.n_features_ = r.ReadWithin<std::int64_t>(1, INT32_MAX);
    loaded.n_classes_ = r.ReadWithin<std::int64_t>(0, INT32_MAX);
    loaded.classes_ = r.ReadVector<std::int32_t>();
    if (!loaded.ClassesFit()) {
      throw cf::Error(CF_E_BAD_BLOB, "the classes of the saved model are out of range");
    }
    if (loaded.classes_.size() == 1) return loaded;
    const std::string bytes = r.ReadText();
    const std::uint64_t expected = r.checksum();
    if (r.Read<std::uint64_t>() != expected) {
      throw cf::Error(CF_E_BAD_BLOB, "the saved model is damaged: its checksum does not match");
    }
    loaded.booster_ = Booster::FromBytes(bytes);
    if (loaded.booster_.num_features() != static_cast<std::uint64_t>(loaded.n_features_)) {
      throw cf::Error(CF_E_BAD_BLOB, "the saved model has a different number of features");
    }
    return loaded;
  }

 private:
  // Fits all rounds or, with validation rows, until their loss falls no further.
  static Xgboost FitUntil(const Params& params, const cf::TrainingView& train,
                          const cf::TrainingView* validation, const cf::Context& context) {
    const Logging logging(context);
    Xgboost fitted;
    fitted.n_features_ = train.num_features();
    fitted.n_classes_ = train.num_classes();
    const std::vector<std::int64_t> used = UsedRowsById(train);
    if (train.is_classification()) fitted.classes_ = LabelsOf(train, used);
    if (fitted.classes_.size() == 1) {
      FloatRows(train, used);  // refuses entries as ever
      return fitted;
    }
    const std::unique_ptr<const Rows> rows = fitted.RowsOf(train, used);
    std::unique_ptr<const Rows> held;
    if (validation != nullptr) {
      held = fitted.RowsOf(*validation, UsedValidationRows(*validation, fitted.classes_));
    }
    fitted.booster_ = Booster(*rows, held.get());
    fitted.SetParams(params, train, used, context);
    fitted.AddRounds(params, *rows, held.get(), context);
    // Drops what only training needs, so that the model is in the state of a loaded one.
    fitted.booster_ = Booster::FromBytes(fitted.booster_.Bytes());
    return fitted;
  }

  // With validation rows the rounds end with the one after which their loss is lowest, the earliest
  // of equal ones.
  void AddRounds(const Params& params, const Rows& rows, const Rows* validation,
                 const cf::Context& context) {
    std::int64_t best = 0;  // the number of rounds
    double lowest = std::numeric_limits<double>::infinity();
    for (std::int64_t round = 0; round < params.rounds; ++round) {
      context.Progress(static_cast<double>(round) / static_cast<double>(params.rounds));
      booster_.AddRound(static_cast<int>(round), rows);
      if (validation == nullptr) continue;
      const double loss = booster_.LossAfter(static_cast<int>(round), *validation);
      if (loss < lowest) {
        lowest = loss;
        best = round + 1;
      }
      if (round + 1 - best >= params.patience) break;
    }
    if (validation == nullptr) return;
    if (best == 0) throw cf::Error(CF_E_NUMERIC, "the loss on the validation rows is not finite");
    booster_ = booster_.FirstRounds(static_cast<int>(best));
  }

  std::unique_ptr<const Rows> RowsOf(const cf::TrainingView& view,
                                     std::span<const std::int64_t> used) const {
    const std::vector<float> dense = FloatRows(view, used);
    auto rows =
        std::make_unique<Rows>(dense, used.size(), static_cast<std::size_t>(view.num_features()));
    rows->Set("label", Targets(view, used));
    if (view.has_weights()) rows->Set("weight", Weights(view, used));
    return rows;
  }

  // Classes are numbered among those of the training rows.
  std::vector<float> Targets(const cf::TrainingView& train,
                             std::span<const std::int64_t> used) const {
    std::vector<float> targets;
    for (const std::int64_t row : used) {
      if (train.is_classification()) {
        targets.push_back(static_cast<float>(PlaceOf(classes_, train.label(row))));
      } else {
        targets.push_back(AsFloat(train.value(row), "the target"));
      }
    }
    return targets;
  }

  static std::vector<float> Weights(const cf::TrainingView& train,
                                    std::span<const std::int64_t> used) {
    std::vector<float> weights;
    for (const std::int64_t row : used) {
      weights.push_back(AsFloat(train.weight(row), "the weights"));
    }
    return weights;
  }

  void SetParams(const Params& params, const cf::TrainingView& train,
                 std::span<const std::int64_t> used, const cf::Context& context) {
    booster_.Set("max_depth", std::to_string(params.max_depth));
    booster_.Set("eta", NumberText(params.eta));
    booster_.Set("subsample", NumberText(params.subsample));
    booster_.Set("colsample_bytree", NumberText(params.colsample_bytree));
    booster_.Set("lambda", NumberText(params.lambda));
    booster_.Set("alpha", NumberText(params.alpha));
    booster_.Set("gamma", NumberText(params.gamma));
    booster_.Set("min_child_weight", NumberText(params.min_child_weight));
    booster_.Set("tree_method", kTreeMethodNames[static_cast<std::size_t>(params.tree_method)]);
    if (params.tree_method != TreeMethod::kExact) {
      booster_.Set("max_bin", std::to_string(params.max_bin));
    }
    booster_.Set("seed", std::to_string(context.seed() >> 33));
    if (!train.is_classification()) {
      booster_.Set("objective", "reg:squarederror");
      booster_.Set("base_score", NumberText(MeanTarget(train, used)));
    } else if (classes_.size() == 2) {
      booster_.Set("objective", "binary:logistic");
    } else {
      booster_.Set("objective", "multi:softprob");
      booster_.Set("num_class", std::to_string(classes_.size()));
    }
  }

  static double MeanTarget(const cf::TrainingView& train, std::span<const std::int64_t> used) {
    double sum = 0, total = 0;
    for (const std::int64_t row : used) {
      sum += train.weight(row) * train.value(row);
      total += train.weight(row);
    }
    return sum / total;
  }

  bool ClassesFit() const {
    if (n_classes_ == 0) return classes_.empty();
    return !classes_.empty() && AreLabels(classes_, n_classes_);
  }

  // The outputs of the library: one for a number and for two classes, else one per class.
  std::size_t num_outputs() const { return classes_.size() > 2 ? classes_.size() : 1; }

  // The library's probabilities are floats; divided by their sum they add up to 1 as doubles.
  void Spread(std::span<const float> outputs, std::span<double> out) const {
    const auto at = [&](std::size_t c) -> double& {
      return out[static_cast<std::size_t>(classes_[c])];
    };
    if (classes_.size() == 2) {
      at(1) = static_cast<double>(outputs[0]);
      at(0) = 1 - at(1);
      return;
    }
    double sum = 0;
    for (const float p : outputs) sum += static_cast<double>(p);
    for (std::size_t c = 0; c < outputs.size(); ++c) at(c) = static_cast<double>(outputs[c]) / sum;
  }

  // Calls use(first row, number of rows, outputs).
  template <class Use>
  void ForEachBlock(const cf::FeatureView& rows, const cf::Context& context, Use&& use) const {
    constexpr std::int64_t kBlock = 4096;
    const Logging logging(context);
    for (std::int64_t first = 0; first < rows.num_rows(); first += kBlock) {
      context.Progress(static_cast<double>(first) / static_cast<double>(rows.num_rows()));
      std::vector<std::int64_t> chosen;
      for (std::int64_t i = first; i < std::min(first + kBlock, rows.num_rows()); ++i) {
        chosen.push_back(i);
      }
      const std::vector<float> dense = FloatRows(rows, chosen);
      const std::vector<float> sure(classes_.size() == 1 ? chosen.size() : 0, 1.0F);
      use(static_cast<std::size_t>(first), chosen.size(),
          classes_.size() == 1 ? std::span<const float>(sure)
                               : booster_.Predict(dense, chosen.size(), num_outputs()));
    }
  }

  std::int64_t n_features_ = 0;
  std::int64_t n_classes_ = 0;         // of the dataset; 0 in regression
  std::vector<std::int32_t> classes_;  // of the training rows, rising
  Booster booster_;                    // without a model if there is only one class
};

}  // namespace
}  // namespace crossfold::bundled::xgb

CROSSFOLD_PLUGIN("crossfold.xgboost", "1.0.0", "The Crossfold Authors", "MIT AND Apache-2.0",
                 crossfold::bundled::xgb::Xgboost)
