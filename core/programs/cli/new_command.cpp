#include "programs/cli/new_command.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/new_project.h"

namespace crossfold::cli {
namespace {

std::string ShellWord(const std::string& word) {
  const char* const words[] = {word.c_str()};
  return ShellText(words);
}

// The folder that the running program was installed to; empty = it is not in an installed tree.
std::filesystem::path InstalledPrefix() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto prefix = program.parent_path().parent_path();
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

struct NewCommand::Impl {
  const Command* command = nullptr;
  std::string name, id, output;
  NewProject project;
};

NewCommand::NewCommand(Command& plugin) : impl_(std::make_unique<Impl>()) {
  Impl& made = *impl_;
  made.project.language = "cpp";
  made.project.vendor = "Example Org";
  made.project.license = "MIT";
  Command& command = plugin.AddCommand("new", "Make the project of a new plugin, with tests");
  made.command = &command;
  command.AddOption("name", made.name, "Name of the method, as in 'k nearest'").Required();
  command.AddOption("--kind", made.project.kind, "learner, transform, splitter or metric")
      .Required()
      .OneOf({"learner", "transform", "splitter", "metric"});
  command
      .AddOption("--lang", made.project.language,
                 "c++ (default), c, lua, or for learners python, r or rust")
      .Replace({{"c++", "cpp"}, {"cxx", "cpp"}, {"R", "r"}})
      .OneOf({"c++", "cpp", "c", "python", "r", "rust", "lua"});
  command.AddOption("--id", made.id, "Full id; default org.example. and the name");
  command.AddOption("--vendor", made.project.vendor, "Vendor of the plugin").ShowDefault();
  command.AddOption("--license", made.project.license, "SPDX expression").ShowDefault();
  command.AddOption("--output", made.output, "Folder to make; default the name");
}

NewCommand::~NewCommand() = default;

bool NewCommand::was_given() const { return impl_->command->was_given(); }

int NewCommand::Run() const {
  NewProject project = impl_->project;
  project.names = MakeProjectNames(impl_->name, project.kind, impl_->id);
  const std::string folder = impl_->output.empty() ? project.names.file : impl_->output;
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
