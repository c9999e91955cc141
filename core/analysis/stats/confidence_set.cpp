#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/stats/candidate_scores.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::stats {
namespace {

constexpr char kTest[] = "test which candidates are as good as the best";
constexpr double kScreened = 0.1;    // of 1 - level, for the choice of rivals
constexpr double kRounding = 1e-12;  // of the size of the scores: smaller differences are noise

// The largest p of a candidate that is rejected.
double LimitOfP(double level) { return (1 - 2 * kScreened) * (1 - level); }

// The scores of each unit as deviations from the means of its folds, and what the means differ by.
class CentredScores {
 public:
  CentredScores(const CandidateScores& all, std::span<const std::int32_t> counts)
      : n_(static_cast<std::size_t>(all.n_units)),
        c_(static_cast<std::size_t>(all.n_candidates)),
        roots_(n_, 1),
        deviations_(n_ * c_, 0),
        sizes_(c_, 0) {
    const std::vector<std::int32_t> once(counts.empty() ? n_ : 0, 1);
    const std::span<const std::int32_t> used = counts.empty() ? once : counts;
    means_ = BagMeans(all, used, false);
    Centre(all, used, BagMeans(all, used, true));
  }

  std::size_t n_candidates() const { return c_; }
  double mean(std::size_t candidate) const { return means_[candidate]; }
  double n_drawn() const { return n_drawn_; }
  // What is left of the draws after a mean was taken in each fold.
  double degrees_of_freedom() const { return n_drawn_ - folds_of_draws_; }

  // What rounding may make of a difference of two equal candidates.
  double RoundingOf(std::size_t a, std::size_t b) const {
    return kRounding * std::max(sizes_[a], sizes_[b]);
  }

  // The sum over the draws of the squared deviations of a difference.
  double SquaresOf(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t unit = 0; unit < n_; ++unit) {
      const double* row = deviations_.data() + unit * c_;
      sum += (row[a] - row[b]) * (row[a] - row[b]);
    }
    return sum;
  }

  // Adds up the deviations of all candidates, each unit times a normal number.
  void Perturb(plugin::Random& random, std::vector<double>& sums) const {
    std::fill(sums.begin(), sums.end(), 0);
    for (std::size_t unit = 0; unit < n_; ++unit) {
      const double factor = random.Normal();
      if (roots_[unit] == 0) continue;
      const double* row = deviations_.data() + unit * c_;
      for (std::size_t c = 0; c < c_; ++c) sums[c] += factor * row[c];
    }
  }

 private:
  void Centre(const CandidateScores& all, std::span<const std::int32_t> counts,
              const std::vector<double>& fold_means) {
    double weights = 0;
    std::set<std::pair<std::int64_t, std::int64_t>> places;  // unit and fold
    std::set<std::int64_t> folds;
    double drawn_places = 0;
    for (std::size_t test = 0; test < all.n_tests(); ++test) {
      const std::int32_t count = counts[static_cast<std::size_t>(all.units[test])];
      if (count == 0) continue;
      weights += count * all.weight(test);
      folds.insert(all.folds[test]);
      if (places.emplace(all.units[test], all.folds[test]).second) drawn_places += count;
    }
    for (std::size_t unit = 0; unit < n_; ++unit) {
      n_drawn_ += counts[unit];
      roots_[unit] = std::sqrt(static_cast<double>(counts[unit]));
    }
    folds_of_draws_ = static_cast<double>(folds.size()) * n_drawn_ / drawn_places;
    for (std::size_t test = 0; test < all.n_tests(); ++test) {
      const auto unit = static_cast<std::size_t>(all.units[test]);
      if (counts[unit] == 0) continue;
      const double factor = roots_[unit] * all.weight(test) * n_drawn_ / weights;
      const double* scores = all.scores.data() + test * c_;
      const double* means = fold_means.data() + static_cast<std::size_t>(all.folds[test]) * c_;
      double* row = deviations_.data() + unit * c_;
      for (std::size_t c = 0; c < c_; ++c) {
        row[c] += factor * (scores[c] - means[c]);
        sizes_[c] += counts[unit] * all.weight(test) * std::abs(scores[c]) / weights;
      }
    }
  }

  std::size_t n_, c_;
  std::vector<double> roots_;       // of the counts
  std::vector<double> deviations_;  // units x candidates, times the root of the unit's count
  std::vector<double> means_;
  std::vector<double> sizes_;  // the mean absolute score of each candidate
  double n_drawn_ = 0, folds_of_draws_ = 0;
};

// The candidates that one is compared with.
struct Rivals {
  std::vector<std::size_t> places;
  std::vector<double> scale;  // 1 / the root of the squares of each difference
  double statistic = -std::numeric_limits<double>::infinity();
  std::int64_t strongest = -1;
  bool is_beaten = false;  // by the same number in every row: there is no variance to test
};

Rivals FindRivals(const CentredScores& centred, std::size_t candidate,
                  const ConfidenceSetOptions& options) {
  const std::size_t n = centred.n_candidates();
  const double share = kScreened * (1 - options.level) / static_cast<double>(n - 1);
  const double limit = -2 * NormalQuantile(1 - share);
  Rivals rivals;
  for (std::size_t other = 0; other < n; ++other) {
    if (other == candidate) continue;
    const double difference = options.direction * (centred.mean(other) - centred.mean(candidate));
    const double squares = centred.SquaresOf(candidate, other);
    const double rounding = centred.RoundingOf(candidate, other);
    if (std::sqrt(squares / centred.n_drawn()) <= rounding) {
      if (difference <= rounding || rivals.is_beaten) continue;
      rivals.is_beaten = true;
      rivals.strongest = static_cast<std::int64_t>(other);
      continue;
    }
    const double sd = std::sqrt(squares / centred.degrees_of_freedom());
    const double statistic = std::sqrt(centred.n_drawn()) * difference / sd;
    if (statistic <= limit) continue;
    rivals.places.push_back(other);
    rivals.scale.push_back(1 / std::sqrt(squares));
    if (statistic <= rivals.statistic) continue;
    rivals.statistic = statistic;
    if (!rivals.is_beaten) rivals.strongest = static_cast<std::int64_t>(other);
  }
  return rivals;
}

double LargestOf(const Rivals& rivals, std::size_t candidate, const std::vector<double>& sums,
                 double direction) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rivals.places.size(); ++i) {
    const double difference = direction * (sums[rivals.places[i]] - sums[candidate]);
    largest = std::max(largest, difference * rivals.scale[i]);
  }
  return largest;
}

void CheckOptions(const CandidateScores& all, const ConfidenceSetOptions& options) {
  CheckOpenShare(kTest, "level", options.level);
  const std::int64_t least = LeastSamples(options.level);
  if (options.samples < least) {
    RefuseArgument(kTest,
                   "samples is " + std::to_string(options.samples) +
                       ", too few to reject a candidate at this level",
                   "draw at least " + std::to_string(least));
  }
  if (all.n_candidates < 1 || all.n_tests() == 0) {
    RefuseArgument(kTest, "there are no scores", "give at least one candidate and one row");
  }
}

CandidateTest Conclude(const Rivals& rivals, std::int64_t as_large,
                       const ConfidenceSetOptions& options) {
  const auto p = static_cast<double>(as_large + 1) / static_cast<double>(options.samples + 1);
  const double limit = LimitOfP(options.level);
  if (rivals.is_beaten) {
    return {0, false, rivals.strongest, std::numeric_limits<double>::infinity()};
  }
  if (!(rivals.statistic > 0)) return {rivals.places.empty() ? 1 : p, true, -1, 0};
  return {p, p > limit, rivals.strongest, rivals.statistic};
}

}  // namespace

std::int64_t LeastSamples(double level) {
  constexpr double kTimes = 10;         // the limit as a multiple of the smallest p
  constexpr double kOfDivision = 1e-9;  // 10 / 0.08 is 125, not a little more
  return static_cast<std::int64_t>(std::ceil(kTimes / LimitOfP(level) - kOfDivision)) - 1;
}

std::vector<CandidateTest> TestCandidates(const CandidateScores& all,
                                          std::span<const std::int32_t> counts,
                                          const ConfidenceSetOptions& options) {
  CheckOptions(all, options);
  const auto n = static_cast<std::size_t>(all.n_candidates);
  if (n == 1) return {CandidateTest()};
  const CentredScores centred(all, counts);
  if (!(centred.degrees_of_freedom() >= 1)) {
    RefuseArgument(kTest, "every inner fold has one row, which has no deviation from its mean",
                   "use folds of two rows or more");
  }
  std::vector<Rivals> rivals;
  for (std::size_t candidate = 0; candidate < n; ++candidate) {
    StopIfCancelled(options.cancel);
    rivals.push_back(FindRivals(centred, candidate, options));
  }
  std::vector<std::int64_t> as_large(n, 0);
  std::vector<double> sums(n);
  plugin::Random random(options.seed);
  for (std::int64_t sample = 0; sample < options.samples; ++sample) {
    StopIfCancelled(options.cancel);
    centred.Perturb(random, sums);
    for (std::size_t c = 0; c < n; ++c) {
      if (LargestOf(rivals[c], c, sums, options.direction) >= rivals[c].statistic) ++as_large[c];
    }
  }
  std::vector<CandidateTest> tests;
  for (std::size_t c = 0; c < n; ++c) tests.push_back(Conclude(rivals[c], as_large[c], options));
  return tests;
}

}  // namespace crossfold::stats
