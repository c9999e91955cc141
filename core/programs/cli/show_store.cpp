#include "programs/cli/commands.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "crossfold/missing_shards.h"
#include "crossfold/rescore.h"
#include "crossfold/spec_text.h"
#include "crossfold/store_diff.h"
#include "crossfold/store_status.h"
#include "crossfold/table.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"
#include "programs/cli/store_commands.h"

namespace crossfold::cli {
namespace {

std::string CellsOf(const LearnerStatus& one) {
  return one.in_lua ? "in Lua" : one.imported ? "imported" : one.inner ? "inner" : "outer";
}

// One row per dataset and learner.
Table StatusTable(const StoreStatus& status) {
  Table table;
  table.columns = {"dataset", "learner", "cells",   "wanted",     "done",
                   "failed",  "stopped", "missing", "predictions"};
  for (const LearnerStatus& one : status.learners) {
    table.rows.push_back({one.dataset, one.learner, CellsOf(one), one.wanted, one.done, one.failed,
                          one.stopped, one.missing, one.predictions});
  }
  return table;
}

// Adds a column for each cause of failures, and how many cells were tried again, to the same rows.
void AddCauses(const StoreStatus& status, Table& table) {
  for (int cause = 0; cause < kNumFailureCauses; ++cause) {
    table.columns.emplace_back(CauseName(static_cast<FailureCause>(cause)));
  }
  table.columns.emplace_back("retried");
  for (std::size_t i = 0; i < status.learners.size(); ++i) {
    for (const std::int64_t n : status.learners[i].causes) table.rows[i].emplace_back(n);
    table.rows[i].emplace_back(status.learners[i].retried);
  }
}

// A table with one row per learner and cause, for people; "" = nothing failed.
std::string CausesText(const StoreStatus& status) {
  Table table;
  table.columns = {"dataset", "learner", "cells", "cause", "failures"};
  std::int64_t retried = 0;
  for (const LearnerStatus& one : status.learners) {
    retried += one.retried;
    for (std::size_t cause = 0; cause < one.causes.size(); ++cause) {
      if (one.causes[cause] == 0) continue;
      table.rows.push_back({one.dataset, one.learner, CellsOf(one),
                            std::string(CauseName(static_cast<FailureCause>(cause))),
                            one.causes[cause]});
    }
  }
  std::string text = table.rows.empty() ? "" : "\n" + ToText(table);
  if (retried > 0) text += "\n" + Counted(retried, "cell") + " needed more than one try\n";
  return text;
}

// The lines after it: runs, and the totals of the store.
std::string StatusText(const StoreStatus& status) {
  std::string text = "\n";
  if (std::ranges::any_of(status.learners, &LearnerStatus::in_lua)) {
    text += "folds in Lua have predictions here, and every run computes them again\n";
  }
  for (const RunStatus& run : status.runs) {
    text += "run " + std::to_string(run.id) + ", " + run.started +
            (run.script.empty() ? "" : ", " + run.script) + "\n";
  }
  return text + "in all " + Counted(status.cells, "cell") + ", " +
         Counted(status.predictions, "prediction") + " (" +
         Counted(status.prediction_bytes, "byte") + "), " + Counted(status.datasets, "dataset") +
         "; " + Counted(status.file_bytes, "byte") + "\n";
}

// Why scores are undefined: the first of each reason, and how often. "" = all are defined.
std::string UndefinedText(const Rescored& rescored) {
  std::map<std::pair<std::string, std::string>, std::int64_t> reasons;
  for (const RescoredFold& fold : rescored.folds) {
    for (std::size_t m = 0; m < fold.scores.size(); ++m) {
      const Score& score = fold.scores[m];
      if (!score.defined) ++reasons[{rescored.metrics[m], score.undefined}];
    }
  }
  std::string text = reasons.empty() ? "" : "\n";
  for (const auto& [what, n] : reasons) {
    text += what.first + " is undefined in " + Counted(n, "fold") + ": " + what.second + "\n";
  }
  return text;
}

int PrintStatus(const StoreCommandOptions& options) {
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

int ShowStatus(const StoreCommandOptions& options) {
  if (const std::string conflict = FindStatusConflict(options); !conflict.empty()) {
    std::fprintf(stderr, "crossfold: %s\n", conflict.c_str());
    return kUsage;
  }
  return options.missing ? PrintMissingShards(options) : PrintStatus(options);
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
          as_scores ? "" : SummaryText(rescored) + UndefinedText(rescored));
  return EndWith(kOk, rescored.damaged, options.store);
}

int Diff(const StoreCommandOptions& options) {
  constexpr std::size_t kFew = 10;
  const StoreDiff diff = DiffRuns(ParseRunPlace(options.store), ParseRunPlace(options.other));
  PrintAs(options, CellTable(diff), ToText(diff, options.all ? diff.cells.size() : kFew));
  return EndWith(diff.cells.empty() ? kOk : kDifferences, diff.damaged,
                 options.store + "' or '" + options.other);
}

}  // namespace

int ShowStore(const std::string& name, const StoreCommandOptions& options,
              const PluginHost& plugins) {
  if (name == "status") return ShowStatus(options);
  return name == "diff" ? Diff(options) : PrintRescored(options, plugins);
}

}  // namespace crossfold::cli
