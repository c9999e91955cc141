// The law of crossfold.serialize/1: see capability_laws.h.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold_plugin/stream.hpp"
#include "unit/plugins/component_calls.h"

namespace crossfold {
namespace laws {

// Every length up to 64 and some sixty beyond.
inline std::vector<std::size_t> SampleOf(std::size_t n) {
  std::vector<std::size_t> sample;
  for (std::size_t i = 0; i < n; i += i < 64 ? 1 : std::max<std::size_t>(1, n / 61)) {
    sample.push_back(i);
  }
  return sample;
}

inline void ExpectRefused(const Spec& spec, Bytes bytes, const std::string& what) {
  const Made made = Load(spec, std::move(bytes));
  EXPECT_EQ(made.model, nullptr) << what;
  EXPECT_EQ(made.status, CF_E_BAD_BLOB) << what << ": " << made.message;
}

// `bytes` with the checksum (the last 8 bytes) that fits them, so that only Load can object.
inline Bytes Forge(Bytes bytes) {
  plugin::internal::Checksum checksum;
  checksum.Add(std::span(bytes).first(bytes.size() - 8));
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[bytes.size() - 8 + i] = static_cast<unsigned char>(checksum.value() >> (8 * i));
  }
  return bytes;
}

// Nothing but the saved bytes is a model: not a part of them, and not with another byte in them.
// Forged bytes (with a valid checksum) may make a model, but a wrong one must do no harm.
inline void ExpectDamageIsRefused(const Spec& spec, const Bytes& bytes) {
  for (const std::size_t i : SampleOf(bytes.size())) {
    const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(i);
    ExpectRefused(spec, {bytes.begin(), middle}, "the first " + std::to_string(i) + " bytes");
    for (const int change : {0x01, 0x80, 0xFF}) {
      Bytes damaged = bytes;
      damaged[i] = static_cast<unsigned char>(damaged[i] ^ change);
      const Made forged = Load(spec, Forge(damaged));
      EXPECT_TRUE(forged.status == CF_OK || forged.status == CF_E_BAD_BLOB)
          << "forged byte " << i << ": " << forged.message;
      ExpectRefused(spec, std::move(damaged), "another byte " + std::to_string(i));
    }
  }
}

// Saved bytes are stable, and `same` says whether two models answer alike.
template <class Same>
void ExpectSaveLoad(const Spec& spec, const DataView& train, const Same& same) {
  if (Required<cf_cap_serialize>(spec, CF_CAP_SERIALIZE) == nullptr) return;
  const ModelPtr model = Fit(spec, train);
  if (model == nullptr) return;
  const Bytes bytes = Save(spec, model.get());
  const Made loaded = Load(spec, bytes);
  EXPECT_EQ(loaded.message, "");
  if (loaded.model == nullptr) return;
  EXPECT_TRUE(Save(spec, loaded.model.get()) == bytes) << "save, load, save gave other bytes";
  same(loaded.model.get(), model.get());
  ExpectDamageIsRefused(spec, bytes);
}

}  // namespace laws

// crossfold.serialize/1 of a learner.
inline void ExpectSaveLoadLaw(std::string_view id, const ParamValues& params, const DataView& train,
                              const DataView& test) {
  const auto spec = laws::LearnerSpec(id, params);
  laws::ExpectSaveLoad(*spec, train, [&](const cf_model* loaded, const cf_model* model) {
    EXPECT_TRUE(laws::SamePrediction(laws::Predict(*spec, loaded, test),
                                     laws::Predict(*spec, model, test)));
  });
}

// crossfold.serialize/1 of a transform.
inline void ExpectTransformSaveLoadLaw(std::string_view id, const ParamValues& params,
                                       const DataView& train, const DataView& test) {
  const auto spec = laws::TransformSpec(id, params);
  laws::ExpectSaveLoad(*spec, train, [&](const cf_model* loaded, const cf_model* model) {
    EXPECT_TRUE(
        laws::SameColumns(laws::Apply(*spec, loaded, test), laws::Apply(*spec, model, test)));
  });
}

}  // namespace crossfold
