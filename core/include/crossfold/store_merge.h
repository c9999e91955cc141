// Merges several stores into one, such as those of the shards of a run (shard.h) or of several
// machines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace crossfold {

struct MergedPart {
  std::filesystem::path path;
  std::int64_t cells = 0, added = 0;  // its cells, and those that were new
  // A process that still writes to it, as far as this machine knows: what it writes later is not
  // merged. 0 = none.
  std::int64_t user = 0;
};

struct MergeReport {
  std::vector<MergedPart> parts;  // in the order given
  // Where a part differs from what was there, which stays: two results for one cell, or different
  // findings of an experiment. As in "store 'b.cfdb': learner 'knn{k=5}' is not reproducible: ...",
  // "store 'b.cfdb': what experiment 1 noted (fold 1 3) differs from that in store 'all.cfdb',
  // ...".
  std::vector<std::string> conflicts;
  std::vector<std::string> damaged;  // what was left out, by name
};

// Puts the cells, scores, definitions and runs of `parts` (stores, or archives of ExportRun) into
// the store `out`, which is made if there is none; the parts stay as they are. Runs of one script
// that were stopped before their end, such as shards, become one. What is there already is not
// added again, so an interrupted merge can simply be repeated, and the order of the parts matters
// only where results differ. A part in which nothing was stored yet adds nothing. Throws Error if a
// file is not a store, is missing, is given twice as `out`, or is too damaged to be read; the parts
// before it are then merged.
MergeReport MergeStores(const std::filesystem::path& out,
                        std::span<const std::filesystem::path> parts);

}  // namespace crossfold
