#include "column_part.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "numbers.h"

namespace crossfold::reading {
namespace {

constexpr std::string_view kNotANumber = "is not a number";
constexpr std::string_view kNotAnInteger = "is not an integer";
constexpr std::string_view kOutOfRange = "is out of range";
constexpr std::string_view kNotABool = "is neither true nor false";
constexpr std::string_view kNotALevel = "is not one of its levels";

template <class T>
std::string_view Real(std::string_view cell, std::optional<T> parsed, T* value) {
  if (!parsed || !std::isfinite(*parsed)) return IsDecimalNumber(cell) ? kOutOfRange : kNotANumber;
  *value = *parsed;
  return "";
}

// Each reads a whole cell and returns "" or what is wrong with it.
std::string_view ReadCell(std::string_view cell, double* value) {
  return Real(cell, ParseDouble(cell), value);
}

std::string_view ReadCell(std::string_view cell, float* value) {
  return Real(cell, ParseFloat(cell), value);
}

std::string_view ReadCell(std::string_view cell, std::int64_t* value) {
  const auto parsed = ParseInteger(cell);
  if (parsed) {
    *value = *parsed;
    return "";
  }
  if (!IsDecimalNumber(cell)) return kNotANumber;
  return cell.find_first_of(".eE") == std::string_view::npos ? kOutOfRange : kNotAnInteger;
}

std::string_view ReadCell(std::string_view cell, std::int32_t* value) {
  std::int64_t wide = 0;
  const std::string_view problem = ReadCell(cell, &wide);
  if (!problem.empty()) return problem;
  if (!std::in_range<std::int32_t>(wide)) return kOutOfRange;
  *value = static_cast<std::int32_t>(wide);
  return "";
}

std::string_view ReadCell(std::string_view cell, bool* value) {
  *value = cell == "true" || cell == "True" || cell == "TRUE";
  const bool is_false = cell == "false" || cell == "False" || cell == "FALSE";
  return *value || is_false ? "" : kNotABool;
}

template <class T>
T MissingEntry() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
  return T();
}

}  // namespace

CellKind KindOf(std::string_view cell) {
  std::int64_t integer = 0;
  if (ReadCell(cell, &integer).empty()) return CellKind::kInteger;
  double real = 0;
  if (ReadCell(cell, &real).empty()) return CellKind::kReal;
  bool boolean = false;
  return ReadCell(cell, &boolean).empty() ? CellKind::kBool : CellKind::kText;
}

CellKind Join(CellKind a, CellKind b) {
  if (a == b || b == CellKind::kNone) return a;
  if (a == CellKind::kNone) return b;
  const auto is_number = [](CellKind kind) {
    return kind == CellKind::kInteger || kind == CellKind::kReal;
  };
  return is_number(a) && is_number(b) ? CellKind::kReal : CellKind::kText;
}

ColumnType InferredType(CellKind kind) {
  switch (kind) {
    case CellKind::kInteger:
      return ColumnType::kI64;
    case CellKind::kBool:
      return ColumnType::kBool;
    case CellKind::kText:
      return ColumnType::kCategorical;
    default:
      return ColumnType::kF64;
  }
}

void ColumnPart::Begin(ColumnType type, bool inferred, void* entries) {
  *this = ColumnPart();
  type_ = held_ = type;
  inferred_ = inferred;
  entries_ = entries;
}

void ColumnPart::Put(std::size_t row, std::string_view content, const char* position,
                     NumberSigns signs) {
  switch (type_) {
    case ColumnType::kF64:
      return PutNumber<double>(row, content, position, signs);
    case ColumnType::kF32:
      return PutNumber<float>(row, content, position, signs);
    case ColumnType::kI32:
      return PutNumber<std::int32_t>(row, content, position, signs);
    case ColumnType::kI64:
      return PutNumber<std::int64_t>(row, content, position, signs);
    case ColumnType::kBool:
      return PutNumber<bool>(row, content, position, signs);
    case ColumnType::kCategorical:
      return PutLevel(row, content, position);
    case ColumnType::kInfer:
      if (IsNanWord(content)) return;
      kind_ = Join(kind_, ParseInfinity(content) ? CellKind::kReal
                          : signs.plain()        ? KindOf(content)
                                                 : KindOf(WithPlainSigns(content, signs)));
      if (kind_ == CellKind::kText) type_ = ColumnType::kIgnore;  // no cell can change that
      return;
    case ColumnType::kIgnore:
      return;
  }
}

void ColumnPart::AllowOnly(std::span<const std::string> levels) {
  for (const std::string& level : levels) levels_.CodeOf(level);
  n_allowed_ = levels_.size();
}

void ColumnPart::PutLevel(std::size_t row, std::string_view content, const char* position) {
  const std::int32_t code = levels_.CodeOf(content);
  if (n_allowed_ > 0 && static_cast<std::size_t>(code) >= n_allowed_) {
    return Misfit(row, content, position, {}, kNotALevel);
  }
  PutValue(row, code);
}

template <class T>
void ColumnPart::PutNumber(std::size_t row, std::string_view content, const char* position,
                           NumberSigns signs) {
  static_assert(sizeof(bool) == 1);
  T value{};
  const std::string_view problem =
      signs.plain() ? ReadCell(content, &value) : ReadCell(WithPlainSigns(content, signs), &value);
  if (problem.empty()) {
    if constexpr (std::is_same_v<T, double>) NoteInexact(content, position, value);
    return PutValue(row, value);
  }
  if (IsNanWord(content)) return PutMissing(row);
  if constexpr (std::is_floating_point_v<T>) {
    if (const auto infinity = ParseInfinity(content)) {
      return PutValue(row, static_cast<T>(*infinity));
    }
  }
  Misfit(row, content, position, signs, problem);
}

void ColumnPart::NoteInexact(std::string_view content, const char* position, double value) {
  if (!LosesDigits(content, value)) return;
  if (n_inexact_++ == 0) inexact_ = BadCell{position, std::string(content), ""};
}

void ColumnPart::Misfit(std::size_t row, std::string_view content, const char* position,
                        NumberSigns signs, std::string_view problem) {
  held_ = ColumnType::kInfer;
  if (!inferred_) {
    bad_ = BadCell{position, std::string(content), problem};
    type_ = ColumnType::kIgnore;
    return;
  }
  const bool all_missing = missing_.size() == row && type_ != ColumnType::kF64;
  const CellKind before = type_ == ColumnType::kF64    ? CellKind::kReal
                          : all_missing                ? CellKind::kNone
                          : type_ == ColumnType::kBool ? CellKind::kBool
                                                       : CellKind::kInteger;
  missing_.clear();
  type_ = ColumnType::kInfer;
  kind_ = before;
  Put(row, content, position, signs);
}

void ColumnPart::PutMissing(std::size_t row) {
  switch (type_) {
    case ColumnType::kF64:
      return PutValue(row, MissingEntry<double>());
    case ColumnType::kF32:
      return PutValue(row, MissingEntry<float>());
    case ColumnType::kCategorical:
      return PutValue(row, std::int32_t{-1});
    case ColumnType::kInfer:
    case ColumnType::kIgnore:
      return;
    case ColumnType::kI32:
      PutValue(row, MissingEntry<std::int32_t>());
      break;
    case ColumnType::kI64:
      PutValue(row, MissingEntry<std::int64_t>());
      break;
    case ColumnType::kBool:
      PutValue(row, MissingEntry<bool>());
      break;
  }
  missing_.push_back(static_cast<std::uint32_t>(row));
}

void ColumnPart::PutQuotedMissing(std::size_t row, std::string_view content) {
  if (type_ == ColumnType::kCategorical) return PutLevel(row, content, content.data());
  PutMissing(row);
}

void ColumnPart::End(std::size_t n_rows) {
  n_rows_ = n_rows;
  if (held_ == ColumnType::kInfer) return;
  switch (held_) {
    case ColumnType::kF64:
      kind_ = CellKind::kReal;  // inferred only where a part has seen one
      break;
    case ColumnType::kCategorical:
      kind_ = CellKind::kText;
      break;
    default:
      if (missing_.size() < n_rows) {
        kind_ = held_ == ColumnType::kBool ? CellKind::kBool : CellKind::kInteger;
      }
  }
}

}  // namespace crossfold::reading
