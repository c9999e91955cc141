// What a store keeps of experiments in addition to their cells: their design, the choices of
// searches, scores of combined folds, the settings of studies. Findings never replace a
// computation.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "crossfold/cell_store.h"
#include "crossfold/pipeline.h"
#include "crossfold/spec.h"
#include "crossfold/split.h"

namespace crossfold {

struct Finding {
  // The number in its run, from 1, in the order in which experiments began.
  std::int64_t experiment = 0;
  std::string kind, name;                   // unique within an experiment
  std::string body;                         // JSON
  std::shared_ptr<const SplitPlan> splits;  // null = none, or the store does not keep the data
};

// The kind of what a store keeps of the openings of lockboxes, by "<id of the lockbox> <number>". They
// are not results of experiments, and stay when old runs are removed.
inline constexpr const char* kLockboxFinding = "lockbox";
// The kind of what the store of a shard keeps at its end (missing_shards.h). It is not about the
// experiment, so archives and scripts do not have it.
inline constexpr const char* kShardFinding = "shard";

// The number of an experiment that the store could not record.
inline constexpr std::int64_t kNotNoted = -1;

// Adds findings of one experiment to the current run of the store, where they replace earlier ones
// of the same kind and name; they reach the disk as cells do. `experiment` of the findings is
// ignored: 0 starts the next experiment of the run. Returns its number, or kNotNoted if the store
// accepts nothing and the run continues; pass that for later findings of the experiment, too.
// Throws Error(kIo).
std::int64_t RecordFindings(CellStore& store, std::int64_t experiment,
                            std::span<const Finding> findings);

// The key of a learner in a store, as 64 hexadecimal digits: a SHA-256 of its steps, all their
// parameters and their plugins' files. Learners with one key may have several texts.
std::string StoredLearnerKey(const Pipeline& learner);
// The key of a metric in a store.
std::string StoredMetricKey(const Spec& metric);

}  // namespace crossfold
