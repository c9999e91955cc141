// Reads what a plugin says about itself before any of its code runs: the JSON text in the ELF
// section
// ".crossfold.manifest". Reads any bytes without harm.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "crossfold/json_value.h"
#include "discovery/elf_file.h"
#include "discovery/plugin_file.h"
#include "engine/plugin/manifest.h"

namespace crossfold {

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

}  // namespace crossfold
