// Training rows on their way through the transforms, which replace columns or rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "crossfold/spec.h"
#include "engine/run/owned_table.h"
#include "engine/run/step_call.h"

namespace crossfold {

// Returns `table` with other columns, whose entry i belongs to its row i. The rows stay the same.
cf_table WithColumns(cf_table table, const OwnedTable& columns);

class TrainingRows {
 public:
  // REQUIRES: the memory that `table` points to outlives this.
  explicit TrainingRows(const cf_table& table) : table_(table) {}
  TrainingRows(const TrainingRows&) = delete;
  TrainingRows& operator=(const TrainingRows&) = delete;

  const cf_table& get() const { return table_; }

  // Replaces the columns; the rows stay the same.
  void ReplaceColumns(std::unique_ptr<OwnedTable> columns);

  // Takes the rows that crossfold.resample/1 of the step chooses and, if it offers
  // crossfold.synthesize/1, the features that it makes for them. Both calls get this seed. Returns
  // whether the step resamples at all. Throws StepError.
  bool Resample(const Spec& step, std::uint64_t seed, CallSite& site);

 private:
  // The memory that a view of resampled rows points to.
  struct RowArrays {
    std::vector<std::int64_t> rows, row_ids, groups;
    std::vector<double> weights;
  };

  static cf_table ChooseRows(cf_table table, const std::vector<std::int64_t>& positions,
                             std::vector<double> weights, RowArrays& arrays);
  template <class T>
  void GatherTarget(std::vector<T>& storage);

  cf_table table_;
  RowArrays arrays_;                     // once rows were resampled
  std::unique_ptr<OwnedTable> columns_;  // once columns were replaced, and then
  cf_column target_{};                   // the target of the rows
  std::vector<std::int32_t> labels_;     // in classification
  std::vector<double> values_;           // in regression
};

}  // namespace crossfold
