// Error rate: the share of rows whose predicted label is not the true one.
#include <cstddef>
#include <cstdint>

#include "crossfold_plugin.hpp"

namespace {

namespace cf = crossfold::plugin;
using cf::CompensatedSum;

struct ErrorRate {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.error_rate",
                    .title = "Error rate",
                    .doc = "Share of the rows, or of their weight, whose predicted label is not "
                           "the true one."},
      .needs = CF_NEEDS_LABELS,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = 1,
      .best = 0};

  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;

  static double Score(const Params&, const cf::MetricInput& input, const cf::Context&) {
    if (input.num_rows() == 0) throw cf::Undefined("there are no rows");
    // Not 1 - accuracy: that would lose digits where errors are rare.
    CompensatedSum wrong, total;
    for (std::int64_t i = 0; i < input.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      total.Add(input.weight(i));
      if (input.labels()[row] != input.truth_labels()[row]) wrong.Add(input.weight(i));
    }
    if (total.value() == 0) throw cf::Undefined("the weights of all rows are zero");
    return wrong.value() / total.value();
  }
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.error_rate", "1.0.0", "The Crossfold Authors", "MIT", ErrorRate)
