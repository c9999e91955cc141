// Makes small datasets for checks from a seed, with a pattern that every reasonable learner finds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/component_calls.h"
#include "crossfold/component.h"
#include "crossfold/dataset.h"

namespace crossfold::check {

struct DataShape {
  Task task = Task::kClassification;
  std::int64_t n_rows = 60;
  std::int64_t n_classes = 3;  // of a classification; all of them occur
  std::int64_t n_numeric = 3;
  std::int64_t n_categorical = 0;  // of three levels and a fourth that no row has
  double missing = 0;              // share of the features' entries
  bool weights = false;            // a column of weights 0.5 to 2
};

// Features "n0", "n1" ... (numbers) and "c0" ... (categories), target "y" with classes "k0" ... or
// numbers. Classes follow each other, so that any n_classes neighbouring rows hold all. Every
// feature is informative about the target, and none is constant.
DataPtr MakeData(const DataShape& shape, std::uint64_t seed);

// The number of features of both kinds.
inline std::int64_t NumFeatures(const DataShape& shape) {
  return shape.n_numeric + shape.n_categorical;
}

// Whether the component accepts such data, as the host would decide before any call.
bool Accepts(const Component& component, const DataShape& shape);
// The kinds of data that a learner or transform accepts (CF_ACCEPTS_...).
std::uint32_t AcceptedBy(const Component& component);

// One shape for every task that a learner or transform declares, of numbers if it accepts them,
// else of categories, which it must accept under its defaults. (Some components accept categories
// under other settings only; then CF_E_UNSUPPORTED_DATA is a proper answer.)
std::vector<DataShape> UsualShapes(const Component& component);

// The same task with one feature only, of numbers and of categories as far as they are accepted.
std::vector<DataShape> OfOneFeature(const Component& component, const DataShape& usual);

// The shapes to try with a learner or transform, in this order, until one is accepted: the usual
// shape, one of categories instead of numbers, and for learners those of one feature, as some
// methods accept no more.
std::vector<DataShape> ShapesToTry(const Component& component, const DataShape& usual);

// The same with all kinds of features, missing entries and weights as far as they are accepted.
DataShape Fuller(const Component& component, DataShape shape);

// "classification of 3 classes", "regression with categories, missing entries and weights": for
// findings.
std::string Describe(const DataShape& shape);

// The data with changed columns: `change` gets every feature, and returns true if it changed it.
DataPtr WithFeatures(const Dataset& data, const std::function<bool(Column&)>& change);

// The data with level `to` wherever `from` was, in every categorical feature.
DataPtr WithLevel(const Dataset& data, double from, double to);

// Whole numbers as a column of that type: 0 and 1 as bools or two categories.
Column ColumnOf(std::int32_t dtype, const std::string& name, const std::vector<int>& numbers);
// A column of the same name, type and levels with these entries: numbers, or codes.
Column WithEntries(const Column& column, const std::vector<double>& entries);
// The same entry in every row; NaN = missing.
Column Filled(const Column& column, double entry);
// Its entries; missing ones are NaN. REQUIRES: numbers of 64 bits or categories.
std::vector<double> EntriesOf(const Column& column);

}  // namespace crossfold::check
