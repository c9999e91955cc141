#include "discovery/plugin_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "crossfold/error.h"
#include "discovery/installed_plugins.h"
#include "discovery/plugin_folder.h"
#include "discovery/program_search.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".crossfold.so";
constexpr const char* kSearchVariable = "CROSSFOLD_PLUGIN_PATH";

// Returns the value; "" if it is not set, or if the process has more rights than its user.
std::string Environment(const char* name) {
  const char* value = ::secure_getenv(name);
  return value == nullptr ? "" : value;
}

void AddEnvironment(SearchPlan& plan) {
  const std::string folders = Environment(kSearchVariable);
  for (std::string_view rest = folders; !rest.empty();) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const fs::path folder = rest.substr(0, colon);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    if (folder.empty()) continue;
    if (folder.is_absolute()) {
      plan.places.push_back(folder);
    } else {  // it would depend on the folder in which the program is started
      plan.warnings.push_back("cannot search '" + folder.string() + "' of " + kSearchVariable +
                              ": it is not an absolute path; it was left out");
    }
  }
}

// The user's folder, then the plugins that were installed from registries.
void AddUserFolders(SearchPlan& plan) {
  const fs::path data = UserDataFolder();
  if (data.empty()) return;
  plan.places.push_back(data / "plugins");
  try {
    const InstalledPlugins installed = ReadInstalledPlugins(InstalledFolder());
    for (const InstalledPlugin& plugin : installed.plugins) {
      const InstalledVersion& current = plugin.current();
      plan.places.push_back(installed.folder / current.folder / current.file);
      plan.installed.insert(plan.places.back());
    }
  } catch (const Error& error) {
    plan.warnings.emplace_back(error.what());
  }
}

// Returns the usual places of bundled plugins, in order.
std::vector<fs::path> InstallationCandidates() {
  std::vector<fs::path> candidates;
  if (const fs::path own = OwnFolder(); !own.empty()) {
    // LuaRocks puts them into a folder next to the module, which may be in /usr/local/lib/lua/5.4.
    for (const char* relative : {"crossfold/plugins", "../lib/crossfold/plugins",
                                 "../../crossfold/plugins", "../../lib/crossfold/plugins"}) {
      candidates.push_back((own / relative).lexically_normal());
    }
  }
  candidates.emplace_back(CROSSFOLD_INSTALLED_PLUGINS);
  return candidates;
}

void RemoveRepeats(std::vector<fs::path>& places) {
  std::vector<fs::path> unique;
  for (const fs::path& place : places) {
    if (std::find(unique.begin(), unique.end(), place) == unique.end()) unique.push_back(place);
  }
  places = std::move(unique);
}

}  // namespace

fs::path InstallationFolder() {
  for (const fs::path& place : InstallationCandidates()) {
    std::error_code failure;
    if (fs::is_directory(place, failure)) return place;
  }
  return {};
}

fs::path PluginPath(const fs::path& given) {
  fs::path path = fs::absolute(given);
  while (path.has_relative_path() && (path.filename().empty() || path.filename() == ".")) {
    path = path.parent_path();
  }
  return path;
}

SearchPlan PlanSearch(const PluginHostOptions& options) {
  SearchPlan plan;
  for (const fs::path& path : options.paths) {
    if (!path.empty()) plan.places.push_back(PluginPath(path));
  }
  RemoveRepeats(plan.places);
  plan.n_explicit = plan.places.size();
  if (options.use_environment) AddEnvironment(plan);
  if (options.use_user_folder) AddUserFolders(plan);
  plan.installation = InstallationFolder();
  if (options.use_installation) {
    std::vector<fs::path> candidates = {plan.installation};
    if (plan.installation.empty()) candidates = InstallationCandidates();
    plan.places.insert(plan.places.end(), candidates.begin(), candidates.end());
  }
  RemoveRepeats(plan.places);
  return plan;
}

std::optional<fs::path> InstalledFile(const fs::path& installation, const fs::path& file) {
  if (installation.empty()) return std::nullopt;
  if (file.parent_path() == installation) return file;
  std::error_code failure;
  fs::path target = fs::canonical(file, failure);
  if (failure || !fs::equivalent(target.parent_path(), installation, failure)) return std::nullopt;
  return target;
}

std::vector<fs::path> PluginFiles(const fs::path& folder, std::error_code& failure) {
  std::vector<fs::path> files;
  failure.clear();
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    const fs::path& path = it->path();
    if (path.filename().string().ends_with(kSuffix) || IsPluginFolder(path)) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace crossfold
