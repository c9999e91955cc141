// What experiments know beyond their cells, in a store: their design, what searches chose, scores
// of what is no cell, the settings of studies. Never looked up instead of computing anything.
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
  // Number in its run, from 1, in the order in which experiments began.
  std::int64_t experiment = 0;
  std::string kind, name;                   // of one experiment no two findings have both in common
  std::string body;                         // JSON
  std::shared_ptr<const SplitPlan> splits;  // null = none, or the store does not keep the data
};

// The number of an experiment that the store could not record.
inline constexpr std::int64_t kNotNoted = -1;

// Adds findings of one experiment to the run that the store is in, where they take the place of
// earlier ones of the same names; on the disk as cells are. `experiment` of the findings is
// ignored: 0 starts the next experiment of the run. Returns its number; kNotNoted if the store
// accepts nothing and the run continues; pass that for later findings of the experiment, too.
// Throws Error(kIo).
std::int64_t RecordFindings(CellStore& store, std::int64_t experiment,
                            std::span<const Finding> findings);

// What a store knows a learner by, as 64 hexadecimal digits: a SHA-256 over its steps, all their
// parameters and their plugins' files. Learners with one key may have several texts.
std::string StoredLearnerKey(const Pipeline& learner);
// The same of a metric.
std::string StoredMetricKey(const Spec& metric);

}  // namespace crossfold
