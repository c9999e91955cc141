// Compares several learners on several datasets by their ranks (Demsar 2006, "Statistical
// comparisons of classifiers over multiple data sets", JMLR 7, 1-30). The functions are pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"

namespace crossfold::stats {

// A test statistic with its probability under "all learners are alike", or the reason why it is
// undefined.
struct RankTest {
  bool defined = false;
  std::string undefined;          // the reason
  double statistic = 0, p = 0;    // NaN if undefined
  std::int64_t df1 = 0, df2 = 0;  // df2 is only for the F test
};

struct FriedmanTest {
  std::int64_t datasets = 0, learners = 0;
  std::vector<double> average_ranks;  // one per learner; 1 = best, equal scores share the mean
  bool ties = false;                  // whether any dataset has equal scores
  RankTest chi_squared;               // Friedman 1937, without a correction for ties
  RankTest tie_corrected;             // divided by 1 - sum(t^3 - t) / (N (k^3 - k)), as R and SciPy
  RankTest iman_davenport;            // F of the tie-corrected chi squared; Iman & Davenport 1980
};

// The ranks of one list; 1 = best, and equal values share the mean of their ranks.
// REQUIRES: every value is finite.
std::vector<double> MidRanks(std::span<const double> values, bool higher_is_better);

// `scores[i]` has one score per learner on dataset i. Throws if the lists differ in length or a
// score is not finite.
FriedmanTest Friedman(const std::vector<std::vector<double>>& scores, bool higher_is_better);

enum class PostHoc {
  kNemenyi,        // all pairs
  kBonferroniDunn  // all against one control
};

// Average ranks that differ by at least this are different at level `alpha`:
// q sqrt(k (k+1) / (6 N)), with q of the studentized range over sqrt 2 (Nemenyi 1963), or
// z(1 - alpha / (2 (k-1))) (Dunn 1961). Throws for fewer than 2 learners or 1 dataset.
double CriticalDifference(std::int64_t learners, std::int64_t datasets, double alpha,
                          PostHoc method);

struct RankComparison {
  std::size_t first = 0, second = 0;  // learners, from 0
  double difference = 0;              // average rank of `first` minus that of `second`
  double p = 0;                       // two-sided, adjusted for the number of comparisons
};

// Compares every pair first < second, in order. REQUIRES: at least 2 ranks, datasets >= 1.
std::vector<RankComparison> Nemenyi(std::span<const double> average_ranks, std::int64_t datasets,
                                    const CancelToken* cancel = nullptr);
// Compares each other learner (`first`) with `control` (`second`); p is min(1, (k-1) p of the
// normal test). REQUIRES: as for Nemenyi, and control < number of ranks.
std::vector<RankComparison> BonferroniDunn(std::span<const double> average_ranks,
                                           std::int64_t datasets, std::size_t control);

// The bars of a critical-difference diagram: the largest groups of two or more learners, none of
// which differs from another of its group. Each is in order of rank, the best first.
std::vector<std::vector<std::size_t>> AlikeGroups(std::span<const double> average_ranks,
                                                  double critical_difference);

}  // namespace crossfold::stats
