// A component of a plugin, as the host knows it after loading: one learner, transform, splitter,
// metric or source with its declared parameters.
#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/value.h"
#include "crossfold_plugin.h"

namespace crossfold {

enum class Kind { kLearner, kTransform, kSplitter, kMetric, kSource };
inline constexpr std::array kKinds = {Kind::kLearner, Kind::kTransform, Kind::kSplitter,
                                      Kind::kMetric, Kind::kSource};
std::string_view KindName(Kind kind);  // "learner" ...

// Ids of components, a list for each kind.
class ComponentIds {
 public:
  std::vector<std::string>& operator[](Kind kind) { return ids_[static_cast<std::size_t>(kind)]; }
  const std::vector<std::string>& operator[](Kind kind) const {
    return ids_[static_cast<std::size_t>(kind)];
  }
  bool empty() const;
  std::vector<std::string> all() const;  // in the order of kKinds

  bool operator==(const ComponentIds&) const = default;

 private:
  std::array<std::vector<std::string>, kKinds.size()> ids_;
};

// A component that this host cannot use, though others of its plugin may work.
struct RefusedComponent {
  Kind kind = Kind::kLearner;
  std::string id;
  std::string reason;  // "needs a newer Crossfold: ..."

  bool operator==(const RefusedComponent&) const = default;
};

// A copy of the declaration in C++ types.
struct ParamSpec {
  std::string name;
  std::string doc;
  std::int32_t type = CF_P_REAL;  // CF_P_...
  std::uint32_t flags = 0;        // CF_PF_...
  Value default_value;
  double lo = 0, hi = 0;
  std::int64_t ilo = 0, ihi = 0;
  std::vector<std::string> choices;
  std::string active_if;  // "" = always
  std::string unit;       // "" = none
};

// Whether its values are JSON objects (CF_PF_OBJECT), which are strings.
bool IsObject(const ParamSpec& param);

// Returns "real in (0, 1], default 0.5" or "one of manhattan, euclidean, default euclidean".
std::string Describe(const ParamSpec& param);

// A library that a plugin brings along.
struct LockedLibrary {
  std::string file;    // its path from the plugin's folder
  std::string sha256;  // of its bytes: 64 digits 0-9, a-f

  auto operator<=>(const LockedLibrary&) const = default;
};

// A loaded plugin. It is never unloaded.
struct LoadedPlugin {
  std::filesystem::path path;
  const cf_plugin* descriptor = nullptr;  // static
  std::string id, version, vendor, license, build_info;
  std::string sha256;                    // of the file, or of all files of the folder
  std::vector<LockedLibrary> libraries;  // that were loaded with it under a PluginLock
  mutable std::mutex call_lock;          // held during calls of components that declare CF_MT_NONE
  bool runs_in_child = false;  // a folder: its code runs in a child process of its own
  // The private copy that runs, of a folder under a PluginLock; "" = none.
  std::filesystem::path copy;
  // Whether a host of this process uses it under a PluginLock; worker processes then use the same
  // lock.
  mutable std::atomic<bool> locked{false};
  // Whether a host of this process found it among the bundled plugins.
  mutable std::atomic<bool> bundled{false};
};

// One table that a component offers in addition to its own. It is found by id and was checked when
// the plugin was loaded.
struct OfferedCapability {
  const char* id;     // CF_CAP_...
  const void* table;  // static
};

struct Component {
  Kind kind = Kind::kLearner;
  std::string id, version, title, doc;
  std::string reference;  // the paper or book that defines the method; "" = none
  std::vector<ParamSpec> params;
  std::uint32_t determinism = 0, process_flags = 0;
  std::int32_t threading = CF_MT_NONE;
  std::shared_ptr<const LoadedPlugin> plugin;

  // Exactly one of these is not null, as `kind` says. They are valid for the life of the process.
  const cf_learner* learner = nullptr;
  const cf_transform* transform = nullptr;
  const cf_splitter* splitter = nullptr;
  const cf_metric* metric = nullptr;
  const cf_source* source = nullptr;
  // Returns the info in that table, which is the `self` of every call. It is null in components
  // that no plugin declares.
  const cf_info* info() const;

  // The optional capabilities that this host knows and the plugin offers.
  std::vector<OfferedCapability> capabilities;

  // Returns the static table of one of them (CF_CAP_...), or null. All functions of the table that
  // are not optional are present. T must be its type. Calls no plugin.
  template <class T>
  const T* capability(std::string_view capability_id) const {
    for (const OfferedCapability& offered : capabilities) {
      if (capability_id == offered.id) return static_cast<const T*>(offered.table);
    }
    return nullptr;
  }
  // Whether it is a transform that changes the set of training rows.
  bool changes_rows() const { return capability<cf_cap_resample>(CF_CAP_RESAMPLE) != nullptr; }
};

// Returns "knn" for "crossfold.knn"; other ids stay as they are.
std::string_view ShortId(std::string_view id);

}  // namespace crossfold
