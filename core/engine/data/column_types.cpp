#include "engine/data/column_types.h"

#include <array>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"

namespace crossfold {
namespace {

struct NamedType {
  std::string_view name;
  ColumnType type;
};

constexpr std::array<NamedType, 8> kTypeNames = {{{"bool", ColumnType::kBool},
                                                  {"categorical", ColumnType::kCategorical},
                                                  {"f32", ColumnType::kF32},
                                                  {"f64", ColumnType::kF64},
                                                  {"i32", ColumnType::kI32},
                                                  {"i64", ColumnType::kI64},
                                                  {"ignore", ColumnType::kIgnore},
                                                  {"numeric", ColumnType::kF64}}};

ColumnType ColumnTypeOf(std::int32_t dtype) {
  switch (dtype) {
    case CF_F64:
      return ColumnType::kF64;
    case CF_F32:
      return ColumnType::kF32;
    case CF_I32:
      return ColumnType::kI32;
    case CF_I64:
      return ColumnType::kI64;
    case CF_BOOL8:
      return ColumnType::kBool;
    default:
      return ColumnType::kCategorical;
  }
}

}  // namespace

std::int32_t DtypeOf(ColumnType type) {
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
    default:
      return CF_F64;
  }
}

ColumnType ColumnTypeFromName(std::string_view name) {
  std::vector<std::string> known;
  for (const NamedType& entry : kTypeNames) {
    if (entry.name == name) return entry.type;
    known.emplace_back(entry.name);
  }
  throw Error(ErrorKind::kInvalidArgument, "cannot use column type '" + std::string(name) +
                                               "': there is no such type; " +
                                               KnownNames(name, known));
}

std::string_view ColumnTypeName(std::int32_t dtype, bool ordered) {
  const ColumnType type = ColumnTypeOf(dtype);
  if (type == ColumnType::kCategorical && ordered) return "ordered categorical";
  for (const NamedType& entry : kTypeNames) {
    if (entry.type == type) return entry.name;
  }
  return "";
}

}  // namespace crossfold
