#include "programs/cli/check_command.h"

#include "programs/cli/beside_program.h"
#include "programs/cli/command.h"

namespace crossfold::cli {
namespace {

constexpr double kMaxSeconds = 1e7;  // about four months

}  // namespace

const Command& DeclareCheck(Command& plugin, CheckCommandOptions& options) {
  Command& command = plugin.AddCommand("check", "Check plugins: check [OPTIONS] FILE...");
  command.SetProgram(kPluginProgram);
  command.AddOption("file", options.paths,
                    "Plugins: files NAME.crossfold.so, or folders NAME.crossfold");
  command.AddFlag("--list", options.list, "List the checks, all or those of FILE, and run none");
  command.AddOption("--explain", options.explain, "Print the page about this check, and run none");
  command.AddFlag("--json", options.json, "Print one JSON object per file");
  command.AddFlag("--skipped", options.skipped, "Also print every check that was skipped, and why");
  command.AddOption("--seed", options.kit.seed, "Seed of the generated data; default 1")
      .NotNegative();
  command.AddOption("--include", options.kit.include,
                    "Run only checks whose names match this regex");
  command.AddOption("--exclude", options.kit.exclude,
                    "Leave out checks whose names match this regex");
  command.AddOption("--component", options.kit.component, "Check only the component with this id");
  command
      .AddOption("--data", options.kit.data,
                 "File that its sources must read: FILE or FILE{NAME=VALUE,...}")
      .OneValueEach()
      .FilePath();
  command.AddOption("--strictness", options.kit.strictness,
                    "Highest level of checks: 1 = loading only, 5 = default, 8 or more = warnings "
                    "are failures, 10 = all");
  command
      .AddOption("--timeout", options.kit.seconds, "Time limit of a check in seconds; default 30")
      .Range(1e-3, kMaxSeconds);
  command
      .AddOption("--jobs", options.kit.jobs, "Number of checks at the same time; 0 = one per core")
      .Range(0, 4096);
  command.AddFlag("--in-process", options.kit.in_process,
                  "Run the checks in this process without time limits, for debuggers");
  command
      .AddOption("--fuzz", options.fuzz,
                 "Make random calls for this time, as in 30s, 5m or 1h, instead of the checks")
      .Seconds()
      .Range(1e-3, kMaxSeconds);
  command.AddOption("--reproduce", options.reproduce, "Repeat what --fuzz did with this seed")
      .NotNegative();
  return command;
}

}  // namespace crossfold::cli
