#include "crossfold/stats/cochran_q.h"

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"

namespace crossfold::stats {
namespace {

void RequireWholeRows(std::span<const std::uint8_t> right, std::size_t models) {
  const std::string attempt = "make Cochran's Q test";
  if (models < 2) {
    RefuseArgument(attempt, "the number of models is " + std::to_string(models),
                   "it compares two or more");
  }
  if (right.size() % models != 0) {
    RefuseArgument(attempt,
                   std::to_string(right.size()) + " entries do not make whole rows of " +
                       std::to_string(models) + " models",
                   "give one entry per row and model");
  }
  for (const std::uint8_t entry : right) {
    if (entry <= 1) continue;
    RefuseArgument(attempt, "an entry is " + std::to_string(entry) + "",
                   "use 1 for right and 0 for wrong");
  }
}

}  // namespace

CochranTest CochranQ(std::span<const std::uint8_t> right, std::size_t models) {
  RequireWholeRows(right, models);
  CochranTest test;
  test.rows = static_cast<std::int64_t>(right.size() / models);
  test.correct.assign(models, 0);
  test.df = static_cast<double>(models - 1);
  if (test.rows == 0) {
    test.undefined = "there are no rows";
    return test;
  }
  std::int64_t total = 0, squared_rows = 0, squared_models = 0;
  for (std::size_t first = 0; first < right.size(); first += models) {
    std::int64_t of_row = 0;
    for (std::size_t m = 0; m < models; ++m) {
      test.correct[m] += right[first + m];
      of_row += right[first + m];
    }
    total += of_row;
    squared_rows += of_row * of_row;
  }
  for (const std::int64_t correct : test.correct) squared_models += correct * correct;
  const auto k = static_cast<std::int64_t>(models);
  const std::int64_t disagreement = k * total - squared_rows;
  if (disagreement == 0) {
    test.undefined = "the models agree on every row: nothing was tested; p = 1 by convention";
    test.p = 1;
    return test;
  }
  test.defined = true;
  test.statistic = static_cast<double>(k - 1) *
                   static_cast<double>(k * squared_models - total * total) /
                   static_cast<double>(disagreement);
  test.p = ChiSquaredUpper(test.statistic, test.df);
  return test;
}

}  // namespace crossfold::stats
