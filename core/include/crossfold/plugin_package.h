// The archive in which a plugin is handed over: a zip with the plugin, the libraries that it brings
// along, and package.json, which says what it is, for which machine, and what `plugin check` found.
#pragma once

#include <filesystem>
#include <string>

#include "crossfold/plugin_check.h"
#include "crossfold/registry_index.h"

namespace crossfold {

// What its author submits: the file crossfold-plugin.json of a plugin's project.
struct Submission {
  std::filesystem::path plugin;                  // its 'artifact', from the folder of the file
  std::string id;                                // that the plugin must have
  std::string license, vendor, title, homepage;  // "" = as the plugin declares it
};

constexpr const char* kSubmissionName = "crossfold-plugin.json";

// Throws Error(kIo), or Error(kBadData) "cannot read submission '...': ...".
Submission ReadSubmission(const std::filesystem::path& file);

struct PackOptions {
  bool check = true;           // false = it is not recorded what plugin check finds
  CheckOptions check_options;  // seed, jobs and so on
};

// Checks a plugin and describes it, as package.json does. With the checks it is loaded: it runs.
// Throws Error(kBadPlugin) if it is not a plugin, is for another machine, has an id that is
// reserved or not that of the submission, or fails a check, which is named.
RegistryPlugin ExaminePlugin(const Submission& submission, const PackOptions& options);

// Writes the archive of a plugin that ExaminePlugin described, atomically. The same plugin and the
// same description give the same bytes. Throws Error(kIo).
void WritePackage(const std::filesystem::path& plugin, const RegistryPlugin& described,
                  const std::filesystem::path& package);
// "org.example.ridge-1.0.0-linux-x86_64.zip"
std::string PackageName(const RegistryPlugin& plugin);

// Unpacks an archive into a folder, which must be empty, and returns its package.json. The SHA-256
// of plugin and libraries are right then; nothing is loaded. Throws Error(kBadData) for everything
// else: names that lead out of the folder, files that package.json does not explain.
// `name` = that of the archive in messages; empty = its path.
RegistryPlugin UnpackPackage(const std::filesystem::path& package,
                             const std::filesystem::path& folder,
                             const std::filesystem::path& name = {});

}  // namespace crossfold
