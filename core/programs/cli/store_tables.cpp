#include "programs/cli/store_tables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace crossfold::cli {
namespace {

std::string Counted(std::int64_t n, const std::string& one) {
  return std::to_string(n) + " " + one + (n == 1 ? "" : "s");
}

std::string Bytes(std::int64_t n) { return Counted(n, "byte"); }

std::string CellsOf(const LearnerStatus& one) {
  return one.imported ? "imported" : one.inner ? "inner" : "outer";
}

}  // namespace

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

std::string StatusText(const StoreStatus& status) {
  std::string text = "\n";
  for (const RunStatus& run : status.runs) {
    text += "run " + std::to_string(run.id) + ", " + run.started +
            (run.script.empty() ? "" : ", " + run.script) + "\n";
  }
  return text + "in all " + Counted(status.cells, "cell") + ", " +
         Counted(status.predictions, "prediction") + " (" + Bytes(status.prediction_bytes) + "), " +
         Counted(status.datasets, "dataset") + "; " + Bytes(status.file_bytes) + "\n";
}

std::string GcText(const GcReport& report) {
  return "removed " + Counted(report.runs, "run") + ", " + Counted(report.cells, "cell") + ", " +
         Counted(report.predictions, "prediction") + ", " + Counted(report.learners, "learner") +
         ", " + Counted(report.datasets, "dataset") + "\n" + Bytes(report.bytes_before) +
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

}  // namespace crossfold::cli
