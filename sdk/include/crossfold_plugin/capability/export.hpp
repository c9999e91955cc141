// crossfold.export/1: a fitted model as text. Learners and transforms may have it.
//
//   static constexpr std::array<const char*, 2> kExportFormats = {"text", "dot"};   // static names
//   std::string Export(std::size_t format, const Context&) const;   // index into kExportFormats
//
// Law: the text is UTF-8, and the same model gives the same bytes.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/stream.hpp"

namespace crossfold::plugin {

template <class T>
concept Exports = requires(const T& t, std::size_t format, const Context& c) {
  { t.Export(format, c) } -> std::same_as<std::string>;
  T::kExportFormats.data();
};

namespace internal {

template <class T>
cf_status CF_CALL ExportCall(const cf_call* call, const cf_model* model, std::size_t format,
                             const cf_writer* writer) {
  return Guard(call, [&] {
    if (format >= T::kExportFormats.size()) {
      throw Error(CF_E_INVALID_ARGUMENT, "there is no such format");
    }
    Writer(*writer).WriteRaw(ModelOf<T>(model).Export(format, Context(*call)));
  });
}

template <class T>
const cf_cap_export* ExportTable() {
  static_assert(Exports<T>,
                "Export must be: std::string Export(std::size_t, const Context&) const, with "
                "static constexpr std::array<const char*, N> kExportFormats");
  static const cf_cap_export table{sizeof(cf_cap_export), 0, T::kExportFormats.data(),
                                   T::kExportFormats.size(), &ExportCall<T>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
