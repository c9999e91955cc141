#include "discovery/plugin_examination.h"

#include <fnmatch.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "discovery/neighbours.h"
#include "discovery/plugin_folder.h"
#include "discovery/program_search.h"
#include "engine/plugin/descriptor.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using Where = ScanOptions::Where;

constexpr const char* kDisableVariable = "CROSSFOLD_PLUGINS_DISABLE";

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

std::string NameOf(const PluginLock& lock) {
  return lock.path.empty() ? "the lock of this run" : "lock '" + lock.path.string() + "'";
}

// Returns components that the trial found unusable, and components that the manifest lists but the
// plugin did not offer.
std::vector<RefusedComponent> Refused(const Examination& found, const ScanOutcome& outcome) {
  std::vector<RefusedComponent> refused = outcome.refused;
  for (const Kind kind : kKinds) {
    const std::vector<std::string>& offered = outcome.manifest.ids[kind];
    for (const std::string& id : found.manifest.ids[kind]) {
      if (std::find(offered.begin(), offered.end(), id) != offered.end()) continue;
      refused.push_back({kind, id, kNotOffered});
    }
  }
  return refused;
}

// Returns why a plugin with that outcome is not entered; "" = it may be.
std::string RefusalText(const ScanOutcome& outcome, const std::filesystem::path& path) {
  const std::string again =
      "; it is not loaded until its file changes or 'crossfold plugin scan --again " +
      path.string() + "' succeeds";
  switch (outcome.end) {
    case ScanOutcome::End::kWorks:
      break;
    case ScanOutcome::End::kRefused:
      return outcome.reason;
    case ScanOutcome::End::kCrashed:
      return "crashed while it was scanned (" + outcome.reason + ")" + again;
    case ScanOutcome::End::kHung:
      return "did not return while it was scanned (" + outcome.reason + ")" + again;
  }
  return "";
}

// Quotes a path for a shell.
std::string Quoted(const fs::path& path) {
  std::string quoted = "'";
  for (const char c : path.string()) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// Returns the first library that differs from the lock, and how; "" = none. Both lists are sorted.
std::string LibraryProblem(const std::vector<LockedLibrary>& found,
                           const std::vector<LockedLibrary>& locked, const std::string& lock) {
  const auto find = [](const std::vector<LockedLibrary>& libraries, const std::string& file) {
    return std::find_if(libraries.begin(), libraries.end(),
                        [&](const LockedLibrary& library) { return library.file == file; });
  };
  for (const LockedLibrary& library : found) {
    const auto known = find(locked, library.file);
    const std::string its = "its library '" + library.file + "' ";
    if (known == locked.end()) {
      return its + "with SHA-256 " + library.sha256 + " is not in " + lock;
    }
    if (known->sha256 != library.sha256) {
      return its + "has SHA-256 " + library.sha256 + ", " + lock + " has " + known->sha256;
    }
  }
  for (const LockedLibrary& library : locked) {
    if (find(found, library.file) != found.end()) continue;
    return "its library '" + library.file + "' of " + lock + " is not next to it";
  }
  return "";
}

// Returns how to trust the plugin; "" for a lock without a file.
std::string WayToTrust(const fs::path& path, const PluginLock& lock) {
  if (lock.path.empty()) return "";
  return "; if you trust it: crossfold plugin trust --lock " + Quoted(lock.path) + " " +
         Quoted(path);
}

}  // namespace

PluginChoice::PluginChoice(const PluginHostOptions& options) : only_(options.only) {
  for (const std::string& glob : options.disable) disabled_.push_back({glob, "", false});
  const char* variable = options.use_environment ? ::secure_getenv(kDisableVariable) : nullptr;
  for (std::string_view rest = variable == nullptr ? "" : variable; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(":,"), rest.size());
    const std::string_view glob = WithoutSpaces(rest.substr(0, end));
    if (!glob.empty())
      disabled_.push_back({std::string(glob), " of " + std::string(kDisableVariable), false});
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

PluginExaminer::PluginExaminer(const PluginHostOptions& options)
    : choice_(options),
      lock_(options.lock),
      hash_files_(options.hash_files || options.lock),
      scan_(options.scan),
      cache_(tries_first() ? scan_.cache : fs::path()),
      check_writers_(options.check_writers) {}

Examination PluginExaminer::Examine(const fs::path& path, bool is_bundled) {
  Examination found;
  try {
    Look(path, is_bundled, found);
  } catch (const Rejection& rejection) {
    found.rejected = rejection.text;
    found.level = rejection.level;
  } catch (const Error& error) {
    found.rejected = error.what();
  }
  return found;
}

void PluginExaminer::Look(const fs::path& path, bool is_bundled, Examination& found) {
  const std::string name = path.filename().string();
  std::error_code failure;
  if (fs::status(path, failure).type() == fs::file_type::not_found) {
    throw Rejection{"there is no such file or folder"};
  }
  if (IsPluginFolder(path)) return LookAtFolder(path, is_bundled, found);
  const PluginFile file(path);
  if (file.problem().empty() && hash_files_) {
    found.sha256 = file.Sha256();
    found.libraries = HashesOf(NeighboursOf(file, path));
  }
  if (scan_.again) cache_.Forget(path);
  ReadOrTry(path, file, is_bundled, found);
  const std::string refusal = choice_.Refusal(found.manifest.id, name);
  if (!refusal.empty()) throw Rejection{refusal, CF_LOG_INFO};
  CheckWriters(path, is_bundled);
  CheckLock(path, found);
  if (!tries_first()) return;
  std::optional<ScanOutcome> outcome;
  if (scan_.all) {
    outcome = Try(path, file, found.locked);
  } else if (found.manifest.abi_minor > CF_ABI_MINOR) {
    outcome = Try(path, file, found.locked);  // it may have parts that this host does not know
  } else if (!is_bundled) {
    outcome = cache_.Find(path, file);
  }
  if (outcome && outcome->end == ScanOutcome::End::kWorks) found.refused = Refused(found, *outcome);
  // Loading the plugin reports other problems better.
  if (outcome && (scan_.all || outcome->end == ScanOutcome::End::kCrashed ||
                  outcome->end == ScanOutcome::End::kHung)) {
    const std::string problem = RefusalText(*outcome, path);
    if (!problem.empty()) throw Rejection{problem};
  }
}

// No trial is needed, because the program of a folder never runs in this process.
void PluginExaminer::LookAtFolder(const fs::path& path, bool is_bundled, Examination& found) {
  const PluginFolder folder(path);
  std::string problem = folder.problem();
  if (problem.empty() && hash_files_) found.sha256 = folder.Sha256();
  if (problem.empty()) {
    ManifestReading reading = ReadFolderManifest(path).reading;
    problem = reading.problem;
    found.has_manifest = problem.empty();
    found.manifest = std::move(reading.manifest);
  }
  const std::string refusal = choice_.Refusal(found.manifest.id, path.filename().string());
  if (!refusal.empty()) throw Rejection{refusal, CF_LOG_INFO};
  if (!problem.empty()) throw Rejection{problem};
  for (const fs::path& place : folder.places()) CheckWriters(place, is_bundled);
  CheckLock(path, found);
}

// Reads the manifest, or what the plugin reports when it is entered in another process.
void PluginExaminer::ReadOrTry(const fs::path& path, const PluginFile& file, bool is_bundled,
                               Examination& found) {
  ManifestReading reading = ReadManifest(file);
  if (reading.problem.empty()) {
    found.has_manifest = true;
    found.manifest = std::move(reading.manifest);
    return;
  }
  // This comes before any of its code runs.
  const std::string refusal = choice_.Refusal("", path.filename().string());
  if (!refusal.empty()) throw Rejection{refusal, CF_LOG_INFO};
  if (!reading.is_missing || scan_.where == Where::kNowhere) {
    throw Rejection{reading.problem};
  }
  CheckWriters(path, is_bundled);
  std::optional<LockedPlugin> wanted;
  if (lock_) {
    const auto entry =
        std::find_if(lock_->plugins.begin(), lock_->plugins.end(),
                     [&](const LockedPlugin& known) { return known.sha256 == found.sha256; });
    if (entry == lock_->plugins.end()) {
      throw Rejection{"it has no manifest, and no plugin of " + NameOf(*lock_) +
                      " has its SHA-256 " + found.sha256 + WayToTrust(path, *lock_)};
    }
    const std::string problem = LibraryProblem(found.libraries, entry->libraries, NameOf(*lock_));
    if (!problem.empty()) throw Rejection{problem + WayToTrust(path, *lock_)};
    wanted = *entry;
  }
  ScanOutcome outcome = Try(path, file, wanted);
  const std::string problem = RefusalText(outcome, path);
  if (!problem.empty()) throw Rejection{problem};
  found.manifest = std::move(outcome.manifest);
  found.refused = std::move(outcome.refused);
}

ScanOutcome PluginExaminer::Try(const std::filesystem::path& path, const PluginFile& file,
                                const std::optional<LockedPlugin>& wanted) {
  assert(scan_.where != Where::kNowhere);
  if (scan_.where == Where::kHere) return ScanHere(path, wanted);
  if (std::optional<ScanOutcome> known = cache_.Find(path, file)) return *std::move(known);
  scan_.program = FindProgram(WorkerProgram(), scan_.program);
  ScanOutcome outcome = ScanInProcess(scan_.program, path, wanted);
  cache_.Keep(path, file, outcome);
  return outcome;
}

// Bundled plugins are trusted like the program.
void PluginExaminer::CheckWriters(const fs::path& path, bool is_bundled) {
  if (is_bundled || !check_writers_) return;
  const std::string problem = writers_.Problem(path);
  if (!problem.empty()) throw Rejection{problem};
}

void PluginExaminer::CheckLock(const fs::path& path, Examination& found) const {
  if (!lock_) return;
  const std::string name = NameOf(*lock_);
  std::string expected, library_problem;
  for (const LockedPlugin& entry : lock_->plugins) {
    if (entry.id != found.manifest.id) continue;
    if (entry.sha256 == found.sha256) {
      library_problem = LibraryProblem(found.libraries, entry.libraries, name);
      if (library_problem.empty()) {
        found.locked = entry;
        return;
      }
    }
    expected += (expected.empty() ? "" : " or ") + entry.sha256;
  }
  const std::string way = WayToTrust(path, *lock_);
  if (!library_problem.empty()) throw Rejection{library_problem + way};
  if (expected.empty()) {
    throw Rejection{
        "'" + found.manifest.id + "' with SHA-256 " + found.sha256 + " is not in " + name + way,
        CF_LOG_INFO};
  }
  throw Rejection{"its SHA-256 is " + found.sha256 + ", " + name + " has " + expected + " for '" +
                  found.manifest.id + "'" + way};
}

std::string PluginExaminer::TryFirst(const fs::path& path, bool is_bundled,
                                     const std::optional<LockedPlugin>& locked) {
  if (is_bundled || IsPluginFolder(path)) return "";
  const PluginFile file(path);
  if (!file.problem().empty()) return "";  // loading it reports this
  try {
    for (const Neighbour& neighbour : NeighboursOf(file, path)) {
      const std::string problem = check_writers_ ? writers_.Problem(neighbour.path) : "";
      if (!problem.empty()) return "its library '" + neighbour.name + "': " + problem;
    }
    if (!tries_first()) return "";
    const ScanOutcome outcome = Try(path, file, locked);
    if (outcome.end == ScanOutcome::End::kRefused) return "";  // loading it reports this, too
    return RefusalText(outcome, path);
  } catch (const Error&) {  // no process can be started: the plugin is entered without a trial
    return "";
  }
}

}  // namespace crossfold
