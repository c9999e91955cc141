// Which plugins a host may use at all, by the names that its user gave: for finding the bad one
// among many.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "crossfold/plugin_host.h"

namespace crossfold {

class PluginChoice {
 public:
  // Reads CROSSFOLD_PLUGINS_DISABLE if the options use the environment.
  explicit PluginChoice(const PluginHostOptions& options);

  // Why a plugin is not to be used; "" = it may be. `id` may be empty if it is not
  // known yet.
  std::string Refusal(std::string_view id, std::string_view file_name);

  // The globs that were to switch off something and have fitted none of the plugins that were asked
  // about: a warning each.
  std::vector<std::string> Unfitting() const;

 private:
  struct Pattern {
    std::string glob, source;
    bool has_fitted = false;
  };
  std::vector<Pattern> disabled_;
  std::vector<std::string> only_;
};

}  // namespace crossfold
