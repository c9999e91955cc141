#include "programs/plugin/commands.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "programs/cli/common_options.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/plugin/new_project.h"

namespace crossfold::cli {
namespace {

std::string ShellWord(const std::string& word) {
  const char* const words[] = {word.c_str()};
  return ShellText(words);
}

// The folder that the program was installed to; empty = it is not in an installed tree.
std::filesystem::path InstalledPrefix() {
  std::error_code error;
  const auto prefix = CrossfoldProgram().parent_path().parent_path();
  for (const char* config : {"lib/cmake/Crossfold", "lib64/cmake/Crossfold"}) {
    if (std::filesystem::exists(prefix / config / "CrossfoldConfig.cmake", error)) return prefix;
  }
  return {};
}

// What finds Crossfold, for the command line of CMake.
std::string PrefixOption() {
  const auto prefix = InstalledPrefix();
  if (prefix == "/usr" || prefix == "/usr/local") return "";  // CMake looks there anyway
  return " -DCMAKE_PREFIX_PATH=" + (prefix.empty() ? "PREFIX" : ShellWord(prefix.string()));
}

void PrintNextCommands(const NewProject& project, const std::string& folder) {
  std::printf("\nnext:\n  cd %s\n", ShellWord(folder).c_str());
  if (project.language == "lua") {
    std::printf("  crossfold run tests/use.lua\n  sh ci.sh                 # and compare\n");
    return;
  }
  if (project.language == "python" || project.language == "r") {
    const char* const plugin = project.names.file.c_str();
    std::printf("  crossfold --plugin-path %s.crossfold run tests/use.lua\n", plugin);
    std::printf("  crossfold plugin check %s.crossfold\n", plugin);
    return;
  }
  const std::string prefix = PrefixOption();
  std::printf("  cmake -S . -B build%s\n  cmake --build build\n", prefix.c_str());
  std::printf("  ctest --test-dir build --output-on-failure\n");
  std::printf("  crossfold plugin check build/%s.crossfold.so\n", project.names.file.c_str());
  if (prefix.ends_with("PREFIX")) {
    std::printf(
        "PREFIX is the folder of an installed Crossfold; this program is not in one. "
        "cmake --install makes one.\n");
  }
}

}  // namespace

int MakePluginProject(const NewCommandOptions& options) {
  NewProject project;
  project.kind = options.kind;
  project.language = options.language;
  project.vendor = options.vendor;
  project.license = options.license;
  project.names = MakeProjectNames(options.name, project.kind, options.id);
  const std::string folder = options.output.empty() ? project.names.file : options.output;
  const std::vector<ProjectFile> files = MakeProjectFiles(project);
  WriteProject(files, folder);
  std::printf("made %s '%s' in %s:\n", project.kind.c_str(), project.names.id.c_str(),
              folder.c_str());
  for (const ProjectFile& file : files) std::printf("  %s\n", file.path.c_str());
  if (project.names.id.starts_with("org.example.")) {
    std::printf(
        "org.example belongs to nobody: choose an id of your own (--id) before others use the "
        "plugin.\n");
  }
  PrintNextCommands(project, folder);
  return kOk;
}

}  // namespace crossfold::cli
