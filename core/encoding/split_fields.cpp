#include "encoding/split_fields.h"

#include <span>
#include <utility>
#include <vector>

namespace crossfold {
namespace {

void WriteRows(const SplitRows& rows, FieldWriter& fields) {
  fields.Numbers(std::span(rows.train));
  fields.Numbers(std::span(rows.test));
}

void WriteView(const DataView& view, FieldWriter& fields) {
  fields.Number(view.rows != nullptr);
  if (view.rows) fields.Numbers(std::span(*view.rows));
}

void WritePartition(const Partition& partition, FieldWriter& fields) {
  fields.Number(partition.n_folds);
  fields.Numbers(std::span(partition.fold_of_row));
}

}  // namespace

void WriteSplitsOf(const SplitPlan& plan, std::int64_t split, FieldWriter& fields) {
  const bool is_lists = plan.partitions().empty();
  fields.Number(is_lists);
  if (is_lists) {
    const ListedRows& rows = plan.lists()[static_cast<std::size_t>(split)];
    fields.Reserve((rows.num_train() + rows.num_test() + 4) * sizeof(std::int64_t));
    fields.Length(1);
    WriteRows(rows.Rows(), fields);
    return;
  }
  WriteView(plan.view(), fields);
  const Partition& partition = plan.partitions()[static_cast<std::size_t>(plan.repeat_of(split))];
  fields.Reserve((partition.fold_of_row.size() + 8) * sizeof(std::int32_t));
  fields.Length(1);
  WritePartition(partition, fields);
}

void WriteSplits(const SplitPlan& plan, FieldWriter& fields) {
  const bool is_lists = plan.partitions().empty();
  fields.Number(is_lists);
  if (is_lists) {
    fields.Length(static_cast<std::size_t>(plan.size()));
    for (std::int64_t s = 0; s < plan.size(); ++s) WriteRows(plan.Rows(s), fields);
    return;
  }
  WriteView(plan.view(), fields);
  fields.Length(plan.partitions().size());
  for (const Partition& partition : plan.partitions()) WritePartition(partition, fields);
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
