#include "models/transform_model.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold_plugin/view.hpp"
#include "engine/data/role_names.h"
#include "engine/plan/compatibility.h"
#include "engine/run/fit_predict.h"
#include "engine/run/table_schema.h"
#include "engine/run/transform_step.h"
#include "models/aligned_rows.h"
#include "models/view_features.h"

namespace crossfold {
namespace {

// Columns that borrow from `made`.
std::vector<Column> ColumnsOf(const cf_table& made) {
  std::vector<Column> columns;
  for (const cf_column& from : FeaturesOf(made)) {
    Column& column = columns.emplace_back();
    column.name = from.name;
    column.dtype = from.dtype;
    column.n_rows = made.n_rows_total;
    column.data = from.data;
    column.validity = from.validity;
    column.validity_offset = from.validity_offset;
    if (from.levels != nullptr) column.levels.assign(from.levels, from.levels + from.n_levels);
    column.ordered = plugin::IsOrdered(from);
  }
  return columns;
}

// Returns a name that no column has yet.
std::string FreeName(std::string name, const std::vector<Column>& columns) {
  const auto is_taken = [&] {
    return std::ranges::find(columns, name, &Column::name) != columns.end();
  };
  while (is_taken()) name += '_';
  return name;
}

// Makes a dataset of resampled rows.
DataView NewRows(const DataView& view, const cf_table& made) {
  const auto n = static_cast<std::size_t>(made.n_rows);
  std::vector<std::int64_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  std::vector<Column> columns;
  Roles roles = view.data->roles();
  for (const Column& column : view.data->columns()) {
    if (IsRole(roles, column.name) && column.name != roles.weights) {
      columns.push_back(column.Selected({made.row_ids, n}));
    }
  }
  for (const Column& column : ColumnsOf(made)) columns.push_back(column.Selected(all));
  if (made.weights != nullptr) {
    if (roles.weights.empty()) roles.weights = FreeName("weights", columns);
    columns.push_back(Column::Doubles(roles.weights, {made.weights, made.weights + n}));
  }
  return {Dataset::Rebuild(*view.data, std::move(columns), roles), nullptr};
}

[[noreturn]] void ThrowFailed(const std::string& attempt, const StepError& e) {
  if (e.cancelled()) throw Error(ErrorKind::kCancelled, attempt + "cancelled");
  throw Error(ErrorKind::kFailed, attempt + e.failure().stage + ": " + e.failure().message);
}

}  // namespace

struct TransformModel::Impl {
  Impl(std::shared_ptr<const Spec> of, StepModel fitted, TableSchema before, TableSchema after,
       const StepSeeds& drawn)
      : step(std::move(of)),
        model(std::move(fitted)),
        training(std::move(before)),
        made(std::move(after)),
        seeds(drawn) {}

  std::shared_ptr<const Spec> step;
  StepModel model;
  TableSchema training, made;  // columns of the training rows, and what became of them
  StepSeeds seeds;
  std::mutex lock;
};

TransformModel::TransformModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TransformModel::~TransformModel() = default;

std::shared_ptr<const TransformModel> TransformModel::Fit(std::shared_ptr<const Spec> step,
                                                          const DataView& train, std::uint64_t seed,
                                                          const RunOptions& options,
                                                          DataView& transformed) {
  const Dataset& data = *train.data;
  const std::string attempt =
      "cannot fit '" + step->ToString() + "' on dataset '" + data.name() + "': ";
  if (train.num_rows() == 0) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "there are no rows");
  }
  CallSite site(options.cancel, options.log);
  const RowTable table = RowTable::ForTraining(data, train.rows.get());
  const StepSeeds seeds(seed);
  try {
    TrainingRows rows(table.get());
    StepModel model = FitTransform(*step, 0, seeds, rows, site);
    site.LogWarnings();
    const cf_table& made = rows.get();
    if (model.get() == nullptr) {
      transformed = train;  // it gets none of the features
    } else {
      transformed = step->component().changes_rows() ? NewRows(train, made)
                                                     : WithFeatures(train, {}, ColumnsOf(made));
    }
    return std::shared_ptr<const TransformModel>(new TransformModel(
        std::make_unique<Impl>(std::move(step), std::move(model), TableSchema(data.features()),
                               TableSchema(FeaturesOf(made)), seeds)));
  } catch (const StepError& e) {
    site.LogWarnings();
    ThrowFailed(attempt, e);
  }
}

DataView TransformModel::Apply(const DataView& rows, const RunOptions& options) const {
  const Spec& step = *impl_->step;
  const std::string attempt =
      "cannot apply '" + step.ToString() + "' to dataset '" + rows.data->name() + "': ";
  const bool takes_missing = (AcceptBits(step.component()) & CF_ACCEPTS_MISSING) != 0;
  const AlignedRows aligned(impl_->training, *rows.data, rows.rows.get(),
                            takes_missing ? UnknownLevels::kMissing : UnknownLevels::kRefused,
                            attempt);
  CallSite site(options.cancel, options.log);
  const std::lock_guard guard(impl_->lock);
  try {
    const auto made =
        ApplyTransform(step, impl_->model, impl_->made, aligned.get(), impl_->seeds.Apply(0), site);
    site.LogWarnings();
    return WithFeatures(rows, {}, ColumnsOf(WithColumns(aligned.get(), *made)));
  } catch (const StepError& e) {
    site.LogWarnings();
    ThrowFailed(attempt, e);
  }
}

}  // namespace crossfold
