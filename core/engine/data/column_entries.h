// The entries of a column with their C++ type.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

#include "crossfold/dataset.h"

namespace crossfold {

inline bool IsNumeric(std::int32_t dtype) {
  return dtype == CF_F64 || dtype == CF_F32 || dtype == CF_I32 || dtype == CF_I64;
}

// Bytes of one entry; 0 if `dtype` is unknown.
inline std::size_t EntrySize(std::int32_t dtype) {
  switch (dtype) {
    case CF_F64:
    case CF_I64:
      return 8;
    case CF_F32:
    case CF_I32:
    case CF_CAT32:
      return 4;
    case CF_BOOL8:
      return 1;
    default:
      return 0;
  }
}

// Calls visit(std::span<const T>) with T = double, float, int32 (also category codes), int64 or
// uint8 (bool). REQUIRES: the dtype is known.
template <class Visitor>
decltype(auto) VisitEntries(const Column& column, Visitor visit) {
  const auto n = static_cast<std::size_t>(column.n_rows);
  const auto entries = [&]<class T>(std::type_identity<T>) {
    return std::span<const T>(static_cast<const T*>(column.data), n);
  };
  switch (column.dtype) {
    case CF_F64:
      return visit(entries(std::type_identity<double>()));
    case CF_F32:
      return visit(entries(std::type_identity<float>()));
    case CF_I32:
    case CF_CAT32:
      return visit(entries(std::type_identity<std::int32_t>()));
    case CF_I64:
      return visit(entries(std::type_identity<std::int64_t>()));
    default:
      assert(column.dtype == CF_BOOL8);
      return visit(entries(std::type_identity<std::uint8_t>()));
  }
}

inline bool IsValid(const Column& column, std::size_t row) {
  if (column.validity == nullptr) return true;
  const std::size_t bit = row + static_cast<std::size_t>(column.validity_offset);
  return ((column.validity[bit >> 3] >> (bit & 7)) & 1) != 0;
}

// Whether an entry is missing although its validity bit is set, that is, NaN or category code -1.
template <class T>
bool MarksMissing(std::int32_t dtype, T entry) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(entry);
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return dtype == CF_CAT32 && entry == -1;
  } else {
    return (void)dtype, false;
  }
}

}  // namespace crossfold
