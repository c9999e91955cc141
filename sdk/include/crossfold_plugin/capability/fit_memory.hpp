// crossfold.fit-memory/1: how much memory a fit takes, so that a host can refuse it before it
// starts.
//
//   static std::uint64_t FitBytes(const Params&, const cf_shape&, const Context&);
//   static std::uint64_t CrossBytes(const Params&, const cf_shape&, const Context&);   // optional
//
// FitBytes returns the bytes that Fit holds at its peak, the model included, in addition to the
// columns that it is lent. `shape.n_rows` is the number of training rows. CrossBytes returns the
// same for CrossPredict of one setting on shape.n_rows rows. Law: the allocator never gives more
// than twice of that (a warning only).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/draft.h"
#include "crossfold_plugin/error.hpp"

namespace crossfold::plugin {

template <class L>
concept TellsFitBytes = requires(const typename L::Params& p, const cf_shape& s, const Context& c) {
  { L::FitBytes(p, s, c) } -> std::convertible_to<std::uint64_t>;
};

template <class L>
concept TellsCrossBytes = requires(const typename L::Params& p, const cf_shape& s,
                                   const Context& c) {
  { L::CrossBytes(p, s, c) } -> std::convertible_to<std::uint64_t>;
};

namespace internal {

template <class L>
cf_status CF_CALL FitBytesCall(const cf_call* call, const cf_arg* args, std::size_t n_args,
                               const cf_shape* shape, std::uint64_t* bytes) {
  *bytes = 0;
  return Guard(call,
               [&] { *bytes = L::FitBytes(ParamsOf<L>(args, n_args), *shape, Context(*call)); });
}

template <class L>
cf_status CF_CALL CrossBytesCall(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                 const cf_shape* shape, std::uint64_t* bytes) {
  *bytes = 0;
  return Guard(call,
               [&] { *bytes = L::CrossBytes(ParamsOf<L>(args, n_args), *shape, Context(*call)); });
}

template <class L>
const cf_cap_fit_memory* FitMemoryTable() {
  static_assert(TellsFitBytes<L>,
                "FitBytes must be: static std::uint64_t FitBytes(const Params&, const cf_shape&, "
                "const Context&)");
  static const cf_cap_fit_memory table = [] {
    cf_cap_fit_memory t{sizeof(cf_cap_fit_memory), 0, &FitBytesCall<L>, nullptr};
    if constexpr (TellsCrossBytes<L>) t.cross_bytes = &CrossBytesCall<L>;
    return t;
  }();
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
