// What choosing the best of several candidates does to its score, from their scores on each row:
// the bootstrap of the choice (Tsamardinos, Greasidou and Borboudakis 2018, "Bootstrapping the
// out-of-sample predictions for efficient and accurate cross-validation", Machine Learning 107) and
// the candidates that cannot be distinguished from the best (Lei 2017, "Cross-validation with
// confidence", arXiv 1703.07904). The functions are pure functions of their arguments, including
// the seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crossfold/cancel_token.h"

namespace crossfold::stats {

// The scores of candidates in tests of rows: one test per row and repeat of the cross-validation.
struct CandidateScores {
  std::int64_t n_candidates = 0;
  std::int64_t n_units = 0;  // what is drawn: rows, or groups of rows that belong together
  std::int64_t n_folds = 0;
  std::vector<std::int64_t> units;  // of each test
  std::vector<std::int64_t> folds;  // of each test
  std::vector<double> weights;      // of each test; empty = all 1
  std::vector<double> scores;       // tests x candidates, row-major
  std::size_t n_tests() const { return units.size(); }
  double weight(std::size_t test) const { return weights.empty() ? 1 : weights[test]; }
};

// Draws n_units times with replacement; returns how often each unit was drawn.
std::vector<std::int32_t> DrawCounts(std::int64_t n_units, std::uint64_t seed);

// The weighted means of all candidates over the tests of the units that were drawn, a unit that was
// drawn twice counted twice: 1 x candidates, or folds x candidates if `by_fold`. NaN where nothing
// was drawn. REQUIRES: one count per unit.
std::vector<double> BagMeans(const CandidateScores& all, std::span<const std::int32_t> counts,
                             bool by_fold);

// The weighted mean of a candidate over the tests of the units that were not drawn; NaN if there
// are none.
double OutOfBagMean(const CandidateScores& all, std::span<const std::int32_t> counts,
                    std::int64_t candidate);

struct ConfidenceSetOptions {
  double direction = 1;  // 1 = higher scores are better, -1 = lower ones
  double level = 0.95;
  std::int64_t samples = 1000;
  std::uint64_t seed = 1;
  const CancelToken* cancel = nullptr;  // checked at each sample; may be null
};

struct CandidateTest {
  double p = 1;             // of "no other candidate is better than this one"
  bool in_set = true;       // not rejected
  std::int64_t rival = -1;  // the candidate that is most clearly better; -1 = none looks better
  double statistic = 0;     // of that comparison; 0 if there is none
};

// The fewest samples with which a test at this level can reject: the smallest p is then at most a
// tenth of the limit. REQUIRES: 0 < level < 1.
std::int64_t LeastSamples(double level);

// Tests for each candidate whether another one is better. The statistic is the largest studentized
// mean difference to another candidate; its distribution comes from normal multipliers of the
// differences, which are centred in each fold, because each fold has a model of its own. Candidates
// that are clearly worse do not count as rivals (inequality screening: Chernozhukov, Chetverikov
// and Kato 2019, Review of Economic Studies 86, with a tenth of 1 - level). Variances are those
// within folds, divided by units - folds. Candidates are equal whose scores differ by no more than
// rounding noise. `counts` = how often each unit counts (empty = once). Throws Error if an option
// is out of range, also for fewer samples than LeastSamples, and Error(kCancelled). REQUIRES:
// scores are finite.
std::vector<CandidateTest> TestCandidates(const CandidateScores& all,
                                          std::span<const std::int32_t> counts,
                                          const ConfidenceSetOptions& options);

}  // namespace crossfold::stats
