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
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../exact_sums.h"
#include "../level_names.h"
#include "../number_text.h"
#include "../row_entries.h"
#include "batch.h"
#include "count_column.h"
#include "crossfold_plugin.hpp"
#include "gamma_column.h"
#include "incremental_cross.h"
#include "kernel_column.h"
#include "level_column.h"
#include "normal_column.h"
#include "normal_cross.h"
#include "normal_scores.h"
#include "number_rows.h"
#include "onnx_scores.h"
#include "params.h"
#include "score_block.h"

namespace cf = crossfold::plugin;
using namespace crossfold::bundled;  // this plugin's own files

namespace {

using Column = std::variant<LevelColumn, NormalColumn, KernelColumn, CountColumn, GammaColumn>;

// A column without a kind has levels: categories, or the false and true of a bool.
Column MakeColumn(const cf::FeatureView& rows, std::int64_t j, std::optional<NumericKind> kind,
                  std::optional<std::int64_t> trials, std::size_t n_classes) {
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
    case NumericKind::kBinomial:
      if (!trials) {
        throw cf::Error(CF_E_INVALID_PARAM,
                        FeatureText(name) + " is binomial, which needs a value of trials");
      }
      return CountColumn(name, *kind, n_classes, static_cast<double>(*trials));
    case NumericKind::kGamma:
      return GammaColumn(name, n_classes);
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
                           "features; normal, kernel, Poisson, Bernoulli, multinomial, "
                           "gamma or binomial distributions for the others. Missing entries "
                           "are left out of training and prediction.",
                    .source = "R. O. Duda and P. E. Hart, Pattern Classification and Scene "
                              "Analysis, Wiley 1973; P. Domingos and M. Pazzani, Machine Learning "
                              "29 (1997) 103-130; G. H. John and P. Langley, UAI 1995, 338-345",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};

  using Params = BayesParams;
  static constexpr auto kSchema = cf::Schema(
      cf::Real("laplace", &Params::laplace, {.low = 0},
               "Added to the count of every level within every class.", {.unit = "rows"}),
      cf::Choice("numeric", &Params::numeric, kNumericKindNames,
                 "Distribution of numeric features within a class.", {.flags = CF_PF_PREPARE}),
      cf::Text("columns", &Params::columns,
               "Other distributions for single features, such as 'visits=poisson,age=kernel'.",
               {.flags = CF_PF_PREPARE}),
      cf::Integer("trials", &Params::trials, {.low = 1, .high = kMostTrials},
                  "Number of trials of which an entry of a binomial feature counts the successes."),
      cf::Choice("prior", &Params::prior, kPriorRuleNames,
                 "Prior class probabilities: the shares of the training rows, all equal, or those "
                 "of priors."),
      cf::RealList("priors", &Params::priors, {.low = 0, .high = 1},
                   "Probability of every class, in class order; they sum to 1.",
                   {.active_if = "prior=given"}),
      cf::Choice("variance", &Params::variance, kVarianceNames,
                 "Denominator of the variances: n (ml, maximum likelihood) or n - 1 (sample)."),
      cf::Real("min_sd", &Params::min_sd, {.low = 0},
               "Minimum standard deviation (or bandwidth) of a feature within a class, as a share "
               "of the feature's standard deviation over all training rows."),
      cf::Real("var_smoothing", &Params::var_smoothing, {.low = 0},
               "Share of the largest variance of all normal features that is added to every "
               "variance.",
               {.flags = CF_PF_LOG}),
      cf::Choice("bandwidth", &Params::bandwidth, kBandwidthRuleNames,
                 "Width of the kernels of a class with n rows: range / sqrt(n), 1 / sqrt(n), or "
                 "Silverman's rule."),
      cf::Real("bandwidth_factor", &Params::bandwidth_factor, {.low = 0},
               "Factor that multiplies the bandwidth."));

  static NaiveBayes Fit(const Params& params, const cf::TrainingView& train,
                        const cf::Context& context) {
    NaiveBayes fitted;
    fitted.params_ = params;
    for (std::int64_t c = 0; c < train.num_classes(); ++c) {
      fitted.class_names_.emplace_back(train.class_name(c));
    }
    const std::size_t n_classes = fitted.class_names_.size();
    fitted.class_weights_ = ExactSums(n_classes);
    RefuseBadPriors(params, n_classes);
    fitted.kinds_ = ColumnKinds(train, params.numeric, params.columns);
    for (std::size_t j = 0; j < fitted.kinds_.size(); ++j) {
      const auto feature = static_cast<std::int64_t>(j);
      fitted.names_.emplace_back(train.name(feature));
      fitted.columns_.push_back(
          MakeColumn(train, feature, fitted.kinds_[j], params.trials, n_classes));
    }
    fitted.AddRows(train, context);
    return fitted;
  }

  static std::uint64_t FitBytes(const Params& params, const cf_shape& shape, const cf::Context&) {
    constexpr std::uint64_t kBytesOfBlockRow = 48;  // of Batch, and the entries in two orders
    constexpr std::uint64_t kBytesOfClass = 1024;   // the sums of a column
    const auto n_rows = static_cast<std::uint64_t>(shape.n_rows);
    const auto n_features = static_cast<std::uint64_t>(shape.n_features);
    const bool kernels = params.numeric == NumericKind::kKernel ||
                         params.columns.find("kernel") != std::string::npos;
    const std::uint64_t fixed =
        n_features * (static_cast<std::uint64_t>(shape.n_classes) + 1) * kBytesOfClass;
    if (!kernels) {
      return fixed + kBytesOfBlockRow * std::min(n_rows, static_cast<std::uint64_t>(kRowsPerBlock));
    }
    // Entries with their weights, and those of one column once more while they are sorted.
    return fixed + n_rows * (kBytesOfBlockRow + 32 + 16 * n_features);
  }
  static std::uint64_t CrossBytes(const Params& params, const cf_shape& shape,
                                  const cf::Context& context) {
    constexpr std::uint64_t kBytesOfRow = 24;  // its position, its place in a fold of half the rows
    const auto n_rows = static_cast<std::uint64_t>(shape.n_rows);
    const std::uint64_t fit = FitBytes(params, shape, context);
    if (!IsCopied(shape.n_rows, shape.n_features)) return 2 * fit + kBytesOfRow * n_rows;
    return 2 * fit + n_rows * (2 * kBytesOfRow + 16 * static_cast<std::uint64_t>(shape.n_features));
  }

  // Every sum is exact and the values of kernels are kept in order, so the model depends on the
  // set of rows alone.
  static constexpr bool kIncrementalExact = true;
  void AddRows(const cf::TrainingView& rows, const cf::Context& context) {
    Update(rows, false, context);
  }
  void RemoveRows(const cf::TrainingView& rows, const cf::Context& context) {
    Update(rows, true, context);
  }

  cf::ModelShape shape() const {
    return {.n_features = std::ssize(columns_), .n_classes = std::ssize(class_names_)};
  }
  // Returns the most probable class; ties go to the lower one.
  void Predict(const cf::FeatureView& rows, std::span<std::int32_t> labels,
               const cf::Context& context) const {
    ForBlocks(rows, context, [&](const ScoreBlock& block, std::size_t first, std::size_t n) {
      block.ToLabels(priors_, labels.subspan(first, n));
    });
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    const std::size_t n_classes = class_names_.size();
    ForBlocks(rows, context, [&](const ScoreBlock& block, std::size_t first, std::size_t n) {
      block.ToProbabilities(priors_, probabilities.subspan(first * n_classes, n * n_classes));
    });
  }

  static void CrossPredict(std::span<const Params> settings, const cf::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           const cf::CrossSink& sink, const cf::Context& context) {
    CrossPredictFrom(nullptr, settings, rows, fold_of_row, n_folds, sink, context);
  }

  // There is nothing to prepare if not all columns are normal, or if quick sums cannot take their
  // numbers.
  struct Prepared {
    std::optional<PreparedNumbers> numbers;
    std::uint64_t Bytes() const {
      return sizeof(*this) + (numbers.has_value() ? numbers->Bytes() : 0);
    }
  };
  static Prepared Prepare(const Params& params, const cf::FeatureView& all, const cf::Context&) {
    Prepared prepared;
    if (!AllNormal(all, params) || !IsCopied(all.num_rows(), all.num_features())) return prepared;
    if (auto numbers = NumberRows::Make(all)) prepared.numbers.emplace(*std::move(numbers), all);
    return prepared;
  }
  // A single fit reads every number once, so nothing would be gained.
  static NaiveBayes FitPrepared(const Params& params, const Prepared&,
                                const cf::TrainingView& train, const cf::Context& context) {
    return Fit(params, train, context);
  }
  static void CrossPredictPrepared(std::span<const Params> settings, const Prepared& prepared,
                                   const cf::TrainingView& rows,
                                   std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                                   const cf::CrossSink& sink, const cf::Context& context) {
    const PreparedNumbers* numbers = prepared.numbers.has_value() ? &*prepared.numbers : nullptr;
    CrossPredictFrom(numbers, settings, rows, fold_of_row, n_folds, sink, context);
  }

  static constexpr std::array<const char*, 1> kExportFormats = {"text"};
  std::string Export(std::size_t, const cf::Context&) const {
    const Shared shared = MakeShared();
    std::string text;
    for (std::size_t c = 0; c < class_names_.size(); ++c) {
      text += "P(" + class_names_[c] + ") = " + NumberText(priors_.shares[c]) + "\n";
    }
    for (const Column& one : columns_) {
      text += std::visit([&](const auto& column) { return column.Describe(shared); }, one);
    }
    return text;
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    const std::size_t n_classes = class_names_.size();
    auto scores = OnEveryRow(graph, graph.Numbers(priors_.logs, {1, n_classes}));
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const auto column = cf::OnnxGraph::Column(static_cast<std::int64_t>(j));
      std::visit(
          [&](const auto& one) {
            if constexpr (requires { one.AddOnnx(graph, column); }) {
              scores = graph.Node("Add", {scores, one.AddOnnx(graph, column)});
            } else if constexpr (!std::is_same_v<decltype(one), const NormalColumn&>) {
              RefuseOnnx(columns, j);
            }
          },
          columns_[j]);
    }
    if (!normal_features_.empty()) {
      scores = graph.Node("Add", {scores, AddOnnxNormalScores(graph)});
    }
    SetClassOutputs(graph, OnnxProbabilities(graph, scores, priors_));
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
      RefuseBadPriors(loaded.params_, loaded.class_names_.size());
      loaded.Finish();
    } catch (const cf::Error& e) {
      throw cf::Error(CF_E_BAD_BLOB, std::string("the saved model is inconsistent: ") + e.what());
    }
    return loaded;
  }

 private:
  // Rows whose entries are read at a time: they and their classes stay in the cache.
  static constexpr std::int64_t kRowsPerBlock = 1 << 17;

  static void CrossPredictFrom(const PreparedNumbers* numbers, std::span<const Params> settings,
                               const cf::TrainingView& rows,
                               std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                               const cf::CrossSink& sink, const cf::Context& context) {
    const FeatureNames names(rows);
    const bool is_copied = IsCopied(rows.num_rows(), rows.num_features());
    std::optional<GroupedRows> grouped;
    bool is_tried = false;
    for (std::size_t s = 0; s < settings.size(); ++s) {
      sink.Try(s, -1, [&] {
        RefuseBadPriors(settings[s], names.classes.size());
        const bool is_normal = AllNormal(rows, settings[s]);
        if (is_normal && is_copied && !std::exchange(is_tried, true)) {
          grouped = GroupedRows::Make(rows, fold_of_row, n_folds, numbers);
        }
        if (is_normal && grouped.has_value()) {
          NormalCross(*grouped, settings[s], names, s, sink, context).Run();
        } else {
          IncrementalCross<NaiveBayes>(settings[s], rows, fold_of_row, n_folds, context)
              .Run(s, sink);
        }
      });
    }
  }

  // Whether cross-prediction copies all numbers. Both ways give the same bytes.
  static bool IsCopied(std::int64_t n_rows, std::int64_t n_features) {
    constexpr std::int64_t kMostNumbers = std::int64_t{1} << 26;
    return n_rows * n_features <= kMostNumbers;
  }

  static bool AllNormal(const cf::FeatureView& rows, const Params& params) {
    const auto kinds = ColumnKinds(rows, params.numeric, params.columns);
    return std::all_of(kinds.begin(), kinds.end(),
                       [](const auto& kind) { return kind == NumericKind::kNormal; });
  }

  // A column of kernels keeps its entries, and merges them with those of each block.
  bool KeepsEntries() const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [](const Column& one) { return std::holds_alternative<KernelColumn>(one); });
  }

  // The sums are exact, so the blocks change nothing.
  void Update(const cf::TrainingView& rows, bool leaving, const cf::Context& context) {
    const std::int64_t n_rows = rows.num_rows();
    const std::int64_t most = KeepsEntries() ? n_rows : std::min(n_rows, kRowsPerBlock);
    for (std::int64_t first = 0; first < n_rows; first += most) {
      const std::int64_t n = std::min(most, n_rows - first);
      UpdateBlock(rows, first, Batch(rows, first, n, leaving), context);
    }
    Finish();
  }

  void UpdateBlock(const cf::TrainingView& rows, std::int64_t first, const Batch& batch,
                   const cf::Context& context) {
    for (std::size_t i = 0; i < batch.classes.size(); ++i) {
      class_weights_.Add(batch.classes[i], batch.weights[i]);
    }
    class_weights_.Normalise();
    std::vector<double> x(batch.classes.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      context.Progress(
          (static_cast<double>(first) + static_cast<double>(x.size()) * static_cast<double>(j) /
                                            static_cast<double>(columns_.size())) /
          static_cast<double>(rows.num_rows()));
      ReadEntries(rows, static_cast<std::int64_t>(j), first, x);
      std::visit([&](auto& column) { column.Update(batch, x); }, columns_[j]);
    }
  }

  // Computes everything that follows from the sums.
  void Finish() {
    std::vector<double> weights;
    for (std::size_t c = 0; c < class_names_.size(); ++c) {
      weights.push_back(class_weights_.Value(c));
    }
    priors_ = PriorsOf(params_, weights);
    const Shared shared = MakeShared();
    for (Column& one : columns_) {
      std::visit([&](auto& column) { column.Finish(shared); }, one);
    }
    CollectNormalScores();
  }

  // The normal columns that are used, side by side.
  void CollectNormalScores() {
    normal_features_.clear();
    std::vector<std::span<const NormalColumn::Density>> densities;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const auto* normal = std::get_if<NormalColumn>(&columns_[j]);
      if (normal == nullptr || normal->densities().empty()) continue;
      normal_features_.push_back(j);
      densities.push_back(normal->densities());
    }
    normal_scores_ = NormalScores(class_names_.size(), densities.size());
    for (std::size_t c = 0; c < class_names_.size(); ++c) {
      for (std::size_t k = 0; k < densities.size(); ++k) {
        normal_scores_.Set(c, k, densities[k][c].mean, densities[k][c].variance);
      }
      normal_scores_.FinishClass(c);
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
        largest_variance = std::max(largest_variance, normal->Overall(params_.variance).variance);
      }
    }
    shared.added_variance = params_.var_smoothing * largest_variance;
    return shared;
  }

  // Calls take(scores, first row, number of rows) for all rows.
  template <class Take>
  void ForBlocks(const cf::FeatureView& rows, const cf::Context& context, const Take& take) const {
    constexpr std::size_t kRows = ScoreBlock::kRows;
    const auto n_rows = static_cast<std::size_t>(rows.num_rows());
    ScoreBlock block(class_names_.size());
    std::vector<double> starts(class_names_.size() * kRows);
    std::vector<double> x((normal_features_.size() + 1) * kRows);
    for (std::size_t first = 0; first < n_rows; first += kRows) {
      context.Progress(static_cast<double>(first) / static_cast<double>(n_rows));
      const std::size_t n = std::min(kRows, n_rows - first);
      ScoreOtherColumns(rows, first, n, std::span(x).first(n), starts);
      for (std::size_t k = 0; k < normal_features_.size(); ++k) {
        ReadEntries(rows, static_cast<std::int64_t>(normal_features_[k]),
                    static_cast<std::int64_t>(first), std::span(x).subspan(k * kRows, n));
      }
      ScoreNormalColumns(x, starts, n, block);
      take(block, first, n);
    }
  }

  // Log priors and all columns that are not normal: rows x classes. `x` is scratch.
  void ScoreOtherColumns(const cf::FeatureView& rows, std::size_t first, std::size_t n,
                         std::span<double> x, std::span<double> starts) const {
    const ScoreTable table{starts, class_names_.size()};
    for (std::size_t i = 0; i < n; ++i) {
      std::copy(priors_.logs.begin(), priors_.logs.end(), table.row(i));
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      std::visit(
          [&](const auto& column) {
            if constexpr (requires { column.Score(x, table); }) {
              ReadEntries(rows, static_cast<std::int64_t>(j), static_cast<std::int64_t>(first), x);
              column.Score(x, table);
            }
          },
          columns_[j]);
    }
  }

  // The scores of the first n rows from their starts and the entries of the normal columns.
  void ScoreNormalColumns(std::span<const double> x, std::span<const double> starts, std::size_t n,
                          ScoreBlock& block) const {
    constexpr std::size_t kRows = ScoreBlock::kRows;
    const std::size_t n_classes = class_names_.size();
    std::array<bool, kRows> has_gap{};
    for (std::size_t k = 0; k < normal_features_.size(); ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        RefuseInfinite(names_[normal_features_[k]], x[k * kRows + i]);
        has_gap[i] = has_gap[i] || std::isnan(x[k * kRows + i]);
      }
    }
    for (std::size_t c = 0; c < n_classes; ++c) {
      for (std::size_t i = 0; i < n; ++i) {
        block.of_class(c)[i] = starts[i * n_classes + c] - normal_scores_.half_volume(c);
      }
    }
    normal_scores_.SubtractDistances(x.data(), kRows, n, 0, n_classes, block.of_class(0), kRows);
    for (std::size_t i = 0; i < n; ++i) {
      if (!has_gap[i]) continue;
      for (std::size_t c = 0; c < n_classes; ++c) {
        block.of_class(c)[i] =
            normal_scores_.Score(x.data() + i, kRows, c, starts[i * n_classes + c]);
      }
    }
  }

  cf::OnnxGraph::Value AddOnnxNormalScores(cf::OnnxGraph& graph) const {
    std::vector<std::int64_t> places;
    std::vector<double> means, variances;
    for (std::size_t c = 0; c < class_names_.size(); ++c) {
      for (const std::size_t j : normal_features_) {
        const auto& density = std::get<NormalColumn>(columns_[j]).densities()[c];
        means.push_back(density.mean);
        variances.push_back(density.variance);
      }
    }
    for (const std::size_t j : normal_features_) places.push_back(static_cast<std::int64_t>(j));
    return OnnxNormalScores(graph, places, means, variances, class_names_.size());
  }

  [[noreturn]] void RefuseOnnx(const cf::FeatureView& columns, std::size_t j) const {
    throw cf::Error(CF_E_UNSUPPORTED,
                    FeatureText(columns.name(static_cast<std::int64_t>(j))) + " is " +
                        kNumericKindNames[static_cast<std::size_t>(kinds_[j].value())] +
                        ", which has no ONNX form; use another distribution");
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
    const auto kind =
        r.ReadWithin<std::int32_t>(-1, static_cast<int>(kNumericKindNames.size()) - 1);
    names_.push_back(name);
    kinds_.push_back(kind < 0 ? std::nullopt : std::optional(static_cast<NumericKind>(kind)));
    if (kind < 0 || kinds_.back() == NumericKind::kBernoulli) {
      columns_.emplace_back(LevelColumn::Load(r, std::move(name), n_classes));
    } else if (kinds_.back() == NumericKind::kNormal) {
      columns_.emplace_back(NormalColumn::Load(r, std::move(name), n_classes));
    } else if (kinds_.back() == NumericKind::kKernel) {
      columns_.emplace_back(KernelColumn::Load(r, std::move(name), n_classes));
    } else if (kinds_.back() == NumericKind::kGamma) {
      columns_.emplace_back(GammaColumn::Load(r, std::move(name), n_classes));
    } else {
      columns_.emplace_back(CountColumn::Load(r, std::move(name), *kinds_.back(), n_classes));
    }
  }

  Params params_;
  std::vector<std::string> class_names_;
  ExactSums class_weights_;
  ClassPriors priors_;
  std::vector<std::string> names_;  // of the features
  std::vector<std::optional<NumericKind>> kinds_;
  std::vector<Column> columns_;
  std::vector<std::size_t> normal_features_;  // those of normal_scores_
  NormalScores normal_scores_;
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.naive_bayes", "1.0.0", "The Crossfold Authors", "MIT", NaiveBayes)
