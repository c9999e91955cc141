// crossfold.prepare/1: a structure per dataset (such as sorted columns or neighbour lists) that
// serves every fold and setting. The host caches it.
//
//   struct Prepared { std::uint64_t Bytes() const; };   // and the structure itself
//   static Prepared Prepare(const Params&, const FeatureView& all, const Context&);
//   static L FitPrepared(const Params&, const Prepared&, const TrainingView&, const Context&);
//
// A learner with FitPath may also have
//
//   static L FitPathPrepared(const Params&, std::string_view param,
//                            std::span<const cf_value> values, const Prepared&,
//                            const TrainingView&, const Context&);
//
// Prepare does not see the target. It may depend only on those members of Params that are flagged
// CF_PF_PREPARE. Rows of `all` and of the training view have the same row_id(). Law: FitPrepared
// equals Fit, and FitPathPrepared equals FitPath, byte for byte.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/capability/fit_path.hpp"
#include "crossfold_plugin/capability/memory.hpp"
#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

template <class L>
concept FitsPrepared = requires(const typename L::Params& p, const typename L::Prepared& prepared,
                                const FeatureView& v, const TrainingView& t, const Context& c) {
  { L::Prepare(p, v, c) } -> std::same_as<typename L::Prepared>;
  { L::FitPrepared(p, prepared, t, c) } -> std::same_as<L>;
};
template <class L>
concept FitsPathPrepared = requires(const typename L::Params& p, std::string_view name,
                                    std::span<const cf_value> values,
                                    const typename L::Prepared& prepared, const TrainingView& t,
                                    const Context& c) {
  { L::FitPathPrepared(p, name, values, prepared, t, c) } -> std::same_as<L>;
};

namespace internal {

template <class L>
const typename L::Prepared& PreparedOf(const cf_prepared* prepared) {
  return *reinterpret_cast<const typename L::Prepared*>(prepared);
}

template <class L>
class PrepareCalls {
  using Prepared = typename L::Prepared;

 public:
  static const cf_cap_prepare* Table() {
    static_assert(FitsPrepared<L>,
                  "Prepared needs: static Prepared Prepare(const Params&, const FeatureView&, "
                  "const Context&) and static L FitPrepared(const Params&, const Prepared&, "
                  "const TrainingView&, const Context&)");
    static_assert(TellsBytes<Prepared>, "Prepared needs std::uint64_t Bytes() const");
    static_assert(!FitsPathPrepared<L> || FitsPath<L>, "FitPathPrepared needs a FitPath");
    static const cf_cap_prepare table = [] {
      cf_cap_prepare t{sizeof(cf_cap_prepare), 0, &Prepare, &Fit, nullptr, &Destroy, &Bytes};
      if constexpr (FitsPathPrepared<L>) t.fit_path_prepared = &FitPath;
      return t;
    }();
    return &table;
  }

 private:
  static cf_status CF_CALL Prepare(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                   const cf_table* all, cf_prepared** out) {
    *out = nullptr;
    return Guard(call, [&] {
      *out = reinterpret_cast<cf_prepared*>(
          new Prepared(L::Prepare(ParamsOf<L>(args, n_args), FeatureView(*all), Context(*call))));
    });
  }

  static cf_status CF_CALL Fit(const cf_call* call, const cf_arg* args, std::size_t n_args,
                               const cf_prepared* prepared, const cf_table* train, cf_model** out) {
    *out = nullptr;
    return Guard(call, [&] {
      *out = NewModel<L>(L::FitPrepared(ParamsOf<L>(args, n_args), PreparedOf<L>(prepared),
                                        TrainingView(*train), Context(*call)));
    });
  }

  static cf_status CF_CALL FitPath(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                   const char* param, const cf_value* values, std::size_t n_values,
                                   const cf_prepared* prepared, const cf_table* train,
                                   cf_model** out) requires FitsPathPrepared<L> {
    *out = nullptr;
    return Guard(call, [&] {
      RequireSubmodelParam<L>(param);
      *out = NewModel<L>(L::FitPathPrepared(ParamsOf<L>(args, n_args), param, {values, n_values},
                                            PreparedOf<L>(prepared), TrainingView(*train),
                                            Context(*call)));
    });
  }

  static void CF_CALL Destroy(const cf_info*, cf_prepared* prepared) {
    delete reinterpret_cast<Prepared*>(prepared);
  }

  static std::uint64_t CF_CALL Bytes(const cf_info*, const cf_prepared* prepared) {
    return BytesOf(PreparedOf<L>(prepared));
  }
};

}  // namespace internal
}  // namespace crossfold::plugin
