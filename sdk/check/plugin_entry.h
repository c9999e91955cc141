// Calls the entry function of a plugin with hosts that a check makes.
#pragma once

#include <filesystem>
#include <string>

#include "check/probe_call.h"
#include "crossfold_plugin.h"
#include "engine/plugin/manifest.h"

namespace crossfold::check {

// Loads the file into this process for ever. Null if it cannot be loaded or has no entry function;
// other checks say why.
cf_plugin_fn LoadEntry(const std::filesystem::path& file);

// The result of one call of the entry function.
struct Entered {
  const cf_plugin* plugin = nullptr;
  std::string problem;  // "declines: ..."; "" = there are tables
};

// Enters the plugin as a host of this version. The host's structs cannot be read after the call: a
// plugin that uses them later ends with SIGSEGV. Throws Error(kIo) if the system has no memory
// left.
Entered Enter(cf_plugin_fn entry, std::uint32_t host_minor, const ProbeOptions& options = {});

// Everything that the tables say, as text with one fact per line: equal tables give equal text.
// Also asks for every capability. The text starts with "problem: " if the tables are not valid.
std::string DescribeTables(const cf_plugin& plugin, const Manifest& manifest);

}  // namespace crossfold::check
