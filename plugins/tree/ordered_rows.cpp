#include "ordered_rows.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "crossfold_plugin/error.hpp"

namespace crossfold::bundled::tree {

OrderedRows::OrderedRows(const plugin::TrainingView& train) : view_(train) {
  const std::int64_t n = train.num_rows();
  bool ascending = true, all_one = true;
  for (std::int64_t i = 0; i < n; ++i) {
    ascending = ascending && (i == 0 || train.row_id(i - 1) <= train.row_id(i));
    if (!train.has_weights()) continue;
    size_ += train.weight(i) > 0 ? 1 : 0;
    all_one = all_one && train.weight(i) == 1;
  }
  if (!train.has_weights()) size_ = static_cast<std::size_t>(n);
  if (size_ == 0) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "no training row has a weight above 0");
  }
  if (size_ > kMostRows) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "growth = sliq takes at most 1000000000 training rows, and there are " +
                            std::to_string(size_));
  }
  if (!ascending || size_ < static_cast<std::size_t>(n)) TakePlaces(size_);
  if (!all_one) TakeWeights();
  CheckTargets();
}

void OrderedRows::TakePlaces(std::size_t n_used) {
  places_ = ScratchArray<std::int64_t>(n_used);
  auto to = places_.all().begin();
  for (std::int64_t i = 0; i < view_.num_rows(); ++i) {
    if (view_.weight(i) > 0) *to++ = i;
  }
  // In place, where a stable sort would take a copy: rows of one id keep the order of the view.
  std::sort(places_.all().begin(), places_.all().end(), [&](std::int64_t a, std::int64_t b) {
    const std::int64_t id_a = view_.row_id(a), id_b = view_.row_id(b);
    return id_a != id_b ? id_a < id_b : a < b;
  });
}

void OrderedRows::TakeWeights() {
  weights_ = ScratchArray<double>(size_);
  for (std::size_t row = 0; row < size_; ++row) weights_.all()[row] = view_.weight(place(row));
}

void OrderedRows::CheckTargets() const {
  for (std::size_t row = 0; row < size_; ++row) {
    if (view_.is_classification()) {
      if (view_.label(place(row)) < 0) {
        throw plugin::Error(CF_E_UNSUPPORTED_DATA, "a training row has no class");
      }
    } else if (!std::isfinite(view_.value(place(row)))) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA, "a training row has no finite target");
    }
  }
}

}  // namespace crossfold::bundled::tree
