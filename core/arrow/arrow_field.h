// Checks of one field of a struct array, and the column that is made of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "crossfold/arrow_abi.h"
#include "crossfold/dataset.h"

namespace crossfold {

// The rows of a field that are used.
struct ArrowRows {
  std::int64_t skipped = 0;  // entries of the field before them
  std::int64_t count = 0;
  std::int64_t before = 0;  // rows of earlier arrays of the stream; only messages need them
};

// An array whose counts and buffers have been checked against its type. The lengths of its buffers
// cannot be checked; the producer is trusted with them.
struct ArrowPart {
  const ArrowSchema* schema = nullptr;
  const ArrowArray* array = nullptr;
  std::int64_t first = 0;  // entry of the buffers that is row 0
  std::int64_t n_rows = 0;
  std::int64_t rows_before = 0;
  std::string subject;                          // "cannot import 'sales': column 'day' "
  std::shared_ptr<const void> owner = nullptr;  // keeps the array alive

  std::string_view format() const { return schema->format; }
  // The validity bitmap; null if no entry is null.
  const std::uint8_t* validity() const;
  bool is_null(std::int64_t row) const;
  // Buffer `i`; null if there are no rows, or no bytes of strings.
  const void* buffer(std::int64_t i) const { return array->buffers[i]; }

  // Returns "row 7". Rows are counted from 1 over all arrays.
  std::string RowName(std::int64_t row) const {
    return "row " + std::to_string(rows_before + row + 1);
  }
  // Throws Error(kBadData) "<subject><finding>".
  [[noreturn]] void Refuse(const std::string& finding) const;
};

// Checks lengths, offsets, counts and pointers of an array of `n_buffers` buffers without children.
// Throws Error(kBadData).
ArrowPart CheckArrowPart(const ArrowSchema& schema, const ArrowArray& array, std::int64_t n_buffers,
                         const ArrowRows& rows, std::string subject);

// The strings of an array of utf8, large_utf8 or utf8_view. It checks that offsets never fall and
// that views are inside of their buffers.
class ArrowTexts {
 public:
  explicit ArrowTexts(const ArrowPart& part);
  // REQUIRES: 0 <= row < part.n_rows, and it is not null.
  std::string_view Text(std::int64_t row) const;

 private:
  std::int64_t OffsetAt(std::int64_t entry) const;
  std::optional<std::string_view> ViewAt(std::int64_t row) const;
  void CheckViews() const;

  const ArrowPart& part_;
  bool is_large_, has_views_;
};

// Whether the format is utf8, large_utf8 or utf8_view.
bool IsArrowText(std::string_view format);

// Returns "cannot import 'sales': column 'day' ", the beginning of messages about a field.
std::string ArrowSubject(const ArrowSchema& field, const std::string& attempt);

// The column that a field of a struct array becomes. Throws Error(kBadData).
Column ArrowColumn(const ArrowSchema& schema, const ArrowArray& array, const ArrowRows& rows,
                   const std::string& attempt, std::shared_ptr<const void> owner);
// Returns the same column without rows.
Column EmptyArrowColumn(const ArrowSchema& schema, const std::string& attempt);

}  // namespace crossfold
