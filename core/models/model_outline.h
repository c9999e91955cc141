// What a model remembers of its training data, taken from a dataset and made into one.
#pragma once

#include <memory>
#include <string>

#include "crossfold/fitted_model.h"

namespace crossfold {

// REQUIRES: the dataset has a target.
ModelOutline OutlineOf(const DataView& train, std::uint64_t seed);

// A dataset without rows that has the name, the features, the target and the classes of the
// training data. Throws Error if there can be none.
std::shared_ptr<const Dataset> EmptyData(const ModelOutline& outline);

// Throws Error "<attempt>it has no feature 'x', ..." unless every feature of the outline is there.
void CheckFeatureNames(const ModelOutline& outline, const Dataset& data,
                       const std::string& attempt);

}  // namespace crossfold
