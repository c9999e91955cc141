// Stretches numeric columns to a range: see README.md.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../feature_values.h"
#include "../numeric_columns.h"
#include "../onnx_parts.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

class MinMax {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.min_max",
                    .title = "Scaling to a range",
                    .doc = "Maps every numeric column linearly so that the smallest training entry "
                           "becomes `low` and the greatest `high`. Missing entries stay missing, "
                           "categorical columns pass through.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  struct Params {
    double low = 0;
    double high = 1;
    bool clip = false;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Real("low", &Params::low, {}, "What the smallest training entry becomes."),
                 cf::Real("high", &Params::high, {}, "What the greatest training entry becomes."),
                 cf::Boolean("clip", &Params::clip, "Clip values outside the range to its ends."));

  static void Check(const Params& params, const cf_shape&, const cf::Context&) {
    CheckParams(params);
  }

  static MinMax Fit(const Params& params, const cf::TrainingView& train,
                    const cf::Context& context) {
    CheckParams(params);
    MinMax fitted;
    fitted.params_ = params;
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      ReportFeature(context, j, train.num_features());
      fitted.ranges_.push_back(train.is_categorical(j) ? Range{} : RangeOf(train, j));
    }
    return fitted;
  }

  cf::ModelShape shape() const { return {.n_features = std::ssize(ranges_)}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context& context) const {
    ChangeNumericColumns(rows, out, context, [&](std::int64_t j, std::span<double> column) {
      CopyFinite(rows, j, column);
      Scale(ranges_[static_cast<std::size_t>(j)], column);
    });
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    SetChangedColumns(columns, graph, [&](std::int64_t j, const auto& column) {
      return AddScaled(graph, ranges_[static_cast<std::size_t>(j)], column);
    });
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(params_.low);
    w.Write(params_.high);
    w.Write(params_.clip);
    w.Write(static_cast<std::uint64_t>(ranges_.size()));
    for (const Range& range : ranges_) {
      w.Write(range.smallest);
      w.Write(range.width);
    }
  }
  static MinMax Load(cf::Reader& r) {
    MinMax model;
    model.params_.low = r.Read<double>();
    model.params_.high = r.Read<double>();
    model.params_.clip = r.Read<bool>();
    if (!(model.params_.low < model.params_.high)) {
      throw cf::Error(CF_E_BAD_BLOB, "the range of the saved model is empty");
    }
    const auto n = r.Read<std::uint64_t>();
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto smallest = r.Read<double>();
      model.ranges_.push_back({smallest, r.Read<double>()});
    }
    return model;
  }

 private:
  static void CheckParams(const Params& params) {
    if (params.low < params.high && std::isfinite(params.high - params.low)) return;
    throw cf::Error(CF_E_INVALID_PARAM, "low must be less than high, and their difference finite");
  }

  // The range of the training entries of one feature.
  struct Range {
    double smallest = 0;
    double width = 0;  // 0 = there were no entries; 1 for a constant column
  };

  static Range RangeOf(const cf::TrainingView& train, std::int64_t j) {
    const FeatureValues present = PresentValues(train, j);
    if (present.values.empty()) return {};
    const auto [low, high] = std::minmax_element(present.values.begin(), present.values.end());
    const double width = *high - *low;
    if (!std::isfinite(width)) {
      throw cf::Error(CF_E_NUMERIC, FeatureText(train, j) + " has no finite range");
    }
    return {*low, width > 0 ? width : 1};
  }

  void Scale(const Range& range, std::span<double> column) const {
    if (range.width == 0) return;
    for (double& x : column) {
      // lerp gives both ends exactly, which low + t * (high - low) does not.
      if (!std::isnan(x))
        x = std::lerp(params_.low, params_.high, (x - range.smallest) / range.width);
      if (params_.clip) x = std::clamp(x, params_.low, params_.high);
    }
  }

  // Scale as ONNX operators. std::lerp is exact at both ends; a sum of two products is, too, as its
  // shares there are 0 and 1.
  cf::OnnxGraph::Value AddScaled(cf::OnnxGraph& graph, const Range& range,
                                 const cf::OnnxGraph::Value& column) const {
    if (range.width == 0) return column;
    const auto share =
        AddLinearChange(graph, {.shift = range.smallest, .divisor = range.width}, column);
    const auto rest = graph.Node("Sub", {graph.Number(1), share});
    const auto scaled = graph.Node("Add", {graph.Node("Mul", {rest, graph.Number(params_.low)}),
                                           graph.Node("Mul", {share, graph.Number(params_.high)})});
    if (!params_.clip) return scaled;
    const auto is_low = graph.Node("Less", {scaled, graph.Number(params_.low)});
    const auto raised = graph.Node("Where", {is_low, graph.Number(params_.low), scaled});
    const auto is_high = graph.Node("Greater", {raised, graph.Number(params_.high)});
    return graph.Node("Where", {is_high, graph.Number(params_.high), raised});
  }

  Params params_;
  std::vector<Range> ranges_;  // one per feature; unused for categorical ones
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.min_max", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::MinMax)
