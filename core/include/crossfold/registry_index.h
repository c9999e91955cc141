// The index of a registry: a JSON file with everything that is needed to choose a plugin, to check
// its bytes and to see who may sign the next index. It is plain data; docs/registry.md describes
// the file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_check.h"
#include "crossfold/signing_key.h"

namespace crossfold {

constexpr const char* kIndexName = "index.json";

// A result of `plugin check` that is not "ok".
struct RecordedFinding {
  std::string check, component;  // "" = the file
  std::string outcome;           // "failed", "skipped" ...
  std::string text;

  bool operator==(const RecordedFinding&) const = default;
};

// What `plugin check` found, and on which version of Crossfold.
struct CheckRecord {
  std::string host;  // "0.1.0"
  std::string date;  // UTC, "2026-11-27"
  std::uint64_t seed = 1;
  bool passed = false;
  std::map<std::string, std::int64_t> counts;  // by outcome: "ok", "skipped" ...
  std::vector<RecordedFinding> findings;       // all that are not ok

  bool operator==(const CheckRecord&) const = default;
};
CheckRecord RecordOf(const CheckReport& report, const std::string& host);
// [{"check", "component", "outcome", "text"}]
JsonValue FindingsJson(const CheckRecord& record);
// "118 ok, 3 skipped (Crossfold 0.1.0, 2026-11-27)"
std::string ToText(const CheckRecord& record);

// A machine on which a plugin runs.
struct Platform {
  std::string os = "any", arch = "any";  // "linux", "x86_64"; "any" = a folder of another language
  std::string glibc;                     // the lowest version that it needs; "" = none

  // "linux-x86_64", or "any"
  std::string Name() const;
  bool operator==(const Platform&) const = default;
};

// One plugin in one version for one platform.
struct RegistryPlugin {
  std::string id, version;
  ComponentIds ids;
  std::uint32_t abi_major = 1, abi_minor = 0;
  Platform platform;
  std::string package;  // path of its archive from the registry's folder
  std::uint64_t package_bytes = 0;
  std::string package_sha256;
  std::string file;  // name of the plugin in the archive: "ridge.crossfold.so"
  bool is_folder = false;
  std::string sha256;  // as a lock has it
  std::vector<LockedLibrary> libraries;
  std::string license, vendor, title, homepage;  // "" = unknown
  std::optional<CheckRecord> check;              // nullopt = it was not checked
};

struct RegistryKey {
  PublicKey key;
  std::string note;  // whose it is
};

struct RevokedKey {
  std::string id;  // as PublicKey::Id()
  std::string reason;
};

struct RegistryIndex {
  std::string id;  // "org.example": the registry, wherever a copy of it is
  std::string title;
  std::int64_t serial = 0;  // rises with every index, so that an old one is recognised
  // The last day in UTC on which readers accept it, "2027-03-31", so that they notice who withholds
  // the next one; "" = no end.
  std::string valid_until;
  // The number of these keys that must sign the next index; 0 keys = it is not signed.
  std::int64_t threshold = 1;
  std::vector<RegistryKey> keys;
  std::vector<RevokedKey> revoked;
  // The indexes at which the keys changed, so that someone who knows older keys can follow.
  std::vector<std::int64_t> key_serials;
  std::vector<RegistryPlugin> plugins;  // sorted by id, version and platform
};

// Throws Error(kBadData) "<attempt>: its index ...". Any text is safe.
RegistryIndex ParseRegistryIndex(std::string_view text, const std::string& attempt);
// JSON that ParseRegistryIndex reads back; equal indexes give equal bytes.
std::string ToText(const RegistryIndex& index);

// Whether it can be a `valid_until`.
bool IsIndexDate(std::string_view text);

// Compares versions as semantic versioning does: by numbers, and 1.0.0-rc1 comes before 1.0.0.
// Returns whether `a` is older.
bool IsOlderVersion(std::string_view a, std::string_view b);

// Whether it is a candidate of a release, such as 2.0.0-rc1.
bool IsCandidateVersion(std::string_view version);

}  // namespace crossfold
