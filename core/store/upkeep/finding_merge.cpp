#include "store/upkeep/finding_merge.h"

#include <cstddef>
#include <utility>

#include "crossfold/store_findings.h"
#include "crossfold_plugin/error.hpp"
#include "store/cells/packed_bytes.h"

namespace crossfold {
namespace {

// Parameters 1 to 4.
constexpr const char* kNames = " WHERE run = ?1 AND experiment = ?2 AND kind = ?3 AND name = ?4";

Statement& BindNames(Statement& statement, std::int64_t run, const FindingRow& row) {
  return statement.BindAll(run, row.experiment, row.kind, row.name);
}

// Another zlib may pack the same splits into other bytes.
bool AreSameSplits(const std::optional<std::string>& a, const std::optional<std::string>& b) {
  if (a == b) return true;
  if (!a || !b) return false;
  try {
    return UnpackBytes(*a, MostUnpacked(a->size())) == UnpackBytes(*b, MostUnpacked(b->size()));
  } catch (const plugin::Error&) {
    return false;
  }
}

bool AreSame(const FindingRow& a, const FindingRow& b) {
  return a.body == b.body && a.dataset == b.dataset && AreSameSplits(a.splits, b.splits);
}

}  // namespace

FindingMerge::FindingMerge(Database& from, Database& to, RunOf run_of, Tell damaged, Tell differs)
    : from_(from),
      to_(to),
      run_of_(std::move(run_of)),
      damaged_(std::move(damaged)),
      differs_(std::move(differs)),
      insert_(to, InsertFinding("INSERT OR IGNORE")),
      replace_(to, InsertFinding("INSERT OR REPLACE")),
      find_(to, std::string("SELECT ") + kFindingColumns + " FROM findings" + kNames),
      find_later_(from,
                  "SELECT run FROM findings WHERE run > ?1 AND experiment = ?2 AND kind = ?3 AND "
                  "name = ?4") {}

// The last run comes first: if several runs of the part become one, it replaced the earlier ones.
void FindingMerge::Merge() {
  Statement runs(from_, "SELECT DISTINCT run FROM findings ORDER BY run DESC");
  Statement row(from_, std::string("SELECT ") + kFindingColumns +
                           " FROM findings WHERE run = ? ORDER BY experiment, kind, name");
  while (runs.Step()) {
    const ResetAtEnd reset(row);
    row.Bind(1, runs.Number(0));
    const std::int64_t run = run_of_(runs.Number(0));
    while (row.Step()) {
      const ReadFinding read = ReadFindingRow(row);
      if (!read.is_whole) damaged_(NameOf(read.row));
      if (read.is_whole && run != 0 && !IsOldMark(run, runs.Number(0), read.row)) {
        Add(run, runs.Number(0), read.row);
      }
    }
  }
}

void FindingMerge::Add(std::int64_t run, std::int64_t run_of_part, const FindingRow& row) {
  BindFinding(insert_, run, row);
  insert_.Run();
  if (to_.changes() == 1) return;
  const std::optional<ReadFinding> stored = FindStored(run, row);
  if (stored && stored->is_whole) {
    if (AreSame(stored->row, row) || IsSuperseded(run, run_of_part, row)) return;
    return differs_(NameOf(row));
  }
  BindFinding(replace_, run, row);
  replace_.Run();
}

std::optional<ReadFinding> FindingMerge::FindStored(std::int64_t run, const FindingRow& row) {
  const ResetAtEnd reset(find_);
  if (!BindNames(find_, run, row).Step()) return std::nullopt;
  return ReadFindingRow(find_);
}

// Whether a shard came to its end in a run of the part after which another began that became the
// same run: the later one is not at its end unless it has a mark of its own.
bool FindingMerge::IsOldMark(std::int64_t run, std::int64_t run_of_part, const FindingRow& row) {
  if (row.kind != kShardFinding) return false;
  Statement later(from_, "SELECT id FROM runs WHERE id > ?1", run_of_part);
  while (later.Step()) {
    if (run_of_(later.Number(0)) == run) return true;
  }
  return false;
}

// Whether a later run of the part, which became the same run, recorded this again.
bool FindingMerge::IsSuperseded(std::int64_t run, std::int64_t run_of_part, const FindingRow& row) {
  const ResetAtEnd reset(find_later_);
  BindNames(find_later_, run_of_part, row);
  while (find_later_.Step()) {
    if (run_of_(find_later_.Number(0)) == run) return true;
  }
  return false;
}

}  // namespace crossfold
