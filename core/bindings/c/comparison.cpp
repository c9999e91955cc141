#include "crossfold/comparison.h"

#include <utility>

#include "bindings/c/guarded_call.h"
#include "bindings/c/json_arguments.h"

using namespace crossfold;
using namespace crossfold::c_api;

crossfold_status crossfold_result_compare(crossfold_context* context,
                                          const crossfold_result* result, const char* options,
                                          crossfold_comparison** comparison) {
  constexpr const char* kAttempt = "cannot compare the learners";
  return CallToMake(context, comparison, kAttempt, "comparison", [&] {
    const Experiment& experiment = Alive(result, kAttempt, "result")->experiment;
    const ComparisonOptions read = ReadComparison(options, kAttempt, experiment, *context->plugins);
    auto made = std::make_unique<crossfold_comparison>();
    made->pairs = CompareLearners(experiment, result->found, read);
    return made;
  });
}

size_t crossfold_comparison_count(const crossfold_comparison* comparison) {
  return !IsAlive(comparison) ? 0 : comparison->pairs.size();
}

crossfold_status crossfold_comparison_pair(const crossfold_comparison* comparison, size_t index,
                                           crossfold_pair* pair) {
  if (!IsAlive(comparison) || index >= comparison->pairs.size()) return CROSSFOLD_INVALID_ARGUMENT;
  const ComparedPair& made = comparison->pairs[index];
  crossfold_pair filled{};
  if (made.better) filled.better = *made.better == made.first ? 1 : -1;
  filled.a = made.first;
  filled.b = made.second;
  filled.test = made.test.c_str();
  filled.splits = made.splits;
  filled.splits_of = made.splits_of;
  filled.mean_a = made.mean_first;
  filled.mean_b = made.mean_second;
  filled.difference = made.difference;
  filled.low = made.low;
  filled.high = made.high;
  filled.statistic = made.statistic;
  filled.df = made.df;
  filled.p = made.p;
  filled.p_adjusted = made.p_adjusted;
  filled.rope = made.rope;
  filled.p_worse = made.p_worse;
  filled.p_alike = made.p_alike;
  filled.p_better = made.p_better;
  filled.rows = made.rows;
  filled.only_a = made.only_first;
  filled.only_b = made.only_second;
  if (!made.undefined.empty()) filled.undefined = made.undefined.c_str();
  if (!made.left_out.empty()) filled.left_out = made.left_out.c_str();
  return WriteStruct(filled, pair);
}

void crossfold_comparison_destroy(crossfold_comparison* comparison) { Destroy(comparison); }
