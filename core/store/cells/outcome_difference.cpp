#include "store/cells/outcome_difference.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/text/format_number.h"
#include "store/cells/cell_row.h"

namespace crossfold {
namespace {

std::uint64_t BitsOf(double value) { return std::bit_cast<std::uint64_t>(value); }

std::string Both(const OutcomeNames& names, const std::string& a, const std::string& b) {
  return names.a + " has " + a + ", " + names.b + " " + b;
}

std::string RowText(std::int64_t row) { return "row " + std::to_string(row + 1) + ": "; }

std::string ClassText(std::int32_t label, std::span<const std::string> classes) {
  const auto c = static_cast<std::size_t>(label);
  return c < classes.size() ? classes[c] : "class " + std::to_string(label);
}

std::string StatusText(const Outcome& outcome) {
  if (outcome.status == OutcomeStatus::kOk) return "a prediction";
  const Failure& failure = outcome.failure;
  return "the failure '" + failure.stage + ": " + failure.message + "'";
}

std::string ScoreText(const Score& score) {
  return score.defined ? FormatShortest(score.value) : "no value (" + score.undefined + ")";
}

// The first index at which the lists differ by `same`, or their size.
template <class T, class Same>
std::size_t FirstDifference(const std::vector<T>& a, const std::vector<T>& b, const Same& same) {
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same).first - a.begin());
}

std::string CompareValues(const Prediction& a, const Prediction& b, const OutcomeNames& names) {
  const std::size_t i = FirstDifference(a.values, b.values,
                                        [](double x, double y) { return BitsOf(x) == BitsOf(y); });
  if (i == a.values.size()) return "";
  const std::size_t row = i / (a.values.size() / a.rows.size());
  return RowText(a.rows[row]) +
         Both(names, FormatShortest(a.values[i]), FormatShortest(b.values[i]));
}

std::string CompareProbabilities(const Prediction& a, const Prediction& b,
                                 std::span<const std::string> classes, const OutcomeNames& names) {
  if (a.probabilities.empty() || b.probabilities.empty()) return "";
  const std::size_t i = FirstDifference(a.probabilities, b.probabilities,
                                        [](double x, double y) { return BitsOf(x) == BitsOf(y); });
  if (i == a.probabilities.size()) return "";
  const auto k = static_cast<std::size_t>(a.n_classes);
  return RowText(a.rows[i / k]) + "probability of " +
         ClassText(static_cast<std::int32_t>(i % k), classes) + ": " +
         Both(names, FormatShortest(a.probabilities[i]), FormatShortest(b.probabilities[i]));
}

std::string ComparePredictions(const Prediction& a, const Prediction& b,
                               std::span<const std::string> classes, const OutcomeNames& names) {
  if (a.rows != b.rows) return Both(names, "predictions for other rows", "others");
  const bool same_kind = a.labels.size() == b.labels.size() && a.values.size() == b.values.size() &&
                         a.n_classes == b.n_classes;
  if (!same_kind) return Both(names, "predictions of another kind", "others");
  const std::size_t i = FirstDifference(a.labels, b.labels, std::equal_to<>());
  if (i < a.labels.size()) {
    return RowText(a.rows[i]) +
           Both(names, ClassText(a.labels[i], classes), ClassText(b.labels[i], classes));
  }
  std::string finding = CompareValues(a, b, names);
  return finding.empty() ? CompareProbabilities(a, b, classes, names) : finding;
}

bool HaveSameStatus(const Outcome& a, const Outcome& b) {
  if (a.status != b.status) return false;
  if (a.status == OutcomeStatus::kOk) return true;
  return a.failure.stage == b.failure.stage && a.failure.code == b.failure.code &&
         a.failure.message == b.failure.message;
}

}  // namespace

std::string FindDifference(const Outcome& a, const Outcome& b, bool with_prediction,
                           std::span<const std::string> metrics,
                           std::span<const std::string> classes, const OutcomeNames& names) {
  if (!HaveSameStatus(a, b)) return Both(names, StatusText(a), StatusText(b));
  if (a.status != OutcomeStatus::kOk) return "";
  if (with_prediction) {
    std::string finding = ComparePredictions(a.prediction, b.prediction, classes, names);
    if (!finding.empty()) return finding;
  }
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    if (AreSame(a.scores[m], b.scores[m])) continue;
    return metrics[m] + ": " + Both(names, ScoreText(a.scores[m]), ScoreText(b.scores[m]));
  }
  return "";
}

}  // namespace crossfold
