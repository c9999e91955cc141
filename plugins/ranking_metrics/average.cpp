#include "average.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../checked_probability.h"
#include "../positive_class.h"
#include "../weight_total.h"

namespace crossfold::ranking_metrics {
namespace {

using bundled::CheckedProbability;
using bundled::Quoted;
using bundled::RankedRow;

// A class's probabilities; or, of its scores (CF_TAKES_SCORES), the place of each among the
// distinct ones as a share of their number, which is from 0 to 1 as well and has the same order and
// ties.
class RankableColumn {
 public:
  RankableColumn(const cf::MetricInput& input, std::int64_t c) : input_(input), c_(c) {
    if (!input.has_scores()) return;
    for (std::int64_t i = 0; i < input.num_rows(); ++i) {
      distinct_.push_back(Given(i));
      if (std::isfinite(distinct_.back())) continue;
      throw cf::Error(CF_E_NUMERIC,
                      "a score of class " + Quoted(input.class_name(c)) + " is not finite");
    }
    std::sort(distinct_.begin(), distinct_.end());
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
  }

  double operator[](std::int64_t row) const {
    if (distinct_.empty()) return CheckedProbability(input_, row, c_);
    const auto place = std::lower_bound(distinct_.begin(), distinct_.end(), Given(row));
    return static_cast<double>(place - distinct_.begin()) / static_cast<double>(distinct_.size());
  }

 private:
  double Given(std::int64_t row) const {
    return input_.probabilities()[static_cast<std::size_t>(row * input_.num_classes() + c_)];
  }

  const cf::MetricInput& input_;
  std::int64_t c_;
  std::vector<double> distinct_;  // scores, ascending; empty = there are probabilities
};

std::string Name(const cf::MetricInput& input, std::int64_t c) {
  return Quoted(input.class_name(c));
}

void RequireRows(const cf::MetricInput& input) {
  if (input.num_rows() == 0) throw cf::Undefined("there are no rows");
}

// Why rows of weight 0 alone rank nothing.
void RequireBoth(const RankedScores& ranked, const cf::MetricInput& input, std::int64_t c) {
  const bool has_positives = ranked.weight(true) != 0, has_negatives = ranked.weight(false) != 0;
  if (has_positives || has_negatives) {
    bundled::CheckedWeightTotal(ranked.weight(true) + ranked.weight(false));
  }
  if (has_positives && has_negatives) return;
  if (!has_positives && !has_negatives) {
    throw cf::Undefined("the weights of all rows are zero");
  }
  const bool is_pair = input.num_classes() == 2;
  if (!has_positives) {
    if (ranked.num_rows(true) > 0) {
      throw cf::Undefined("the weights of all rows of class " + Name(input, c) + " are zero");
    }
    throw cf::Undefined(is_pair ? "every row is of class " + Name(input, 1 - c)
                                : "no row is of class " + Name(input, c));
  }
  if (ranked.num_rows(false) == 0) throw cf::Undefined("every row is of class " + Name(input, c));
  throw cf::Undefined(
      "the weights of all rows " +
      (is_pair ? "of class " + Name(input, 1 - c) : "that are not of class " + Name(input, c)) +
      " are zero");
}

// The rows of each class, and what they weigh.
struct ClassRows {
  std::vector<std::vector<std::int64_t>> rows;
  std::vector<double> weights;
};

ClassRows GroupByClass(const cf::MetricInput& input) {
  const auto k = static_cast<std::size_t>(input.num_classes());
  ClassRows groups{std::vector<std::vector<std::int64_t>>(k), {}};
  std::vector<cf::CompensatedSum> weights(k);
  for (std::int64_t i = 0; i < input.num_rows(); ++i) {
    const auto c = static_cast<std::size_t>(input.truth_labels()[static_cast<std::size_t>(i)]);
    groups.rows[c].push_back(i);
    weights[c].Add(input.weight(i));
  }
  for (const cf::CompensatedSum& weight : weights) groups.weights.push_back(weight.value());
  return groups;
}

// An average over all classes exists if each has rows that count.
void RequireEveryClass(const ClassRows& groups, const cf::MetricInput& input) {
  double total = 0;
  for (const double weight : groups.weights) total += weight;
  bundled::CheckedWeightTotal(total);
  for (std::int64_t c = 0; c < input.num_classes(); ++c) {
    const auto& rows = groups.rows[static_cast<std::size_t>(c)];
    if (static_cast<std::int64_t>(rows.size()) == input.num_rows()) {
      throw cf::Undefined("every row is of class " + Name(input, c));
    }
  }
  for (std::int64_t c = 0; c < input.num_classes(); ++c) {
    const auto place = static_cast<std::size_t>(c);
    if (groups.weights[place] > 0) continue;
    throw cf::Undefined(groups.rows[place].empty()
                            ? "no row is of class " + Name(input, c)
                            : "the weights of all rows of class " + Name(input, c) + " are zero");
  }
}

// The rows of two classes by their probability of class i, which is the positive one.
RankedScores RankPair(const cf::MetricInput& input, const ClassRows& groups, std::int64_t i,
                      std::int64_t j) {
  const RankableColumn scores(input, i);
  const auto& first = groups.rows[static_cast<std::size_t>(i)];
  const auto& second = groups.rows[static_cast<std::size_t>(j)];
  const auto n_first = static_cast<std::int64_t>(first.size());
  const auto n = n_first + static_cast<std::int64_t>(second.size());
  return RankedScores(n, input.has_weights(), [&](std::int64_t k) {
    const bool is_first = k < n_first;
    const std::int64_t row = is_first ? first[static_cast<std::size_t>(k)]
                                      : second[static_cast<std::size_t>(k - n_first)];
    return RankedRow{scores[row], is_first, input.weight(row)};
  });
}

}  // namespace

RankedScores RankClass(const cf::MetricInput& input, std::int64_t c) {
  const RankableColumn scores(input, c);
  const std::span<const std::int32_t> truth = input.truth_labels();
  RankedScores ranked(input.num_rows(), input.has_weights(), [&](std::int64_t i) {
    return RankedRow{scores[i], truth[static_cast<std::size_t>(i)] == c, input.weight(i)};
  });
  RequireBoth(ranked, input, c);
  return ranked;
}

double OneVsRest(Average average, const std::string& positive, const cf::MetricInput& input,
                 const RankingValue& value) {
  RequireRows(input);
  if (average == Average::kBinary) {
    return value(RankClass(
        input, bundled::PositiveClass(positive, input.num_classes(), input.class_names())));
  }
  const ClassRows groups = GroupByClass(input);
  RequireEveryClass(groups, input);
  cf::CompensatedSum sum, total;
  for (std::int64_t c = 0; c < input.num_classes(); ++c) {
    const double weight =
        average == Average::kOvrWeighted ? groups.weights[static_cast<std::size_t>(c)] : 1;
    sum.Add(weight * value(RankClass(input, c)));
    total.Add(weight);
  }
  return sum.value() / total.value();
}

double OneVsOne(bool by_weight, const cf::MetricInput& input, const RankingValue& value) {
  RequireRows(input);
  const ClassRows groups = GroupByClass(input);
  RequireEveryClass(groups, input);
  cf::CompensatedSum sum, total;
  for (std::int64_t i = 0; i < input.num_classes(); ++i) {
    for (std::int64_t j = i + 1; j < input.num_classes(); ++j) {
      const double pair =
          (value(RankPair(input, groups, i, j)) + value(RankPair(input, groups, j, i))) / 2;
      const double weight = by_weight ? groups.weights[static_cast<std::size_t>(i)] +
                                            groups.weights[static_cast<std::size_t>(j)]
                                      : 1;
      sum.Add(weight * pair);
      total.Add(weight);
    }
  }
  return sum.value() / total.value();
}

}  // namespace crossfold::ranking_metrics
