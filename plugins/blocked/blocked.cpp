// Blocked cross-validation: contiguous blocks of time, each the test set once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../row_sets.h"
#include "../time_steps.h"
#include "../whole_groups.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

struct Blocked {
  using Blocks = std::vector<std::pair<std::int64_t, std::int64_t>>;

  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "crossfold.blocked",
                    .title = "Blocked cross-validation",
                    .doc = "Contiguous blocks of time or of rows; each is the test set once, and a "
                           "gap on both sides of it may be left out.",
                    .source = "Burman, Chow and Nolan 1994, A cross-validatory method for "
                              "dependent data; Racine 2000, Consistent cross-validatory "
                              "model-selection for dependent data: hv-block cross-validation"}};

  struct Params {
    std::int64_t folds = 10;
    std::int64_t gap = 0;
    StepOrder order = StepOrder::kTime;
    bool ignore_groups = false;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Integer("folds", &Params::folds,
                             {.low = 2, .high = std::numeric_limits<std::int32_t>::max()},
                             "Number of blocks."),
                 cf::Integer("gap", &Params::gap, {.low = 0},
                             "Time steps left out on each side of the test block."),
                 OrderOfSteps(&Params::order), IgnoreGroups(&Params::ignore_groups));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    const TimeSteps steps(input, params.order);
    const Blocks blocks = MakeBlocks(steps, params.folds);
    const GroupGuard guard(input, params.ignore_groups);
    if (params.gap == 0) {
      EmitPartition(steps, blocks, input.num_rows(), guard, sink);
    } else {
      EmitLists(params, steps, blocks, guard, sink, context);
    }
  }

 private:
  static void EmitPartition(const TimeSteps& steps, const Blocks& blocks, std::int64_t n_rows,
                            const GroupGuard& guard, cf::SplitSink& sink) {
    std::vector<std::int32_t> fold_of_row(static_cast<std::size_t>(n_rows));
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      for (const std::int64_t row : steps.Rows(blocks[block].first, blocks[block].second)) {
        fold_of_row[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(block);
      }
    }
    guard.CheckPartition(fold_of_row);
    sink.EmitPartition(fold_of_row, static_cast<std::int32_t>(blocks.size()));
  }

  static void EmitLists(const Params& params, const TimeSteps& steps, const Blocks& blocks,
                        const GroupGuard& guard, cf::SplitSink& sink, const cf::Context& context) {
    const std::int64_t gap = std::min(params.gap, steps.size());
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const auto [begin, end] = blocks[block];
      RowSet train;
      steps.Append(0, begin - gap, train);
      steps.Append(std::min(end + gap, steps.size()), steps.size(), train);
      if (train.empty()) RefuseGap(params, steps, block);
      std::sort(train.begin(), train.end());
      const RowSet test = steps.Rows(begin, end);
      guard.Check(train, test);
      sink.EmitSplit(train, test);
      context.Progress(static_cast<double>(block + 1) / static_cast<double>(blocks.size()));
    }
  }

  [[noreturn]] static void RefuseGap(const Params& params, const TimeSteps& steps,
                                     std::size_t block) {
    throw cf::Error(CF_E_INVALID_PARAM, "a gap of " + steps.Counted(params.gap) +
                                            " on each side of block " + std::to_string(block + 1) +
                                            " of " + std::to_string(params.folds) +
                                            " leaves nothing to train on; use a smaller gap");
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.blocked", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Blocked)
