#include "crossfold/stats/mcnemar.h"

#include <algorithm>
#include <cmath>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"

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

}  // namespace crossfold::stats
