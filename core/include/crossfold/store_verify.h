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

// Which cells: those whose key, hashed with the seed, comes first. So equal stores give equal
// samples on every machine.
struct VerifySample {
  double share = 0.05;     // of all finished cells, rounded up to whole ones
  std::int64_t cells = 0;  // if not 0: as many instead
  std::uint64_t seed = 1;
};

// "5%", "2.5%" or "20" (cells). Throws Error for others.
VerifySample ParseVerifySample(const std::string& text);

enum class VerifyResult {
  kEqual,
  kDifferent,
  kUnchecked  // cannot be computed again here, or there is nothing to compare with
};

struct VerifiedCell {
  std::string learner, dataset;  // names in the experiment; "" = no run asks for the cell any more
  std::string candidate;         // "standardize|knn{k=7}"
  bool inner = false;
  std::int64_t repeat = 0, fold = 0;  // from 0
  VerifyResult result = VerifyResult::kEqual;
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
  // All folds that scripts combined from cells, as ensembles do: whether the recorded scores are
  // those of the stored predictions. `candidate` is "".
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

// Makes datasets, splits, learners and metrics as the store has them and runs the cells by
// `engine` (RunAndScore, or RunIsolated with worker processes) as `isolation` says. A plugin counts
// as the same if its file has the same SHA-256. Throws Error for a store that cannot be read; what
// cannot be computed again is a finding. When options.cancel is set, it comes back soon, and the
// report is of no use.
//
// `store` may also be an archive of ExportRun. Files that differ from its manifest are an
// Error that names them. All files are compared with those that the store inside gives.
VerifyReport VerifyStore(const std::filesystem::path& store, const VerifySample& sample,
                         const PluginHost& plugins, const RunOptions& options,
                         const RunEngine& engine, Isolation isolation = Isolation::kNone);

// "checked 15 of 300 cells: 14 equal, 1 different, 0 not checkable", the same for files, all
// findings, and what was not checked.
std::string ToText(const VerifyReport& report);
// The part of it that is about the files of an archive, or "".
std::string FilesText(const VerifyReport& report);
// One row a cell: learner, dataset, inner, candidate, repeat, fold, result, finding. After
// them damaged rows, and what was not checked, as rows with only a result and a finding.
Table CellTable(const VerifyReport& report);

}  // namespace crossfold
