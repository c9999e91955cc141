// Confidence intervals of a proportion, such as an accuracy, and the comparison of two models that
// were tested on different rows.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace crossfold::stats {

enum class ProportionMethod {
  kWilson,           // E. B. Wilson 1927, JASA 22, 209-212: inverts the score test
  kWilsonCorrected,  // with continuity correction: R. G. Newcombe 1998, Stat. Med. 17, 857-872
  kNormal,           // Wald: p +- z sqrt(p (1 - p) / n), cut at 0 and 1; has no width at 0 and n
  kClopperPearson,   // C. J. Clopper, E. S. Pearson 1934, Biometrika 26, 404-413: exact, wide
  kAgrestiCoull,     // A. Agresti, B. A. Coull 1998, Am. Stat. 52, 119-126; cut at 0 and 1
  kJeffreys          // quantiles of Beta(x + 1/2, n - x + 1/2): Brown, Cai, DasGupta 2001,
                     // Stat. Sci. 16, 101-133, without their change of the limits at 0 and n
};

struct ProportionInterval {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;
  std::string undefined;  // why not
  double estimate = kNone;
  double low = kNone, high = kNone;
};

// The interval for `count` right rows of `n`. It is undefined for n = 0. Raises Error unless 0 <=
// count <= n and 0 < confidence < 1.
ProportionInterval IntervalOfProportion(std::int64_t count, std::int64_t n,
                                        ProportionMethod method = ProportionMethod::kWilson,
                                        double confidence = 0.95);

// `count` of `n` rows. It need not be a whole number, as a published rate may be multiplied by n.
struct CountOf {
  double count = 0;
  std::int64_t n = 0;
};

struct TwoProportions {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;   // whether there is a statistic
  std::string undefined;  // why not
  double first = kNone, second = kNone, difference = kNone;
  // The test that both are equal: z with the standard error of the pooled rate. If both are 0 or
  // both are 1 there is no statistic, and p is 1 by convention.
  double pooled_error = kNone, statistic = kNone, p = kNone;
  // The interval of the difference, with the standard error of the two rates, and z with that error
  // (Tan, Steinbach, Kumar: Introduction to Data Mining). They do not exist if that error is 0.
  double standard_error = kNone, unpooled_statistic = kNone, unpooled_p = kNone;
  double low = kNone, high = kNone;
  std::string interval_undefined;  // why not
};

// REQUIRES: the two models were tested on different rows, drawn independently. For the same rows
// use McNemar's test (mcnemar.h). Raises Error unless 0 <= count <= n, 0 < confidence < 1.
TwoProportions CompareProportions(CountOf first, CountOf second, double confidence = 0.95);

}  // namespace crossfold::stats
