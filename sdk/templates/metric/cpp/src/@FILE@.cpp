// @NAME@: the mean over the classes of the share of rows that is right (balanced accuracy).
#include <crossfold_plugin.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cf = crossfold::plugin;

struct @STRUCT@ {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "@ID@",
                    .version = "0.1.0",
                    .title = "@NAME@",
                    .doc = "Mean over the classes of the weighted share of their rows that is "
                           "predicted right. Has no value if a class has no rows.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .needs = CF_NEEDS_LABELS,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = +1,
      .worst = 0,
      .best = 1};

  struct Params {
    bool skip_undefined = false;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Boolean("skip_undefined", &Params::skip_undefined,
                             "Leave out classes without rows; otherwise there is no value."));

  static double Score(const Params& params, const cf::MetricInput& rows, const cf::Context&) {
    const auto n_classes = std::size_t(rows.num_classes());
    std::vector<double> right(n_classes), all(n_classes);
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      const auto truth = std::size_t(rows.truth_labels()[std::size_t(i)]);
      all[truth] += rows.weight(i);
      if (rows.labels()[std::size_t(i)] == std::int32_t(truth)) right[truth] += rows.weight(i);
    }
    double sum = 0;
    std::size_t counted = 0;
    for (std::size_t c = 0; c < n_classes; ++c) {
      if (all[c] > 0) {
        sum += right[c] / all[c];
        ++counted;
      } else if (!params.skip_undefined) {
        throw cf::Undefined("class '" + std::string(rows.class_name(std::int64_t(c))) +
                            "' has no row");
      }
    }
    if (counted == 0) throw cf::Undefined("there are no rows");
    return sum / double(counted);
  }
};

CROSSFOLD_PLUGIN("@ID@", "0.1.0", "@VENDOR@", "@LICENSE@", @STRUCT@)
