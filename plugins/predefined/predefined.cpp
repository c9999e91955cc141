// Predefined splits: the fold of each row is given, by a column of the dataset or by a list.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../whole_groups.h"
#include "crossfold_plugin.hpp"

namespace {

namespace cf = crossfold::plugin;
using crossfold::bundled::GroupGuard;
using crossfold::bundled::IgnoreGroups;

constexpr std::int64_t kNeverTested = -1;

struct Predefined {
  // The fold column is not declared as needed, because a list replaces it.
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "crossfold.predefined",
                    .title = "Predefined folds",
                    .doc = "Takes the fold of each row from the fold column of the dataset, or "
                           "from a list. Rows with fold -1 are never tested and always train."}};

  struct Params {
    std::vector<std::int64_t> list;
    bool ignore_groups = false;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::IntegerList(
          "list", &Params::list, {.low = kNeverTested},
          "Fold of each row, -1 = never tested; empty = take the fold column of the dataset."),
      IgnoreGroups(&Params::ignore_groups));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context&) {
    const std::span<const std::int64_t> given = GivenFolds(params, input);
    const std::vector<std::int64_t> numbers = TestedNumbers(given);
    std::vector<std::int32_t> fold_of_row;
    fold_of_row.reserve(given.size());
    for (const std::int64_t number : given) {
      const auto place = std::lower_bound(numbers.begin(), numbers.end(), number);
      fold_of_row.push_back(
          number == kNeverTested ? -1 : static_cast<std::int32_t>(place - numbers.begin()));
    }
    GroupGuard(input, params.ignore_groups).CheckPartition(fold_of_row);
    sink.EmitPartition(fold_of_row, static_cast<std::int32_t>(numbers.size()));
  }

 private:
  static std::span<const std::int64_t> GivenFolds(const Params& params,
                                                  const cf::SplitInput& input) {
    if (params.list.empty()) {
      if (input.folds().empty()) {
        throw cf::Error(CF_E_UNSUPPORTED_DATA,
                        "needs a fold column (folds = \"name\" when reading) or list = {...} with "
                        "one number per row");
      }
      return input.folds();
    }
    if (params.list.size() != static_cast<std::size_t>(input.num_rows())) {
      throw cf::Error(CF_E_INVALID_PARAM, "list has " + std::to_string(params.list.size()) +
                                              " numbers, the data has " +
                                              std::to_string(input.num_rows()) + " rows");
    }
    return params.list;
  }

  // The fold numbers that occur, ascending, without "never tested". Throws Error if they leave
  // nothing to test or nothing to train on.
  static std::vector<std::int64_t> TestedNumbers(std::span<const std::int64_t> given) {
    std::vector<std::int64_t> numbers(given.begin(), given.end());
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (numbers.front() < kNeverTested) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "there is a fold " + std::to_string(numbers.front()) +
                          "; fold numbers are 0 or more, or -1 for rows that are never tested");
    }
    const bool has_never_tested = numbers.front() == kNeverTested;
    if (has_never_tested) numbers.erase(numbers.begin());
    if (numbers.empty()) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "every row has fold -1, so that no row is tested; give the test rows a fold "
                      "of 0 or more");
    }
    if (numbers.size() == 1 && !has_never_tested) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "every row has fold " +
                                                 std::to_string(numbers.front()) +
                                                 ", so that no row is left to train on; use at "
                                                 "least 2 folds, or -1 for rows that only train");
    }
    if (numbers.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      std::to_string(numbers.size()) + " folds are too many; use fewer");
    }
    return numbers;
  }
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.predefined", "1.0.0", "The Crossfold Authors", "MIT", Predefined)
