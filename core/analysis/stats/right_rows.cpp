// Models compared by the rows on which they are right.
#include <algorithm>
#include <cmath>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/stats/cochran_q.h"
#include "crossfold/stats/mcnemar.h"
#include "crossfold/stats/paired_proportions.h"

namespace crossfold::stats {
namespace {

// Below it sums of two counts are exact in integers and in doubles.
constexpr std::int64_t kMaxCount = std::int64_t{1} << 52;

void RequireRows(std::int64_t count) {
  if (count >= 0 && count <= kMaxCount) return;
  RefuseArgument("make McNemar's test", std::to_string(count) + " is not a number of rows",
                 "count the rows on which only one model is right");
}

void SetChiSquared(std::int64_t b, std::int64_t c, double correction, McNemarTest& test) {
  const double total = static_cast<double>(b) + static_cast<double>(c);
  const double distance =
      std::max(std::fabs(static_cast<double>(b) - static_cast<double>(c)) - correction, 0.0);
  test.statistic = distance * distance / total;
  test.df = 1;
  test.p = ChiSquaredUpper(test.statistic, test.df);
}

double ExactP(std::int64_t b, std::int64_t c) {
  return std::min(1.0, 2 * BinomialCdf(std::min(b, c), b + c, 0.5));
}

// 2 P(X < least) + P(X = least). The middle of equal counts belongs to both tails, so it counts
// half (Fagerland et al. 2013).
double MidP(std::int64_t b, std::int64_t c) {
  const double mass = BinomialMass(std::min(b, c), b + c, 0.5);
  return b == c ? 1 - mass / 2 : ExactP(b, c) - mass;
}

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

McNemarTest McNemar(std::int64_t only_first, std::int64_t only_second, McNemarMethod method) {
  RequireRows(only_first);
  RequireRows(only_second);
  McNemarTest test;
  if (only_first == 0 && only_second == 0) {
    test.undefined =
        "there is no row on which only one of the models is right: nothing was tested; p = 1 by "
        "convention";
    test.p = 1;
    return test;
  }
  test.defined = true;
  switch (method) {
    case McNemarMethod::kExact:
      test.p = ExactP(only_first, only_second);
      break;
    case McNemarMethod::kMidP:
      test.p = MidP(only_first, only_second);
      break;
    case McNemarMethod::kChiSquared:
      SetChiSquared(only_first, only_second, 0, test);
      break;
    case McNemarMethod::kCorrected:
      SetChiSquared(only_first, only_second, 1, test);
      break;
  }
  return test;
}

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

PairedProportions ComparePaired(std::int64_t only_first, std::int64_t only_second, std::int64_t n,
                                double confidence) {
  constexpr char kAttempt[] = "compare two shares of the same rows";
  if (only_first < 0 || only_second < 0 || n < 0) {
    RefuseArgument(kAttempt, "a count is negative", "counts are 0 or more");
  }
  if (only_first > n - only_second) {
    RefuseArgument(kAttempt, "more rows differ than there are", "count each row once");
  }
  if (!(confidence > 0 && confidence < 1)) {
    RefuseArgument(kAttempt, "the confidence is outside (0, 1)", "use 0.95 for 95 %");
  }
  if (n == 0) return {false, "there are no rows", kUndefined, kUndefined, kUndefined};
  const auto b = static_cast<double>(only_first);
  const auto c = static_cast<double>(only_second);
  const double adjusted_n = static_cast<double>(n) + 2;
  const double centre = (b - c) / adjusted_n;
  const double differing = (b + c + 1) / adjusted_n;
  const double half =
      TwoSidedNormalQuantile(confidence) * std::sqrt((differing - centre * centre) / adjusted_n);
  return {true, "", (b - c) / static_cast<double>(n), std::max(centre - half, -1.0),
          std::min(centre + half, 1.0)};
}

}  // namespace crossfold::stats
