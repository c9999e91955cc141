// The choice of plugins that a host may use, by the names that its user gave. It helps to find a
// bad plugin among many.
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

  // Returns why a plugin must not be used; "" = it may be. `id` may be empty if it is not known
  // yet.
  std::string Refusal(std::string_view id, std::string_view file_name);

  // Returns a warning for each glob that should switch off plugins and has matched none of those
  // that Refusal was asked about.
  std::vector<std::string> Unmatched() const;

 private:
  struct Pattern {
    std::string glob, source;
    bool has_fitted = false;
  };
  std::vector<Pattern> disabled_;
  std::vector<std::string> only_;
};

}  // namespace crossfold
