// One column of a result while its rows come in.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "crossfold_plugin/columns.hpp"
#include "duckdb_library.h"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

class DuckDbColumn {
 public:
  // Of the type of a column of a result, which lives during the call only. A column that is not
  // needed may have any type. Throws Error for a needed one that cannot be read.
  DuckDbColumn(const duckdb::Library& library, std::string name, duckdb::LogicalType type,
               bool is_unused);

  // Adds the rows of a vector. Throws Error for an entry that does not fit.
  void Append(duckdb::Vector vector, std::int64_t n_rows);
  std::int64_t size_in_bytes() const;
  cf::SourceColumn Finish() &&;

 private:
  // What the entries become.
  struct Texts {
    std::vector<std::int64_t> offsets = {0};
    std::string bytes = {};
  };
  struct Codes {
    std::vector<std::int32_t> codes = {};
    std::vector<std::string> levels = {};
  };
  using Entries = std::variant<std::monostate, std::vector<double>, std::vector<float>,
                               std::vector<std::int64_t>, std::vector<std::int32_t>,
                               std::vector<bool>, Texts, Codes>;

  static Entries EntriesOf(duckdb::Type type);
  [[noreturn]] void Refuse(const std::string& finding) const;
  void SetDecimal(duckdb::LogicalType type);
  void SetLevels(duckdb::LogicalType type);
  void AppendEntry(const void* data, std::size_t row);
  void AppendMissing();
  double NumberAt(const void* data, std::size_t row) const;
  std::int64_t IntegerAt(const void* data, std::size_t row) const;

  const duckdb::Library* library_;
  std::string name_;
  duckdb::Type type_;
  duckdb::Type stored_;  // the integers of a decimal or of the codes of an ENUM
  std::uint8_t width_ = 0, scale_ = 0;
  std::int64_t n_rows_ = 0;
  Entries entries_;
  std::vector<bool> present_;  // empty until an entry is missing
};

}  // namespace crossfold::reading
