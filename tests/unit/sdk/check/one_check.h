// Plugins of the tests, and the result of one check on one of them, as a text.
#pragma once

#include <string>

#include "crossfold/plugin_check.h"

namespace crossfold {

inline std::string BundledPlugin(const std::string& name) {
  return std::string(CROSSFOLD_TEST_PLUGINS) + "/" + name + ".crossfold.so";
}
inline std::string BadPlugin(const std::string& name) {
  return std::string(CROSSFOLD_BAD_PLUGINS) + "/" + name + ".crossfold.so";
}

// "failed: ...", "ok", "no result". Component "" = the only one.
inline std::string OneCheck(const std::string& file, const std::string& check,
                            const std::string& component = "") {
  CheckOptions options;
  options.checker = CROSSFOLD_CHECKER_PROGRAM;
  options.component = component;
  options.include = "^" + check + "$";
  std::string found = "no result";
  for (const CheckResult& result : CheckPlugin(file, options).results) {
    if (result.check != check) continue;
    found = CheckOutcomeName(result.outcome);
    if (!result.text.empty()) found += ": " + result.text;
  }
  return found;
}

}  // namespace crossfold
