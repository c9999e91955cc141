// Computes cells of a store again and compares the bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "crossfold/plugin_host.h"
#include "crossfold/run.h"
#include "crossfold/table.h"

namespace crossfold {

// Which cells are checked: those whose key, hashed with the seed, comes first. So equal stores give
// equal samples on every machine.
struct VerifySample {
  double share = 0.05;     // of all finished cells, rounded up to whole ones
  std::int64_t cells = 0;  // if not 0, this number instead
  std::uint64_t seed = 1;
};

// Reads "5%", "2.5%" or "20" (cells). Throws Error for anything else.
VerifySample ParseVerifySample(const std::string& text);

enum class VerifyResult {
  kEqual,
  kDifferent,
  kUnchecked  // cannot be computed again here, or there is nothing to compare with
};

struct VerifiedCell {
  std::string learner, dataset;  // names in the experiment; "" = no run asks for the cell
  std::string candidate;         // "standardize|knn{k=7}"
  bool inner = false;
  std::int64_t repeat = 0, fold = 0;  // from 0
  VerifyResult result = VerifyResult::kEqual;
  // "imported from a.csv (SHA-256 3f...)": another tool predicted it; "" = Crossfold did.
  std::string imported;
  // What differs ("row 7 is predicted as b, the store has a"), or why it is not checked; "" if
  // equal.
  std::string finding;
};

// A file of an archive of ExportRun.
struct VerifiedFile {
  std::string name;
  VerifyResult result = VerifyResult::kEqual;
  std::string finding;  // what differs, or why it is not checked; "" if equal
};

// Plain data.
struct VerifyReport {
  std::int64_t n_stored = 0;        // finished cells of the store
  std::vector<VerifiedCell> cells;  // of the sample, in the order of their keys
  // All folds that scripts combined from cells, as ensembles do, or imported, with whether the
  // recorded scores are those of the stored predictions. `candidate` is "".
  std::vector<VerifiedCell> composed;
  std::vector<VerifiedFile> files;  // of an archive
  // Names of damaged, missing and added rows of all tables.
  std::vector<std::string> damaged;
  // What was not checked, as in "24 cells outside the sample, except their checksums".
  std::vector<std::string> skipped;

  // Of `cells` and `composed`.
  std::int64_t Count(VerifyResult result) const;
  std::int64_t CountFiles(VerifyResult result) const;  // of `files`
};

// Rebuilds datasets, splits, learners and metrics from the store and runs the cells with `engine`
// (RunAndScore, or RunIsolated with worker processes) and `isolation`. A plugin counts as the same
// if its file has the same SHA-256. If the version of a component is
// another one nevertheless, because it uses other packages now, the finding about a different cell
// says so. Throws Error for a store that cannot be read; a cell that
// cannot be computed again is a finding. When options.cancel is set, it returns soon, and the
// report is incomplete.
//
// `store` may also be an archive of ExportRun. If files differ from its manifest, an Error names
// them. All files are compared with those that the store inside gives.
VerifyReport VerifyStore(const std::filesystem::path& store, const VerifySample& sample,
                         const PluginHost& plugins, const RunOptions& options,
                         const RunEngine& engine, Isolation isolation = Isolation::kNone);

// "checked 15 of 300 cells: 14 equal, 1 different, 0 not checkable", the same for files, all
// findings, and what was not checked.
std::string ToText(const VerifyReport& report);
// The part of the text about the files of an archive, or "".
std::string FilesText(const VerifyReport& report);
// One row per cell: learner, dataset, inner, candidate, repeat, fold, result, finding. Damaged rows
// and what was not checked follow, as rows with only a result and a finding.
Table CellTable(const VerifyReport& report);

}  // namespace crossfold
