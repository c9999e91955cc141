// Datasets made from others: other entries in some columns.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/component_calls.h"
#include "crossfold/dataset.h"

namespace crossfold::check {

// The data with the columns for which `change` returns true, as it left them. It gets every
// feature.
DataPtr WithFeatures(const Dataset& data, const std::function<bool(Column&)>& change);

// A column of the same name, type and levels with these entries: numbers, or codes.
Column WithEntries(const Column& column, const std::vector<double>& entries);
// Its entries; missing ones are NaN. REQUIRES: numbers of 64 bits or categories.
std::vector<double> EntriesOf(const Column& column);

}  // namespace crossfold::check
