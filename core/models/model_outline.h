// Conversion of a dataset to what a model remembers of its training data, and back.
#pragma once

#include <memory>
#include <string>

#include "crossfold/fitted_model.h"

namespace crossfold {

// REQUIRES: the dataset has a target.
ModelOutline OutlineOf(const DataView& train, std::uint64_t seed);

// Makes a dataset without rows that has the name, the features, the target and the classes of the
// training data. Throws Error if the outline is invalid.
std::shared_ptr<const Dataset> EmptyData(const ModelOutline& outline);

// Throws Error "<attempt>it has no feature 'x', ..." unless the data has every feature of the
// outline.
void CheckFeatureNames(const ModelOutline& outline, const Dataset& data,
                       const std::string& attempt);

}  // namespace crossfold
