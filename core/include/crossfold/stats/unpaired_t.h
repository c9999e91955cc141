// Compares two learners that were tested on different splits. The functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace crossfold::stats {

// The scores of one learner; `ratio` = test rows / training rows of a split, and only `distinct` of
// the splits are different (t_test.h, CorrectedT).
struct OwnScores {
  std::span<const double> values;
  double ratio = 0;
  std::optional<std::int64_t> distinct = std::nullopt;
};

struct UnpairedT {
  bool defined = false;
  std::string undefined;                // the reason; the difference may be defined all the same
  double difference = 0;                // mean of the first minus that of the second
  double statistic = 0, df = 0, p = 0;  // two-sided
  double low = 0, high = 0;
};

// Welch's t test over the scores of each learner's splits, the variance of each mean corrected for
// training sets that overlap: var (1/J + n_test / n_train), as Nadeau and Bengio 2003 do for
// differences; with ratio 0 it is Welch's own (1947). It is a heuristic: it assumes that the two
// means are independent, which they are not for splits of the same rows (then it finds too few
// differences, not too many). It is undefined with fewer than 2 scores on a side, and if no score
// varies. Throws Error for scores that are not finite, for ratios that are negative or not finite,
// and for a confidence outside (0, 1).
UnpairedT CompareUnpaired(const OwnScores& first, const OwnScores& second, double confidence);

}  // namespace crossfold::stats
