#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "arrow/arrow_field.h"
#include "arrow/arrow_types.h"
#include "arrow/category_levels.h"
#include "crossfold/error.h"
#include "crossfold_plugin/utf8.hpp"
#include "engine/data/column_entries.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

// A column of the entries of buffer 1, in the memory of the array.
Column Borrowed(const ArrowPart& part, std::int32_t dtype, const char* data) {
  Column column;
  column.dtype = dtype;
  column.n_rows = part.n_rows;
  column.data = data;
  column.validity = part.validity();
  column.validity_offset = column.validity == nullptr ? 0 : part.first;
  column.owner = part.owner;
  return column;
}

std::vector<bool> PresentRows(const ArrowPart& part) {
  if (part.validity() == nullptr) return {};
  std::vector<bool> present(static_cast<std::size_t>(part.n_rows));
  for (std::int64_t row = 0; row < part.n_rows; ++row) {
    present[static_cast<std::size_t>(row)] = !part.is_null(row);
  }
  return present;
}

// Entries of type T as they are. Memory that is not aligned, which the interface allows, is copied.
template <class T>
Column Entries(const ArrowPart& part, std::int32_t dtype) {
  const auto* buffer = static_cast<const char*>(part.buffer(1));
  if (part.n_rows == 0) return Borrowed(part, dtype, nullptr);
  const char* data = buffer + static_cast<std::size_t>(part.first) * sizeof(T);
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0) return Borrowed(part, dtype, data);
  auto copy = std::make_shared<std::vector<T>>(static_cast<std::size_t>(part.n_rows));
  std::memcpy(copy->data(), data, copy->size() * sizeof(T));
  Column column = Borrowed(part, dtype, reinterpret_cast<const char*>(copy->data()));
  // The bitmap is still the array's.
  using Both = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
  column.owner = std::make_shared<Both>(std::move(copy), part.owner);
  return column;
}

std::uint64_t ReadUnsigned(const char* at, std::size_t size) {
  std::uint64_t value = 0;
  if (size == 1) {
    std::uint8_t entry = 0;
    std::memcpy(&entry, at, size);
    value = entry;
  } else if (size == 2) {
    std::uint16_t entry = 0;
    std::memcpy(&entry, at, size);
    value = entry;
  } else if (size == 4) {
    std::uint32_t entry = 0;
    std::memcpy(&entry, at, size);
    value = entry;
  } else {
    std::memcpy(&value, at, size);
  }
  return value;
}

// The entry in `row` of a buffer of integers. An entry above INT64_MAX is refused.
std::int64_t IntegerAt(const ArrowPart& part, const ArrowInteger& type, std::int64_t row) {
  const auto* buffer = static_cast<const char*>(part.buffer(1));
  const std::uint64_t bits =
      ReadUnsigned(buffer + static_cast<std::size_t>(part.first + row) * type.size, type.size);
  if (!type.is_signed) {
    if (bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      part.Refuse(
          "is " + std::to_string(bits) + " in " + part.RowName(row) +
          ", which does not fit in 64 bits with a sign; cast it to float64 or leave it out");
    }
    return static_cast<std::int64_t>(bits);
  }
  switch (type.size) {
    case 1:
      return static_cast<std::int8_t>(bits);
    case 2:
      return static_cast<std::int16_t>(bits);
    case 4:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

template <class T>
std::vector<T> ConvertedIntegers(const ArrowPart& part, const ArrowInteger& type) {
  std::vector<T> values(static_cast<std::size_t>(part.n_rows));
  for (std::int64_t row = 0; row < part.n_rows; ++row) {
    if (part.is_null(row)) continue;
    values[static_cast<std::size_t>(row)] = static_cast<T>(IntegerAt(part, type, row));
  }
  return values;
}

Column Integers(const ArrowPart& part, const ArrowInteger& type) {
  if (type.is_signed && type.size == 4) return Entries<std::int32_t>(part, CF_I32);
  if (type.is_signed && type.size == 8) return Entries<std::int64_t>(part, CF_I64);
  if (type.size < 4) {
    return Column::Integers32("", ConvertedIntegers<std::int32_t>(part, type), PresentRows(part));
  }
  return Column::Integers("", ConvertedIntegers<std::int64_t>(part, type), PresentRows(part));
}

// Makes a column of whole numbers in the unit of the type.
Column TimesAsIntegers(const ArrowPart& part, const ArrowInteger& type) {
  if (type.size == 8) return Entries<std::int64_t>(part, CF_I64);
  return Column::Integers("", ConvertedIntegers<std::int64_t>(part, type), PresentRows(part));
}

Column Booleans(const ArrowPart& part) {
  const auto* bits = static_cast<const std::uint8_t*>(part.buffer(1));
  std::vector<bool> values(static_cast<std::size_t>(part.n_rows));
  for (std::int64_t row = 0; row < part.n_rows; ++row) {
    const auto bit = static_cast<std::uint64_t>(part.first + row);
    values[static_cast<std::size_t>(row)] = ((bits[bit >> 3] >> (bit & 7)) & 1) != 0;
  }
  return Column::Booleans("", values, PresentRows(part));
}

Column Texts(const ArrowPart& part) {
  const ArrowTexts texts(part);
  LevelSet found;
  std::vector<std::int32_t> codes(static_cast<std::size_t>(part.n_rows), -1);
  for (std::int64_t row = 0; row < part.n_rows; ++row) {
    if (!part.is_null(row)) codes[static_cast<std::size_t>(row)] = found.CodeOf(texts.Text(row));
  }
  OrderedLevels ordered = OrderLevels(found, {});
  for (std::int32_t& code : codes) {
    if (code >= 0) code = ordered.code_of_found[static_cast<std::size_t>(code)];
  }
  return Column::Categories("", std::move(codes), std::move(ordered.levels));
}

// The levels of a dictionary, and the code of each of its entries: -1 = null.
struct Dictionary {
  std::vector<std::string> levels;
  std::vector<std::int32_t> code_of_entry;
  bool has_nulls() const { return levels.size() < code_of_entry.size(); }
};

// Number of buffers that an array of that type must have; -1 = no column has that type.
std::int64_t BuffersOf(std::string_view format, const ArrowArray& array) {
  if (format == "n") return 0;
  if (format == "vu") return std::max<std::int64_t>(3, array.n_buffers);  // strings have any number
  if (IsArrowText(format)) return 3;
  const bool is_number = ArrowIntegerOf(format).size > 0 || ArrowTimeOf(format).size > 0 ||
                         format == "g" || format == "f" || format == "b";
  return is_number ? 2 : -1;
}

Dictionary ReadDictionary(const ArrowPart& indices) {
  const ArrowSchema& schema = *indices.schema->dictionary;
  if (indices.array->dictionary == nullptr) indices.Refuse("has no dictionary in its array");
  if (schema.format == nullptr) indices.Refuse("has a dictionary without a format");
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr || indices.array->dictionary->dictionary != nullptr) {
    indices.Refuse("has a dictionary of a dictionary; decode it or leave it out");
  }
  if (!IsArrowText(format)) {
    indices.Refuse("has a dictionary of type " + std::string(ArrowTypeName(format)) + " (" +
                   Shown(format) + "); decode it or leave it out");
  }
  const std::int64_t size = indices.array->dictionary->length;
  if (size > std::numeric_limits<std::int32_t>::max()) indices.Refuse("has too many levels");
  const ArrowArray& entries = *indices.array->dictionary;
  const ArrowPart part =
      CheckArrowPart(schema, entries, BuffersOf(format, entries), {.count = size},
                     indices.subject + "has a dictionary that ");
  const ArrowTexts texts(part);
  Dictionary dictionary;
  for (std::int64_t entry = 0; entry < size; ++entry) {
    const bool is_null = part.is_null(entry);
    dictionary.code_of_entry.push_back(
        is_null ? -1 : static_cast<std::int32_t>(dictionary.levels.size()));
    if (!is_null) dictionary.levels.emplace_back(texts.Text(entry));
  }
  return dictionary;
}

// The entry of the dictionary that `row` names; -1 = missing.
std::int64_t IndexAt(const ArrowPart& part, const ArrowInteger& type, std::int64_t row,
                     std::int64_t size) {
  if (part.is_null(row)) return -1;
  const std::int64_t index = IntegerAt(part, type, row);
  const bool is_missing = index == -1 && type.size == 4;  // as in a column of categories
  if (is_missing || (index >= 0 && index < size)) return index;
  part.Refuse("has the index " + std::to_string(index) + " in " + part.RowName(row) +
              "; its dictionary has " + std::to_string(size) + " entries");
}

Column Categories(const ArrowPart& part, const ArrowInteger& type) {
  if (type.size == 0) part.Refuse("has a dictionary and indices that are not integers");
  Dictionary dictionary = ReadDictionary(part);
  const auto size = static_cast<std::int64_t>(dictionary.code_of_entry.size());
  Column column;
  if (type.is_signed && type.size == 4 && !dictionary.has_nulls()) {
    for (std::int64_t row = 0; row < part.n_rows; ++row) IndexAt(part, type, row, size);
    column = Entries<std::int32_t>(part, CF_CAT32);
  } else {
    std::vector<std::int32_t> codes(static_cast<std::size_t>(part.n_rows), -1);
    for (std::int64_t row = 0; row < part.n_rows; ++row) {
      const std::int64_t index = IndexAt(part, type, row, size);
      if (index < 0) continue;
      codes[static_cast<std::size_t>(row)] =
          dictionary.code_of_entry[static_cast<std::size_t>(index)];
    }
    column = Column::Categories("", std::move(codes), {});
  }
  column.levels = std::move(dictionary.levels);
  column.ordered = (part.schema->flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
  return column;
}

Column AllMissing(const ArrowPart& part) {
  return Column::Doubles("", std::vector<double>(static_cast<std::size_t>(part.n_rows),
                                                 std::numeric_limits<double>::quiet_NaN()));
}

Column Imported(const ArrowPart& part) {
  const std::string_view format = part.format();
  const ArrowInteger integer = ArrowIntegerOf(format);
  if (part.schema->dictionary != nullptr) return Categories(part, integer);
  if (part.array->dictionary != nullptr) part.Refuse("has no dictionary in its schema");
  if (integer.size > 0) return Integers(part, integer);
  if (const ArrowInteger time = ArrowTimeOf(format); time.size > 0)
    return TimesAsIntegers(part, time);
  if (format == "g") return Entries<double>(part, CF_F64);
  if (format == "f") return Entries<float>(part, CF_F32);
  if (format == "b") return Booleans(part);
  if (format == "n") return AllMissing(part);
  return Texts(part);
}

void CheckTexts(const Column& column, const std::string& subject) {
  if (plugin::FirstInvalidUtf8(column.name)) {
    throw Error(ErrorKind::kBadData, subject + "has a name that is not UTF-8");
  }
  for (const std::string& level : column.levels) {
    if (!plugin::FirstInvalidUtf8(level)) continue;
    throw Error(ErrorKind::kBadData,
                subject + "has the level '" + Shown(level) + "', which is not UTF-8");
  }
}

}  // namespace

bool IsArrowText(std::string_view format) {
  return format == "u" || format == "U" || format == "vu";
}

std::string ArrowSubject(const ArrowSchema& field, const std::string& attempt) {
  return attempt + "column '" + Shown(field.name == nullptr ? "" : field.name) + "' ";
}

Column ArrowColumn(const ArrowSchema& schema, const ArrowArray& array, const ArrowRows& rows,
                   const std::string& attempt, std::shared_ptr<const void> owner) {
  const std::string subject = ArrowSubject(schema, attempt);
  if (schema.format == nullptr) throw Error(ErrorKind::kBadData, subject + "has no format");
  const std::string_view format = schema.format;
  const std::int64_t n_buffers = BuffersOf(format, array);
  if (n_buffers < 0) {
    throw Error(ErrorKind::kBadData, subject + "is of type " + std::string(ArrowTypeName(format)) +
                                         " (" + Shown(format) + "); " +
                                         std::string(ArrowWayOut(format)));
  }
  ArrowPart part = CheckArrowPart(schema, array, n_buffers, rows, subject);
  part.owner = std::move(owner);
  Column column = Imported(part);
  column.name = schema.name == nullptr ? "" : schema.name;
  CheckTexts(column, subject);
  return column;
}

Column EmptyArrowColumn(const ArrowSchema& schema, const std::string& attempt) {
  const void* buffers[3] = {};
  ArrowArray levels{};
  levels.n_buffers = 3;
  levels.buffers = buffers;
  levels.release = [](ArrowArray*) {};
  ArrowArray array = levels;
  array.n_buffers = schema.format == nullptr ? 0 : BuffersOf(schema.format, array);
  array.dictionary = schema.dictionary == nullptr ? nullptr : &levels;
  return ArrowColumn(schema, array, {}, attempt, nullptr);
}

}  // namespace crossfold
