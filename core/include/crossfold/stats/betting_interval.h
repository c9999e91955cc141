// The mean of bounded values, seen one after the other, with an interval that holds at every
// moment. The function is pure.
#pragma once

#include <span>

namespace crossfold::stats {

struct MeanInterval {
  double low = 0, high = 0;
};

// The interval of the mean of independent draws (or of any bounded sequence with one conditional
// mean) from [least, most], after the draws in `values`: with this probability the intervals of all
// beginnings of the sequence hold the mean together, so that one may stop at any of them, whatever
// the reason. Nothing else is assumed of the distribution. It is the hedged capital of I.
// Waudby-Smith, A. Ramdas 2024, Journal of the Royal Statistical Society B 86, 1-27: a mean is left
// out once a gambler who bets against it, by their predictable plug-in bets, has 2 / (1 -
// confidence) times the stake on one side. A bet is at most kLargestBet of what could be lost. The
// result is the intersection over all beginnings, without values all of [least, most]; low > high
// is possible, and says that the values are not such draws. Throws Error unless least < most, all
// values are between them and the confidence is in (0, 1).
inline constexpr double kLargestBet = 0.9;
MeanInterval BettingInterval(std::span<const double> values, double least, double most,
                             double confidence = 0.95);

}  // namespace crossfold::stats
