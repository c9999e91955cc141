#include "crossfold/stats/power.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"

namespace crossfold::stats {
namespace {

constexpr double kMaxPlannedRows = 1e12;
constexpr double kMinAlpha = 1e-12;
constexpr char kPlan[] = "plan the comparison";

// One test, as the searches use it.
struct Test {
  double fewest_rows = 0;
  std::function<Plan(double rows, double difference)> plan;  // difference >= 0
};

void CheckModel(const ComparisonModel& model) {
  if (!(model.disagreement > 0 && model.disagreement <= 1)) {
    RefuseArgument(kPlan, "the disagreement is " + FormatShortest(model.disagreement),
                   "it is a share of the rows, above 0 and up to 1");
  }
  if (!(model.training_sd >= 0 && std::isfinite(model.training_sd))) {
    RefuseArgument(kPlan, "training_sd is " + FormatShortest(model.training_sd),
                   "it is a standard deviation, 0 or more");
  }
  CheckOpenShare(kPlan, "alpha", model.alpha);
  if (model.alpha < kMinAlpha) {  // 1 - alpha / 2 would lose its digits
    RefuseArgument(kPlan, "alpha is " + FormatShortest(model.alpha),
                   "use at least " + FormatShortest(kMinAlpha));
  }
}

void CheckScheme(const SplitScheme& scheme) {
  CheckOpenShare(kPlan, "the test share", scheme.test_share);
  if (scheme.splits >= 2) return;
  RefuseArgument(kPlan, "the number of splits is " + std::to_string(scheme.splits),
                 "use at least 2, or McNemar's test for one test set");
}

void CheckDifference(double difference, const ComparisonModel& model) {
  if (std::fabs(difference) <= model.disagreement) return;  // false for a NaN
  RefuseArgument(kPlan,
                 "a difference of " + FormatShortest(difference) +
                     " is impossible if the learners disagree on " +
                     FormatShortest(model.disagreement) + " of the rows",
                 "give a disagreement that is at least as large");
}

void CheckRows(double rows, const Test& test) {
  if (rows > kMaxPlannedRows) {
    RefuseArgument(kPlan, "there are " + FormatShortest(rows) + " rows",
                   "use at most " + FormatShortest(kMaxPlannedRows));
  }
  if (rows >= test.fewest_rows) return;
  RefuseArgument(kPlan, "there are " + FormatShortest(rows) + " rows",
                 "use at least " + FormatShortest(test.fewest_rows));
}

void CheckPower(double power, const ComparisonModel& model) {
  if (power > model.alpha && power < 1) return;
  RefuseArgument(kPlan, "the power is " + FormatShortest(power),
                 "it must be between alpha, here " + FormatShortest(model.alpha) + ", and 1");
}

Plan UndefinedPlan(const std::string& reason) {
  return {false, reason, kUndefined, kUndefined, kUndefined, kUndefined};
}

double RowVariance(double difference, const ComparisonModel& model) {
  return std::max(0.0, model.disagreement - difference * difference);
}

// Probability that |t| exceeds the critical value at noncentrality `delta` >= 0.
double StudentPower(double delta, double df, double alpha) {
  if (std::isinf(delta)) return 1;
  const double critical = StudentQuantile(1 - alpha / 2, df);
  const double power =
      NoncentralStudentUpper(critical, df, delta) + NoncentralStudentCdf(-critical, df, delta);
  return std::min(1.0, power);
}

Test TestOfSplits(const SplitScheme& scheme, const ComparisonModel& model) {
  CheckModel(model);
  CheckScheme(scheme);
  const double share = scheme.test_share, splits = static_cast<double>(scheme.splits);
  const double factor = 1 / splits + share / (1 - share);
  Test test;
  // A row to test and a row to train on; 7 folds need 7 rows, whatever 1 / (1 / 7) rounds to.
  test.fewest_rows = std::ceil(1 / std::min(share, 1 - share) - 1e-9);
  test.plan = [=](double rows, double difference) {
    const double of_split =
        RowVariance(difference, model) / (rows * share) + model.training_sd * model.training_sd;
    const double error = std::sqrt(of_split * factor);
    return Plan{true,       "",   StudentPower(difference / error, splits - 1, model.alpha),
                difference, rows, error};
  };
  return test;
}

Test TestOfMcNemar(const ComparisonModel& model) {
  CheckModel(model);
  Test test;
  test.fewest_rows = 1;
  test.plan = [=](double rows, double difference) {
    // A normal test of sqrt(rows) times the share of rows won minus the share lost.
    const double critical = -NormalQuantile(model.alpha / 2) * std::sqrt(model.disagreement);
    const double sd = std::sqrt(RowVariance(difference, model));
    const double shift = std::sqrt(rows) * difference;
    const double power =
        sd > 0 ? NormalUpper((critical - shift) / sd) + NormalUpper((critical + shift) / sd)
               : (shift > critical ? 1.0 : 0.0);
    return Plan{true, "", std::min(1.0, power), difference, rows, kUndefined};
  };
  return test;
}

Plan PowerAt(std::int64_t rows, double difference, const Test& test, const ComparisonModel& model) {
  CheckRows(static_cast<double>(rows), test);
  CheckDifference(difference, model);
  if (std::fabs(difference) == 1 && model.training_sd == 0) {
    return UndefinedPlan("one learner is right and the other wrong on every row: nothing varies");
  }
  Plan plan = test.plan(static_cast<double>(rows), std::fabs(difference));
  plan.difference = difference;
  return plan;
}

// The power grows with the difference: bisection.
Plan Detectable(std::int64_t rows, double power, const Test& test, const ComparisonModel& model) {
  const double n = static_cast<double>(rows);
  CheckRows(n, test);
  CheckPower(power, model);
  double low = 0, high = model.disagreement;
  const double most = test.plan(n, high).power;
  if (most < power) {
    return UndefinedPlan("even the largest possible difference, the disagreement of " +
                         FormatShortest(model.disagreement) + ", has a power of only " +
                         FormatFixed(most, 4));
  }
  while (high - low > 1e-12 * high) {
    const double middle = low + (high - low) / 2;
    (test.plan(n, middle).power < power ? low : high) = middle;
  }
  return test.plan(n, high);
}

// The power grows with the rows: doubling, then bisection over whole numbers.
Plan RowsNeeded(double difference, double power, const Test& test, const ComparisonModel& model) {
  CheckDifference(difference, model);
  CheckPower(power, model);
  if (difference == 0) {
    RefuseArgument(kPlan, "the difference is 0", "name the difference that is to be found");
  }
  const double d = std::fabs(difference);
  double low = test.fewest_rows - 1, high = test.fewest_rows;
  for (double found = 0; (found = test.plan(high, d).power) < power;) {
    if (high >= kMaxPlannedRows) {
      return UndefinedPlan("even " + FormatShortest(high) + " rows have a power of only " +
                           FormatFixed(found, 4));
    }
    low = high;
    high = std::min(2 * high, kMaxPlannedRows);
  }
  while (high - low > 1) {
    const double middle = std::floor(low + (high - low) / 2);
    (test.plan(middle, d).power < power ? low : high) = middle;
  }
  Plan plan = test.plan(high, d);
  plan.difference = difference;
  return plan;
}

}  // namespace

SplitScheme FoldScheme(std::int64_t folds, std::int64_t repeats) {
  if (folds < 2) {
    RefuseArgument(kPlan, "the number of folds is " + std::to_string(folds), "use at least 2");
  }
  if (repeats < 1 || repeats > 1'000'000 || folds > 1'000'000) {
    RefuseArgument(
        kPlan,
        "there are " + std::to_string(repeats) + " repeats of " + std::to_string(folds) + " folds",
        "use 1 to 1000000 of each");
  }
  return {1 / static_cast<double>(folds), folds * repeats};
}

SplitScheme HoldoutScheme(double test_share, std::int64_t repeats) {
  const SplitScheme scheme = {test_share, repeats};
  CheckScheme(scheme);
  return scheme;
}

Plan PowerOfSplits(std::int64_t rows, double difference, const SplitScheme& scheme,
                   const ComparisonModel& model) {
  return PowerAt(rows, difference, TestOfSplits(scheme, model), model);
}

Plan DetectableBySplits(std::int64_t rows, double power, const SplitScheme& scheme,
                        const ComparisonModel& model) {
  return Detectable(rows, power, TestOfSplits(scheme, model), model);
}

Plan RowsForSplits(double difference, double power, const SplitScheme& scheme,
                   const ComparisonModel& model) {
  return RowsNeeded(difference, power, TestOfSplits(scheme, model), model);
}

Plan PowerOfMcNemar(std::int64_t rows, double difference, const ComparisonModel& model) {
  return PowerAt(rows, difference, TestOfMcNemar(model), model);
}

Plan DetectableByMcNemar(std::int64_t rows, double power, const ComparisonModel& model) {
  return Detectable(rows, power, TestOfMcNemar(model), model);
}

Plan RowsForMcNemar(double difference, double power, const ComparisonModel& model) {
  return RowsNeeded(difference, power, TestOfMcNemar(model), model);
}

}  // namespace crossfold::stats
