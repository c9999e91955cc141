// crossfold.check/1: limits that depend on the data and are known before anything runs. All kinds
// of components may have it:
//
//   static void Check(const Params&, const cf_shape&, const Context&);   // throws Error
//
// Law: Check agrees with what Fit does.
#pragma once

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/error.hpp"

namespace crossfold::plugin {

template <class T>
concept ChecksData = requires(const typename T::Params& p, const cf_shape& s, const Context& c) {
  T::Check(p, s, c);
};

namespace internal {

template <class T>
cf_status CF_CALL CheckCall(const cf_call* call, const cf_arg* args, std::size_t n_args,
                            const cf_shape* shape) {
  return Guard(call, [&] { T::Check(ParamsOf<T>(args, n_args), *shape, Context(*call)); });
}

template <class T>
const cf_cap_check* CheckTable() {
  static_assert(ChecksData<T>,
                "Check must be: static void Check(const Params&, const cf_shape&, "
                "const Context&)");
  static const cf_cap_check table{sizeof(cf_cap_check), 0, &CheckCall<T>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
