#include "discovery/plugin_choice.h"

#include <fnmatch.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace crossfold {
namespace {

constexpr const char* kVariable = "CROSSFOLD_PLUGINS_DISABLE";

bool Fits(const std::string& glob, std::string_view text) {
  return !text.empty() && ::fnmatch(glob.c_str(), std::string(text).c_str(), 0) == 0;
}

// Whether the glob matches the id, the id without "crossfold.", or the name of the file.
bool Fits(const std::string& glob, std::string_view id, std::string_view file_name) {
  return Fits(glob, id) || Fits(glob, ShortId(id)) || Fits(glob, file_name);
}

std::string_view WithoutSpaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string Listed(const std::vector<std::string>& globs) {
  std::string text;
  for (const std::string& glob : globs) text += (text.empty() ? "'" : ", '") + glob + "'";
  return text;
}

}  // namespace

PluginChoice::PluginChoice(const PluginHostOptions& options) : only_(options.only) {
  for (const std::string& glob : options.disable) disabled_.push_back({glob, "", false});
  const char* variable = options.use_environment ? ::secure_getenv(kVariable) : nullptr;
  for (std::string_view rest = variable == nullptr ? "" : variable; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(":,"), rest.size());
    const std::string_view glob = WithoutSpaces(rest.substr(0, end));
    if (!glob.empty())
      disabled_.push_back({std::string(glob), " of " + std::string(kVariable), false});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

std::string PluginChoice::Refusal(std::string_view id, std::string_view file_name) {
  std::string refusal;
  for (Pattern& pattern : disabled_) {
    if (!Fits(pattern.glob, id, file_name)) continue;
    pattern.has_fitted = true;
    if (refusal.empty()) refusal = "switched off by '" + pattern.glob + "'" + pattern.source;
  }
  if (!refusal.empty()) return refusal;
  const auto fits = [&](const std::string& glob) { return Fits(glob, id, file_name); };
  if (only_.empty() || id.empty() || std::any_of(only_.begin(), only_.end(), fits)) return "";
  return "left out: only plugins that match " + Listed(only_) + " are wanted";
}

std::vector<std::string> PluginChoice::Unmatched() const {
  std::vector<std::string> warnings;
  for (const Pattern& pattern : disabled_) {
    if (pattern.has_fitted) continue;
    warnings.push_back("cannot switch off '" + pattern.glob + "'" + pattern.source +
                       ": it matches no plugin that was found; crossfold plugin list lists them");
  }
  return warnings;
}

}  // namespace crossfold
