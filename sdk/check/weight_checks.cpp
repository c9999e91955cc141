// Checks of weights: a row of weight w counts as w rows.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/learner_cases.h"
#include "check/probe_data.h"

namespace crossfold::check {
namespace {

Predicted RunWeighted(const LearnerCase& c, const std::vector<double>& weights) {
  cf_table train = c.train.get();
  train.weights = weights.data();
  return c.Run(train, c.rows.get());
}

// If randomness or the order of the rows matters, repeated rows and weights differ, but weights
// must have an effect.
void LookIfTheyMatter(CheckContext& context, const LearnerCase& c) {
  std::vector<double> weights;
  for (std::int64_t i = 0; i < c.n_rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const bool counts =
        c.n_classes() > 0 ? c.data->labels()[row] == 0 : c.data->values()[row] < 0.5;
    weights.push_back(counts ? 1000 : 0.001);
  }
  if (Difference(RunWeighted(c, weights), c.expected).empty()) {
    context.Fail("on a " + c.name() +
                 " weights of 1000 and 0.001 give the same predictions as no weights");
  }
}

void LearnerWeights(CheckContext& context) {
  constexpr double kTolerance = 1e-5;  // of numbers computed in another order, in single precision
  if ((context.component().learner->accepts & CF_ACCEPTS_WEIGHTS) == 0) {
    context.Skip("it does not declare CF_ACCEPTS_WEIGHTS: the host refuses such data");
  }
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    const std::int64_t n = c.n_rows();
    const std::string ones =
        Difference(RunWeighted(c, WeightEvery(n, 1, 1)), c.expected, kTolerance);
    if (!ones.empty()) context.Fail("on a " + c.name() + ", with all weights 1 " + ones);
    const std::string none = FindProblem(RunWeighted(c, WeightEvery(n, 1, 0)), c.n_classes());
    if (!none.empty()) context.Fail("on a " + c.name() + ", with all weights 0 " + none);
    if (DependsOnSeed(c) || DependsOnOrder(c, kTolerance)) {
      LookIfTheyMatter(context, c);
      continue;
    }
    for (const double weight : {0.0, 2.0}) {
      const std::vector<double> weights = WeightEvery(n, 4, weight);
      const std::string difference =
          Difference(RunWeighted(c, weights), RunOnRows(c, RepeatedRows(weights)), kTolerance);
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", with weight " + (weight == 0 ? "0" : "2") +
                   " for every fourth row instead of " +
                   (weight == 0 ? "leaving it out " : "having it twice ") + difference);
    }
  }
}

constexpr Check kWeightChecks[] = {
    {"weights", CheckScope::kLearner, 3, false, "fit-idempotent",
     "weight 0 leaves a row out, weight 2 counts it twice, and weights of 1 change nothing",
     &LearnerWeights},
};

}  // namespace

std::span<const Check> WeightChecks() { return kWeightChecks; }

}  // namespace crossfold::check
