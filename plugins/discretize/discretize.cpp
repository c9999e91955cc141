// Numbers as intervals: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../feature_values.h"
#include "../mdl_cuts.h"
#include "../number_text.h"
#include "../onnx_parts.h"
#include "../weighted_quantile.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

enum class Method { kEqualWidth, kEqualFrequency, kMdl };
constexpr std::array<const char*, 3> kMethodNames = {"equal_width", "equal_frequency", "mdl"};

using Cuts = std::vector<double>;  // ascending, all different

// Returns the cut points as text, with as many digits (at least 6) as make them differ.
std::vector<std::string> CutTexts(const Cuts& cuts) {
  std::vector<std::string> texts;
  for (int digits = 6; digits <= 17; ++digits) {
    texts.clear();
    for (const double cut : cuts) texts.push_back(RoundedText(cut, digits));
    if (std::adjacent_find(texts.begin(), texts.end()) == texts.end()) break;
  }
  return texts;
}

// "(-inf-5.5]", "(5.5-6.2]", "(6.2-inf)".
std::vector<std::string> IntervalNames(const Cuts& cuts) {
  if (cuts.empty()) return {"all"};
  const std::vector<std::string> texts = CutTexts(cuts);
  std::vector<std::string> names = {"(-inf-" + texts.front() + ']'};
  for (std::size_t i = 1; i < texts.size(); ++i) {
    names.push_back('(' + texts[i - 1] + '-' + texts[i] + ']');
  }
  names.push_back('(' + texts.back() + "-inf)");
  return names;
}

// Cuts at shares 1/n, 2/n, ... of `place`, without repetitions and without those that no value lies
// above. REQUIRES: place(share) does not fall.
template <class Place>
Cuts EvenCuts(std::int64_t n_bins, double greatest, const Place& place) {
  Cuts cuts;
  for (std::int64_t i = 1; i < n_bins; ++i) {
    const double cut = place(static_cast<double>(i) / static_cast<double>(n_bins));
    if (cut < greatest && (cuts.empty() || cuts.back() < cut)) cuts.push_back(cut);
  }
  return cuts;
}

class Discretize {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {
          .id = "crossfold.discretize",
          .title = "Discretisation",
          .doc = "Replaces every numeric column by ordered intervals: of equal width, "
                 "with equal numbers of training rows, or chosen to separate the classes. Missing "
                 "entries stay missing, categorical columns pass through.",
          .source = "Fayyad and Irani 1993, IJCAI, 1022-1027",
          .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  struct Params {
    Method method = Method::kMdl;
    std::int64_t bins = 10;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("method", &Params::method, kMethodNames,
                 "How the intervals are chosen; mdl looks at the classes of the training rows."),
      cf::Integer("bins", &Params::bins, {.low = 2, .high = 1000000}, "Number of intervals.",
                  {.active_if = "method=equal_width,equal_frequency"}));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    RequireClasses(params, shape.n_classes);
  }

  static Discretize Fit(const Params& params, const cf::TrainingView& train,
                        const cf::Context& context) {
    RequireClasses(params, train.num_classes());
    Discretize fitted;
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      ReportFeature(context, j, train.num_features());
      fitted.cuts_.emplace_back();
      if (!train.is_categorical(j)) fitted.cuts_.back() = CutsOf(params, train, j);
    }
    return fitted;
  }

  cf::ModelShape shape() const { return {.n_features = std::ssize(cuts_)}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context& context) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) {
      ReportFeature(context, j, rows.num_features());
      if (rows.is_categorical(j)) {
        out.Pass(j);
      } else {
        Encode(rows, j, out);
      }
    }
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    SetChangedColumns(columns, graph, [&](std::int64_t j, const auto& column) {
      return AddIntervals(graph, cuts_[static_cast<std::size_t>(j)], column);
    });
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(static_cast<std::uint64_t>(cuts_.size()));
    for (const Cuts& cuts : cuts_) w.WriteSpan<double>(cuts);
  }
  static Discretize Load(cf::Reader& r) {
    Discretize model;
    const auto n = r.Read<std::uint64_t>();
    for (std::uint64_t j = 0; j < n; ++j) {
      model.cuts_.push_back(r.ReadVector<double>());
      const Cuts& cuts = model.cuts_.back();
      for (std::size_t i = 0; i < cuts.size(); ++i) {
        if (std::isfinite(cuts[i]) && (i == 0 || cuts[i - 1] < cuts[i])) continue;
        throw cf::Error(CF_E_BAD_BLOB,
                        "the cut points of the saved model are not in ascending order");
      }
    }
    return model;
  }

 private:
  static void RequireClasses(const Params& params, std::int64_t n_classes) {
    if (params.method != Method::kMdl || n_classes > 0) return;
    throw cf::Error(CF_E_UNSUPPORTED_DATA,
                    "method = mdl needs a categorical target; this one is numeric");
  }

  static Cuts CutsOf(const Params& params, const cf::TrainingView& train, std::int64_t j) {
    const FeatureValues present = PresentValues(train, j);
    if (present.values.empty()) return {};
    if (params.method == Method::kMdl) {
      std::vector<std::int32_t> labels;
      for (const std::int64_t i : present.rows) labels.push_back(train.label(i));
      return MdlCuts(ValueClasses(present.values, present.weights, labels,
                                  static_cast<std::size_t>(train.num_classes())));
    }
    const std::vector<WeightedValue> sorted = SortValues(present.values, present.weights);
    const double low = sorted.front().value, high = sorted.back().value;
    if (params.method == Method::kEqualWidth) {
      return EvenCuts(params.bins, high, [&](double share) { return std::lerp(low, high, share); });
    }
    return EvenCuts(params.bins, high, [&](double share) { return Quantile(sorted, share); });
  }

  void Encode(const cf::FeatureView& rows, std::int64_t j, cf::ColumnSink& out) const {
    const Cuts& cuts = cuts_[static_cast<std::size_t>(j)];
    const std::vector<std::string> names = IntervalNames(cuts);
    std::vector<const char*> levels;
    for (const std::string& name : names) levels.push_back(name.c_str());
    const std::span<std::int32_t> column =
        out.AddCategorical(std::string(rows.name(j)), levels, true);
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      const double x = rows.x(i, j);
      RefuseInfinite(rows, j, x);
      column[static_cast<std::size_t>(i)] =
          std::isnan(x) ? -1 : static_cast<std::int32_t>(IntervalOf(cuts, x));
    }
  }

  // The number of cuts below the entry.
  static cf::OnnxGraph::Value AddIntervals(cf::OnnxGraph& graph, const Cuts& cuts,
                                           const cf::OnnxGraph::Value& column) {
    // An entry is above a NaN nowhere, so that there are always cuts to count.
    std::vector<double> with_one(cuts.begin(), cuts.end());
    with_one.push_back(std::numeric_limits<double>::quiet_NaN());
    const auto above =
        graph.Node("Greater", {column, graph.Numbers(with_one, {1, with_one.size()})});
    const auto counted = graph.Node(
        "ReduceSum", {graph.Node("Cast", {above}, {{"to", cf::kOnnxDouble}}), graph.Axis(1)});
    return graph.Node("Where", {graph.Node("IsNaN", {column}), column, counted});
  }

  std::vector<Cuts> cuts_;  // one per feature; categorical ones have none
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.discretize", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Discretize)
