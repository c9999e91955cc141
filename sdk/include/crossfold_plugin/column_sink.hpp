// The sink of the output columns of a transform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/transform.h"

namespace crossfold::plugin {

// The output columns of one Apply, in the order of the calls. The buffers belong to the host.
class ColumnSink {
 public:
  ColumnSink(const cf_column_sink& sink, std::int64_t n_rows)
      : sink_(&sink), n_rows_(static_cast<std::size_t>(n_rows)) {}

  // Adds a numeric column to fill, one double per row; NaN = missing.
  std::span<double> AddNumeric(const std::string& name) { return Make<double>(name, CF_F64, {}); }
  // Adds a categorical column to fill with level codes; -1 = missing. `ordered` says whether the
  // levels have an order.
  std::span<std::int32_t> AddCategorical(const std::string& name,
                                         std::span<const char* const> levels,
                                         bool ordered = false) {
    return Make<std::int32_t>(name, CF_CAT32, levels,
                              ordered ? std::uint32_t{CF_COLUMN_ORDERED} : 0u);
  }
  // Adds a column with the name, type, levels and order of another. E is its element type: double,
  // float, int64_t, int32_t (also for categories) or uint8_t (bools, 0 or 1). Only NaN and code -1
  // are missing in it.
  template <class E>
  std::span<E> AddLike(const cf_column& like) {
    if (!Holds<E>(like.dtype)) {
      throw Error(CF_E_INTERNAL, "column '" + std::string(like.name) + "' has a different type");
    }
    return Make<E>(like.name, like.dtype,
                   {like.levels, static_cast<std::size_t>(like.levels ? like.n_levels : 0)},
                   like.flags);
  }
  // Adds input feature j, unchanged.
  void Pass(std::int64_t j) {
    const cf_status status = sink_->pass_column(sink_, j);
    if (status != CF_OK) throw Error(status, "the host refused input column " + std::to_string(j));
  }

 private:
  template <class E>
  static bool Holds(std::int32_t dtype) {
    if constexpr (std::is_same_v<E, double>) return dtype == CF_F64;
    if constexpr (std::is_same_v<E, float>) return dtype == CF_F32;
    if constexpr (std::is_same_v<E, std::int64_t>) return dtype == CF_I64;
    if constexpr (std::is_same_v<E, std::int32_t>) return dtype == CF_I32 || dtype == CF_CAT32;
    if constexpr (std::is_same_v<E, std::uint8_t>) return dtype == CF_BOOL8;
    return false;
  }

  template <class E>
  std::span<E> Make(const std::string& name, std::int32_t dtype,
                    std::span<const char* const> levels, std::uint32_t flags = 0) {
    void* buffer =
        sink_->add_column(sink_, name.c_str(), dtype, levels.empty() ? nullptr : levels.data(),
                          static_cast<std::int64_t>(levels.size()), flags, nullptr);
    if (buffer == nullptr) {
      throw Error(CF_E_INTERNAL, "the host refused column '" + name + "'");
    }
    return {static_cast<E*>(buffer), n_rows_};
  }

  const cf_column_sink* sink_;
  std::size_t n_rows_;
};

}  // namespace crossfold::plugin
