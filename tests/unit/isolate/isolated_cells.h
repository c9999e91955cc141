// Cells that run in processes of their own, and what came of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/isolation.h"
#include "crossfold/score.h"
#include "crossfold/split.h"
#include "encoding/fields.h"
#include "encoding/outcome_fields.h"
#include "sanitized.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {

inline IsolationOptions WithLimits(CellLimits limits) { return {CROSSFOLD_WORKER_PROGRAM, limits}; }

inline std::shared_ptr<const Pipeline> Learner(std::string_view id, const ParamValues& values) {
  return Pipeline::Make({BundledSpec(Kind::kLearner, id, values)});
}

inline std::shared_ptr<const MetricList> Metrics(const std::vector<std::string>& ids) {
  MetricList metrics;
  for (const std::string& id : ids) metrics.push_back(BundledSpec(Kind::kMetric, id, {}));
  return std::make_shared<const MetricList>(std::move(metrics));
}

// Row i is in fold i % folds.
inline std::shared_ptr<const SplitPlan> Folds(const DataPtr& data, std::int32_t folds) {
  Partition partition;
  partition.n_folds = folds;
  for (std::int64_t i = 0; i < data->num_rows(); ++i) {
    partition.fold_of_row.push_back(static_cast<std::int32_t>(i % folds));
  }
  return SplitPlan::FromPartitions(AllRows(data), {partition});
}

inline CellBlock AllSplits(std::shared_ptr<const Pipeline> learner,
                           const std::shared_ptr<const SplitPlan>& splits, Isolation isolation,
                           std::shared_ptr<const MetricList> metrics = nullptr) {
  CellBlock block;
  block.learner = std::move(learner);
  block.splits = splits;
  block.count = splits->size();
  block.seed = 7;
  block.metrics = std::move(metrics);
  block.keep = Keep::kProbabilities;
  block.isolation = isolation;
  return block;
}

// Outcomes in the order of the cells; those that were not delivered are kCancelled.
inline std::vector<Outcome> RunIn(WorkerProcesses& workers, const std::vector<CellBlock>& blocks,
                                  const RunOptions& options = {}) {
  std::size_t n = 0;
  for (const CellBlock& block : blocks) n += static_cast<std::size_t>(block.count);
  std::vector<Outcome> outcomes(n);
  std::vector<int> delivered(n);
  std::mutex mutex;
  RunIsolated(workers, blocks, options, [&](std::size_t i, Outcome&& outcome) {
    const std::lock_guard lock(mutex);
    ++delivered.at(i);
    outcomes[i] = std::move(outcome);
  });
  for (const int times : delivered) EXPECT_LE(times, 1);
  return outcomes;
}

// All that is part of a result's identity.
inline std::string BytesOf(Outcome outcome) {
  outcome.fit_s = outcome.predict_s = 0;
  FieldWriter fields;
  WriteOutcome(outcome, fields);
  return fields.Take();
}

inline std::vector<std::string> BytesOf(const std::vector<Outcome>& outcomes) {
  std::vector<std::string> bytes;
  for (const Outcome& outcome : outcomes) bytes.push_back(BytesOf(outcome));
  return bytes;
}

inline std::vector<CellBlock> With(std::vector<CellBlock> blocks, Isolation isolation) {
  for (CellBlock& block : blocks) block.isolation = isolation;
  return blocks;
}

}  // namespace crossfold
