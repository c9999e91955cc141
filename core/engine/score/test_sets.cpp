#include "crossfold/test_sets.h"

#include <algorithm>
#include <cstddef>

#include "crossfold/error.h"
#include "crossfold/outcome.h"
#include "crossfold/row_scores.h"
#include "crossfold_plugin/draft.h"
#include "engine/score/test_rows.h"

namespace crossfold {
namespace {

struct Sizes {
  double rows = 0, weight = 0;
  std::vector<double> class_rows;
};

// Of one test set; with weights all numbers are effective ones.
Sizes SizesOf(const Dataset& data, const std::vector<std::int64_t>& rows) {
  const auto k = static_cast<std::size_t>(data.num_classes());
  std::vector<double> sums(k + 1), squares(k + 1);  // of the classes, and of all rows
  for (const std::int64_t row : rows) {
    const auto i = static_cast<std::size_t>(row);
    const double weight = data.weights().empty() ? 1 : data.weights()[i];
    const auto add = [&](std::size_t at) {
      sums[at] += weight;
      squares[at] += weight * weight;
    };
    add(k);
    if (k > 0) add(static_cast<std::size_t>(data.labels()[i]));
  }
  const auto effective = [&](std::size_t at) {
    return squares[at] > 0 ? sums[at] / squares[at] * sums[at] : 0;
  };
  Sizes sizes{effective(k), sums[k], {}};
  for (std::size_t c = 0; c < k; ++c) sizes.class_rows.push_back(effective(c));
  return sizes;
}

// Rows for a trial: the first of each class, and some from all over the data.
std::vector<std::int64_t> TrialRows(const Dataset& data) {
  constexpr std::int64_t kRows = 24;
  std::vector<std::int64_t> rows;
  std::vector<bool> seen(static_cast<std::size_t>(data.num_classes()));
  const auto counts = [&](std::int64_t row) {
    return data.weights().empty() || data.weights()[static_cast<std::size_t>(row)] > 0;
  };
  for (std::int64_t row = 0; row < data.num_rows() && !seen.empty(); ++row) {
    const auto c = static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(row)]);
    if (seen[c] || !counts(row)) continue;
    seen[c] = true;
    rows.push_back(row);
  }
  for (std::int64_t i = 0; i < kRows; ++i) {
    const std::int64_t row = i * data.num_rows() / kRows;
    if (data.num_rows() > 0 && counts(row)) rows.push_back(row);
  }
  return rows;
}

// Predictions that are right for some of the rows, with few different probabilities.
Prediction TrialPrediction(const Dataset& data) {
  Prediction p;
  p.rows = TrialRows(data);
  p.n_classes = data.num_classes();
  const auto k = static_cast<std::size_t>(p.n_classes);
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(p.rows[i]);
    if (data.task() == Task::kRegression) {
      const auto other = static_cast<std::size_t>(p.rows[(i + 1) % p.rows.size()]);
      p.values.push_back(0.75 * data.values()[row] + 0.25 * data.values()[other]);
      continue;
    }
    const auto truth = static_cast<std::size_t>(data.labels()[row]);
    const std::size_t label = i % 3 == 0 ? (truth + 1) % k : truth;
    p.labels.push_back(static_cast<std::int32_t>(label));
    const double most = k == 1 ? 1 : i % 2 == 0 ? 0.75 : 0.625;
    for (std::size_t c = 0; c < k; ++c) {
      p.probabilities.push_back(c == label ? most : (1 - most) / static_cast<double>(k - 1));
    }
  }
  return p;
}

}  // namespace

const char* AggregationName(Aggregation aggregation) {
  switch (aggregation) {
    case Aggregation::kMean:
      return "mean over folds";
    case Aggregation::kByWeight:
      return "weighted by rows";
    case Aggregation::kPooled:
      return "pooled over predictions";
  }
  return "";
}

TestSets MeasureTestSets(const SplitPlan& splits) {
  std::vector<std::vector<std::int64_t>> sets;
  for (std::int64_t s = 0; s < splits.size(); ++s) sets.push_back(splits.TestRows(s));
  return MeasureTestRows(*splits.view().data, sets);
}

TestSets MeasureTestRows(const Dataset& data, std::span<const std::vector<std::int64_t>> all) {
  const auto n = static_cast<double>(all.size());
  TestSets sets;
  if (data.task() == Task::kNone) return sets;
  std::vector<double> class_rows(static_cast<std::size_t>(data.num_classes()));
  for (const std::vector<std::int64_t>& rows : all) {
    const Sizes sizes = SizesOf(data, rows);
    sets.rows += sizes.rows / n;
    if (!data.weights().empty()) sets.weights.push_back(sizes.weight);
    for (std::size_t c = 0; c < class_rows.size(); ++c) class_rows[c] += sizes.class_rows[c] / n;
  }
  std::erase(class_rows, 0.0);
  if (!class_rows.empty()) sets.class_rows = *std::ranges::min_element(class_rows);
  return sets;
}

TestSize TestSizeOf(const Spec& metric) {
  const auto* table = metric.component().capability<cf_cap_test_size>(CF_CAP_TEST_SIZE);
  return table == nullptr ? TestSize{} : TestSize{table->rows, table->class_rows};
}

bool IsMeanOverRows(const Spec& metric, const Dataset& data, const LogSink& log) {
  if (data.task() == Task::kNone || data.num_rows() == 0) return false;
  try {
    return ScoreEachRow(metric, data, TrialPrediction(data), log).defined();
  } catch (const Error&) {
    return false;
  }
}

Aggregation ChooseAggregation(const TestSets& sets, TestSize needed, bool is_mean_over_rows) {
  if (is_mean_over_rows) return sets.weights.empty() ? Aggregation::kMean : Aggregation::kByWeight;
  const bool is_small =
      sets.rows < static_cast<double>(needed.rows) ||
      (sets.class_rows > 0 && sets.class_rows < static_cast<double>(needed.class_rows));
  return is_small ? Aggregation::kPooled : Aggregation::kMean;
}

}  // namespace crossfold
