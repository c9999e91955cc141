// The reliability diagram without bins, and what it says of a mean score: T. Dimitriadis, T.
// Gneiting and A. I. Jordan, "Stable reliability diagrams for probabilistic classifiers", PNAS 118
// (2021) e2016191118 (CORP). The recalibrated probabilities are the isotonic regression of the
// classes on the predicted ones.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/scored_rows.h"

namespace crossfold {

enum class ReliabilityBand {
  kConsistency,  // where the curve is if the probabilities are calibrated: classes are drawn with
                 // them, the probabilities stay
  kConsistencyResampled,  // the same, but each sample draws rows first, as the paper does
  kBootstrap,             // percentiles of the curves of samples of rows, or of groups
  kNone
};

enum class ReliabilityScore { kBrier, kLog };

struct ReliabilityOptions {
  // None = the consistency band, or that of the bootstrap where the rows have groups.
  std::optional<ReliabilityBand> band = {};
  ReliabilityScore score = ReliabilityScore::kBrier;
  double confidence = 0.95;  // of the band at each place
  int samples = 1000;
  std::uint64_t seed = 0;
  const CancelToken* cancel = nullptr;  // checked at each sample; may be null
};

// All rows with one predicted probability. The curve between two points is a straight line.
struct ReliabilityPoint {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double predicted = 0;
  double weight = 0;
  double observed = 0;  // the share of positive rows
  double recalibrated = 0;
  double low = kNone, high = kNone;  // NaN without a band
};

struct ReliabilityCurve {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;
  std::string undefined;  // the reason, if not
  std::vector<ReliabilityPoint> points;
  // The mean score is miscalibration - discrimination + uncertainty. The uncertainty is the mean
  // score of predicting the share of positive rows for all, and uncertainty - discrimination is
  // that of the recalibrated probabilities. The logarithmic score is infinite, and so is the
  // miscalibration, if a row has probability 0 for its class.
  double score = kNone, miscalibration = kNone, discrimination = kNone, uncertainty = kNone;
  // How often calibrated probabilities would have this miscalibration or more, (1 + #) / (1 +
  // samples) over classes drawn with the probabilities. It is a valid p-value if the rows are
  // independent. NaN without samples.
  double p = kNone;
  std::string p_undefined;  // why there is no p
};

// The curve is undefined if no row has a weight; one class alone is enough. The scores of one row
// (`rows.rows`) are drawn together: their classes come from one random number. Where there are more
// than 1000 points the band is computed at 1000 of them and linear between. Throws Error if a score
// is not a probability, for a confidence outside (0, 1) and for fewer than 2 or more than 10000
// samples, and for the consistency bands of rows with groups, which depend on each other. Then p
// is undefined, too. Without a band nothing is drawn. Throws Error(kCancelled).
ReliabilityCurve DrawReliabilityCurve(const ScoredRows& rows,
                                      const ReliabilityOptions& options = {});

}  // namespace crossfold
