// The cells of one column in one chunk of a text, as typed entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "category_levels.h"
#include "column_plan.h"
#include "numbers.h"

namespace crossfold::reading {

// The kind that all cells of a column have.
enum class CellKind { kNone, kInteger, kReal, kBool, kText };  // kNone: all are missing
CellKind KindOf(std::string_view cell);
// Returns the kind of cells of both kinds together.
CellKind Join(CellKind a, CellKind b);
ColumnType InferredType(CellKind kind);

// A cell that does not fit the required type.
struct BadCell {
  const char* position;  // in the text
  std::string content;
  std::string_view problem;  // "is not a number"
};

// Writes the rows of one chunk, counted from 0, into memory that belongs to the column.
class ColumnPart {
 public:
  // `entries` has room for the chunk, in the width of `type`. kInfer only finds out the kind,
  // kIgnore does nothing. If the type is `inferred`, a cell that does not fit it is not an error:
  // the part then continues as with kInfer.
  void Begin(ColumnType type, bool inferred, void* entries);
  // After Begin: a category that is none of `levels` (distinct) does not fit.
  void AllowOnly(std::span<const std::string> levels);
  void Put(std::size_t row, std::string_view content, const char* position, NumberSigns signs = {});
  // A cell that means "missing". Put takes NaN, however it is written, for one among numbers and
  // bool, and infinities for numbers.
  void PutMissing(std::size_t row);
  // A quoted cell that means "missing" among numbers; among strings it is one.
  void PutQuotedMissing(std::size_t row, std::string_view content);
  void End(std::size_t n_rows);

  // Puts a number that needs no further checks. REQUIRES: type() is that of T.
  ColumnType type() const { return type_; }
  template <class T>
  void PutValue(std::size_t row, T value) {
    static_cast<T*>(entries_)[row] = value;
  }

  // After End: the type of the entries that were written; kInfer if some did not fit, so that the
  // chunk must be read again.
  ColumnType held_type() const { return held_; }
  CellKind kind() const { return kind_; }
  const std::optional<BadCell>& bad() const { return bad_; }
  // Integers among real numbers that a double does not hold exactly: how many, and the first.
  std::size_t n_inexact() const { return n_inexact_; }
  const std::optional<BadCell>& inexact() const { return inexact_; }
  std::size_t n_rows() const { return n_rows_; }
  // The rows without an entry, for types that have no missing value: integers and bool.
  const std::vector<std::uint32_t>& missing() const { return missing_; }
  const LevelSet& levels() const { return levels_; }
  void* entries() const { return entries_; }

 private:
  template <class T>
  void PutNumber(std::size_t row, std::string_view content, const char* position,
                 NumberSigns signs);
  void NoteInexact(std::string_view content, const char* position, double value);
  void PutLevel(std::size_t row, std::string_view content, const char* position);
  void Misfit(std::size_t row, std::string_view content, const char* position, NumberSigns signs,
              std::string_view problem);

  ColumnType type_ = ColumnType::kIgnore;  // how cells are read at the moment
  ColumnType held_ = ColumnType::kInfer;
  bool inferred_ = false;
  CellKind kind_ = CellKind::kNone;
  void* entries_ = nullptr;
  std::size_t n_rows_ = 0;
  std::vector<std::uint32_t> missing_;
  std::optional<BadCell> bad_, inexact_;
  std::size_t n_inexact_ = 0;
  LevelSet levels_;
  std::size_t n_allowed_ = 0;  // of the levels, the first; 0 = all
};

}  // namespace crossfold::reading
