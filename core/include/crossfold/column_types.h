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

// Knows "f64", "f32", "i32", "i64", "bool", "categorical", "ignore", and "numeric" for f64. Throws
// Error with the known names and the nearest one.
ColumnType ColumnTypeFromName(std::string_view name);
// Returns the name of the type CF_... that a column has: "f64" ..., "categorical", and "ordered
// categorical" if the levels have an order.
std::string_view ColumnTypeName(std::int32_t dtype, bool ordered = false);

// The type that a column is asked to have.
struct WantedType {
  WantedType(ColumnType wanted = ColumnType::kInfer) : type(wanted) {}
  // Asks for ordered categories with exactly these levels, in this order.
  WantedType(std::vector<std::string> in_order)
      : type(ColumnType::kCategorical), ordered(true), levels(std::move(in_order)) {}

  ColumnType type;
  bool ordered = false;
  std::vector<std::string> levels = {};
};

// Types by column, which override what a reader infers.
using ColumnTypes = std::map<std::string, WantedType, std::less<>>;

}  // namespace crossfold
