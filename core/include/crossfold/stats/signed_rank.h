// Compares two learners on several data sets (or splits) by tests that use only the signs and ranks
// of the differences. The differences must be independent.
//
// Differences of decimals rarely tie in binary: 0.82 - 0.81 is not 0.87 - 0.86. So |differences|
// count as equal if they are within `tie_tolerance` times the largest |difference|, and a
// difference that is as near to 0 counts as 0. With tolerance 0 the bits decide.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "crossfold/cancel_token.h"

namespace crossfold::stats {

inline constexpr double kTieTolerance = 1e-12;
// The maximum number of ranks for which the exact distribution is counted: 2^50 sign patterns are
// exact in a double.
inline constexpr std::int64_t kMaxExactRanks = 50;

enum class Zeros {
  kWilcox,  // dropped before ranking (Wilcoxon 1945)
  kPratt,   // ranked, then dropped (J. W. Pratt 1959, JASA 54, 655-667)
  kZsplit   // ranked; each side gets half of their ranks (J. Demsar 2006, JMLR 7, 1-30)
};

enum class SignedRankMethod {
  kAuto,   // exact up to kMaxExactRanks differences without ties and zeros, else normal
  kExact,  // counted over all sign patterns of the ranks at hand, ties included
  kNormal
};

struct SignedRankOptions {
  Zeros zeros = Zeros::kWilcox;
  SignedRankMethod method = SignedRankMethod::kAuto;
  bool continuity = false;     // normal: T is taken half a rank nearer to its mean
  bool tie_correction = true;  // normal: ties lower the variance by (t^3 - t) / 48 each
  double tie_tolerance = kTieTolerance;
  const CancelToken* cancel = nullptr;  // checked while ranks are computed; may be null
};

struct SignedRankTest {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;
  std::string undefined;  // why not; if all differences are 0, p is 1 by convention
  std::int64_t n = 0, zeros = 0;
  bool ties = false;                       // among the differences that are not 0
  double r_plus = kNone, r_minus = kNone;  // sums of the ranks of each sign
  double statistic = kNone;                // T, the smaller sum
  bool exact = false;                      // how p was computed
  double z = kNone;                        // normal: of T, so it is not above 0
  double p = kNone;                        // two-sided
};

// F. Wilcoxon 1945, Biometrics Bulletin 1, 80-83. Raises Error for differences that are not finite,
// a tolerance outside [0, 1), and for an exact test that does not exist: more than kMaxExactRanks
// ranks, or zeros that are split.
SignedRankTest SignedRank(std::span<const double> differences, SignedRankOptions options = {});

enum class SignTies {
  kDropped,
  kSplit  // half of them to each side; of an odd number one is dropped (Demsar 2006)
};

struct SignTest {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;
  std::string undefined;  // why not; if all differences are 0, p is 1 by convention
  std::int64_t plus = 0, minus = 0, ties = 0;  // as observed
  std::int64_t n = 0;                          // signs that were tested
  double p = kNone;                            // two-sided, exact binomial
};

// R. A. Fisher's sign test, W. J. Dixon, A. M. Mood 1946, JASA 41, 557-566.
SignTest TestSigns(std::span<const double> differences, SignTies ties = SignTies::kDropped,
                   double tie_tolerance = kTieTolerance);

}  // namespace crossfold::stats
