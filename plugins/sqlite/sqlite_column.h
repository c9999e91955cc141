// The cells of one column of a query, in the order of its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../reading/category_levels.h"
#include "../reading/column_plan.h"
#include "crossfold_plugin/columns.hpp"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

class SqliteColumn {
 public:
  explicit SqliteColumn(ColumnPlan plan) : plan_(std::move(plan)) {}

  bool is_ignored() const { return plan_.type == ColumnType::kIgnore; }
  void PutNull() { Put(Kind::kNull, 0); }
  void PutInteger(std::int64_t value) { Put(Kind::kInteger, value); }
  void PutReal(double value);
  // UTF-8 without NUL.
  void PutText(std::string_view text);
  // Returns about how many bytes it has in memory.
  std::int64_t size_in_bytes() const;

  // Throws Error if a cell does not fit the required type.
  cf::SourceColumn Finish(std::int64_t n_rows) const;

 private:
  enum class Kind : std::uint8_t { kNull, kInteger, kReal, kText };
  void Put(Kind kind, std::int64_t content) {
    kinds_.push_back(kind);
    contents_.push_back(content);
    seen_[static_cast<std::size_t>(kind)] = true;
  }
  bool has(Kind kind) const { return seen_[static_cast<std::size_t>(kind)]; }
  double NumberAt(std::size_t row) const;
  std::string TextAt(std::size_t row) const;
  std::optional<cf::SourceColumn> FinishAs(ColumnType type) const;
  cf::SourceColumn FinishAsFound() const;

  ColumnPlan plan_;
  std::vector<Kind> kinds_;
  std::vector<std::int64_t> contents_;  // integer, bits of a real, code of a text
  LevelSet texts_;
  std::int64_t text_bytes_ = 0;
  bool seen_[4] = {};
};

}  // namespace crossfold::reading
