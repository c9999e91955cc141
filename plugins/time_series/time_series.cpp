// Time series splits: test sets follow each other in time, and training sets lie before them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "../row_sets.h"
#include "../time_steps.h"
#include "../whole_groups.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

enum class Window { kExpanding, kSliding };
constexpr std::array<const char*, 2> kWindowNames = {"expanding", "sliding"};

struct TimeSeries {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "crossfold.time_series",
                    .title = "Time series splits",
                    .doc = "Test sets that follow each other in time; the training set of each is "
                           "an expanding or sliding window before it.",
                    .source = "Tashman 2000, Out-of-sample tests of forecasting accuracy: an "
                              "analysis and review"}};

  struct Params {
    std::int64_t folds = 5;
    std::optional<std::int64_t> test_size;
    std::int64_t gap = 0;
    Window window = Window::kExpanding;
    std::optional<std::int64_t> max_train_size;
    StepOrder order = StepOrder::kTime;
    bool ignore_groups = false;
  };
  static constexpr cf::IntegerRange kFolds{.low = 1,
                                           .high = std::numeric_limits<std::int32_t>::max()};
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("folds", &Params::folds, kFolds, "Number of test sets."),
      cf::Integer("test_size", &Params::test_size, {.low = 1},
                  "Time steps in a test set; none = all steps / (folds + 1), rounded down."),
      cf::Integer("gap", &Params::gap, {.low = 0},
                  "Time steps left out between training and test rows."),
      cf::Choice("window", &Params::window, kWindowNames,
                 "Train on all earlier steps, or on the same number of steps for each test set."),
      cf::Integer("max_train_size", &Params::max_train_size, {.low = 1},
                  "Maximum number of time steps to train on; none = all for an expanding window, "
                  "and those before the first test set for a sliding one."),
      OrderOfSteps(&Params::order), IgnoreGroups(&Params::ignore_groups));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    const TimeSteps steps(input, params.order);
    const GroupGuard guard(input, params.ignore_groups);
    const std::int64_t test_size = TestSize(params, steps);
    const std::int64_t first_test = steps.size() - params.folds * test_size;
    const std::int64_t most = MostTrainingSteps(params, steps, first_test - params.gap);
    for (std::int64_t fold = 0; fold < params.folds; ++fold) {
      const std::int64_t test_begin = first_test + fold * test_size;
      const std::int64_t train_end = test_begin - params.gap;
      const RowSet train = steps.Rows(std::max(std::int64_t{0}, train_end - most), train_end);
      const RowSet test = steps.Rows(test_begin, test_begin + test_size);
      guard.Check(train, test);
      sink.EmitSplit(train, test);
      context.Progress(static_cast<double>(fold + 1) / static_cast<double>(params.folds));
    }
  }

 private:
  // Throws Error if no step is left to train on before the first test set.
  static std::int64_t TestSize(const Params& params, const TimeSteps& steps) {
    const std::int64_t n = steps.size();
    const std::int64_t size = params.test_size.value_or(n / (params.folds + 1));
    if (size == 0) {
      throw cf::Error(CF_E_INVALID_PARAM,
                      Counted(params.folds, "fold") + " need at least " +
                          steps.Counted(params.folds + 1) + ", there are " + std::to_string(n) +
                          (n < 2 ? "" : "; use at most " + Counted(n - 1, "fold")));
    }
    // Divisions, because the product may overflow.
    if (size <= n && params.folds <= n / size &&
        params.folds * size < n - std::min(n, params.gap)) {
      return size;
    }
    throw cf::Error(CF_E_INVALID_PARAM,
                    Counted(params.folds, "test set") + " of " + steps.Counted(size) +
                        (params.gap > 0 ? " and a gap of " + std::to_string(params.gap) : "") +
                        " leave nothing to train on before the first, of " + steps.Counted(n) +
                        "; use fewer folds" +
                        (params.gap > 0 ? ", a smaller test_size, or a smaller gap"
                                        : ", or a smaller test_size"));
  }

  // `first` is the number of steps before the first test set.
  static std::int64_t MostTrainingSteps(const Params& params, const TimeSteps& steps,
                                        std::int64_t first) {
    if (params.window == Window::kExpanding) return params.max_train_size.value_or(steps.size());
    const std::int64_t most = params.max_train_size.value_or(first);
    if (most <= first) return most;
    throw cf::Error(CF_E_INVALID_PARAM, "max_train_size = " + std::to_string(most) +
                                            " exceeds the " + steps.Counted(first) +
                                            " before the first test set, so that the windows "
                                            "would differ in size; use at most " +
                                            std::to_string(first) +
                                            ", fewer folds, or window = \"expanding\"");
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.time_series", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::TimeSeries)
