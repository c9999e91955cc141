// std::map and Moments of comments, and of strings, do not count.
#include "summary.h"

const std::string kText = "std::map", kRaw = R"x(
std::map" )x";

double Largest(const Summary& summary) {
  const auto size = static_cast<std::int32_t>(summary.Order());
  assert(size == kMoments && 1'000 < 2'000);
  return std::max(std::sqrt(summary.moments.sums[0]), std::unheard_of(Mean(summary.moments)));
}
