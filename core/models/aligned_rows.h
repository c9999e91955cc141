// The rows of a dataset with the columns that a model was trained on.
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

// What to do with levels that the training data did not declare.
enum class UnknownLevels { kMissing, kRefused };

// The feature of that name. Throws Error "<attempt>it has no feature 'x', which ...".
const cf_column& FindFeature(const std::string& name, const Dataset& data,
                             const std::string& attempt);

// Finds the columns by their names, as FittedModel::Predict promises. Borrows what already fits and
// converts the rest. Not thread-safe while it is made; read-only after.
class AlignedRows {
 public:
  // `rows` null = all. The dataset and the ids must outlive the result. Throws Error
  // "<attempt><finding>; <way out>".
  AlignedRows(const TableSchema& schema, const Dataset& data, const std::vector<std::int64_t>* rows,
              UnknownLevels unknown, const std::string& attempt);
  AlignedRows(const AlignedRows&) = delete;
  AlignedRows& operator=(const AlignedRows&) = delete;

  // Features only, as RowTable::ForPrediction makes them.
  const cf_table& get() const { return table_; }
  // One line a level that counts as missing: "feature 'c': level 'r' (2 rows) ...".
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  class Converter;

  std::deque<Column> made_;                              // what converted columns point to
  std::deque<std::vector<const char*>> level_pointers_;  // of the made ones
  std::vector<cf_column> columns_;
  std::vector<std::string> notes_;
  cf_table table_{};
};

}  // namespace crossfold
