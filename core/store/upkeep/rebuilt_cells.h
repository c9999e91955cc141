// Rebuilds cells of a store as they were requested, so that they can run again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "crossfold/cell.h"
#include "crossfold/plugin_host.h"
#include "store/ledger/store_reader.h"

namespace crossfold {

class RebuiltCells {
 public:
  // Both must outlive this.
  RebuiltCells(StoreReader& reader, const PluginHost& plugins, Isolation isolation)
      : reader_(reader), plugins_(plugins), isolation_(isolation) {}

  // Rebuilds one cell, with the metrics of these ids. Throws Error if a plugin is missing or has
  // changed, or if the content of the dataset is not kept or not what the store says.
  CellBlock Make(std::int64_t series, std::int64_t fold, std::span<const std::int64_t> metrics);
  // The approximate memory of a plan that was made here.
  static std::int64_t BytesOf(const SplitPlan& plan);

 private:
  std::shared_ptr<const Pipeline> LearnerOf(std::int64_t id);
  std::shared_ptr<const Spec> MetricOf(std::int64_t id);
  std::shared_ptr<const SplitPlan> PlanOf(std::int64_t splits, std::int64_t repeat,
                                          std::int64_t fold);
  void CheckDataset(std::int64_t id);

  StoreReader& reader_;
  const PluginHost& plugins_;
  const Isolation isolation_;
  std::map<std::int64_t, std::shared_ptr<const Pipeline>> learners_;
  std::map<std::int64_t, std::shared_ptr<const Spec>> metrics_;
  std::map<std::int64_t, bool> checked_;  // datasets
  // The last plan and what it is for: cells come series by series.
  std::tuple<std::int64_t, std::int64_t, std::int64_t> plan_of_;
  std::shared_ptr<const SplitPlan> plan_;
};

}  // namespace crossfold
