// Centres and scales numeric columns by quantiles: see README.md.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../feature_values.h"
#include "../numeric_columns.h"
#include "../onnx_parts.h"
#include "../weighted_quantile.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

class Robust {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.robust",
                    .title = "Scaling by median and interquartile range",
                    .doc =
                        "Subtracts from every numeric column the median of the training rows and "
                        "divides by their interquartile range, so that a few outliers do not "
                        "matter. Missing entries stay missing, categorical columns pass "
                        "through.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  struct Params {
    bool center = true;
    bool scale = true;
    double low_quantile = 0.25;
    double high_quantile = 0.75;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Boolean("center", &Params::center, "Subtract the median."),
      cf::Boolean("scale", &Params::scale,
                  "Divide by the distance between the low and the high quantile."),
      cf::Real("low_quantile", &Params::low_quantile, {.low = 0, .high = 1},
               "Share of the entries below the lower quantile.", {.active_if = "scale=true"}),
      cf::Real("high_quantile", &Params::high_quantile, {.low = 0, .high = 1},
               "Share of the entries below the upper quantile.", {.active_if = "scale=true"}));

  static void Check(const Params& params, const cf_shape&, const cf::Context&) {
    CheckParams(params);
  }

  static Robust Fit(const Params& params, const cf::TrainingView& train,
                    const cf::Context& context) {
    CheckParams(params);
    Robust fitted;
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      ReportFeature(context, j, train.num_features());
      fitted.changes_.push_back(train.is_categorical(j) ? LinearChange{}
                                                        : ChangeOf(params, train, j));
    }
    return fitted;
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    SetChangedColumns(columns, graph, [&](std::int64_t j, const auto& column) {
      return AddLinearChange(graph, changes_[static_cast<std::size_t>(j)], column);
    });
  }

  cf::ModelShape shape() const { return {.n_features = std::ssize(changes_)}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context& context) const {
    ChangeNumericColumns(rows, out, context, [&](std::int64_t j, std::span<double> column) {
      CopyFinite(rows, j, column);
      changes_[static_cast<std::size_t>(j)].ApplyTo(rows.name(j), column);
    });
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const { SaveChanges(w, changes_); }
  static Robust Load(cf::Reader& r) {
    Robust loaded;
    loaded.changes_ = LoadChanges(r);
    return loaded;
  }

 private:
  static void CheckParams(const Params& params) {
    if (params.low_quantile < params.high_quantile) return;
    throw cf::Error(CF_E_INVALID_PARAM, "low_quantile must be less than high_quantile");
  }

  static LinearChange ChangeOf(const Params& params, const cf::TrainingView& train,
                               std::int64_t j) {
    const FeatureValues present = PresentValues(train, j);
    if (present.values.empty()) return {};
    const auto sorted = SortValues(present.values, present.weights);
    LinearChange change;
    if (params.center) change.shift = Quantile(sorted, 0.5);
    if (!params.scale) return change;
    const double spread =
        Quantile(sorted, params.high_quantile) - Quantile(sorted, params.low_quantile);
    if (!std::isfinite(spread)) {
      throw cf::Error(CF_E_NUMERIC, FeatureText(train, j) + " has no finite quantile range");
    }
    if (spread > 0) change.divisor = spread;
    return change;
  }

  std::vector<LinearChange> changes_;  // one per feature; unused for categorical ones
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.robust", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Robust)
