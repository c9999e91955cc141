// crossfold.serialize/1: models that outlive the process. Learners and transforms may have it.
//
//   static constexpr std::uint32_t kFormatVersion = 1;   // raise it when Save changes
//   void Save(Writer&) const;
//   static T Load(Reader&);   // reader.version() is the kFormatVersion that wrote the bytes
//
// The bytes also carry the component's id, the version and a checksum, so Load sees only models of
// its own kind. It must still check every length and index (ReadWithin), because a checksum is not
// a signature. shape() says which rows the model accepts (model_shape.hpp).
// Law: save, load, save gives the same bytes; a loaded model predicts the same bytes; other bytes
// are refused with CF_E_BAD_BLOB; every earlier version can be read.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/stream.hpp"

namespace crossfold::plugin {

template <class T>
concept Serializes = requires(const T& t, Writer& w, Reader& r) {
  t.Save(w);
  { T::Load(r) } -> std::same_as<T>;
  { T::kFormatVersion } -> std::convertible_to<std::uint32_t>;
};

namespace internal {

inline constexpr std::uint64_t kModelMagic = 0x314C444F4D584643u;  // "CFXMODL1" in the file

template <class T>
void SaveModel(const T& model, Writer& w) {
  w.Write(kModelMagic);
  w.WriteText(T::kInfo.component.id);
  w.Write(std::uint32_t{T::kFormatVersion});
  model.Save(w);
  w.Write(w.checksum());
}

// Reads as many bytes as the expected id has, so that foreign bytes cannot make it read more.
inline void RequireId(Reader& r, std::string_view id) {
  bool equal = r.Read<std::uint64_t>() == id.size();
  for (std::size_t i = 0; equal && i < id.size(); ++i) equal = r.Read<char>() == id[i];
  if (!equal) {
    throw Error(CF_E_BAD_BLOB, "the saved model is not one of '" + std::string(id) + "'");
  }
}

template <class T>
T LoadModel(Reader& r) {
  if (r.Read<std::uint64_t>() != kModelMagic) {
    throw Error(CF_E_BAD_BLOB, "these bytes are not a saved model");
  }
  RequireId(r, T::kInfo.component.id);
  const auto version = r.Read<std::uint32_t>();
  if (version == 0 || version > T::kFormatVersion) {
    throw Error(CF_E_BAD_BLOB, "the saved model has format " + std::to_string(version) +
                                   ", this plugin reads up to " +
                                   std::to_string(T::kFormatVersion));
  }
  r.set_version(version);
  T model = T::Load(r);
  const std::uint64_t expected = r.checksum();
  if (r.Read<std::uint64_t>() != expected) {
    throw Error(CF_E_BAD_BLOB, "the saved model is damaged: its checksum does not match");
  }
  return model;
}

template <class T>
cf_status CF_CALL SaveCall(const cf_call* call, const cf_model* model, const cf_writer* writer) {
  return Guard(call, [&] {
    Writer w(*writer);
    SaveModel(ModelOf<T>(model), w);
  });
}

template <class T>
cf_status CF_CALL LoadCall(const cf_call* call, const cf_reader* reader, cf_model** out) {
  *out = nullptr;
  return Guard(call, [&] {
    Reader r(*reader);
    *out = NewModel<T>(LoadModel<T>(r));
  });
}

template <class T>
const cf_cap_serialize* SerializeTable() {
  static_assert(Serializes<T>,
                "Save needs: void Save(Writer&) const, static T Load(Reader&) and "
                "static constexpr std::uint32_t kFormatVersion");
  static_assert(T::kFormatVersion > 0, "kFormatVersion starts at 1");
  static const cf_cap_serialize table{sizeof(cf_cap_serialize), T::kFormatVersion, &SaveCall<T>,
                                      &LoadCall<T>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
