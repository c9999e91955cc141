// Lists of the classes that training rows have, as indices of the dataset's classes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// Returns the classes of the rows at `positions`, in ascending order.
inline std::vector<std::int32_t> LabelsOf(const plugin::TrainingView& train,
                                          std::span<const std::int64_t> positions) {
  std::vector<std::int32_t> labels;
  for (const std::int64_t row : positions) labels.push_back(train.label(row));
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

// Returns the place of `label` in an ascending list. REQUIRES: it is there.
inline std::size_t PlaceOf(std::span<const std::int32_t> labels, std::int32_t label) {
  return static_cast<std::size_t>(std::lower_bound(labels.begin(), labels.end(), label) -
                                  labels.begin());
}

// Whether a list from a file can be one of these: ascending, each from 0 to n_classes - 1.
inline bool AreLabels(std::span<const std::int32_t> labels, std::int64_t n_classes) {
  for (std::size_t c = 0; c < labels.size(); ++c) {
    const bool rises = c == 0 || labels[c] > labels[c - 1];
    if (!rises || labels[c] < 0 || labels[c] >= n_classes) return false;
  }
  return true;
}

}  // namespace crossfold::bundled
