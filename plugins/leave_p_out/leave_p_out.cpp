// Leave-p-out: every set of p rows is tested once.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "../combinations.h"
#include "../row_sets.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

struct LeavePOut {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "crossfold.leave_p_out",
                    .title = "Leave-p-out",
                    .doc = "Tests each set of p rows once with a model trained on all other rows.",
                    .source = "Shao 1993, Linear model selection by cross-validation"}};

  struct Params {
    std::int64_t p = 2;
    std::int64_t max_splits = 100000;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Integer("p", &Params::p, {.low = 1}, "Rows left out at a time."),
                 cf::Integer("max_splits", &Params::max_splits,
                             {.low = 1, .high = std::numeric_limits<std::int32_t>::max()},
                             "Refuse to make more splits than this."));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    const std::int64_t n_rows = input.num_rows();
    if (n_rows < 2) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "leave-p-out needs at least 2 rows, got " + std::to_string(n_rows));
    }
    if (input.has_groups()) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "the dataset has groups, and the other rows of a group would train for the "
                      "rows left out; use leave_one_group_out, or read the data without groups");
    }
    if (params.p >= n_rows) {
      throw cf::Error(CF_E_INVALID_PARAM, "p = " + std::to_string(params.p) +
                                              " leaves no training row of the " +
                                              Counted(n_rows, "row") +
                                              "; use at most p = " + std::to_string(n_rows - 1));
    }
    CheckNumSplits(n_rows, params.p, params.max_splits, "row");
    if (params.p == 1) {
      std::vector<std::int32_t> fold_of_row(static_cast<std::size_t>(n_rows));
      std::iota(fold_of_row.begin(), fold_of_row.end(), 0);
      sink.EmitPartition(fold_of_row, static_cast<std::int32_t>(n_rows));
      return;
    }
    EmitCombinations(static_cast<std::size_t>(n_rows), static_cast<std::size_t>(params.p), sink,
                     context);
  }

 private:
  static void EmitCombinations(std::size_t n_rows, std::size_t p, cf::SplitSink& sink,
                               const cf::Context& context) {
    const double n_splits =
        Combinations::Count(static_cast<std::int64_t>(n_rows), static_cast<std::int64_t>(p));
    Combinations combinations(n_rows, p);
    double done = 0;
    RowSet train, test;
    do {
      const std::vector<std::size_t>& chosen = combinations.chosen();
      train.clear();
      test.assign(chosen.begin(), chosen.end());
      std::size_t next = 0;  // of the chosen
      for (std::size_t row = 0; row < n_rows; ++row) {
        if (next < p && chosen[next] == row) {
          ++next;
        } else {
          train.push_back(static_cast<std::int64_t>(row));
        }
      }
      sink.EmitSplit(train, test);
      context.Progress(++done / n_splits);
    } while (combinations.Advance());
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.leave_p_out", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::LeavePOut)
