// A new plugin project: the files of the templates with its names filled in.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "programs/plugin/project_names.h"

namespace crossfold::cli {

struct ProjectTemplate {
  std::string_view kinds;      // "learner", "learner+transform" or "any"
  std::string_view languages;  // "cpp", "c+cpp" or "any"
  std::string_view path;       // in the project; "dot_" at the start of a part stands for "."
  std::string_view text;       // with placeholders such as @ID@
};

// The files of sdk/templates in a fixed order, which are part of the program: `crossfold plugin
// new` works wherever it is.
std::span<const ProjectTemplate> ProjectTemplates();

struct NewProject {
  std::string kind;      // "learner", "transform", "splitter", "metric"
  std::string language;  // "cpp", "c", "python", "r", "rust", "lua"
  ProjectNames names;
  std::string vendor;
  std::string license;  // SPDX expression
};

struct ProjectFile {
  std::filesystem::path path;  // in the project
  std::string text;
};

// The files, sorted by path. Throws Error for a vendor or a licence that cannot be written in a
// source file, and for a kind that has no template in the language.
std::vector<ProjectFile> MakeProjectFiles(const NewProject& project);

// Writes them into `folder`, which must be missing or empty. Throws Error.
void WriteProject(const std::vector<ProjectFile>& files, const std::filesystem::path& folder);

}  // namespace crossfold::cli
