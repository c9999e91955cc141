// Leave-one-group-out: every group, or every set of several groups, is tested once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../combinations.h"
#include "../row_sets.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

struct LeaveOneGroupOut {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "crossfold.leave_one_group_out",
                    .title = "Leave-one-group-out",
                    .doc = "Tests each group, or each set of groups_out groups, once with a model "
                           "trained on all other groups.",
                    .source = "Stone 1974, Cross-validatory choice and assessment of statistical "
                              "predictions"},
      .uses = CF_SPLIT_USES_GROUPS};

  struct Params {
    std::int64_t groups_out = 1;
    std::int64_t max_splits = 100000;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("groups_out", &Params::groups_out, {.low = 1}, "Groups left out at a time."),
      cf::Integer("max_splits", &Params::max_splits,
                  {.low = 1, .high = std::numeric_limits<std::int32_t>::max()},
                  "Refuse to make more splits than this."));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    const std::vector<RowSet> groups = RowsByGroup(input);
    const auto n_groups = static_cast<std::int64_t>(groups.size());
    if (n_groups < 2) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "all rows are in one group; leaving it out leaves nothing to train on");
    }
    if (params.groups_out >= n_groups) {
      throw cf::Error(CF_E_INVALID_PARAM,
                      "groups_out = " + std::to_string(params.groups_out) +
                          " leaves no training group of the " + Counted(n_groups, "group") +
                          "; use at most groups_out = " + std::to_string(n_groups - 1));
    }
    CheckNumSplits(n_groups, params.groups_out, params.max_splits, "group");
    if (params.groups_out == 1) {
      EmitGroups(groups, input.num_rows(), sink);
    } else {
      EmitSets(groups, static_cast<std::size_t>(params.groups_out), sink, context);
    }
  }

 private:
  static void EmitGroups(std::span<const RowSet> groups, std::int64_t n_rows, cf::SplitSink& sink) {
    std::vector<std::int32_t> fold_of_row(static_cast<std::size_t>(n_rows));
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const std::int64_t row : groups[g]) {
        fold_of_row[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(g);
      }
    }
    sink.EmitPartition(fold_of_row, static_cast<std::int32_t>(groups.size()));
  }

  static void EmitSets(std::span<const RowSet> groups, std::size_t n_out, cf::SplitSink& sink,
                       const cf::Context& context) {
    const double n_splits = Combinations::Count(static_cast<std::int64_t>(groups.size()),
                                                static_cast<std::int64_t>(n_out));
    Combinations combinations(groups.size(), n_out);
    double done = 0;
    do {
      const std::vector<std::size_t>& chosen = combinations.chosen();
      RowSet train, test;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const bool is_out = std::binary_search(chosen.begin(), chosen.end(), g);
        RowSet& side = is_out ? test : train;
        side.insert(side.end(), groups[g].begin(), groups[g].end());
      }
      std::sort(train.begin(), train.end());
      std::sort(test.begin(), test.end());
      sink.EmitSplit(train, test);
      context.Progress(++done / n_splits);
    } while (combinations.Advance());
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.leave_one_group_out", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::LeaveOneGroupOut)
