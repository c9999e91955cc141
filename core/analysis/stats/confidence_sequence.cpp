#include "crossfold/stats/confidence_sequence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/summary.h"
#include "engine/text/format_number.h"

namespace crossfold::stats {
namespace {

constexpr char kSequence[] = "follow a mean row by row";
constexpr int kSequenceHalvings = 60;

// The parameter of the normal mixture whose boundary is narrowest at variance v.
double BestRho(double v, double alpha) {
  const double log_square = -2 * std::log(alpha);
  return v / (log_square + std::log1p(log_square));
}

double LogBeta(double a, double b) { return LogGamma(a) + LogGamma(b) - LogGamma(a + b); }

// The logarithm of the mixture martingale against the proportion p, 0 < p < 1.
double LogMixture(double p, double k, double n, double best_at) {
  constexpr double kTunedAlpha = 0.05;
  const double spread = p * (1 - p);
  const double r = std::max(BestRho(spread * best_at, kTunedAlpha) - spread, spread / 1000);
  return LogBeta(r / (1 - p) + k, r / p + n - k) - LogBeta(r / (1 - p), r / p) - k * std::log(p) -
         (n - k) * std::log1p(-p);
}

// Where the martingale reaches the threshold between `inside`, where it is below, and `outside`.
template <class IsRefused>
double EndBetween(double inside, double outside, IsRefused is_refused) {
  for (int i = 0; i < kSequenceHalvings; ++i) {
    const double middle = inside + (outside - inside) / 2;
    (is_refused(middle) ? outside : inside) = middle;
  }
  return outside;
}

void RequirePositive(const std::string& name, double value) {
  if (value > 0 && std::isfinite(value)) return;
  RefuseArgument(kSequence, name + " is " + FormatShortest(value), "it must be positive");
}

// Capitals of gamblers, each of whom bets a fixed share on one sign of the differences.
class Gamblers {
 public:
  Gamblers() { log_capitals_.fill(0); }

  void See(double share) {
    for (std::size_t g = 0; g < kBets; ++g) {
      const double bet = static_cast<double>(g + 1) / 20;
      log_capitals_[g] += std::log1p(bet * share);
      log_capitals_[kBets + g] += std::log1p(-bet * share);
    }
  }
  double MeanCapital() const {
    double sum = 0;
    for (const double log_capital : log_capitals_) sum += std::exp(log_capital);
    return sum / static_cast<double>(log_capitals_.size());
  }

 private:
  static constexpr std::size_t kBets = 10;
  std::array<double, 2 * kBets> log_capitals_;
};

}  // namespace

double NormalMixtureBoundary(double v, double alpha, double best_at) {
  CheckOpenShare(kSequence, "alpha", alpha);
  RequirePositive("best_at", best_at);
  if (!(v >= 0 && std::isfinite(v))) {
    RefuseArgument(kSequence, "the variance is " + FormatShortest(v), "it must be at least 0");
  }
  const double rho = BestRho(best_at, alpha);
  return std::sqrt((v + rho) * (std::log((v + rho) / rho) - 2 * std::log(alpha)));
}

MeanInterval ProportionSequence(std::int64_t k, std::int64_t n, double best_at, double confidence) {
  CheckOpenShare(kSequence, "confidence", confidence);
  RequirePositive("best_at", best_at);
  if (k < 0 || k > n) {
    RefuseArgument(kSequence, std::to_string(k) + " of " + std::to_string(n) + " are successes",
                   "use a number from 0 to the number of trials");
  }
  if (n == 0) return {0, 1};
  const auto successes = static_cast<double>(k), trials = static_cast<double>(n);
  const double share = successes / trials, threshold = -std::log(1 - confidence);
  const auto is_refused = [&](double p) {
    return p <= 0 || p >= 1 || LogMixture(p, successes, trials, best_at) >= threshold;
  };
  return {k == 0 ? 0 : EndBetween(share, 0, is_refused),
          k == n ? 1 : EndBetween(share, 1, is_refused)};
}

SequentialMean TestSequentially(std::span<const double> differences, double largest,
                                double confidence, const CancelToken* cancel) {
  RequirePositive("the largest difference", largest);
  SequentialMean found;
  const MeanInterval interval = BettingInterval(differences, -largest, largest, confidence);
  found.n = static_cast<std::int64_t>(differences.size());
  found.low = interval.low;
  found.high = interval.high;
  if (differences.empty()) return found;
  found.mean = MeanOf(differences);
  Gamblers gamblers;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    StopIfCancelled(cancel);
    gamblers.See(std::clamp(differences[i] / largest, -1.0, 1.0));
    found.evidence = std::max(found.evidence, gamblers.MeanCapital());
    found.p = 1 / found.evidence;
    if (found.decided == 0 && found.p <= 1 - confidence) {
      found.decided = static_cast<std::int64_t>(i + 1);
    }
  }
  return found;
}

}  // namespace crossfold::stats
