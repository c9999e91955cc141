// The types that columns of a file are asked to have.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crossfold {

enum class ColumnType {
  kInfer,  // i64, else f64, else bool (true/false), else categorical
  kF64,
  kF32,
  kI32,
  kI64,
  kBool,
  kCategorical,
  kIgnore  // the column is left out
};

// "f64", "f32", "i32", "i64", "bool", "categorical", "ignore", and "numeric" for f64.
// Throws Error with the known names and the nearest one.
ColumnType ColumnTypeFromName(std::string_view name);
// The other way round, of the type CF_... that a column has: "f64" ..., "categorical", and "ordered
// categorical" where the levels have an order.
std::string_view ColumnTypeName(std::int32_t dtype, bool ordered = false);

// The type that a column is asked to have.
struct WantedType {
  WantedType(ColumnType wanted = ColumnType::kInfer) : type(wanted) {}
  // Ordered categories: exactly these levels, in this order.
  WantedType(std::vector<std::string> in_order)
      : type(ColumnType::kCategorical), ordered(true), levels(std::move(in_order)) {}

  ColumnType type;
  bool ordered = false;
  std::vector<std::string> levels = {};
};

// By column; overrides what a reader infers.
using ColumnTypes = std::map<std::string, WantedType, std::less<>>;

}  // namespace crossfold
