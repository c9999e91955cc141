#include "programs/cli/beside_program.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

#include "crossfold/error.h"
#include "discovery/program_search.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/usage_errors.h"

namespace crossfold::cli {

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
