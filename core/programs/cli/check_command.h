// crossfold plugin check. crossfold-plugin runs it (programs/plugin/check_plugins.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/plugin_check.h"

namespace crossfold::cli {

class Command;

struct CheckCommandOptions {
  std::vector<std::string> paths;
  CheckOptions kit;
  bool json = false, list = false, skipped = false;
  std::string explain;
  double fuzz = 0;  // seconds
  std::optional<std::uint64_t> reproduce;
};

// Declares the command under "plugin". `options` must live until the line is parsed.
const Command& DeclareCheck(Command& plugin, CheckCommandOptions& options);

}  // namespace crossfold::cli
