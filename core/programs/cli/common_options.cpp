#include "programs/cli/common_options.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <span>
#include <system_error>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "discovery/installed_plugins.h"
#include "discovery/program_search.h"
#include "programs/cli/command.h"
#include "programs/cli/early_end.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/usage_errors.h"

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

void LogToStderr(std::int32_t level, const std::string& message) {
  if (level >= CF_LOG_WARN) std::fprintf(stderr, "crossfold: %s\n", message.c_str());
}

}  // namespace

void DeclarePlugins(Command& command, PluginOptions& options) {
  command.AddOption("--plugin-path", options.paths, "Folder or file searched first; repeatable")
      .OneValueEach();
  command.AddFlag("--locked{" + std::string(kLockName) + "}", options.lock,
                  "Use only the plugins of this lock, --locked=FILE; default crossfold.lock");
  command
      .AddOption("--plugins-only", options.only,
                 "Use only plugins whose id or file fits this glob; repeatable")
      .OneValueEach();
}

PluginHostOptions MakeHostOptions(const PluginOptions& options, bool quiet) {
  PluginHostOptions host;
  for (const std::string& path : options.paths) host.paths.emplace_back(path);
  host.only = options.only;
  if (!options.lock.empty()) host.lock = ReadPluginLock(options.lock);
  // What is wrong with what the user names shows at once.
  host.search_later = options.paths.empty() && options.only.empty() && options.lock.empty();
  host.scan.where = ScanOptions::Where::kInProcess;
  const std::filesystem::path caches = UserFolder("XDG_CACHE_HOME", ".cache");
  if (!caches.empty()) host.scan.cache = caches / "scan.json";
  if (!quiet) host.log = &LogToStderr;
  return host;
}

void DeclareCommon(Command& app, CommonOptions& options) {
  app.AddVersion("--version", "crossfold " + std::string(Version()));
  DeclarePlugins(app, options.plugins_before);
  app.AddFlag("--quiet", options.quiet, "Print no warnings, and nothing about progress and stores");
}

bool JoinPluginOptions(CommonOptions& options) {
  const PluginOptions& before = options.plugins_before;
  PluginOptions& after = options.plugins;
  after.paths.insert(after.paths.begin(), before.paths.begin(), before.paths.end());
  after.only.insert(after.only.begin(), before.only.begin(), before.only.end());
  if (after.lock.empty()) after.lock = before.lock;
  if (before.lock.empty() || before.lock == after.lock) return true;
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

[[noreturn]] void BecomeProgramOf(const Command& given, char** argv) {
  const std::string attempt = "run command '" + given.path() + "'";
  const std::string name = given.program().empty() ? "crossfold" : given.program();
  const std::filesystem::path program = FindProgram({name, "", attempt}, "");
  ::execv(program.c_str(), argv);
  throw Error(ErrorKind::kIo, "cannot " + attempt + ": '" + program.string() +
                                  "' does not start: " + std::generic_category().message(errno));
}

std::filesystem::path CrossfoldProgram() {
  return FindProgram({"crossfold", "", "find what belongs to this program"}, "");
}

int RunBeside(int argc, char** argv, const std::function<void(Command& app)>& declare,
              const std::function<int(const Command& given, const CommonOptions& options,
                                      const std::string& line)>& run) {
  return RunGuarded(argc, argv, [&] {
    Command app("crossfold", "Crossfold: finds out how good a learning method really is");
    CommonOptions options;
    DeclareCommon(app, options);
    app.RequireCommand();
    declare(app);
    const ParseResult read = app.Parse({argv + 1, argv + argc});
    if (read.kind != ParseResult::Kind::kOk) return ExplainUsage(app, read);
    if (!JoinPluginOptions(options)) return static_cast<int>(kUsage);
    const Command& given = app.given_command();
    if (given.program().empty()) BecomeProgramOf(given, argv);
    return run(given, options, ShellText({argv, static_cast<std::size_t>(argc)}));
  });
}

}  // namespace crossfold::cli
