#include "crossfold/inner_predictions.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/score.h"
#include "engine/plan/kept_predictions.h"

namespace crossfold {
namespace {

constexpr double kUndefinedScore = std::numeric_limits<double>::quiet_NaN();

template <class T>
void Repeat(std::vector<T>& to, const std::vector<T>& from, std::size_t place, std::size_t width,
            int times) {
  if (from.empty()) return;
  const auto first = from.begin() + static_cast<std::ptrdiff_t>(place * width);
  for (int i = 0; i < times; ++i) {
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
}

}  // namespace

InnerPredictions::InnerPredictions(std::shared_ptr<const SplitPlan> splits, bool probabilities)
    : splits_(std::move(splits)), probabilities_(probabilities) {
  for (std::int64_t s = 0; s < splits_->size(); ++s) rows_.push_back(splits_->Rows(s).test);
}

std::uint64_t InnerPredictions::BytesOf(const SplitPlan& splits, bool probabilities) {
  const auto k = static_cast<std::uint64_t>(splits.view().data->num_classes());
  const std::uint64_t label = k > 0 ? sizeof(std::int32_t) : sizeof(double);
  const std::uint64_t of_row = label + (probabilities ? k * sizeof(double) : 0);
  const std::vector<std::int64_t> sizes = TestSizes(splits);
  return of_row *
         static_cast<std::uint64_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
}

void InnerPredictions::Add(std::size_t candidate, std::int64_t split,
                           const Prediction& prediction) {
  const std::size_t expected = rows(split).size();
  const std::size_t got =
      prediction.labels.empty() ? prediction.values.size() : prediction.labels.size();
  if (got != expected) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot keep a prediction of a search: it is for " + std::to_string(got) +
                    " rows, the inner fold has " + std::to_string(expected));
  }
  if (candidate >= candidates_.size()) {
    candidates_.resize(candidate + 1);
    has_.resize(candidate + 1);
  }
  candidates_[candidate].resize(rows_.size());
  has_[candidate].resize(rows_.size(), false);
  Prediction& kept = candidates_[candidate][static_cast<std::size_t>(split)];
  kept.labels = prediction.labels;
  kept.values = prediction.values;
  kept.n_classes = prediction.n_classes;
  if (probabilities_) kept.probabilities = prediction.probabilities;
  if (!probabilities_ && !prediction.labels.empty()) kept.values = {};
  has_[candidate][static_cast<std::size_t>(split)] = true;
}

const Prediction* InnerPredictions::Find(std::size_t candidate, std::int64_t split) const {
  if (candidate >= has_.size() || has_[candidate].empty()) return nullptr;
  if (!has_[candidate][static_cast<std::size_t>(split)]) return nullptr;
  return &candidates_[candidate][static_cast<std::size_t>(split)];
}

ChoiceSample::ChoiceSample(std::shared_ptr<const InnerPredictions> predictions,
                           std::vector<std::size_t> candidates)
    : predictions_(std::move(predictions)), candidates_(std::move(candidates)) {
  const SplitPlan& plan = predictions_->splits();
  for (std::int64_t s = 0; s < plan.size(); ++s) {
    const bool all = std::ranges::all_of(
        candidates_, [&](std::size_t c) { return predictions_->Find(c, s) != nullptr; });
    if (all) splits_.push_back(s);
  }
  if (splits_.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot repeat the choice: no inner fold has predictions of all candidates");
  }
  const std::span<const std::int64_t> groups = plan.view().data->groups();
  draws_groups_ = !groups.empty();
  std::unordered_map<std::int64_t, std::int64_t> unit_of;
  for (std::size_t place = 0; place < splits_.size(); ++place) {
    first_test_.push_back(units_.size());
    for (const std::int64_t row : predictions_->rows(splits_[place])) {
      const std::int64_t key = draws_groups_ ? groups[static_cast<std::size_t>(row)] : row;
      units_.push_back(unit_of.emplace(key, n_units_).first->second);
      n_units_ = static_cast<std::int64_t>(unit_of.size());
      folds_.push_back(static_cast<std::int64_t>(place));
    }
  }
  first_test_.push_back(units_.size());
}

void ChoiceSample::Take(std::size_t i, std::span<const std::int32_t> counts, Part part,
                        std::size_t place, Prediction& to) const {
  const Prediction& from = *predictions_->Find(candidates_[i], splits_[place]);
  const std::vector<std::int64_t>& rows = predictions_->rows(splits_[place]);
  to.n_classes = from.n_classes;
  const auto k = static_cast<std::size_t>(from.n_classes);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::int32_t count = counts[static_cast<std::size_t>(units_[first_test_[place] + row])];
    const int times = part == Part::kDrawn ? count : (count == 0 ? 1 : 0);
    if (times == 0) continue;
    Repeat(to.rows, rows, row, 1, times);
    Repeat(to.labels, from.labels, row, 1, times);
    Repeat(to.values, from.values, row, k > 0 ? k : 1, times);
    Repeat(to.probabilities, from.probabilities, row, k, times);
  }
}

Prediction ChoiceSample::Select(std::size_t i, std::span<const std::int32_t> counts, Part part,
                                std::int64_t fold) const {
  Prediction selected;
  for (std::size_t place = 0; place < splits_.size(); ++place) {
    if (fold >= 0 && place != static_cast<std::size_t>(fold)) continue;
    Take(i, counts, part, place, selected);
  }
  return selected;
}

double ChoiceSample::Score(const Spec& metric, std::size_t i, std::span<const std::int32_t> counts,
                           Part part, std::int64_t fold, const LogSink& log) const {
  const SplitPlan& plan = predictions_->splits();
  double sum = 0;
  std::int64_t n_repeats = 0;
  std::size_t place = fold >= 0 ? static_cast<std::size_t>(fold) : 0;
  const std::size_t end = fold >= 0 ? place + 1 : splits_.size();
  while (place < end) {
    Prediction selected;
    const std::int64_t repeat = plan.repeat_of(splits_[place]);
    for (; place < end && plan.repeat_of(splits_[place]) == repeat; ++place) {
      Take(i, counts, part, place, selected);
    }
    if (selected.rows.empty()) return kUndefinedScore;
    const crossfold::Score score = ScorePrediction(metric, *plan.view().data, selected, log);
    if (!score.defined) return kUndefinedScore;
    sum += score.value;
    ++n_repeats;
  }
  return sum / static_cast<double>(n_repeats);
}

}  // namespace crossfold
