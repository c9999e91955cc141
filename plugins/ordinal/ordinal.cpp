// Categories as the numbers of their levels: see README.md.
#include <cstddef>
#include <cstdint>
#include <string>

#include "../feature_values.h"
#include "../onnx_parts.h"
#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;
using crossfold::bundled::ReportFeature;

namespace {

class Ordinal {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.ordinal",
                    .title = "Ordinal coding",
                    .doc =
                        "Replaces every categorical column by the numbers of its levels, counted "
                        "from 0. Numeric columns pass through.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;

  static Ordinal Fit(const Params&, const cf::TrainingView& train, const cf::Context&) {
    return Ordinal(static_cast<std::uint64_t>(train.num_features()));
  }

  cf::ModelShape shape() const { return {.n_features = static_cast<std::int64_t>(n_features_)}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context& context) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) {
      ReportFeature(context, j, rows.num_features());
      if (rows.is_categorical(j)) {
        rows.CopyColumn(j, out.AddNumeric(std::string(rows.name(j))));
      } else {
        out.Pass(j);
      }
    }
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    crossfold::bundled::SetSameColumns(columns, graph);  // a column is its codes
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const { w.Write(n_features_); }
  static Ordinal Load(cf::Reader& r) { return Ordinal(r.Read<std::uint64_t>()); }

 private:
  explicit Ordinal(std::uint64_t n_features) : n_features_(n_features) {}

  std::uint64_t n_features_;
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.ordinal", "1.0.0", "The Crossfold Authors", "MIT", Ordinal)
