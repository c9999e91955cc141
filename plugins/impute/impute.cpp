// Fills missing entries: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../feature_values.h"
#include "../moments.h"
#include "../weighted_quantile.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

enum class Numeric { kMean, kMedian, kConstant };
constexpr std::array<const char*, 3> kNumericNames = {"mean", "median", "constant"};

enum class Categorical { kMode, kConstant };
constexpr std::array<const char*, 2> kCategoricalNames = {"mode", "constant"};

constexpr std::int32_t kConstantLevel = -1;

// `what` is the statistic that would need an entry.
[[noreturn]] void ThrowNoEntry(const cf::FeatureView& rows, std::int64_t j, const char* what,
                               const char* way_out) {
  throw cf::Error(CF_E_UNSUPPORTED_DATA, FeatureText(rows, j) +
                                             " is missing in all training rows, so it has no " +
                                             what + "; use " + way_out);
}

bool HasMissing(const cf::TrainingView& train, std::int64_t j) {
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    if (train.weight(i) > 0 && train.is_missing(i, j)) return true;
  }
  return false;
}

// Returns the level of the greatest total weight; ties go to the earlier one.
std::int32_t ModeOf(const cf::TrainingView& train, std::int64_t j) {
  std::vector<double> weight_of(static_cast<std::size_t>(train.num_levels(j)));
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    if (!train.is_missing(i, j)) {
      weight_of[static_cast<std::size_t>(train.x(i, j))] += train.weight(i);
    }
  }
  const auto best = std::max_element(weight_of.begin(), weight_of.end());
  if (best == weight_of.end() || *best == 0) {
    ThrowNoEntry(train, j, "mode", "categorical = constant");
  }
  return static_cast<std::int32_t>(best - weight_of.begin());
}

class Impute {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.impute",
                    .title = "Imputation",
                    .doc = "Fills missing entries: numeric ones with the mean or median of the "
                           "training rows or a constant, categorical ones with the most frequent "
                           "level or a level of their own.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  struct Params {
    Numeric numeric = Numeric::kMean;
    double constant = 0;
    Categorical categorical = Categorical::kMode;
    std::string level = "missing";
    bool indicator = false;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("numeric", &Params::numeric, kNumericNames, "What fills a numeric column."),
      cf::Real("constant", &Params::constant, {}, "The number that fills numeric columns.",
               {.active_if = "numeric=constant"}),
      cf::Choice("categorical", &Params::categorical, kCategoricalNames,
                 "What fills a categorical column: its most frequent level or a level of its own."),
      cf::Text("level", &Params::level, "The level that fills categorical columns.",
               {.active_if = "categorical=constant"}),
      cf::Boolean("indicator", &Params::indicator,
                  "Add a column of 0 and 1 for every column with missing training entries."));

  static Impute Fit(const Params& params, const cf::TrainingView& train,
                    const cf::Context& context) {
    Impute fitted;
    fitted.level_ = params.level;
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      ReportFeature(context, j, train.num_features());
      Fill fill;
      fill.indicator = params.indicator && HasMissing(train, j);
      if (!train.is_categorical(j)) {
        fill.number = NumberFor(params, train, j);
      } else if (params.categorical == Categorical::kMode) {
        fill.code = ModeOf(train, j);
      }
      fitted.fills_.push_back(fill);
    }
    return fitted;
  }

  cf::ModelShape shape() const { return {.n_features = std::ssize(fills_)}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context& context) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) {
      ReportFeature(context, j, rows.num_features());
      const Fill& fill = fills_[static_cast<std::size_t>(j)];
      if (rows.is_categorical(j)) {
        FillCategories(rows, j, fill.code, out);
      } else {
        const std::span<double> column = out.AddNumeric(std::string(rows.name(j)));
        CopyFinite(rows, j, column);
        for (double& x : column) x = std::isnan(x) ? fill.number : x;
      }
    }
    for (std::int64_t j = 0; j < rows.num_features(); ++j) {
      if (fills_[static_cast<std::size_t>(j)].indicator) AddIndicator(rows, j, out);
    }
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    for (std::int64_t j = 0; j < columns.num_features(); ++j) {
      const Fill& fill = fills_[static_cast<std::size_t>(j)];
      const double filled =
          columns.is_categorical(j) ? CodeFor(columns.column(j), fill.code) : fill.number;
      const auto is_missing = graph.Node("IsNaN", {graph.Column(j)});
      graph.SetOutput(columns.name(j),
                      graph.Node("Where", {is_missing, graph.Number(filled), graph.Column(j)}));
    }
    for (std::int64_t j = 0; j < columns.num_features(); ++j) {
      if (!fills_[static_cast<std::size_t>(j)].indicator) continue;
      const auto is_missing = graph.Node("IsNaN", {graph.Column(j)});
      graph.SetOutput(std::string(columns.name(j)) + "_missing",
                      graph.Node("Cast", {is_missing}, {{"to", cf::kOnnxDouble}}));
    }
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.WriteText(level_);
    w.Write(static_cast<std::uint64_t>(fills_.size()));
    for (const Fill& fill : fills_) {
      w.Write(fill.number);
      w.Write(fill.code);
      w.Write(fill.indicator);
    }
  }
  static Impute Load(cf::Reader& r) {
    Impute model;
    model.level_ = r.ReadText();
    const auto n = r.Read<std::uint64_t>();
    for (std::uint64_t i = 0; i < n; ++i) {
      Fill fill;
      fill.number = r.Read<double>();
      fill.code =
          r.ReadWithin<std::int32_t>(kConstantLevel, std::numeric_limits<std::int32_t>::max());
      fill.indicator = r.Read<bool>();
      model.fills_.push_back(fill);
    }
    return model;
  }

 private:
  struct Fill {
    double number = 0;                   // of a numeric column
    std::int32_t code = kConstantLevel;  // of a categorical column
    bool indicator = false;
  };

  static double NumberFor(const Params& params, const cf::TrainingView& train, std::int64_t j) {
    if (params.numeric == Numeric::kConstant) return params.constant;
    const bool mean = params.numeric == Numeric::kMean;
    const FeatureValues present = PresentValues(train, j);
    if (present.values.empty()) {
      ThrowNoEntry(train, j, mean ? "mean" : "median", "numeric = constant");
    }
    if (!mean) return Quantile(SortValues(present.values, present.weights), 0.5);
    return ComputeMoments(present.values, present.weights, Denominator::kTotalWeight,
                          FeatureText(train, j))
        .mean;
  }

  // The code of the level that fills the column; that of a level of its own comes after the others.
  std::int32_t CodeFor(const cf_column& column, std::int32_t code) const {
    if (code != kConstantLevel) return code;
    const auto* const found =
        std::find_if(column.levels, column.levels + column.n_levels,
                     [this](const char* level) { return level == std::string_view(level_); });
    return static_cast<std::int32_t>(found - column.levels);
  }

  // The levels are the column's own, and the constant one if it is to be used and is not yet there.
  void FillCategories(const cf::FeatureView& rows, std::int64_t j, std::int32_t code,
                      cf::ColumnSink& out) const {
    const cf_column& from = rows.column(j);
    std::vector<const char*> levels(from.levels, from.levels + from.n_levels);
    const bool is_own_level = code == kConstantLevel;
    code = CodeFor(from, code);
    if (is_own_level && code == std::ssize(levels)) levels.push_back(level_.c_str());
    if (code >= std::ssize(levels)) {
      throw cf::Error(CF_E_INVALID_ARGUMENT,
                      FeatureText(rows, j) + " has different levels from the training rows");
    }
    const std::span<std::int32_t> column =
        out.AddCategorical(std::string(rows.name(j)), levels, cf::IsOrdered(from));
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      const double x = rows.x(i, j);
      column[static_cast<std::size_t>(i)] = std::isnan(x) ? code : static_cast<std::int32_t>(x);
    }
  }

  static void AddIndicator(const cf::FeatureView& rows, std::int64_t j, cf::ColumnSink& out) {
    const std::span<double> column = out.AddNumeric(std::string(rows.name(j)) + "_missing");
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      column[static_cast<std::size_t>(i)] = rows.is_missing(i, j) ? 1 : 0;
    }
  }

  std::string level_;
  std::vector<Fill> fills_;  // one per feature
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.impute", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Impute)
