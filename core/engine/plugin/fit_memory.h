// What a learner is asked about data before it is fitted: the shape of the training rows, and the
// memory that the fit takes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "crossfold/dataset.h"
#include "crossfold/spec.h"

namespace crossfold {

// The shape of `n_rows` rows of such features. `n_classes` is 0 in regression.
cf_shape ShapeOf(std::span<const cf_column> features, std::int64_t n_rows, std::int64_t n_classes);

// Asks the learner how many bytes a fit of `n_rows` rows of these data holds at its peak with
// `n_threads` threads, the model included, in addition to the columns of the data, which it is lent
// (crossfold.fit-memory/1). nullopt = it does not say.
std::optional<std::uint64_t> FitMemory(const Spec& learner, const Dataset& data,
                                       std::int64_t n_rows, std::uint32_t n_threads = 1);
// The same for all out-of-fold predictions of a partition of `n_rows` rows in one call
// (crossfold.cross-predict/1).
std::optional<std::uint64_t> CrossMemory(const Spec& learner, const Dataset& data,
                                         std::int64_t n_rows, std::uint32_t n_threads = 1);

}  // namespace crossfold
