// Aligning the rows of a dataset with the columns that a model was trained on.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold_plugin/data.h"
#include "engine/run/table_schema.h"

namespace crossfold {

// The treatment of levels that the training data did not declare.
enum class UnknownLevels { kMissing, kRefused };

// Returns the feature of that name. Throws Error "<attempt>it has no feature 'x', which ...".
const cf_column& FindFeature(const std::string& name, const Dataset& data,
                             const std::string& attempt);

// Finds the columns by their names, as FittedModel::Predict promises. Borrows columns that already
// fit and converts the others. Not thread-safe while it is made; it is read-only after.
class AlignedRows {
 public:
  // Takes all rows if `rows` is null. The dataset and the ids must outlive the result. Throws Error
  // "<attempt><finding>; <way out>".
  AlignedRows(const TableSchema& schema, const Dataset& data, const std::vector<std::int64_t>* rows,
              UnknownLevels unknown, const std::string& attempt);
  AlignedRows(const AlignedRows&) = delete;
  AlignedRows& operator=(const AlignedRows&) = delete;

  // The features, as RowTable::ForPrediction makes them.
  const cf_table& get() const { return table_; }
  // One line per level that counts as missing: "feature 'c': level 'r' (2 rows) ...".
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  class Converter;

  std::deque<Column> made_;                              // memory of converted columns
  std::deque<std::vector<const char*>> level_pointers_;  // of the made ones
  std::vector<cf_column> columns_;
  std::vector<std::string> notes_;
  cf_table table_{};
};

}  // namespace crossfold
