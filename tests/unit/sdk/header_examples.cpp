// The examples in the comments of the SDK's headers, as header_examples.lua cuts them out. They are
// compiled with the adapters of the SDK, which check their signatures, and never linked, so
// declarations are enough.
#include <array>
#include <crossfold_conformance/command.hpp>
#include <crossfold_plugin.hpp>
#include <crossfold_plugin_check.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cf = crossfold::plugin;

namespace header_examples {

// Examples of learners and transforms use these names without a namespace.
using namespace crossfold::plugin;

struct Learner {
  using L = Learner;
#include "learner.inc"
};

struct PredictingLearner {
  using L = PredictingLearner;
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "org.example.l"}};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static L Fit(const Params&, const cf::TrainingView&, const cf::Context&);
#include "predict.inc"
};

// The order of these includes matters: Params and Prepared come first.
// clang-format off
struct L {
  using T = L;
  std::int64_t n_features_ = 0, n_classes_ = 0;
#include "learner.inc"
#include "prepare.inc"
#include "check.inc"
#include "cross_predict.inc"
#include "export.inc"
#include "fit_memory.inc"
#include "fit_path.inc"
#include "importance.inc"
#include "incremental.inc"
#include "memory.inc"
#include "model_shape.inc"
#include "onnx.inc"
#include "serialize.inc"
#include "validation.inc"
#include "warm_start.inc"
};

struct T {
#include "transform.inc"
#include "check.inc"
#include "export.inc"
#include "resample.inc"
#include "serialize.inc"
#include "synthesize.inc"
};

struct M {
#include "metric.inc"
#include "check.inc"
};
// clang-format on

struct Splitter {
#include "splitter.inc"
};

struct Source {
#include "source.inc"
};

struct StreamedLearner {
  using L = StreamedLearner;
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "org.example.l"}};
  static constexpr std::uint32_t kFormatVersion = 1;
  enum class Distance { kEuclidean, kManhattan };
  static constexpr std::array<const char*, 2> kDistanceNames = {"euclidean", "manhattan"};
#include "params.inc"
  static L Fit(const Params&, const cf::TrainingView&, const cf::Context&);
  void Predict(const cf::FeatureView&, std::span<std::int32_t> labels, const cf::Context&) const;
#include "stream.inc"
  std::int64_t k_ = 0;
  std::vector<double> weights_;
};

namespace conformance {
#include "crossfold_plugin_check.inc"
}

}  // namespace header_examples

namespace crossfold::plugin::internal {

template class LearnerAdapter<header_examples::Learner>;
template class LearnerAdapter<header_examples::PredictingLearner>;
template class LearnerAdapter<header_examples::L>;
template class LearnerAdapter<header_examples::StreamedLearner>;
template class TransformAdapter<header_examples::T>;
template class MetricAdapter<header_examples::M>;
template class SplitterAdapter<header_examples::Splitter>;
template class SourceAdapter<header_examples::Source>;

}  // namespace crossfold::plugin::internal
