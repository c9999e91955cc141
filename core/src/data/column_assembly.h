// A column of a dataset, read in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/csv.h"
#include "data/column_part.h"
#include "data/text_chunks.h"

namespace crossfold {

// What is known of a column before it is read.
struct ColumnPlan {
  std::string name = {};
  ColumnType type = ColumnType::kInfer;
  std::vector<std::string> declared = {};  // first levels of a categorical column, distinct
  bool ordered = false;                    // they have an order, if there are no others
  bool closed = false;                     // another level is a mistake
};

// Use: Start; each part between BeginPart and ColumnPart::End, on any thread; Settle; the parts for
// which NeedsRewrite says so once more; Finish.
class ColumnAssembly {
 public:
  ColumnAssembly(ColumnPlan plan, std::size_t n_parts);

  const std::string& name() const { return plan_.name; }
  bool is_ignored() const { return plan_.type == ColumnType::kIgnore; }
  // Makes room for `n_rows`. `sample` is the kind of some cells of the column.
  void Start(CellKind sample, std::size_t n_rows);
  ColumnPart& BeginPart(std::size_t part, std::int64_t first_row);
  // The first cell that does not fit the type that was asked for; null if there is none.
  const BadCell* FirstBad() const;
  // Fixes the type of an inferred column when all parts have been read; `n_rows` is final.
  void Settle(std::size_t n_rows);
  bool NeedsRewrite(std::size_t part) const;
  // REQUIRES: no part needs to be rewritten.
  Column Finish();

  // What is wrong with the cell: "'x12' is not a number (type i64 was asked for)".
  std::string Finding(const BadCell& bad) const;

 private:
  void Allocate(ColumnType type, std::size_t n_rows);
  void AddValidity(Column& column, std::shared_ptr<void>& owner) const;
  void OrderCategories(Column& column);

  ColumnPlan plan_;
  ColumnType type_ = ColumnType::kInfer;  // of the entries
  bool inferred_ = false;
  std::vector<ColumnPart> parts_;
  std::vector<std::int64_t> first_row_;
  std::shared_ptr<void> entries_;
  std::size_t n_rows_ = 0;
};

}  // namespace crossfold
