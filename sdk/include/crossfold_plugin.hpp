// Crossfold plugins in C++20, header only: write structs and name them in CROSSFOLD_PLUGIN.
//
//   #include <crossfold_plugin.hpp>
//   namespace cf = crossfold::plugin;
//   struct Knn { ... };   // see crossfold_plugin/learner.hpp
//   CROSSFOLD_PLUGIN("org.example.neighbours", "1.0.0", "Example Org", "MIT", Knn)
//
// The type of its kInfo determines the kind of each struct. Nothing of C++ crosses the boundary:
// exceptions become a status and a message, and views borrow the host's buffers for one call.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "crossfold_plugin.h"
#include "crossfold_plugin/compensated_sum.hpp"
#include "crossfold_plugin/learner.hpp"
#include "crossfold_plugin/metric.hpp"
#include "crossfold_plugin/source.hpp"
#include "crossfold_plugin/splitter.hpp"
#include "crossfold_plugin/transform.hpp"

namespace crossfold::plugin::internal {

template <class Info, class T>
inline constexpr bool kIsKind = std::is_same_v<std::remove_cv_t<decltype(T::kInfo)>, Info>;

template <class Info, class... Ts>
inline constexpr std::size_t kCount = (std::size_t{0} + ... + (kIsKind<Info, Ts> ? 1 : 0));

template <class Info, template <class> class Adapter, class Table, class... Ts>
[[gnu::cold]] const Table* const* Tables() {
  static const auto tables = [] {
    std::array<const Table*, kCount<Info, Ts...> + 1> list{};
    [[maybe_unused]] std::size_t next = 0;
    [[maybe_unused]] const auto add = [&]<class T>(std::type_identity<T>) {
      if constexpr (kIsKind<Info, T>) list[next++] = Adapter<T>::Table();
    };
    (add(std::type_identity<Ts>{}), ...);
    return list;
  }();
  return tables.data();
}

template <class T>
inline constexpr bool kIsComponent = kIsKind<LearnerInfo, T> || kIsKind<TransformInfo, T> ||
                                     kIsKind<SplitterInfo, T> || kIsKind<MetricInfo, T> ||
                                     kIsKind<SourceInfo, T>;

template <class... Ts>
[[gnu::cold]] cf_plugin MakePlugin(const char* id, const char* version, const char* vendor,
                                   const char* license) {
  static_assert((kIsComponent<Ts> && ...),
                "kInfo must be a LearnerInfo, TransformInfo, SplitterInfo, MetricInfo or SourceInfo");
  cf_plugin p{};
  p.magic = CF_ABI_MAGIC;
  p.struct_size = sizeof(cf_plugin);
  p.abi_major = CF_ABI_MAJOR;
  p.abi_minor = CF_ABI_MINOR;
  p.id = id;
  p.version = version;
  p.vendor = vendor;
  p.license = license;
#if defined(__VERSION__)
  p.build_info = __VERSION__;
#endif
  p.n_learners = kCount<LearnerInfo, Ts...>;
  p.learners = Tables<LearnerInfo, LearnerAdapter, cf_learner, Ts...>();
  p.n_transforms = kCount<TransformInfo, Ts...>;
  p.transforms = Tables<TransformInfo, TransformAdapter, cf_transform, Ts...>();
  p.n_splitters = kCount<SplitterInfo, Ts...>;
  p.splitters = Tables<SplitterInfo, SplitterAdapter, cf_splitter, Ts...>();
  p.n_metrics = kCount<MetricInfo, Ts...>;
  p.metrics = Tables<MetricInfo, MetricAdapter, cf_metric, Ts...>();
  p.n_sources = kCount<SourceInfo, Ts...>;
  p.sources = Tables<SourceInfo, SourceAdapter, cf_source, Ts...>();
  return p;
}

// The text of the manifest, zero-padded. It is made at compile time so that it can be in its own
// section.
inline constexpr std::size_t kManifestCapacity = 4096;
class ManifestWriter {
 public:
  constexpr void Add(std::string_view text) {
    for (const char c : text) {
      if (size_ + 1 >= kManifestCapacity) throw "the manifest is too long";
      text_[size_++] = c;
    }
  }
  // Appends a JSON string. Ids, versions and reasons need no escapes, so there are none.
  constexpr void AddString(std::string_view text) {
    for (const char c : text) {
      if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) {
        throw "a string of the manifest has a quote, backslash or control character";
      }
    }
    Add("\"");
    Add(text);
    Add("\"");
  }
  template <class Info, class... Ts>
  constexpr void AddIds(std::string_view key) {
    Add(",\"");
    Add(key);
    Add("\":[");
    [[maybe_unused]] bool first = true;
    [[maybe_unused]] const auto add = [&]<class T>(std::type_identity<T>) {
      if constexpr (kIsKind<Info, T>) {
        if (!first) Add(",");
        AddString(T::kInfo.component.id);
        first = false;
      }
    };
    (add(std::type_identity<Ts>{}), ...);
    Add("]");
  }
  template <class T>
  constexpr void AddExpectedFailures() {
    for (const ExpectedFailure& failure : T::kInfo.component.expected_failures) {
      Add(has_expected_ ? "," : ",\"expected_failures\":[");
      has_expected_ = true;
      Add("{\"check\":");
      AddString(failure.check);
      Add(",\"component\":");
      AddString(failure.of_file ? "" : T::kInfo.component.id);
      Add(",\"reason\":");
      AddString(failure.reason);
      Add("}");
    }
  }
  constexpr void EndExpectedFailures() {
    if (has_expected_) Add("]");
  }
  constexpr const std::array<char, kManifestCapacity>& text() const { return text_; }

 private:
  std::array<char, kManifestCapacity> text_{};
  std::size_t size_ = 0;
  bool has_expected_ = false;
};

template <class... Ts>
consteval std::array<char, kManifestCapacity> MakeManifest(std::string_view id,
                                                           std::string_view version) {
  ManifestWriter w;
  static_assert(CF_ABI_MAJOR == 1 && CF_ABI_MINOR == 0, "the manifest names the ABI");
  w.Add("{\"crossfold\":1,\"abi_minor\":0,\"id\":");
  w.AddString(id);
  w.Add(",\"version\":");
  w.AddString(version);
  w.AddIds<LearnerInfo, Ts...>("learners");
  w.AddIds<TransformInfo, Ts...>("transforms");
  w.AddIds<SplitterInfo, Ts...>("splitters");
  w.AddIds<MetricInfo, Ts...>("metrics");
  w.AddIds<SourceInfo, Ts...>("sources");
  (w.template AddExpectedFailures<Ts>(), ...);
  w.EndExpectedFailures();
  w.Add("}");
  return w.text();
}

}  // namespace crossfold::plugin::internal

// Write it once per plugin, at namespace scope: id, version, vendor and SPDX licence as string
// literals, then the component structs.
#define CROSSFOLD_PLUGIN(ID, VERSION, VENDOR, LICENSE, ...)                                   \
  CF_MANIFEST_ATTRIBUTES static constexpr auto crossfold_manifest =                           \
      ::crossfold::plugin::internal::MakeManifest<__VA_ARGS__>(ID, VERSION);                  \
  extern "C" CF_EXPORT const cf_plugin* CF_CALL crossfold_plugin_v1(std::uint32_t,            \
                                                                    const cf_host*) {         \
    static const cf_plugin plugin =                                                           \
        ::crossfold::plugin::internal::MakePlugin<__VA_ARGS__>(ID, VERSION, VENDOR, LICENSE); \
    return &plugin;                                                                           \
  }
