// Reads the manifest of a plugin before any of its code runs. The manifest is the JSON text in the
// ELF section ".crossfold.manifest", or the file crossfold.json of a plugin that is a folder. Any
// bytes can be read safely.
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

// Reads the manifest of a shared library of `size` bytes. Also refuses files that would fail or
// crash when they are loaded: another architecture, another plugin ABI, segments that extend beyond
// the end of the file.
ManifestReading ReadManifest(std::uint64_t size, const ByteReader& read);
ManifestReading ReadManifest(std::string_view file);
ManifestReading ReadManifest(const PluginFile& file);
// Reads the manifest of the library or the folder at that path.
ManifestReading ReadManifestFile(const std::filesystem::path& path);

// Parses the JSON text alone.
ManifestReading ParseManifest(std::string_view text);
// Parses the text of a crossfold.json. Reads only what a manifest has: the plugin `exec` checks the
// rest. An expected failure without a component also refers to the one that the folder has.
ManifestReading ParseFolderManifest(std::string_view text);
ManifestReading ManifestFromJson(const JsonValue& json);
// Writes what ManifestFromJson reads back.
JsonValue ToJson(const Manifest& manifest);

}  // namespace crossfold
