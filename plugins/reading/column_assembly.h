// A column that is read in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "column_part.h"
#include "column_plan.h"
#include "crossfold_plugin/columns.hpp"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

// Call Start, then BeginPart and ColumnPart::End for each part, on any thread, then Settle, then
// the parts again for which NeedsRewrite is true, and at last Finish.
class ColumnAssembly {
 public:
  ColumnAssembly(ColumnPlan plan, std::size_t n_parts);

  const ColumnPlan& plan() const { return plan_; }
  bool is_ignored() const { return plan_.type == ColumnType::kIgnore; }
  // Makes room for `n_rows`. `sample` is the kind of some cells of the column.
  void Start(CellKind sample, std::size_t n_rows);
  ColumnPart& BeginPart(std::size_t part, std::int64_t first_row);
  // Returns the first cell that does not fit the required type; null if there is none.
  const BadCell* FirstBad() const;
  // Drops a preferred type that some cell does not fit. Then all parts are read again to find the
  // type.
  void Infer();
  // Fixes the type of an inferred column when all parts have been read; `n_rows` is final.
  void Settle(std::size_t n_rows);
  bool NeedsRewrite(std::size_t part) const;
  // REQUIRES: no part needs to be rewritten.
  cf::SourceColumn Finish();
  // After Finish: a note on integers that became real numbers and lost digits; "" if there are
  // none. `line_of` gives the line of a position in the text.
  std::string Note(const std::function<std::size_t(const char*)>& line_of) const;

  // Returns what is wrong with the cell: "'x12' is not a number (type i64 was requested)".
  std::string Finding(const BadCell& bad) const;

 private:
  void Allocate(ColumnType type, std::size_t n_rows);
  std::vector<std::uint8_t> Validity() const;
  void OrderCategories(cf::SourceColumn& column);

  ColumnPlan plan_;
  ColumnType type_ = ColumnType::kInfer;  // of the entries
  bool inferred_ = false;
  std::vector<ColumnPart> parts_;
  std::vector<std::int64_t> first_row_;
  std::shared_ptr<void> entries_;
  std::size_t n_room_ = 0, n_rows_ = 0, n_inexact_ = 0;
  std::optional<BadCell> inexact_;  // the first
};

// Fixes the types of columns whose parts have been read, calls rewrite(part) for each part that
// some column needs once more, and gives the columns; those that are ignored have no entries.
cf::Columns FinishColumns(std::vector<ColumnAssembly>& assemblies, std::size_t n_rows,
                          std::size_t n_parts, int threads,
                          const std::function<void(std::size_t)>& rewrite);

}  // namespace crossfold::reading
