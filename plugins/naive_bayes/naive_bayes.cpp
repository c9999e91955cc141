// Naive Bayes for mixed columns: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../exact_sums.h"
#include "../level_names.h"
#include "../number_text.h"
#include "../softmax.h"
#include "batch.h"
#include "column_kinds.h"
#include "count_column.h"
#include "crossfold_plugin.hpp"
#include "kernel_column.h"
#include "level_column.h"
#include "normal_column.h"
#include "params.h"

namespace cf = crossfold::plugin;
using namespace crossfold::bundled;  // this plugin's own files

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

using Column = std::variant<LevelColumn, NormalColumn, KernelColumn, CountColumn>;

// A column without a kind has levels: categories, or the false and true of a bool.
Column MakeColumn(const cf::FeatureView& rows, std::int64_t j, std::optional<NumericKind> kind,
                  std::size_t n_classes) {
  const std::string name(rows.name(j));
  if (!kind.has_value()) return LevelColumn(name, LevelNames(rows, j), n_classes);
  switch (*kind) {
    case NumericKind::kKernel:
      return KernelColumn(name, n_classes);
    case NumericKind::kBernoulli:
      return LevelColumn(name, {"0", "1"}, n_classes);
    case NumericKind::kPoisson:
    case NumericKind::kMultinomial:
      return CountColumn(name, *kind, n_classes);
    case NumericKind::kNormal:
      break;
  }
  return NormalColumn(name, n_classes);
}

class NaiveBayes {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.naive_bayes",
                    .title = "Naive Bayes",
                    .doc = "Class probabilities by Bayes' rule, features taken as independent "
                           "within a class: frequencies of the levels of categorical and bool "
                           "features; normal, kernel, Poisson, Bernoulli or multinomial "
                           "distributions for the others. Missing entries are left out of "
                           "training and prediction.",
                    .source = "R. O. Duda and P. E. Hart, Pattern Classification and Scene "
                              "Analysis, Wiley 1973; P. Domingos and M. Pazzani, Machine Learning "
                              "29 (1997) 103-130; G. H. John and P. Langley, UAI 1995, 338-345"},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};

  using Params = BayesParams;
  static constexpr auto kSchema = cf::Schema(
      cf::Real("laplace", &Params::laplace, {.low = 0},
               "Added to the count of every level within every class.", {.unit = "rows"}),
      cf::Choice("numeric", &Params::numeric, kNumericKindNames,
                 "Distribution of numeric features within a class."),
      cf::Text("columns", &Params::columns,
               "Other distributions for single features, such as 'visits=poisson,age=kernel'."),
      cf::Choice("prior", &Params::prior, kPriorRuleNames,
                 "Class probabilities before any feature is seen: the shares of the training "
                 "rows, all equal, or those of priors."),
      cf::RealList("priors", &Params::priors, {.low = 0, .high = 1},
                   "Probability of every class, in class order; they sum to 1.",
                   {.active_if = "prior=given"}),
      cf::Choice("variance", &Params::variance, kVarianceNames,
                 "Denominator of the variances: n (ml, maximum likelihood) or n - 1 (sample)."),
      cf::Real("min_sd", &Params::min_sd, {.low = 0},
               "Least standard deviation (or bandwidth) of a feature within a class, as a share "
               "of the feature's standard deviation over all training rows."),
      cf::Real("var_smoothing", &Params::var_smoothing, {.low = 0},
               "Share of the largest variance of all normal features that is added to every "
               "variance.",
               {.flags = CF_PF_LOG}),
      cf::Choice("bandwidth", &Params::bandwidth, kBandwidthRuleNames,
                 "Width of the kernels of a class with n rows: range / sqrt(n), 1 / sqrt(n), or "
                 "Silverman's rule."),
      cf::Real("bandwidth_factor", &Params::bandwidth_factor, {.low = 0},
               "The bandwidth is multiplied by it."));

  static NaiveBayes Fit(const Params& params, const cf::TrainingView& train,
                        const cf::Context& context) {
    NaiveBayes fitted;
    fitted.params_ = params;
    for (std::int64_t c = 0; c < train.num_classes(); ++c) {
      fitted.class_names_.emplace_back(train.class_name(c));
    }
    const std::size_t n_classes = fitted.class_names_.size();
    fitted.class_weights_ = ExactSums(n_classes);
    fitted.RefuseBadPriors();
    fitted.kinds_ = ColumnKinds(train, params.numeric, params.columns);
    for (std::size_t j = 0; j < fitted.kinds_.size(); ++j) {
      const auto feature = static_cast<std::int64_t>(j);
      fitted.names_.emplace_back(train.name(feature));
      fitted.columns_.push_back(MakeColumn(train, feature, fitted.kinds_[j], n_classes));
    }
    fitted.AddRows(train, context);
    return fitted;
  }

  // Every sum is exact and the values of kernels are kept in order, so the model depends on the
  // set of rows alone.
  static constexpr bool kIncrementalExact = true;
  void AddRows(const cf::TrainingView& rows, const cf::Context& context) {
    Update(rows, Batch(rows, false), context);
  }
  void RemoveRows(const cf::TrainingView& rows, const cf::Context& context) {
    Update(rows, Batch(rows, true), context);
  }

  cf::ModelShape shape() const {
    return {.n_features = std::ssize(columns_), .n_classes = std::ssize(class_names_)};
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    const auto n = static_cast<std::size_t>(rows.num_rows());
    const ScoreTable table{probabilities, priors_.size()};
    for (std::size_t i = 0; i < n; ++i) {
      std::copy(log_priors_.begin(), log_priors_.end(), table.row(i));
    }
    std::vector<double> x(n);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      context.Progress(static_cast<double>(j) / static_cast<double>(columns_.size()));
      rows.CopyColumn(static_cast<std::int64_t>(j), x);
      std::visit([&](const auto& column) { column.Score(x, table); }, columns_[j]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      Normalise(probabilities.subspan(i * priors_.size(), priors_.size()));
    }
  }

  static constexpr std::array<const char*, 1> kExportFormats = {"text"};
  std::string Export(std::size_t, const cf::Context&) const {
    const Shared shared = MakeShared();
    std::string text;
    for (std::size_t c = 0; c < priors_.size(); ++c) {
      text += "P(" + class_names_[c] + ") = " + NumberText(priors_[c]) + "\n";
    }
    for (const Column& one : columns_) {
      text += std::visit([&](const auto& column) { return column.Describe(shared); }, one);
    }
    return text;
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    SaveParams(w);
    w.Write(static_cast<std::uint64_t>(class_names_.size()));
    for (const std::string& name : class_names_) w.WriteText(name);
    class_weights_.Save(w);
    w.Write(static_cast<std::uint64_t>(columns_.size()));
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      w.WriteText(names_[j]);
      w.Write(static_cast<std::int32_t>(kinds_[j].has_value() ? static_cast<int>(*kinds_[j]) : -1));
      std::visit([&](const auto& column) { column.Save(w); }, columns_[j]);
    }
  }
  static NaiveBayes Load(cf::Reader& r) {
    NaiveBayes loaded;
    loaded.LoadParams(r);
    const auto n_classes = r.ReadWithin<std::uint64_t>(1, std::numeric_limits<std::int32_t>::max());
    for (std::uint64_t c = 0; c < n_classes; ++c) loaded.class_names_.push_back(r.ReadText());
    loaded.class_weights_ = ExactSums::Load(r, loaded.class_names_.size());
    const auto n_columns = r.Read<std::uint64_t>();
    for (std::uint64_t j = 0; j < n_columns; ++j) loaded.LoadColumn(r);
    try {
      loaded.RefuseBadPriors();
      loaded.Finish();
    } catch (const cf::Error& e) {
      throw cf::Error(CF_E_BAD_BLOB,
                      std::string("the saved model contradicts itself: ") + e.what());
    }
    return loaded;
  }

 private:
  void RefuseBadPriors() const {
    if (params_.prior != PriorRule::kGiven) return;
    if (params_.priors.size() != class_names_.size()) {
      throw cf::Error(CF_E_INVALID_ARGUMENT, "priors has " + std::to_string(params_.priors.size()) +
                                                 " entries for " +
                                                 std::to_string(class_names_.size()) + " classes");
    }
    double sum = 0;
    for (const double prior : params_.priors) sum += prior;
    if (!(std::fabs(sum - 1) <= 1e-6)) {
      throw cf::Error(CF_E_INVALID_ARGUMENT, "priors sums to " + NumberText(sum) + ", not to 1");
    }
  }

  void Update(const cf::TrainingView& rows, const Batch& batch, const cf::Context& context) {
    for (std::size_t i = 0; i < batch.classes.size(); ++i) {
      class_weights_.Add(batch.classes[i], batch.weights[i]);
    }
    class_weights_.Normalise();
    std::vector<double> x(batch.classes.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      context.Progress(static_cast<double>(j) / static_cast<double>(columns_.size()));
      rows.CopyColumn(static_cast<std::int64_t>(j), x);
      std::visit([&](auto& column) { column.Update(batch, x); }, columns_[j]);
    }
    Finish();
  }

  // Everything that follows from the sums.
  void Finish() {
    FinishPriors();
    const Shared shared = MakeShared();
    for (Column& one : columns_) {
      std::visit([&](auto& column) { column.Finish(shared); }, one);
    }
  }

  void FinishPriors() {
    const std::size_t n_classes = class_names_.size();
    priors_.assign(n_classes, 0);
    bool any = false;
    double total = 0;
    for (std::size_t c = 0; c < n_classes; ++c) {
      const double weight = class_weights_.Value(c);
      if (weight < 0) {
        throw cf::Error(CF_E_INVALID_ARGUMENT, "the rows to remove are not in the model");
      }
      if (weight == 0) continue;  // a class that the training rows lack is impossible
      any = true;
      if (params_.prior == PriorRule::kLearned) priors_[c] = weight;
      if (params_.prior == PriorRule::kUniform) priors_[c] = 1;
      if (params_.prior == PriorRule::kGiven) priors_[c] = params_.priors[c];
      total += priors_[c];
    }
    if (!any) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of 0");
    }
    if (!(total > 0)) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "priors is 0 for every class that the training rows have");
    }
    log_priors_.resize(n_classes);
    for (std::size_t c = 0; c < n_classes; ++c) {
      priors_[c] /= total;
      log_priors_[c] = std::log(priors_[c]);
    }
  }

  Shared MakeShared() const {
    Shared shared;
    shared.params = &params_;
    shared.class_names = class_names_;
    shared.multinomial_totals.resize(class_names_.size());
    double largest_variance = 0;
    for (const Column& one : columns_) {
      if (const auto* counts = std::get_if<CountColumn>(&one)) {
        if (!counts->is_multinomial()) continue;
        shared.n_multinomial += 1;
        for (std::size_t c = 0; c < class_names_.size(); ++c) {
          shared.multinomial_totals[c] += counts->Total(c);
        }
      }
      if (const auto* normal = std::get_if<NormalColumn>(&one);
          normal && params_.var_smoothing > 0) {
        const double sd = normal->Overall(params_.variance).sd;
        largest_variance = std::max(largest_variance, sd * sd);
      }
    }
    shared.added_variance = params_.var_smoothing * largest_variance;
    return shared;
  }

  // Scores to probabilities, in place. If every class is impossible, the priors remain.
  void Normalise(std::span<double> scores) const {
    const double best = *std::max_element(scores.begin(), scores.end());
    if (best == kMinusInfinity) {
      std::copy(priors_.begin(), priors_.end(), scores.begin());
      return;
    }
    Softmax(scores);
  }

  void SaveParams(cf::Writer& w) const {
    w.Write(params_.laplace);
    w.Write(static_cast<std::int32_t>(params_.prior));
    w.WriteSpan<double>(params_.priors);
    w.Write(static_cast<std::int32_t>(params_.variance));
    w.Write(params_.min_sd);
    w.Write(params_.var_smoothing);
    w.Write(static_cast<std::int32_t>(params_.bandwidth));
    w.Write(params_.bandwidth_factor);
  }
  void LoadParams(cf::Reader& r) {
    constexpr double kMost = std::numeric_limits<double>::max();
    params_.laplace = r.ReadWithin<double>(0, kMost);
    params_.prior = static_cast<PriorRule>(r.ReadWithin<std::int32_t>(0, 2));
    params_.priors = r.ReadVector<double>();
    params_.variance = static_cast<Denominator>(r.ReadWithin<std::int32_t>(0, 1));
    params_.min_sd = r.ReadWithin<double>(0, kMost);
    params_.var_smoothing = r.ReadWithin<double>(0, kMost);
    params_.bandwidth = static_cast<BandwidthRule>(r.ReadWithin<std::int32_t>(0, 2));
    params_.bandwidth_factor = r.ReadWithin<double>(0, kMost);
  }
  void LoadColumn(cf::Reader& r) {
    const std::size_t n_classes = class_names_.size();
    std::string name = r.ReadText();
    const auto kind = r.ReadWithin<std::int32_t>(-1, 4);
    names_.push_back(name);
    kinds_.push_back(kind < 0 ? std::nullopt : std::optional(static_cast<NumericKind>(kind)));
    if (kind < 0 || kinds_.back() == NumericKind::kBernoulli) {
      columns_.emplace_back(LevelColumn::Load(r, std::move(name), n_classes));
    } else if (kinds_.back() == NumericKind::kNormal) {
      columns_.emplace_back(NormalColumn::Load(r, std::move(name), n_classes));
    } else if (kinds_.back() == NumericKind::kKernel) {
      columns_.emplace_back(KernelColumn::Load(r, std::move(name), n_classes));
    } else {
      columns_.emplace_back(CountColumn::Load(r, std::move(name), *kinds_.back(), n_classes));
    }
  }

  Params params_;
  std::vector<std::string> class_names_;
  ExactSums class_weights_;
  std::vector<double> priors_;  // one a class of the dataset; 0 if the training rows lack it
  std::vector<double> log_priors_;
  std::vector<std::string> names_;  // of the features
  std::vector<std::optional<NumericKind>> kinds_;
  std::vector<Column> columns_;
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.naive_bayes", "1.0.0", "The Crossfold Authors", "MIT", NaiveBayes)
