#include "isolate/outcome_check.h"

#include <algorithm>

#include "engine/run/fold_rows.h"

namespace crossfold {
namespace {

std::string FindLengthProblem(const CellBlock& block, const Prediction& p) {
  const Dataset& data = *block.splits->view().data;
  const auto n_classes = static_cast<std::size_t>(data.num_classes());
  const std::size_t n = p.rows.size();
  const bool has_classes = !p.labels.empty() || !p.probabilities.empty();
  if (block.keep == Keep::kNothing && (n > 0 || has_classes || !p.values.empty())) {
    return "predictions that were not requested";
  }
  const bool has_scores = has_classes && !p.values.empty();
  if (block.keep != Keep::kProbabilities && (!p.probabilities.empty() || has_scores)) {
    return "probabilities that were not requested";
  }
  const bool classes = data.task() == Task::kClassification;
  if (p.labels.size() != (classes ? n : 0) ||
      (p.values.size() != (classes ? 0 : n) &&
       !(has_scores && p.values.size() == n * n_classes && p.probabilities.empty()))) {
    return "predictions of the wrong length";
  }
  if (has_classes && p.n_classes != data.num_classes()) return "the wrong number of classes";
  if (!p.probabilities.empty() && p.probabilities.size() != n * n_classes) {
    return "probabilities of the wrong length";
  }
  const bool in_range = std::all_of(p.labels.begin(), p.labels.end(), [&](std::int32_t label) {
    return label >= 0 && static_cast<std::size_t>(label) < n_classes;
  });
  return in_range ? "" : "a class that does not exist";
}

}  // namespace

std::shared_ptr<const OutcomeCheck::Repeat> OutcomeCheck::RepeatOf(const SplitPlan& plan,
                                                                   std::int64_t split) {
  const std::int64_t number = plan.repeat_of(split);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Repeat>& known = repeats_[{&plan, number}];
  if (known != nullptr) return known;
  const Partition& partition = plan.partitions()[static_cast<std::size_t>(number)];
  const FoldRows folds(plan, split - plan.fold_of(split), partition.n_folds);
  Repeat repeat;
  for (const std::int64_t place : folds.tested()) repeat.rows.push_back(folds.id(place));
  for (std::size_t f = 0; f < folds.num_folds(); ++f) {
    repeat.first.push_back(folds.first_tested(f));
  }
  repeat.first.push_back(repeat.rows.size());
  known = std::make_shared<const Repeat>(std::move(repeat));
  return known;
}

std::string OutcomeCheck::FindRowProblem(const CellBlock& block, std::int64_t split,
                                         const Outcome& outcome) {
  const SplitPlan& plan = *block.splits;
  std::vector<std::int64_t> listed;
  std::shared_ptr<const Repeat> repeat;
  std::span<const std::int64_t> expected;
  if (plan.partitions().empty()) {
    listed = plan.Rows(split).test;
    expected = listed;
  } else {
    repeat = RepeatOf(plan, split);
    const auto fold = static_cast<std::size_t>(plan.fold_of(split));
    expected = std::span(repeat->rows)
                   .subspan(repeat->first[fold], repeat->first[fold + 1] - repeat->first[fold]);
  }
  if (outcome.n_test != static_cast<std::int64_t>(expected.size())) return "other test rows";
  if (block.keep == Keep::kNothing) return "";
  return std::ranges::equal(outcome.prediction.rows, expected) ? "" : "other test rows";
}

std::string OutcomeCheck::FindProblem(const CellBlock& block, std::int64_t split,
                                      const Outcome& outcome) {
  const Prediction& p = outcome.prediction;
  if (outcome.status == OutcomeStatus::kCancelled) return "a cancellation that was not requested";
  if (outcome.status == OutcomeStatus::kFailed) {
    const bool has_more = !p.rows.empty() || !p.labels.empty() || !p.values.empty() ||
                          !p.probabilities.empty() || !outcome.scores.empty();
    return has_more ? "results of a cell that failed" : "";
  }
  const std::size_t n_scores = block.metrics ? block.metrics->size() : 0;
  if (outcome.scores.size() != n_scores) return "the wrong number of scores";
  const std::string problem = FindLengthProblem(block, p);
  return problem.empty() ? FindRowProblem(block, split, outcome) : problem;
}

}  // namespace crossfold
