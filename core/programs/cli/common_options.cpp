#include "programs/cli/common_options.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "crossfold/version.h"
#include "programs/cli/command.h"
#include "programs/cli/early_end.h"
#include "programs/cli/exit_code.h"

namespace crossfold::cli {
namespace {

// A result that could not be written must not look complete: then the exit code says so.
int WithWholeOutput(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fputs(
      "crossfold: cannot write to standard output: not all of it was taken; choose another place\n",
      stderr);
  return code == kOk ? kError : code;
}

}  // namespace

void DeclarePluginPath(Command& command, PluginOptions& options) {
  command.AddOption("--plugin-path", options.paths, "Folder or file searched first; repeatable")
      .OneValueEach();
}

void DeclareCommon(Command& app, CommonOptions& options) {
  app.AddVersion("--version", "crossfold " + std::string(Version()));
  DeclarePluginPath(app, options.plugins_before);
  DeclarePluginChoice(app, options.plugins_before);
  app.AddFlag("--quiet", options.quiet, "Print no warnings, and nothing about progress and stores");
}

bool JoinPluginOptions(CommonOptions& options) {
  if (AddInFront(options.plugins_before, options.plugins)) return true;
  std::fputs("crossfold: cannot use two locks; leave out one --locked\n", stderr);
  return false;
}

int RunGuarded(int argc, char** argv, const std::function<int()>& run) {
  const EarlyEndWatch watch;
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond `ulimit -f` then fails and is reported
  try {
    return WithWholeOutput(run());
  } catch (const std::bad_alloc&) {
    std::fputs("crossfold: cannot finish", stderr);
    for (int i = 0; i < argc; ++i) std::fprintf(stderr, "%s%s", i == 0 ? " '" : " ", argv[i]);
    std::fputs(
        "': there is not enough memory; do less at a time, or give the process more (ulimit -v)\n",
        stderr);
    return kError;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "crossfold: %s\n", e.what());
    return kError;
  }
}

}  // namespace crossfold::cli
