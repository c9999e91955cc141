#include "programs/cli/store_commands.h"

#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/isolation.h"
#include "crossfold/missing_shards.h"
#include "crossfold/rescore.h"
#include "crossfold/run_engine.h"
#include "crossfold/spec_text.h"
#include "crossfold/store_diff.h"
#include "crossfold/store_export.h"
#include "crossfold/store_gc.h"
#include "crossfold/store_merge.h"
#include "crossfold/store_repair.h"
#include "crossfold/store_status.h"
#include "crossfold/store_verify.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/standard_output.h"
#include "programs/cli/store_tables.h"

namespace crossfold::cli {

// The options of all commands together; each uses some of them.
struct StoreCommandOptions {
  std::string store, other;
  std::vector<std::string> parts;
  std::int64_t run = 0;
  bool json = false, csv = false;
  std::int64_t keep_runs = 1;
  std::vector<std::string> metrics;
  std::string costs, subgroup;
  bool inner = false;
  std::string sample = "5%";
  std::uint64_t seed = 1;
  int workers = 0;
  std::string isolate = "auto";
  bool all = false;
  bool without_data = false;
  bool missing = false;
  int shards = 0;
  std::string command;  // the whole line
};

namespace {

// The table as JSON or CSV if requested, else `text`.
void PrintAs(const StoreCommandOptions& options, const Table& table, const std::string& text) {
  if (options.json) {
    Print(ToJson(table));
  } else {
    Print(options.csv ? ToCsv(table) : text);
  }
}

// Reports what is damaged, and returns the exit code.
int EndWith(int code, const std::vector<std::string>& damaged, const std::string& store) {
  if (damaged.empty()) return code;
  std::fflush(stdout);
  std::fprintf(stderr, "crossfold: %s\n", DamageText(damaged, store).c_str());
  return kError;
}

int PrintStatus(const StoreCommandOptions& options, const PluginHost&) {
  const StoreStatus status =
      ReadStoreStatus(options.store, options.run == 0 ? std::nullopt : std::optional(options.run));
  Table table = StatusTable(status);
  const std::string text = ToText(table) + CausesText(status) + StatusText(status);
  AddCauses(status, table);
  PrintAs(options, table, text);
  return EndWith(kOk, status.damaged, options.store);
}

int PrintMissingShards(const StoreCommandOptions& options) {
  std::vector<std::filesystem::path> stores(options.parts.begin(), options.parts.end());
  stores.insert(stores.begin(), options.store);
  const std::vector<int> missing =
      FindMissingShards(stores, options.shards, [](const std::string& message) {
        std::fprintf(stderr, "crossfold: %s; its shard counts as missing\n", message.c_str());
      });
  Table table{{"shard"}, {}};
  for (const int number : missing) table.rows.push_back({std::int64_t{number}});
  PrintAs(options, table, missing.empty() ? "" : ArrayText(missing) + "\n");
  return kOk;
}

// Which options of status do not go together; "" = they do.
std::string FindStatusConflict(const StoreCommandOptions& options) {
  if (options.missing) return options.run == 0 ? "" : "--missing is about shards; leave out --run";
  if (options.shards != 0) return "--shards is for --missing; add it";
  return options.parts.empty() ? "" : "only --missing takes several stores; merge them first";
}

int ShowStatus(const StoreCommandOptions& options, const PluginHost& plugins) {
  if (const std::string conflict = FindStatusConflict(options); !conflict.empty()) {
    std::fprintf(stderr, "crossfold: %s\n", conflict.c_str());
    return kUsage;
  }
  return options.missing ? PrintMissingShards(options) : PrintStatus(options, plugins);
}

int CollectGarbage(const StoreCommandOptions& options, const PluginHost&) {
  Print(GcText(CollectStoreGarbage(options.store, {options.keep_runs})));
  return kOk;
}

int Repair(const StoreCommandOptions& options, const PluginHost&) {
  Print(RepairText(RepairStore(options.store, options.other)));
  return kOk;
}

int Merge(const StoreCommandOptions& options, const PluginHost&) {
  const std::vector<std::filesystem::path> parts(options.parts.begin(), options.parts.end());
  const MergeReport report = MergeStores(options.store, parts);
  Print(MergeText(report));
  for (const std::string& conflict : report.conflicts) {
    std::fflush(stdout);
    std::fprintf(stderr, "crossfold: %s\n", conflict.c_str());
  }
  return EndWith(report.conflicts.empty() ? kOk : kDifferences, report.damaged, "");
}

int PrintRescored(const StoreCommandOptions& options, const PluginHost& plugins) {
  RescoreRequest request;
  for (const std::string& metric : options.metrics) {
    request.metrics.push_back(ParseSpec(Kind::kMetric, metric, plugins));
  }
  if (!options.costs.empty()) request.costs = ReadCostTable(options.costs, plugins);
  request.subgroup = options.subgroup;
  request.run = options.run;
  request.inner = options.inner;
  request.log = plugins.log();
  const Rescored rescored = Rescore(options.store, request);
  const bool as_scores = options.json || options.csv;
  PrintAs(options, as_scores ? ScoreTable(rescored) : Table(),
          as_scores ? "" : ToText(SummaryTable(rescored)) + UndefinedText(rescored));
  return EndWith(kOk, rescored.damaged, options.store);
}

int Verify(const StoreCommandOptions& options, const PluginHost& plugins) {
  VerifySample sample = ParseVerifySample(options.sample);
  sample.seed = options.seed;
  RunOptions run;
  run.workers = options.workers;
  run.log = plugins.log();
  const auto cancel = std::make_shared<CancelToken>();
  run.cancel = cancel.get();
  InterruptOptions on_interrupt;
  on_interrupt.cancel = cancel;
  on_interrupt.message = "interrupted; nothing was changed; to check again: " + options.command;
  Interrupt interrupt(std::move(on_interrupt));
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

int Diff(const StoreCommandOptions& options, const PluginHost&) {
  constexpr std::size_t kFew = 10;
  const StoreDiff diff = DiffRuns(ParseRunPlace(options.store), ParseRunPlace(options.other));
  PrintAs(options, CellTable(diff), ToText(diff, options.all ? diff.cells.size() : kFew));
  return EndWith(diff.cells.empty() ? kOk : kDifferences, diff.damaged,
                 options.store + "' or '" + options.other);
}

int Export(const StoreCommandOptions& options, const PluginHost&) {
  return EndWith(kOk, ExportRun(options.store, options.other, {options.run, options.without_data}),
                 options.store);
}

}  // namespace

struct StoreCommands::Impl {
  using Action = int (*)(const StoreCommandOptions& options, const PluginHost& plugins);

  StoreCommandOptions options;
  std::vector<std::pair<const Command*, Action>> commands;

  Command& Add(Command& app, const char* name, const char* what, Action action) {
    Command& made = app.AddCommand(name, what);
    made.AddOption("store", options.store, "Store file").Required();
    commands.emplace_back(&made, action);
    return made;
  }
  void AddRun(Command& command, const char* by_default = "the last one") {
    command.AddOption("--run", options.run, std::string("Number of the run; default ") + by_default)
        .Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max());
  }
  void AddForms(Command& command) {
    Option& json = command.AddFlag("--json", options.json, "As JSON");
    command.AddFlag("--csv", options.csv, "As CSV").Excludes(json);
  }

  void DeclareUpkeep(Command& app) {
    Command& status =
        Add(app, "status", "Show which cells of a run are done, failed or missing", &ShowStatus);
    AddRun(status, "all runs together");
    AddForms(status);
    status.AddOption("parts", options.parts, "With --missing: more stores of shards, or folders");
    status.AddFlag(
        "--missing", options.missing,
        "Print the shards that have not come to their end, as sbatch --array takes them");
    status
        .AddOption("--shards", options.shards,
                   "With --missing: number of shards; default what the stores record")
        .Range(1, 1000000);
    Command& gc = Add(app, "gc", "Remove cells that no recent run asked for", &CollectGarbage);
    gc.AddOption("--keep-runs", options.keep_runs,
                 "Number of finished runs to keep of each script; default 1")
        .Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max());
    Command& repair = Add(app, "repair", "Recover what is intact in a damaged store", &Repair);
    repair.AddOption("new", options.other, "File of the new store").Required();
    Command& merge = Add(app, "merge", "Merge stores: merge OUT PART...", &Merge);
    merge.AddOption("parts", options.parts, "Stores or archives, such as those of shards")
        .Required();
  }

  void DeclareRescore(Command& app) {
    Command& rescore =
        Add(app, "rescore", "Score stored predictions again, without fitting", &PrintRescored);
    rescore
        .AddOption("--metric", options.metrics,
                   "Metric, as in accuracy or f1{average=macro}; repeatable")
        .Required()
        .OneValueEach();
    rescore.AddOption("--cost", options.costs,
                      "CSV file of costs: a column of true classes, then one per prediction");
    rescore.AddOption("--subgroup", options.subgroup,
                      "Rows to score, as in 'age>60 and sex=female'");
    rescore.AddFlag("--inner", options.inner, "Score the inner cells of searches");
    AddRun(rescore);
    AddForms(rescore);
  }

  void DeclareComparisons(Command& app) {
    Command& verify = Add(app, "verify", "Compute cells again and compare the bytes", &Verify);
    verify.AddOption("--sample", options.sample,
                     "Share or number of cells to check, as in 5% or 20; default 5%");
    verify.AddOption("--seed", options.seed, "Seed of the sample; default 1");
    verify
        .AddOption("--workers", options.workers,
                   "Number of cells at the same time; 0 = one per core")
        .Range(0, 4096);
    verify.AddOption("--isolate", options.isolate, "auto, none, worker or fresh; default auto")
        .OneOf({"auto", "none", "worker", "fresh"});
    AddForms(verify);
    Command& diff =
        Add(app, "diff", "Show why two runs differ; STORE#2 is run 2 of a store", &Diff);
    diff.AddOption("other", options.other, "The other store, or STORE#RUN").Required();
    diff.AddFlag("--all", options.all, "Print all cells that differ instead of ten");
    AddForms(diff);
    Command& exported = Add(app, "export", "Export one run as one file", &Export);
    exported.AddOption("archive", options.other, "The zip archive to write").Required();
    exported.AddFlag("--without-data", options.without_data, "Leave the datasets out");
    AddRun(exported);
  }
};

StoreCommands::StoreCommands(Command& app) : impl_(std::make_unique<Impl>()) {
  impl_->DeclareUpkeep(app);
  impl_->DeclareRescore(app);
  impl_->DeclareComparisons(app);
}

StoreCommands::~StoreCommands() = default;

bool StoreCommands::was_given() const {
  for (const auto& [command, run] : impl_->commands) {
    if (command->was_given()) return true;
  }
  return false;
}

int StoreCommands::Run(const PluginHost& plugins, const std::string& command_line) const {
  impl_->options.command = command_line;
  for (const auto& [command, run] : impl_->commands) {
    if (command->was_given()) return run(impl_->options, plugins);
  }
  return kUsage;
}

}  // namespace crossfold::cli
