// Predictions of a fitted power law: errors at other sizes, rows for a target, crossings.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/error.h"
#include "crossfold/stats/power_law.h"
#include "crossfold/summary.h"

namespace crossfold::stats {
namespace {

constexpr double kFewestRows = 1;

[[noreturn]] void RefuseQuestion(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot ask a power law: " + finding);
}

void CheckConfidence(double confidence) {
  if (!(confidence > 0 && confidence < 1)) {
    RefuseQuestion("the confidence is not between 0 and 1; use 0.95");
  }
}

double StandardError(const PowerLawCurve& curve, double n) {
  return std::sqrt(curve.Variance(curve.Gradient(n)));
}

double Quantile(std::int64_t df, double confidence) {
  return TwoSidedStudentQuantile(confidence, static_cast<double>(df));
}

// What the error of the law itself may add or subtract at n.
double MisfitAt(const PowerLaw& law, double n) {
  return law.misfit * law.curve.At(n) * std::max(0.0, std::log(n / law.largest));
}

struct Ends {
  double low = 0, high = 0;
};

// The interval of PredictError, with the quantiles worked out once.
class Band {
 public:
  Band(const PowerLaw& law, double confidence) : law_(law), t_(Quantile(law.curve.df, confidence)) {
    if (law.at_bound) free_t_ = Quantile(law.unbounded.df, confidence);
  }

  Ends At(double n) const {
    const double misfit = MisfitAt(law_, n);
    Ends ends = Around(law_.curve, t_, misfit, n);
    if (law_.at_bound) {
      const Ends wider = Around(law_.unbounded, free_t_, misfit, n);
      ends = {std::min(ends.low, wider.low), std::max(ends.high, wider.high)};
    }
    return {std::max(ends.low, 0.0), ends.high};
  }

 private:
  static Ends Around(const PowerLawCurve& curve, double t, double misfit, double n) {
    const double half = std::hypot(t * StandardError(curve, n), misfit), middle = curve.At(n);
    return {middle - half, middle + half};
  }

  const PowerLaw& law_;
  double t_ = 0, free_t_ = 0;
};

// The place nearest to `from`, on the way to `to`, where `holds` changes from what it is at `from`;
// nothing if it never does. Looked for in even steps of ln n, then by halving.
template <class Holds>
std::optional<double> FirstChange(double from, double to, Holds&& holds) {
  constexpr double kLongestStep = 0.01;
  constexpr int kBisections = 200;
  const bool at_start = holds(from);
  const double start = std::log(from), span = std::log(to) - start;
  const int steps = std::max(1, static_cast<int>(std::ceil(std::abs(span) / kLongestStep)));
  double before = start;
  for (int i = 1; i <= steps; ++i) {
    double after = i == steps ? start + span : start + span * i / steps;
    if (holds(std::exp(after)) == at_start) {
      before = after;
      continue;
    }
    for (int k = 0; k < kBisections; ++k) {
      const double middle = before + (after - before) / 2;
      if (middle == before || middle == after) break;
      (holds(std::exp(middle)) == at_start ? before : after) = middle;
    }
    return std::exp(after);
  }
  return std::nullopt;
}

double AlongGradient(const std::array<double, 3>& gradient, const std::array<double, 3>& values) {
  return gradient[0] * values[0] + gradient[1] * values[1] + gradient[2] * values[2];
}

double Variance(const std::vector<double>& values) {
  const double sd = Summarize(values).sd;
  return sd * sd;
}

// The difference of two laws and its standard error times t.
class Difference {
 public:
  Difference(const PowerLaw& first, const PowerLaw& second, double confidence)
      : first_(first),
        second_(second),
        paired_(!first.curve.trials.empty() &&
                first.curve.trials.size() == second.curve.trials.size()),
        t_(Quantile(std::min(first.curve.df, second.curve.df), confidence)) {}

  double At(double n) const { return first_.curve.At(n) - second_.curve.At(n); }

  // The law that is shown to be lower at n rows: -1 the first, 1 the second, 0 neither.
  int Lower(double n) const {
    const double misfit = std::hypot(MisfitAt(first_, n), MisfitAt(second_, n));
    const double difference = At(n);
    if (!(std::abs(difference) > std::hypot(t_ * StandardErrorAt(n), misfit))) return 0;
    return difference < 0 ? -1 : 1;
  }

 private:
  double StandardErrorAt(double n) const {
    if (!paired_) {
      return std::hypot(StandardError(first_.curve, n), StandardError(second_.curve, n));
    }
    const PowerLawCurve &one = first_.curve, &other = second_.curve;
    const auto by_one = one.Gradient(n), by_other = other.Gradient(n);
    const double one_level = AlongGradient(by_one, one.by_level),
                 other_level = AlongGradient(by_other, other.by_level);
    std::vector<double> values, levels;
    for (std::size_t t = 0; t < one.trials.size(); ++t) {
      values.push_back(AlongGradient(by_one, one.trials[t]) -
                       AlongGradient(by_other, other.trials[t]));
      levels.push_back(one_level * one.levels[t] - other_level * other.levels[t]);
    }
    const double spread = Variance(values);
    return std::sqrt(spread / static_cast<double>(values.size()) +
                     std::max(one.test_to_train, other.test_to_train) *
                         std::min(spread, Variance(levels)));
  }

  const PowerLaw& first_;
  const PowerLaw& second_;
  bool paired_ = false;
  double t_ = 0;
};

// Sizes from `from` to `to` at which the same law is shown to be lower, or neither is.
struct Stretch {
  int lower = 0;
  double from = 0, to = 0;
};

std::vector<Stretch> StretchesOf(const Difference& difference, double from, double to) {
  std::vector<Stretch> stretches;
  while (true) {
    const int lower = difference.Lower(from);
    const auto end = FirstChange(from, to, [&](double n) { return difference.Lower(n) == lower; });
    stretches.push_back({lower, from, end.value_or(to)});
    if (!end || *end >= to) return stretches;
    from = std::max(*end, std::nextafter(from, to));  // exp(log(n)) may fall short of n
  }
}

// The first two stretches at which different laws are shown to be lower; nothing if there
// are none.
std::optional<std::array<Stretch, 2>> FirstTurn(const std::vector<Stretch>& stretches) {
  std::optional<Stretch> before;
  for (const Stretch& stretch : stretches) {
    if (stretch.lower == 0) continue;
    if (before && before->lower != stretch.lower) return std::array{*before, stretch};
    before = stretch;
  }
  return std::nullopt;
}

std::optional<double> FirstMeeting(const Difference& difference, double from, double to) {
  return FirstChange(from, to, [&](double n) { return difference.At(n) < 0; });
}

// REQUIRES: the stretches show no change and do not all show the same law to be lower.
void SetNotDecided(const Difference& difference, const std::vector<Stretch>& stretches, double from,
                   double to, PowerLawCrossing& crossing) {
  const auto within = [&](double n, double end) { return n == end ? kUndefined : n; };
  const auto meeting = FirstMeeting(difference, from, to);
  if (meeting) crossing.rows = *meeting;
  for (const Stretch& stretch : stretches) {
    if (stretch.lower != 0 || (meeting && stretch.to < *meeting)) continue;
    crossing.low = within(stretch.from, from);
    crossing.high = within(stretch.to, to);
    return;
  }
}

}  // namespace

PowerLawEstimate PredictError(const PowerLaw& law, double n, double confidence) {
  CheckConfidence(confidence);
  if (!std::isfinite(n) || n <= 0)
    RefuseQuestion("the number of rows is not a finite number above 0; give a size");
  const Ends ends = Band(law, confidence).At(n);
  return {law.curve.At(n), ends.low, ends.high, StandardError(law.curve, n)};
}

PowerLawRows RowsForError(const PowerLaw& law, double error, double confidence) {
  CheckConfidence(confidence);
  if (!std::isfinite(error)) RefuseQuestion("the target is not finite; give an error");
  const Band band(law, confidence);
  const auto low_reaches = [&](double n) { return band.At(n).low <= error; };
  const auto high_reaches = [&](double n) { return band.At(n).high <= error; };
  // From a size at which the interval does not reach the target, upwards.
  const auto first_reached = [](double start, auto&& reaches) {
    return reaches(start) ? start : FirstChange(start, kMostRows, reaches).value_or(kUndefined);
  };
  PowerLawRows rows;
  rows.rows = rows.low = rows.high = kUndefined;
  rows.reachable = error > law.a;
  if (!rows.reachable) {
    if (error >= 0) rows.low = first_reached(law.curve.smallest, low_reaches);
    return rows;
  }
  rows.rows = law.curve.smallest * std::pow(law.curve.scaled_b / (error - law.a), 1 / law.c);
  const double start = std::clamp(rows.rows, kFewestRows, kMostRows);
  rows.low = low_reaches(start) ? FirstChange(start, kFewestRows, low_reaches).value_or(kFewestRows)
                                : first_reached(start, low_reaches);
  rows.high = first_reached(start, high_reaches);
  return rows;
}

PowerLawCrossing CrossPowerLaws(const PowerLaw& first, const PowerLaw& second, double from,
                                double to, double confidence) {
  CheckConfidence(confidence);
  if (!(from > 0 && std::isfinite(to) && to > from)) {
    RefuseQuestion("the range of rows is not two ascending numbers above 0; give from and to");
  }
  const Difference difference(first, second, confidence);
  PowerLawCrossing crossing;
  crossing.first_lower_before = difference.At(from) < 0;
  crossing.rows = crossing.low = crossing.high = kUndefined;
  const std::vector<Stretch> stretches = StretchesOf(difference, from, to);
  if (const auto turn = FirstTurn(stretches)) {
    const auto& [before, after] = *turn;
    crossing.crosses = Crosses::kYes;
    crossing.first_lower_before = before.lower < 0;
    crossing.low = before.to;
    crossing.high = after.from;
    crossing.rows = FirstMeeting(difference, before.from, after.to).value_or(before.to);
  } else if (stretches.size() == 1 && stretches[0].lower != 0) {
    crossing.crosses = Crosses::kNo;
  } else {
    SetNotDecided(difference, stretches, from, to, crossing);
  }
  return crossing;
}

}  // namespace crossfold::stats
