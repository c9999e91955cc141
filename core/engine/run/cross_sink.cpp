#include "engine/run/cross_sink.h"

#include <algorithm>
#include <iterator>

#include "engine/plugin/foreign_text.h"

namespace crossfold {

CrossSink::CrossSink(std::size_t n_settings, std::span<const std::int32_t> fold_of_row,
                     std::size_t n_folds, SeedOf seed_of, const Prediction& like)
    : fold_of_row_(fold_of_row),
      n_folds_(n_folds),
      seed_of_(std::move(seed_of)),
      predictions_(n_settings, like) {
  sink_.struct_size = sizeof(cf_cross_sink);
  if (!like.labels.empty()) sink_.wanted |= CF_NEEDS_LABELS;
  if (!like.values.empty()) sink_.wanted |= CF_NEEDS_VALUES;
  if (!like.probabilities.empty()) sink_.wanted |= CF_NEEDS_PROBABILITIES;
  sink_.sink_data = this;
  sink_.seed = &Seed;
  sink_.emit = &Emit;
  sink_.fail = &Fail;
}

const std::pair<cf_status, std::string>* CrossSink::FindFailure(std::size_t setting,
                                                                std::size_t fold) const {
  for (const std::int32_t f : {static_cast<std::int32_t>(fold), -1}) {
    const auto found = failures_.find({setting, f});
    if (found != failures_.end()) return &found->second;
  }
  return nullptr;
}

std::uint64_t CF_CALL CrossSink::Seed(const cf_cross_sink* sink, std::size_t setting,
                                      std::int32_t fold) noexcept {
  const CrossSink& self = *static_cast<const CrossSink*>(sink->sink_data);
  const auto f = static_cast<std::size_t>(fold);
  if (setting >= self.predictions_.size() || fold < 0 || f >= self.n_folds_) return 0;
  try {
    return self.seed_of_(setting, f);
  } catch (...) {  // no memory
    return 0;
  }
}

cf_status CF_CALL CrossSink::Emit(const cf_cross_sink* sink, std::size_t setting,
                                  const std::int64_t* positions, std::int64_t n,
                                  const cf_prediction_view* prediction) noexcept {
  CrossSink& self = *static_cast<CrossSink*>(sink->sink_data);
  if (n == 0) return CF_OK;
  if (n < 0 || positions == nullptr || prediction == nullptr) return CF_E_INVALID_ARGUMENT;
  const std::span<const std::int64_t> at(positions, static_cast<std::size_t>(n));
  if (!CF_HAS(prediction, cf_prediction_view, probabilities) || prediction->flags != 0) {
    return CF_E_INVALID_ARGUMENT;
  }
  if (!self.Fits(setting, at, *prediction)) return CF_E_INVALID_ARGUMENT;
  self.Copy(self.predictions_[setting], at, *prediction);
  return CF_OK;
}

bool CrossSink::Fits(std::size_t setting, std::span<const std::int64_t> positions,
                     const cf_prediction_view& given) const {
  if (setting >= predictions_.size()) return false;
  const Prediction& wanted = predictions_[setting];
  if (given.n_rows != std::ssize(positions) || given.n_classes != wanted.n_classes) return false;
  const auto lacks = [](const auto& array, const void* pointer) {
    return !array.empty() && pointer == nullptr;
  };
  if (lacks(wanted.labels, given.labels) || lacks(wanted.values, given.values) ||
      lacks(wanted.probabilities, given.probabilities)) {
    return false;
  }
  const auto n_rows = fold_of_row_.size();
  bool fits = true;
  for (const std::int64_t p : positions) {
    const auto row = static_cast<std::size_t>(p);
    fits &= row < n_rows && fold_of_row_[row] >= 0;
  }
  return fits;
}

void CrossSink::Copy(Prediction& to, std::span<const std::int64_t> positions,
                     const cf_prediction_view& given) const {
  const auto copy = [&](auto& entries, const auto* from) {
    if (entries.empty()) return;
    auto* const all = entries.data();
    for (std::size_t i = 0; i < positions.size(); ++i) all[positions[i]] = from[i];
  };
  copy(to.labels, given.labels);
  copy(to.values, given.values);
  if (to.probabilities.empty()) return;
  const auto k = static_cast<std::size_t>(to.n_classes);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto row = static_cast<std::size_t>(positions[i]);
    std::copy_n(given.probabilities + i * k, k, to.probabilities.data() + row * k);
  }
}

void CF_CALL CrossSink::Fail(const cf_cross_sink* sink, std::size_t setting, std::int32_t fold,
                             cf_status code, const char* message) noexcept {
  CrossSink& self = *static_cast<CrossSink*>(sink->sink_data);
  try {
    const std::lock_guard lock(self.mutex_);
    self.failures_.emplace(std::pair(setting, fold), std::pair(code, CleanText(message)));
  } catch (...) {  // no memory for the text: the cell has no prediction, which is seen
  }
}

}  // namespace crossfold
