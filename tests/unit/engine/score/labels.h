// Predictions of two classes for the tests of scores.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "crossfold/outcome.h"

namespace crossfold::fixture {

inline Prediction Labels(std::vector<std::int64_t> rows, std::vector<std::int32_t> labels) {
  Prediction p;
  p.rows = std::move(rows);
  p.labels = std::move(labels);
  p.n_classes = 2;
  return p;
}

}  // namespace crossfold::fixture
