// crossfold-store: the commands of crossfold that change or check a whole store.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/isolation.h"
#include "crossfold/plugin_host.h"
#include "crossfold/run_engine.h"
#include "crossfold/store_export.h"
#include "crossfold/store_gc.h"
#include "crossfold/store_merge.h"
#include "crossfold/store_repair.h"
#include "crossfold/store_verify.h"
#include "programs/cli/command.h"
#include "programs/cli/common_options.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/standard_output.h"
#include "programs/cli/store_commands.h"

namespace crossfold::cli {
namespace {

std::string GcText(const GcReport& report) {
  return "removed " + Counted(report.runs, "run") + ", " + Counted(report.cells, "cell") + ", " +
         Counted(report.predictions, "prediction") + ", " + Counted(report.learners, "learner") +
         ", " + Counted(report.datasets, "dataset") + "\n" + Counted(report.bytes_before, "byte") +
         " before, " + std::to_string(report.bytes_after) + " now" +
         (report.is_read ? "; another process reads the file, so it does not become smaller yet: "
                           "run gc again when that has ended"
                         : "") +
         "\n";
}

std::string RepairText(const RepairReport& report) {
  Table table;
  table.columns = {"learner", "saved", "lost"};
  for (const RepairReport::Learner& one : report.learners) {
    table.rows.push_back({one.learner, one.saved, one.lost});
  }
  std::string text = ToText(table) + "saved " + Counted(report.saved, "cell") + ", lost " +
                     std::to_string(report.lost) + "\n";
  for (const std::string& what : report.damaged) text += "damaged and left out: " + what + "\n";
  return text;
}

std::string MergeText(const MergeReport& report) {
  Table table;
  table.columns = {"part", "cells", "new"};
  std::int64_t cells = 0, added = 0;
  std::string users;
  for (const MergedPart& part : report.parts) {
    table.rows.push_back({part.path.string(), part.cells, part.added});
    cells += part.cells;
    added += part.added;
    if (part.user == 0) continue;
    users += "process " + std::to_string(part.user) + " still writes to '" + part.path.string() +
             "'; merge it again when that has ended\n";
  }
  return ToText(table) + users + "merged " + Counted(cells, "cell") + ", " + std::to_string(added) +
         " new\n";
}

int CollectGarbage(const StoreCommandOptions& options) {
  Print(GcText(CollectStoreGarbage(options.store, {options.keep_runs})));
  return kOk;
}

int Repair(const StoreCommandOptions& options) {
  Print(RepairText(RepairStore(options.store, options.other)));
  return kOk;
}

int Merge(const StoreCommandOptions& options) {
  const std::vector<std::filesystem::path> parts(options.parts.begin(), options.parts.end());
  const MergeReport report = MergeStores(options.store, parts);
  Print(MergeText(report));
  for (const std::string& conflict : report.conflicts) {
    std::fflush(stdout);
    std::fprintf(stderr, "crossfold: %s\n", conflict.c_str());
  }
  return EndWith(report.conflicts.empty() ? kOk : kDifferences, report.damaged, "");
}

int Verify(const StoreCommandOptions& options, const PluginHost& plugins, const std::string& line) {
  VerifySample sample = ParseVerifySample(options.sample);
  sample.seed = options.seed;
  RunOptions run;
  run.workers = options.workers;
  run.log = plugins.log();
  const auto cancel = std::make_shared<CancelToken>();
  run.cancel = cancel.get();
  Interrupt interrupt(
      {.cancel = cancel, .message = "interrupted; nothing was changed; to check again: " + line});
  // They start no process unless a cell asks for one.
  const RunEngine engine =
      MakeEngine({.workers = std::make_shared<WorkerProcesses>(IsolationOptions{})});
  const VerifyReport report =
      VerifyStore(options.store, sample, plugins, run, engine, *IsolationNamed(options.isolate));
  if (interrupt.Finish()) return kInterrupted;
  PrintAs(options, CellTable(report), ToText(report));
  const bool are_files_equal =
      report.CountFiles(VerifyResult::kEqual) == static_cast<std::int64_t>(report.files.size());
  if ((options.json || options.csv) && !are_files_equal) {
    std::fprintf(stderr, "%s", FilesText(report).c_str());
  }
  const std::int64_t n_different =
      report.Count(VerifyResult::kDifferent) + report.CountFiles(VerifyResult::kDifferent);
  return EndWith(n_different == 0 ? kOk : kDifferences, report.damaged, options.store);
}

int Export(const StoreCommandOptions& options) {
  return EndWith(kOk, ExportRun(options.store, options.other, {options.run, options.without_data}),
                 options.store);
}

// Runs the command of that name. `line` is the command line, which is printed when it is
// interrupted.
int KeepStore(const std::string& name, const StoreCommandOptions& options,
              const PluginHost& plugins, const std::string& line) {
  if (name == "gc") return CollectGarbage(options);
  if (name == "repair") return Repair(options);
  if (name == "merge") return Merge(options);
  return name == "verify" ? Verify(options, plugins, line) : Export(options);
}

}  // namespace
}  // namespace crossfold::cli

int main(int argc, char** argv) {
  using namespace crossfold;
  cli::StoreCommandOptions stores;
  return cli::RunBeside(
      argc, argv, [&](cli::Command& app) { cli::DeclareStores(app, stores); },
      [&](const cli::Command& given, const cli::CommonOptions& options, const std::string& line) {
        const PluginHost plugins(cli::MakeHostOptions(options.plugins, options.quiet));
        return cli::KeepStore(given.name(), stores, plugins, line);
      });
}
