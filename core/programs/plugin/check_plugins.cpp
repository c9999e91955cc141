#include "programs/plugin/commands.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/plugin_check.h"
#include "crossfold/table.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

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

CheckReport CheckOne(const std::string& path, const CheckCommandOptions& options) {
  if (options.reproduce) return ReproduceFuzz(path, options.kit, *options.reproduce);
  return options.fuzz > 0 ? FuzzPlugin(path, options.kit, options.fuzz)
                          : CheckPlugin(path, options.kit);
}

int ListChecks(const CheckCommandOptions& options) {
  if (options.paths.empty()) {
    Print(options.json ? ToJson(KnownChecks()) + "\n" : ToText(KnownTable()));
  }
  for (const std::string& path : options.paths) {
    const std::vector<CheckResult> planned = PlanChecks(path, options.kit);
    Print(options.json ? PlanToJson(planned) + "\n" : ToText(PlanTable(planned)));
  }
  return kOk;
}

int CheckAll(CheckCommandOptions& options) {
  int code = kOk;
  for (const std::string& path : options.paths) {
    if (!options.json) {
      Print(path + "\n");
      options.kit.on_finished = [&options](const CheckResult& result) {
        if (options.skipped || result.outcome != CheckOutcome::kSkipped) PrintResult(result);
      };
    }
    const CheckReport report = CheckOne(path, options);
    Print(options.json ? ToJson(report) + "\n" : report.Summary() + "\n");
    if (!report.passed()) code = kError;
  }
  return code;
}

}  // namespace

int CheckPlugins(CheckCommandOptions options) {
  if (!options.explain.empty()) {
    Print(std::string(CheckPage(options.explain)));
    return kOk;
  }
  if (options.list) return ListChecks(options);
  if (options.paths.empty()) {
    std::fputs("crossfold: name a plugin file: crossfold plugin check FILE...\n", stderr);
    return kUsage;
  }
  const auto cancel = std::make_shared<CancelToken>();
  options.kit.cancel = cancel.get();
  const Interrupt interrupt({.cancel = cancel, .message = "interrupted"});
  const int code = CheckAll(options);
  return cancel->cancelled() ? kInterrupted : code;
}

}  // namespace crossfold::cli
