// A prediction as a stored row holds it:
//   what there is (1): 1 = row ids, 2 = labels, 4 = values, 8 = probabilities
//   rows (4)
//   classes (4)
//   row ids (8 each), unless they are those that the split tests, in its order
//   bytes of a label (1: 1, 2 or 4) and the labels
//   values (8 each)
//   probabilities (8 each)
// Numbers are little-endian, reals are their bits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "crossfold/dataset.h"
#include "crossfold/outcome.h"

namespace crossfold {

// `tested` has the rows that the split tests, in its order; if it is empty, row ids are always
// written.
std::string PackPrediction(const Prediction& prediction, std::span<const std::int64_t> tested);

// Throws plugin::Error for bytes that PackPrediction did not write with these rows. Whether rows
// and classes exist in the dataset is for the caller to check if row ids were written.
Prediction UnpackPrediction(std::string_view bytes, std::span<const std::int64_t> tested);

// The same for a known dataset: also throws for rows, classes or a task that it does not have.
Prediction UnpackPredictionOf(const Dataset& data, std::string_view bytes,
                              std::span<const std::int64_t> tested);

}  // namespace crossfold
