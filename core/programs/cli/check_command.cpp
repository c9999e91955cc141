#include "programs/cli/check_command.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/plugin_check.h"
#include "crossfold/table.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

constexpr double kMaxSeconds = 1e7;  // about four months

// "failed            fit-smoke  org.example.knn: label 3 is 9, there are 3 classes"
void PrintResult(const CheckResult& result) {
  constexpr std::size_t kWidth = 18;
  std::string line(CheckOutcomeName(result.outcome));
  line.resize(std::max(kWidth, line.size() + 1), ' ');
  line += result.check;
  if (!result.component.empty()) line += "  " + result.component;
  if (!result.text.empty()) line += ": " + result.text;
  Print(line + "\n");
  std::fflush(stdout);
}

Table KnownTable() {
  Table table;
  table.columns = {"check", "of", "level", "finding", "what it does"};
  for (const CheckDescription& check : KnownChecks()) {
    table.rows.push_back({check.name, std::string(CheckScopeName(check.scope)),
                          std::to_string(check.level),
                          std::string(check.warns ? "warning" : "failure"), check.summary});
  }
  return table;
}

Table PlanTable(const std::vector<CheckResult>& planned) {
  Table table;
  table.columns = {"check", "component"};
  for (const CheckResult& result : planned) {
    table.rows.push_back({result.check, result.component});
  }
  return table;
}

}  // namespace

struct CheckCommand::Impl {
  const Command* command = nullptr;
  std::vector<std::string> paths;
  CheckOptions options;
  bool json = false, list = false, skipped = false;
  std::string explain;
  double fuzz = 0;  // seconds
  std::optional<std::uint64_t> reproduce;

  CheckReport CheckOne(const std::string& path) const {
    if (reproduce) return ReproduceFuzz(path, options, *reproduce);
    return fuzz > 0 ? FuzzPlugin(path, options, fuzz) : CheckPlugin(path, options);
  }
  int List() const;
  int CheckAll();
};

CheckCommand::CheckCommand(Command& plugin) : impl_(std::make_unique<Impl>()) {
  Impl& impl = *impl_;
  Command& command = plugin.AddCommand("check", "Check plugins: check [OPTIONS] FILE...");
  impl.command = &command;
  command.AddOption("file", impl.paths,
                    "Plugins: files NAME.crossfold.so, or folders NAME.crossfold");
  command.AddFlag("--list", impl.list, "List the checks, all or those of FILE, and run none");
  command.AddOption("--explain", impl.explain, "Print the page about this check, and run none");
  command.AddFlag("--json", impl.json, "Print one JSON object per file");
  command.AddFlag("--skipped", impl.skipped, "Also print every check that was skipped, and why");
  command.AddOption("--seed", impl.options.seed, "Seed of the generated data; default 1")
      .NotNegative();
  command.AddOption("--include", impl.options.include,
                    "Run only checks whose names match this regex");
  command.AddOption("--exclude", impl.options.exclude,
                    "Leave out checks whose names match this regex");
  command.AddOption("--component", impl.options.component, "Check only the component with this id");
  command
      .AddOption("--data", impl.options.data,
                 "File that its sources must read: FILE or FILE{NAME=VALUE,...}")
      .OneValueEach()
      .FilePath();
  command.AddOption("--strictness", impl.options.strictness,
                    "Highest level of checks: 1 = loading only, 5 = default, 8 or more = warnings "
                    "are failures, 10 = all");
  command
      .AddOption("--timeout", impl.options.seconds, "Time limit of a check in seconds; default 30")
      .Range(1e-3, kMaxSeconds);
  command
      .AddOption("--jobs", impl.options.jobs, "Number of checks at the same time; 0 = one per core")
      .Range(0, 4096);
  command.AddFlag("--in-process", impl.options.in_process,
                  "Run the checks in this process without time limits, for debuggers");
  command
      .AddOption("--fuzz", impl.fuzz,
                 "Make random calls for this time, as in 30s, 5m or 1h, instead of the checks")
      .Seconds()
      .Range(1e-3, kMaxSeconds);
  command.AddOption("--reproduce", impl.reproduce, "Repeat what --fuzz did with this seed")
      .NotNegative();
}

CheckCommand::~CheckCommand() = default;

bool CheckCommand::was_given() const { return impl_->command->was_given(); }

int CheckCommand::Impl::List() const {
  if (paths.empty()) {
    Print(json ? ToJson(KnownChecks()) + "\n" : ToText(KnownTable()));
  }
  for (const std::string& path : paths) {
    const std::vector<CheckResult> planned = PlanChecks(path, options);
    Print(json ? PlanToJson(planned) + "\n" : ToText(PlanTable(planned)));
  }
  return kOk;
}

int CheckCommand::Impl::CheckAll() {
  int code = kOk;
  for (const std::string& path : paths) {
    if (!json) {
      Print(path + "\n");
      options.on_finished = [this](const CheckResult& result) {
        if (skipped || result.outcome != CheckOutcome::kSkipped) PrintResult(result);
      };
    }
    const CheckReport report = CheckOne(path);
    Print(json ? ToJson(report) + "\n" : report.Summary() + "\n");
    if (!report.passed()) code = kError;
  }
  return code;
}

int CheckCommand::Run() const {
  Impl& impl = *impl_;
  if (!impl.explain.empty()) {
    Print(std::string(CheckPage(impl.explain)));
    return kOk;
  }
  if (impl.list) return impl.List();
  if (impl.paths.empty()) {
    std::fputs("crossfold: name a plugin file: crossfold plugin check FILE...\n", stderr);
    return kUsage;
  }
  const auto cancel = std::make_shared<CancelToken>();
  impl.options.cancel = cancel.get();
  InterruptOptions on_interrupt;
  on_interrupt.cancel = cancel;
  on_interrupt.message = "interrupted";
  Interrupt interrupt(std::move(on_interrupt));
  const int code = impl.CheckAll();
  return cancel->cancelled() ? kInterrupted : code;
}

}  // namespace crossfold::cli
