// Makes datasets from others, with different entries in some columns.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/component_calls.h"
#include "crossfold/dataset.h"

namespace crossfold::check {

// The data with changed columns: `change` gets every feature, and returns true if it changed it.
DataPtr WithFeatures(const Dataset& data, const std::function<bool(Column&)>& change);

// The data with level `to` wherever `from` was, in every categorical feature.
DataPtr WithLevel(const Dataset& data, double from, double to);

// Whole numbers as a column of that type: 0 and 1 as bools or two categories.
Column ColumnOf(std::int32_t dtype, const std::string& name, const std::vector<int>& numbers);
// A column of the same name, type and levels with these entries: numbers, or codes.
Column WithEntries(const Column& column, const std::vector<double>& entries);
// Its entries; missing ones are NaN. REQUIRES: numbers of 64 bits or categories.
std::vector<double> EntriesOf(const Column& column);

}  // namespace crossfold::check
