// The type and levels of a column that are known before it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin/columns.hpp"
#include "crossfold_plugin/data.h"
#include "crossfold_plugin/source.h"

namespace crossfold::reading {

// The types of columns that are read from text.
enum class ColumnType {
  kInfer,  // i64, else f64, else bool (true/false), else categorical
  kF64,
  kF32,
  kI32,
  kI64,
  kBool,
  kCategorical,
  kIgnore  // the column is not needed
};

// kIgnore is 0; kInfer, which no column has, is CF_F64.
constexpr std::int32_t DtypeOf(ColumnType type) {
  switch (type) {
    case ColumnType::kF32:
      return CF_F32;
    case ColumnType::kI32:
      return CF_I32;
    case ColumnType::kI64:
      return CF_I64;
    case ColumnType::kBool:
      return CF_BOOL8;
    case ColumnType::kCategorical:
      return CF_CAT32;
    case ColumnType::kIgnore:
      return 0;
    default:
      return CF_F64;
  }
}

// kInfer for 0 and for types that are not known here.
constexpr ColumnType TypeOf(std::int32_t dtype) {
  for (const ColumnType type : {ColumnType::kF64, ColumnType::kF32, ColumnType::kI32,
                                ColumnType::kI64, ColumnType::kBool, ColumnType::kCategorical}) {
    if (DtypeOf(type) == dtype) return type;
  }
  return ColumnType::kInfer;
}

// Bytes of an entry while it is read.
constexpr std::size_t EntrySize(ColumnType type) {
  switch (type) {
    case ColumnType::kF32:
    case ColumnType::kI32:
    case ColumnType::kCategorical:
      return 4;
    case ColumnType::kBool:
      return 1;
    default:
      return 8;
  }
}

// Returns the name that options use.
constexpr std::string_view NameOf(ColumnType type) {
  constexpr std::string_view kNames[] = {"",    "f64",  "f32",         "i32",
                                         "i64", "bool", "categorical", "ignore"};
  return kNames[static_cast<std::size_t>(type)];
}

struct ColumnPlan {
  std::string name = {};
  ColumnType type = ColumnType::kInfer;
  bool firm = false;                       // the type is required; else it is preferred
  std::vector<std::string> declared = {};  // first levels of a categorical column, distinct
  bool ordered = false;                    // they have an order, if there are no others
  bool closed = false;                     // a different level is an error
};

// `hint` may be null.
ColumnPlan PlanColumn(std::string name, const cf_column_hint* hint);

inline bool HasFlag(const cf_column_hint* hint, std::uint32_t flag) {
  return hint != nullptr && (hint->flags & flag) != 0;
}

bool IsMissing(const plugin::SourceColumn& column, std::int64_t row);

// Returns what is wrong with a missing entry of a column that must be complete.
std::string MissingFinding(const cf_column_hint& hint);

}  // namespace crossfold::reading
