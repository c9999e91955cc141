// Purged k-fold cross-validation with embargo, for labels that look into the future.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../number_text.h"
#include "../row_sets.h"
#include "../time_steps.h"
#include "../whole_groups.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

enum class EmbargoUnit { kTime, kShare };
constexpr std::array<const char*, 2> kEmbargoUnitNames = {"time", "share"};

struct Purged {
  static constexpr cf::SplitterInfo kInfo{
      .component =
          {.id = "crossfold.purged",
           .title = "Purged k-fold cross-validation",
           .doc = "Blocks of time; each is the test set once. Training rows whose labels overlap "
                  "the test block in time are left out, and so is an embargo after it.",
           .source = "Lopez de Prado 2018, Advances in Financial Machine Learning, "
                     "chapter 7"},
      .uses = CF_SPLIT_USES_TIME};

  struct Params {
    std::int64_t folds = 10;
    double horizon = 0;
    double embargo = 0;
    EmbargoUnit embargo_unit = EmbargoUnit::kTime;
    bool ignore_groups = false;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("folds", &Params::folds,
                  {.low = 2, .high = std::numeric_limits<std::int32_t>::max()},
                  "Number of blocks."),
      cf::Real("horizon", &Params::horizon, {.low = 0},
               "How far a label looks ahead: that of a row at t is known at t + horizon.",
               {.unit = "time"}),
      cf::Real("embargo", &Params::embargo, {.low = 0},
               "How much more is left out after the labels of the test block."),
      cf::Choice("embargo_unit", &Params::embargo_unit, kEmbargoUnitNames,
                 "Whether embargo is a time, or a share (0 to 1) of the time steps."),
      IgnoreGroups(&Params::ignore_groups));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    if (params.embargo_unit == EmbargoUnit::kShare && params.embargo >= 1) {
      throw cf::Error(CF_E_INVALID_PARAM, "embargo = " + NumberText(params.embargo) +
                                              " is not a share; use less than 1, or embargo_unit = "
                                              "\"time\"");
    }
    const TimeSteps steps(input, StepOrder::kTime);
    const GroupGuard guard(input, params.ignore_groups);
    const auto blocks = MakeBlocks(steps, params.folds);
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const auto [begin, end] = blocks[block];
      RowSet train;
      steps.Append(0, FirstPurged(params, steps, begin), train);
      steps.Append(FirstAfter(params, steps, end), steps.size(), train);
      if (train.empty()) Refuse(params, block);
      std::sort(train.begin(), train.end());
      const RowSet test = steps.Rows(begin, end);
      guard.Check(train, test);
      sink.EmitSplit(train, test);
      context.Progress(static_cast<double>(block + 1) / static_cast<double>(blocks.size()));
    }
  }

 private:
  // The first step whose labels reach the begin of the test block.
  static std::int64_t FirstPurged(const Params& params, const TimeSteps& steps,
                                  std::int64_t begin) {
    std::int64_t step = begin;
    while (step > 0 && steps.time(step - 1) + params.horizon >= steps.time(begin)) --step;
    return step;
  }

  // The first step after the labels of the test block and the embargo.
  static std::int64_t FirstAfter(const Params& params, const TimeSteps& steps, std::int64_t end) {
    const bool by_share = params.embargo_unit == EmbargoUnit::kShare;
    const double last = steps.time(end - 1) + params.horizon + (by_share ? 0 : params.embargo);
    std::int64_t step = end;
    while (step < steps.size() && steps.time(step) <= last) ++step;
    if (!by_share) return step;
    const double n = static_cast<double>(steps.size());
    return std::min(step + static_cast<std::int64_t>(std::floor(n * params.embargo)), steps.size());
  }

  [[noreturn]] static void Refuse(const Params& params, std::size_t block) {
    throw cf::Error(
        CF_E_INVALID_PARAM,
        "horizon = " + NumberText(params.horizon) + " and embargo = " + NumberText(params.embargo) +
            " leave nothing to train on for block " + std::to_string(block + 1) + " of " +
            std::to_string(params.folds) + "; use a smaller horizon or embargo");
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.purged", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Purged)
