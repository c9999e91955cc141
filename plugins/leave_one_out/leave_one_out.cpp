// Leave-one-out: every row is a fold of its own.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"

namespace {

namespace cf = crossfold::plugin;

struct LeaveOneOut {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "crossfold.leave_one_out",
                    .title = "Leave-one-out",
                    .doc = "Tests each row once with a model trained on all other rows.",
                    .source = "Lachenbruch and Mickey 1968, Estimation of error rates in "
                              "discriminant analysis; Stone 1974, Cross-validatory choice and "
                              "assessment of statistical predictions"}};

  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;

  static void Split(const Params&, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context&) {
    const std::int64_t n_rows = input.num_rows();
    if (n_rows < 2) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "leave-one-out needs at least 2 rows, got " + std::to_string(n_rows));
    }
    if (!input.groups().empty()) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "the dataset has groups, and the other rows of its group would train for "
                      "the row left out; use kfold with as many folds as groups, or read the data "
                      "without groups");
    }
    if (n_rows > std::numeric_limits<std::int32_t>::max()) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      std::to_string(n_rows) + " rows are too many for leave-one-out; use kfold");
    }
    std::vector<std::int32_t> fold_of_row(static_cast<std::size_t>(n_rows));
    std::iota(fold_of_row.begin(), fold_of_row.end(), 0);
    sink.EmitPartition(fold_of_row, static_cast<std::int32_t>(n_rows));
  }
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.leave_one_out", "1.0.0", "The Crossfold Authors", "MIT", LeaveOneOut)
