// Predictions of all folds in one call: see Knn::CrossPredict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "blocked_rows.h"
#include "crossfold_plugin.hpp"
#include "params.h"
#include "prepared.h"

namespace crossfold::knn {

// Tested rows are searched together, because searches with few queries are slow, as long as their
// lists take little memory; and if the rows are read in blocks, their entries, too.
inline constexpr std::size_t kEnoughQueries = 2048;
inline constexpr std::size_t kMostNeighbours = std::size_t{1} << 22;
inline constexpr std::size_t kMostQueryNumbers = std::size_t{1} << 22;

// `prepared` may be null. The limits do not change a prediction.
void PredictFolds(std::span<const Params> settings, const Prepared* prepared,
                  const plugin::TrainingView& rows, std::span<const std::int32_t> fold_of_row,
                  std::int32_t n_folds, const plugin::CrossSink& sink,
                  const plugin::Context& context, const BlockLimits& limits = {});

}  // namespace crossfold::knn
