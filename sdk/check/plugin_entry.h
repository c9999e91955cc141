// The entry function of a plugin, called by hosts that a check makes up.
#pragma once

#include <filesystem>
#include <string>

#include "check/probe_call.h"
#include "crossfold_plugin.h"
#include "engine/plugin/manifest.h"

namespace crossfold::check {

// Loads the file into this process, never to unload it. Null if it cannot be loaded or has no entry
// function: other checks say why.
cf_plugin_fn LoadEntry(const std::filesystem::path& file);

// What one call of the entry function gave.
struct Entered {
  const cf_plugin* plugin = nullptr;
  std::string problem;  // "declines: ..."; "" = there are tables
};

// Enters it as a host of this version. What the host hands over can no longer be read once the call
// is over: a plugin that keeps it, and uses it later, ends by SIGSEGV. Throws Error(kIo) if the
// system has no memory left.
Entered Enter(cf_plugin_fn entry, std::uint32_t host_minor, const ProbeOptions& options = {});

// Everything that the tables say, as text with one fact per line: equal tables give equal text.
// Also asks for every capability. The text starts with "problem: " if the tables are not valid.
std::string DescribeTables(const cf_plugin& plugin, const Manifest& manifest);

}  // namespace crossfold::check
