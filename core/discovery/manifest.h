// What a plugin says about itself before any of its code runs: the JSON text in the ELF section
// ".crossfold.manifest". Reads any bytes without harm.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/json_value.h"
#include "discovery/elf_file.h"
#include "discovery/plugin_file.h"

namespace crossfold {

// A check of the conformance kit that the plugin's author knows to fail, and why.
struct ExpectedFailure {
  std::string check;
  std::string component;  // its id; "" = the file
  std::string reason;

  bool operator==(const ExpectedFailure&) const = default;
};

struct Manifest {
  std::uint32_t abi_minor = 0;
  std::string id, version;
  ComponentIds ids;
  std::vector<std::string> factories;  // kinds of its inventor's that cf_plugin.get_factory knows
  std::vector<ExpectedFailure> expected_failures;

  bool operator==(const Manifest&) const = default;
};

struct ManifestReading {
  Manifest manifest;        // only if there is no problem
  std::string problem;      // "it is not an ELF shared library (a text file?)"; empty = read
  bool is_missing = false;  // a shared library for this machine that has no manifest
};

// The manifest of a shared library of `size` bytes. Also refuses what would only fail, or crash, on
// loading: another architecture, another plugin ABI, segments that the file is too short for.
ManifestReading ReadManifest(std::uint64_t size, const ByteReader& read);
ManifestReading ReadManifest(std::string_view file);
ManifestReading ReadManifest(const PluginFile& file);
ManifestReading ReadManifestFile(const std::filesystem::path& path);

// The JSON text alone.
ManifestReading ParseManifest(std::string_view text);
ManifestReading ManifestFromJson(const JsonValue& json);
// What these read back.
std::string ToText(const Manifest& manifest);
JsonValue ToJson(const Manifest& manifest);

// Whether a plugin or component may be called so: [a-z0-9_.-]+.
bool IsWellFormedId(std::string_view id);

}  // namespace crossfold
