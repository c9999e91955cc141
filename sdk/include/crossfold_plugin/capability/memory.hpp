// crossfold.memory/1: how much memory a model holds, for budgets and the number of workers.
//
//   std::uint64_t Bytes() const;
//
// Law: the number is between half and twice of what the allocator saw (a warning only).
#pragma once

#include <concepts>
#include <cstdint>

#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/draft.h"
#include "crossfold_plugin/error.hpp"

namespace crossfold::plugin {

template <class T>
concept TellsBytes = requires(const T& t) {
  { t.Bytes() } -> std::convertible_to<std::uint64_t>;
};

namespace internal {

// This function cannot report a failure, so it returns 0 if Bytes() throws.
template <class T>
std::uint64_t BytesOf(const T& object) noexcept {
  std::uint64_t bytes = 0;
  Guard(nullptr, [&] { bytes = object.Bytes(); });
  return bytes;
}

template <class L>
std::uint64_t CF_CALL ModelBytesCall(const cf_info*, const cf_model* model) {
  return BytesOf(ModelOf<L>(model));
}

template <class L>
const cf_cap_memory* MemoryTable() {
  static_assert(TellsBytes<L>, "Bytes must be: std::uint64_t Bytes() const");
  static const cf_cap_memory table{sizeof(cf_cap_memory), 0, &ModelBytesCall<L>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
