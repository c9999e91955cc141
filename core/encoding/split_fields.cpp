#include "encoding/split_fields.h"

#include <span>
#include <utility>
#include <vector>

namespace crossfold {

void WriteSplits(const SplitPlan& plan, FieldWriter& fields) {
  const bool is_lists = plan.partitions().empty();
  fields.Number(is_lists);
  if (is_lists) {
    fields.Length(static_cast<std::size_t>(plan.size()));
    for (std::int64_t s = 0; s < plan.size(); ++s) {
      const SplitRows rows = plan.Rows(s);
      fields.Numbers(std::span(rows.train));
      fields.Numbers(std::span(rows.test));
    }
    return;
  }
  fields.Number(plan.view().rows != nullptr);
  if (plan.view().rows) fields.Numbers(std::span(*plan.view().rows));
  fields.Length(plan.partitions().size());
  for (const Partition& partition : plan.partitions()) {
    fields.Number(partition.n_folds);
    fields.Numbers(std::span(partition.fold_of_row));
  }
}

std::shared_ptr<const SplitPlan> ReadSplits(FieldReader& fields,
                                            std::shared_ptr<const Dataset> data) {
  if (fields.Number<bool>()) {
    std::vector<SplitRows> rows = fields.List([&fields] {
      SplitRows split;
      split.train = fields.Numbers<std::int64_t>();
      split.test = fields.Numbers<std::int64_t>();
      return split;
    });
    return SplitPlan::FromRows(std::move(data), std::move(rows));
  }
  DataView view{std::move(data), nullptr};
  if (fields.Number<bool>()) {
    view.rows = std::make_shared<const std::vector<std::int64_t>>(fields.Numbers<std::int64_t>());
  }
  std::vector<Partition> repeats = fields.List([&fields] {
    Partition partition;
    partition.n_folds = fields.Number<std::int32_t>();
    partition.fold_of_row = fields.Numbers<std::int32_t>();
    return partition;
  });
  return SplitPlan::FromPartitions(std::move(view), std::move(repeats));
}

}  // namespace crossfold
