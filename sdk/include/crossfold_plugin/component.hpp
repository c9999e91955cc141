// Code shared by the adapters of all kinds: the static cf_info and the parameters of a component.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "crossfold_plugin/param.h"
#include "crossfold_plugin/params.hpp"

namespace crossfold::plugin {

// A check of `crossfold plugin check` that is known to fail. It is written into the manifest. If
// the check passes, that is a failure, so that the list gets shorter.
struct ExpectedFailure {
  const char* check = nullptr;  // "row-order"
  const char* reason = "";
  bool of_file = false;  // the check is about the file, not about this component
};

// What a component declares about itself. It is the same for all kinds; each kind adds its own
// fields.
struct ComponentInfo {
  const char* id;  // "org.example.knn"
  const char* version = "1.0.0";
  const char* title = "";
  const char* doc = "";
  const char* source = nullptr;  // the paper or book that defines the method
  std::uint32_t determinism = CF_DET_SEEDED | CF_DET_THREADS;
  std::uint32_t process_flags = 0;
  std::int32_t threading = CF_MT_PREDICT;
  std::span<const ExpectedFailure> expected_failures = {};  // of a static constexpr array
};

namespace internal {

template <class T>
[[gnu::cold]] const auto& ParamTablesOf() {
  static const ParamTables<typename T::Params, std::remove_cv_t<decltype(T::kSchema)>> tables(
      T::kSchema);
  return tables;
}

template <class T>
typename T::Params ParamsOf(const cf_arg* args, std::size_t n_args) {
  return LoadParams<typename T::Params>(T::kSchema, args, n_args);
}

// Whether any declared parameter has that flag.
template <class T>
consteval bool HasAnyFlag(std::uint32_t flag) {
  return std::apply(
      [flag](const auto&... decl) { return (false || ... || ((decl.extra.flags & flag) != 0)); },
      T::kSchema);
}

// Whether the parameter of that name is declared with that flag.
template <class T>
bool HasFlag(std::string_view name, std::uint32_t flag) {
  return std::apply(
      [&](const auto&... decl) {
        return (false || ... || (name == decl.name && (decl.extra.flags & flag) != 0));
      },
      T::kSchema);
}

template <class T>
[[gnu::cold]] cf_info MakeInfo() {
  const ComponentInfo& c = T::kInfo.component;
  return cf_info{c.id,
                 c.version,
                 c.title,
                 c.doc,
                 c.source,
                 ParamTablesOf<T>().data(),
                 ParamTablesOf<T>().size(),
                 c.determinism,
                 c.process_flags,
                 c.threading,
                 0,
                 nullptr};
}

}  // namespace internal
}  // namespace crossfold::plugin
