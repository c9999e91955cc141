#include "crossfold/best_threshold.h"

#include <cmath>
#include <numeric>

#include "crossfold/error.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void CheckChoice(const ThresholdChoice& choice) {
  const std::string attempt = "cannot choose a threshold: ";
  if (!(choice.beta > 0) || !std::isfinite(choice.beta)) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "beta is " + FormatShortest(choice.beta) + "; use a number above 0");
  }
  for (const auto& of_truth : choice.costs) {
    for (const double cost : of_truth) {
      if (!std::isfinite(cost)) {
        throw Error(ErrorKind::kInvalidArgument, attempt + "a cost is not finite");
      }
    }
  }
}

// Quotients of exact numbers, so that equal values are equal to the last bit.
double FBeta(const ThresholdCounts& c, double beta) {
  const double b2 = beta * beta;
  return c.tp + c.fn > 0 ? (1 + b2) * c.tp / ((1 + b2) * c.tp + b2 * c.fn + c.fp) : kNone;
}

double Matthews(const ThresholdCounts& c) {
  const double product = (c.tp + c.fp) * (c.tn + c.fn) * (c.tp + c.fn) * (c.tn + c.fp);
  const double difference = c.tp * c.tn - c.fp * c.fn;
  if (!(product > 0)) return kNone;
  return std::copysign(std::sqrt(difference * difference / product), difference);
}

// Why `goal` has no value at any threshold; "" = it has one.
std::string FindObstacle(ThresholdGoal goal, const ScoredRows& rows, const ThresholdTable& table) {
  const std::string missing = FindMissingClass(rows, table);
  switch (goal) {
    case ThresholdGoal::kAccuracy:
    case ThresholdGoal::kCost:
      return table.rows.empty() ? missing : "";
    case ThresholdGoal::kFBeta:
      return table.positives > 0 ? "" : missing;
    default:
      return missing;
  }
}

// Between the scores of step `i` and the next: at or below the one, above the other.
double Between(const ThresholdTable& table, std::size_t i) {
  if (i == 0) return kInfinity;
  if (i + 1 == table.rows.size()) return -kInfinity;
  const double above = table.rows[i].threshold, below = table.rows[i + 1].threshold;
  const double middle = std::midpoint(above, below);
  return middle > below ? middle : above;  // neighbouring doubles have nothing between them
}

}  // namespace

double GoalValue(const ThresholdChoice& choice, const ThresholdCounts& c) {
  const double positives = c.tp + c.fn, negatives = c.fp + c.tn, total = positives + negatives;
  const bool both = positives > 0 && negatives > 0;
  switch (choice.goal) {
    case ThresholdGoal::kAccuracy:
      return total > 0 ? (c.tp + c.tn) / total : kNone;
    case ThresholdGoal::kFBeta:
      return FBeta(c, choice.beta);
    case ThresholdGoal::kYouden:
      return both ? (c.tp * negatives - c.fp * positives) / (positives * negatives) : kNone;
    case ThresholdGoal::kBalancedAccuracy:
      return both ? (c.tp * negatives + c.tn * positives) / (2 * positives * negatives) : kNone;
    case ThresholdGoal::kMatthews:
      return Matthews(c);
    case ThresholdGoal::kCost: {
      const auto& [of_negative, of_positive] = choice.costs;
      const double sum = c.tn * of_negative[0] + c.fp * of_negative[1] + c.fn * of_positive[0] +
                         c.tp * of_positive[1];
      return total > 0 ? sum / total : kNone;
    }
  }
  return kNone;
}

BestThreshold FindBestThreshold(const ScoredRows& rows, const ThresholdChoice& choice) {
  CheckChoice(choice);
  BestThreshold best;
  const ThresholdTable table = TabulateThresholds(rows);
  best.undefined = FindObstacle(choice.goal, rows, table);
  if (!best.undefined.empty()) return best;
  const double sign = choice.goal == ThresholdGoal::kCost ? -1 : 1;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double value = GoalValue(choice, table.rows[i]);
    if (std::isnan(value) || (best.defined && !(sign * value > sign * best.value))) continue;
    best.defined = true;
    best.value = value;
    best.counts = table.rows[i];
    best.counts.threshold = Between(table, i);
  }
  if (!best.defined) best.undefined = "every threshold calls all rows one class";
  return best;
}

}  // namespace crossfold
