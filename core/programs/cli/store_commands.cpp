#include "programs/cli/store_commands.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <limits>

#include "programs/cli/command.h"
#include "programs/cli/common_options.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

Command& Add(Command& app, StoreCommandOptions& options, const char* name, const char* what,
             const char* program = "") {
  Command& made = app.AddCommand(name, what);
  made.SetProgram(program);
  made.AddOption("store", options.store, "Store file").Required();
  return made;
}

void AddRun(Command& command, StoreCommandOptions& options,
            const char* by_default = "the last one") {
  command.AddOption("--run", options.run, std::string("Number of the run; default ") + by_default)
      .Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max());
}

void AddForms(Command& command, StoreCommandOptions& options) {
  Option& json = command.AddFlag("--json", options.json, "As JSON");
  command.AddFlag("--csv", options.csv, "As CSV").Excludes(json);
}

void DeclareUpkeep(Command& app, StoreCommandOptions& options) {
  Command& status =
      Add(app, options, "status", "Show which cells of a run are done, failed or missing");
  AddRun(status, options, "all runs together");
  AddForms(status, options);
  status.AddOption("parts", options.parts, "With --missing: more stores of shards, or folders");
  status.AddFlag("--missing", options.missing,
                 "Print the shards that have not come to their end, as sbatch --array takes them");
  status
      .AddOption("--shards", options.shards,
                 "With --missing: number of shards; default what the stores record")
      .Range(1, 1000000);
  Command& gc = Add(app, options, "gc", "Remove cells that no recent run asked for", kStoreProgram);
  gc.AddOption("--keep-runs", options.keep_runs,
               "Number of finished runs to keep of each script; default 1")
      .Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max());
  Command& repair =
      Add(app, options, "repair", "Recover what is intact in a damaged store", kStoreProgram);
  repair.AddOption("new", options.other, "File of the new store").Required();
  Command& merge = Add(app, options, "merge", "Merge stores: merge OUT PART...", kStoreProgram);
  merge.AddOption("parts", options.parts, "Stores or archives, such as those of shards").Required();
}

void DeclareRescore(Command& app, StoreCommandOptions& options) {
  Command& rescore =
      Add(app, options, "rescore", "Score stored predictions again, without fitting");
  rescore
      .AddOption("--metric", options.metrics,
                 "Metric, as in accuracy or f1{average=macro}; repeatable")
      .Required()
      .OneValueEach();
  rescore.AddOption("--cost", options.costs,
                    "CSV file of costs: a column of true classes, then one per prediction");
  rescore.AddOption("--subgroup", options.subgroup, "Rows to score, as in 'age>60 and sex=female'");
  rescore.AddFlag("--inner", options.inner, "Score the inner cells of searches");
  AddRun(rescore, options);
  AddForms(rescore, options);
}

void DeclareComparisons(Command& app, StoreCommandOptions& options) {
  Command& verify =
      Add(app, options, "verify", "Compute cells again and compare the bytes", kStoreProgram);
  verify.AddOption("--sample", options.sample,
                   "Share or number of cells to check, as in 5% or 20; default 5%");
  verify.AddOption("--seed", options.seed, "Seed of the sample; default 1");
  verify
      .AddOption("--workers", options.workers, "Number of cells at the same time; 0 = one per core")
      .Range(0, 4096);
  verify.AddOption("--isolate", options.isolate, "auto, none, worker or fresh; default auto")
      .OneOf({"auto", "none", "worker", "fresh"});
  AddForms(verify, options);
  Command& diff =
      Add(app, options, "diff", "Show why two runs differ; STORE#2 is run 2 of a store");
  diff.AddOption("other", options.other, "The other store, or STORE#RUN").Required();
  diff.AddFlag("--all", options.all, "Print all cells that differ instead of ten");
  AddForms(diff, options);
  Command& exported = Add(app, options, "export", "Export one run as one file", kStoreProgram);
  exported.AddOption("archive", options.other, "The zip archive to write").Required();
  exported.AddFlag("--without-data", options.without_data, "Leave the datasets out");
  AddRun(exported, options);
}

// "" = nothing is damaged.
std::string DamageText(const std::vector<std::string>& damaged, const std::string& store) {
  constexpr std::size_t kFew = 5;
  if (damaged.empty()) return "";
  std::string text = Counted(static_cast<std::int64_t>(damaged.size()), "result") +
                     (store.empty() ? std::string() : " of store '" + store + "'") +
                     " damaged and left out: ";
  for (std::size_t i = 0; i < std::min(kFew, damaged.size()); ++i) {
    text += (i == 0 ? "" : "; ") + damaged[i];
  }
  if (damaged.size() > kFew) text += "; and " + std::to_string(damaged.size() - kFew) + " more";
  return text + "; `crossfold repair` recovers what is intact";
}

}  // namespace

void DeclareStores(Command& app, StoreCommandOptions& options) {
  DeclareUpkeep(app, options);
  DeclareRescore(app, options);
  DeclareComparisons(app, options);
}

void PrintAs(const StoreCommandOptions& options, const Table& table, const std::string& text) {
  if (options.json) {
    Print(ToJson(table));
  } else {
    Print(options.csv ? ToCsv(table) : text);
  }
}

int EndWith(int code, const std::vector<std::string>& damaged, const std::string& store) {
  if (damaged.empty()) return code;
  std::fflush(stdout);
  std::fprintf(stderr, "crossfold: %s\n", DamageText(damaged, store).c_str());
  return kError;
}

}  // namespace crossfold::cli
