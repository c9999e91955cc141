#include "crossfold/scored_rows.h"

#include <cmath>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

// Products of the counts of four cells, and of some million rows, stay numbers.
constexpr double kMinWeight = 1e-60, kMaxWeight = 1e60;

[[noreturn]] void RefuseRows(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot draw a curve: " + finding);
}

}  // namespace

void CheckScoredRows(const ScoredRows& rows) {
  const std::size_t n = rows.size();
  if (rows.positive.size() != n) {
    RefuseRows("there are " + std::to_string(n) + " scores but " +
               std::to_string(rows.positive.size()) + " true classes; give one of each per row");
  }
  if (!rows.weights.empty() && rows.weights.size() != n) {
    RefuseRows("there are " + std::to_string(n) + " scores but " +
               std::to_string(rows.weights.size()) + " weights; give one of each per row");
  }
  if (!rows.rows.empty() && rows.rows.size() != n) {
    RefuseRows("there are " + std::to_string(n) + " scores but " +
               std::to_string(rows.rows.size()) + " row numbers; give one of each");
  }
  if (!rows.groups.empty() && rows.groups.size() != n) {
    RefuseRows("there are " + std::to_string(n) + " scores but " +
               std::to_string(rows.groups.size()) + " groups; give one of each per row");
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = [i] { return std::to_string(i + 1); };
    if (!std::isfinite(rows.scores[i])) {
      RefuseRows("score " + row() + " is not finite; leave the row out");
    }
    if (rows.positive[i] > 1) RefuseRows("true class " + row() + " is neither 0 nor 1");
    if (!(rows.weight(i) >= 0) || !std::isfinite(rows.weight(i))) {
      RefuseRows("weight " + row() +
                 " is negative or not finite; use 0 for rows that do not count");
    }
    if (rows.weight(i) != 0 && !(rows.weight(i) >= kMinWeight && rows.weight(i) <= kMaxWeight)) {
      RefuseRows("weight " + row() + " is " + FormatShortest(rows.weight(i)) +
                 ", and weights other " +
                 "than 0 must be between 1e-60 and 1e+60; multiply them all by one number");
    }
  }
}

OwnedScoredRows OneAgainstRest(const Dataset& data, const Prediction& prediction,
                               std::int64_t positive, bool takes_scores) {
  if (data.task() != Task::kClassification) RefuseRows("the target is not categorical");
  const std::int64_t k = data.num_classes();
  if (positive < 0 || positive >= k)
    RefuseRows("there is no class " + std::to_string(positive + 1));
  const bool has_scores = !prediction.labels.empty() && !prediction.values.empty();
  const std::vector<double>& scores =
      takes_scores && has_scores ? prediction.values : prediction.probabilities;
  if (scores.empty() && !prediction.rows.empty()) {
    RefuseRows(has_scores ? "the learner has scores instead of probabilities; use a curve of ranks "
                            "such as roc, or a learner with probabilities"
                          : "the learner gives no probabilities, or they were not kept; use one "
                            "that does");
  }
  const std::size_t n = prediction.rows.size();
  if (prediction.n_classes != k || scores.size() != n * static_cast<std::size_t>(k)) {
    RefuseRows("the prediction has other classes than dataset '" + data.name() + "'");
  }
  OwnedScoredRows scored;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t row = prediction.rows[i];
    if (row < 0 || row >= data.num_rows()) {
      RefuseRows("the prediction is for row " + std::to_string(row + 1) +
                 ", which is not among the " + std::to_string(data.num_rows()) + " rows of '" +
                 data.name() + "'");
    }
    const auto at = static_cast<std::size_t>(row);
    scored.scores.push_back(
        scores[i * static_cast<std::size_t>(k) + static_cast<std::size_t>(positive)]);
    scored.positive.push_back(data.labels()[at] == positive ? 1 : 0);
    scored.rows.push_back(row);
    if (!data.groups().empty()) scored.groups.push_back(data.groups()[at]);
    if (!data.weights().empty()) scored.weights.push_back(data.weights()[at]);
  }
  return scored;
}

}  // namespace crossfold
