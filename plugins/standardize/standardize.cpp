// Centres and scales numeric columns: see README.md.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../feature_text.h"
#include "../moments.h"
#include "../numeric_columns.h"
#include "../onnx_parts.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

constexpr std::array<const char*, 2> kSdNames = {"population", "sample"};

// Moments of the present entries of feature j. `values` and `weights` are scratch space.
Moments FeatureMoments(const cf::TrainingView& train, std::int64_t j, Denominator denominator,
                       std::vector<double>& values, std::vector<double>& weights) {
  values.clear();
  weights.clear();
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    const double x = train.x(i, j);
    if (std::isnan(x) || train.weight(i) == 0) continue;
    values.push_back(x);
    weights.push_back(train.weight(i));
  }
  return ComputeMoments(values, weights, denominator, FeatureText(train, j));
}

class Standardize {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.standardize",
                    .title = "Standardisation",
                    .doc = "Subtracts from every numeric column the mean of the training rows and "
                           "divides by their standard deviation. Missing entries stay missing, "
                           "categorical columns pass through.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  static constexpr std::uint32_t kFormatVersion = 1;
  struct Params {
    bool center = true;
    bool scale = true;
    Denominator sd = Denominator::kTotalWeight;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Boolean("center", &Params::center, "Subtract the mean."),
                 cf::Boolean("scale", &Params::scale, "Divide by the standard deviation."),
                 cf::Choice("sd", &Params::sd, kSdNames,
                            "Denominator of the variance: n (population) or n - 1 (sample).",
                            {.active_if = "scale=true"}));

  static Standardize Fit(const Params& params, const cf::TrainingView& train,
                         const cf::Context& context) {
    Standardize fitted;
    std::vector<double> values, weights;
    const std::int64_t n_features = train.num_features();
    for (std::int64_t j = 0; j < n_features; ++j) {
      context.Progress(static_cast<double>(j) / static_cast<double>(n_features));
      LinearChange change;
      if (!train.is_categorical(j)) {
        const Moments m = FeatureMoments(train, j, params.sd, values, weights);
        if (params.center) change.shift = m.mean;
        if (params.scale && m.sd > 0) change.divisor = m.sd;
      }
      fitted.changes_.push_back(change);
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
      rows.CopyColumn(j, column);
      changes_[static_cast<std::size_t>(j)].ApplyTo(rows.name(j), column);
    });
  }

  void Save(cf::Writer& w) const { SaveChanges(w, changes_); }
  static Standardize Load(cf::Reader& r) {
    Standardize loaded;
    loaded.changes_ = LoadChanges(r);
    return loaded;
  }

 private:
  std::vector<LinearChange> changes_;  // one per feature; unused for categorical ones
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.standardize", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Standardize)
