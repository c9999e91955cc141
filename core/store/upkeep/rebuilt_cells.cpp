#include "store/upkeep/rebuilt_cells.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "crossfold/error.h"

namespace crossfold {
namespace {

constexpr std::int64_t kSmallList = 128;  // approximate bytes of a list of two rows in memory
constexpr std::int64_t kMaxPlanBytes = std::int64_t{4} << 30;

// The same folds as repeat number `repeat`: seeds depend on it, and on nothing else of the repeats
// before.
std::shared_ptr<const SplitPlan> AsRepeat(const SplitPlan& alone, std::int64_t repeat) {
  const std::vector<Partition> repeats(static_cast<std::size_t>(repeat) + 1,
                                       alone.partitions().front());
  return SplitPlan::FromPartitions(alone.view(), repeats);
}

// The same list as number `fold`, after small ones. REQUIRES: the dataset has two rows.
std::shared_ptr<const SplitPlan> AsFold(const SplitPlan& alone, std::int64_t fold) {
  std::vector<SplitRows> rows(static_cast<std::size_t>(fold), SplitRows{{0}, {1}});
  rows.push_back(alone.Rows(0));
  return SplitPlan::FromRows(alone.view().data, std::move(rows));
}

}  // namespace

CellBlock RebuiltCells::Make(std::int64_t series, std::int64_t fold,
                             std::span<const std::int64_t> metrics) {
  const SeriesRecord& record = reader_.Series(series);
  CheckDataset(reader_.Splits(record.splits).dataset);
  CellBlock block;
  block.learner = LearnerOf(record.learner);
  block.splits = PlanOf(record.splits, record.traits.repeat, fold);
  RequireTrainingRows(*block.splits);
  block.first = block.splits->size() - 1;
  if (!block.splits->partitions().empty()) {
    block.first -= block.splits->partitions().back().n_folds - 1 - fold;
  }
  block.seed = record.traits.seed;
  auto specs = std::make_shared<MetricList>();
  for (const std::int64_t metric : metrics) specs->push_back(MetricOf(metric));
  block.metrics = std::move(specs);
  block.keep = record.traits.probabilities ? Keep::kProbabilities : Keep::kLabels;
  block.isolation = isolation_;
  return block;
}

std::int64_t RebuiltCells::BytesOf(const SplitPlan& plan) {
  if (!plan.partitions().empty()) {
    return 4 * plan.view().num_rows() * static_cast<std::int64_t>(plan.partitions().size());
  }
  return kSmallList * plan.size() + 8 * plan.view().data->num_rows();
}

std::shared_ptr<const Pipeline> RebuiltCells::LearnerOf(std::int64_t id) {
  const auto known = learners_.find(id);
  if (known != learners_.end()) return known->second;
  std::vector<std::shared_ptr<const Spec>> steps;
  for (const SpecRecord& step : reader_.Learner(id).steps) {
    steps.push_back(MakeSpec(step, plugins_));
  }
  return learners_[id] = Pipeline::Make(std::move(steps));
}

std::shared_ptr<const Spec> RebuiltCells::MetricOf(std::int64_t id) {
  const auto known = metrics_.find(id);
  if (known != metrics_.end()) return known->second;
  return metrics_[id] = MakeSpec(reader_.Metric(id).spec, plugins_);
}

std::shared_ptr<const SplitPlan> RebuiltCells::PlanOf(std::int64_t splits, std::int64_t repeat,
                                                      std::int64_t fold) {
  const bool is_list = reader_.Splits(splits).n_folds == 0;
  if (repeat < 0 || fold < 0) reader_.FailDamaged("split " + std::to_string(splits));
  const std::tuple wanted(splits, repeat, is_list ? fold : 0);
  if (plan_ && plan_of_ == wanted) return plan_;
  const std::shared_ptr<const SplitPlan> alone = reader_.LoadSplits(splits);
  if (is_list ? alone->size() != 1 : alone->partitions().size() != 1 || fold >= alone->size()) {
    reader_.FailDamaged("split " + std::to_string(splits));
  }
  // Each list before it takes memory.
  const std::int64_t bytes = is_list ? kSmallList : BytesOf(*alone);
  if ((is_list ? fold : repeat) > kMaxPlanBytes / std::max<std::int64_t>(bytes, 1)) {
    throw Error(ErrorKind::kInvalidArgument,
                "it would need more than 4 GiB to make its splits again");
  }
  plan_ = is_list ? AsFold(*alone, fold) : AsRepeat(*alone, repeat);
  plan_of_ = wanted;
  return plan_;
}

void RebuiltCells::CheckDataset(std::int64_t id) {
  if (checked_.contains(id)) return;
  const std::shared_ptr<const Dataset> data = reader_.LoadDataset(id);
  if (!data) {
    throw Error(ErrorKind::kInvalidArgument, "the store did not keep the content of dataset " +
                                                 reader_.DatasetOf(id).hash.substr(0, 12));
  }
  if (data->hash_with_positive() != reader_.DatasetOf(id).hash) {
    reader_.FailDamaged("dataset " + std::to_string(id));
  }
  checked_[id] = true;
}

}  // namespace crossfold
