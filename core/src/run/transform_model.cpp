#include "run/transform_model.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "crossfold/error.h"
#include "data/role_names.h"
#include "data/taken_entries.h"
#include "plan/compatibility.h"
#include "run/aligned_rows.h"
#include "run/fit_predict.h"

namespace crossfold {
namespace {

std::vector<Column> RoleColumns(const Dataset& data) {
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    if (IsRole(data.roles(), column.name)) columns.push_back(column);
  }
  return columns;
}

// A name that no column has yet.
std::string FreeName(std::string name, const std::vector<Column>& columns) {
  const auto is_taken = [&] {
    return std::any_of(columns.begin(), columns.end(),
                       [&](const Column& column) { return column.name == name; });
  };
  while (is_taken()) name += '_';
  return name;
}

std::vector<Column> FeatureColumns(const cf_table& made, std::span<const std::int64_t> sources) {
  std::vector<Column> columns;
  for (std::int64_t j = 0; j < made.n_features; ++j) {
    columns.push_back(TakeEntries(Borrowed(made.features[j], made.n_rows_total), sources));
  }
  return columns;
}

// The rows of a view with the features of `made`, which has one row for each of them in their
// order. Row ids keep their meaning.
DataView WithFeatures(const DataView& view, const cf_table& made) {
  std::vector<std::int64_t> sources(static_cast<std::size_t>(view.data->num_rows()), -1);
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    sources[static_cast<std::size_t>(view.row_id(i))] = i;
  }
  std::vector<Column> columns = RoleColumns(*view.data);
  std::ranges::move(FeatureColumns(made, sources), std::back_inserter(columns));
  return {Dataset::Rebuild(*view.data, std::move(columns), view.data->roles()), view.rows};
}

// Resampled rows as a dataset of their own.
DataView NewRows(const DataView& view, const cf_table& made) {
  const auto n = static_cast<std::size_t>(made.n_rows);
  std::vector<std::int64_t> positions(n);
  for (std::size_t i = 0; i < n; ++i) positions[i] = static_cast<std::int64_t>(i);
  std::vector<Column> columns;
  Roles roles = view.data->roles();
  for (const Column& column : RoleColumns(*view.data)) {
    if (column.name != roles.weights) {
      columns.push_back(TakeEntries(column, {made.row_ids, n}));
    }
  }
  std::ranges::move(FeatureColumns(made, positions), std::back_inserter(columns));
  if (made.weights != nullptr) {
    if (roles.weights.empty()) roles.weights = FreeName("weights", columns);
    columns.push_back(Column::Doubles(roles.weights, {made.weights, made.weights + n}));
  }
  return {Dataset::Rebuild(*view.data, std::move(columns), roles), nullptr};
}

std::string Joined(const TransformModel::Steps& steps) {
  std::string text;
  for (const auto& step : steps) text += (text.empty() ? "" : "|") + step->ToString();
  return text;
}

[[noreturn]] void ThrowFailed(const std::string& attempt, const StepError& e) {
  if (e.cancelled()) throw Error(ErrorKind::kCancelled, attempt + "cancelled");
  throw Error(ErrorKind::kFailed, attempt + e.failure().stage + ": " + e.failure().message);
}

bool Resamples(const TransformModel::Steps& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const auto& step) {
    return step->component().template capability<cf_cap_resample>(CF_CAP_RESAMPLE) != nullptr;
  });
}

}  // namespace

struct TransformModel::Impl {
  Steps steps;
  FittedTransforms fitted;
  TableSchema schema;  // of the training rows
  StepSeeds seeds;
  std::mutex lock;
};

TransformModel::TransformModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TransformModel::~TransformModel() = default;

std::shared_ptr<const TransformModel> TransformModel::Fit(Steps steps, const DataView& train,
                                                          std::uint64_t seed,
                                                          const RunOptions& options,
                                                          DataView& transformed) {
  const Dataset& data = *train.data;
  const std::string attempt =
      "cannot fit '" + Joined(steps) + "' on dataset '" + data.name() + "': ";
  if (train.num_rows() == 0) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "there are no rows");
  }
  CallSite site(options.cancel, options.log);
  const RowTable table = RowTable::ForTraining(data, train.rows.get());
  const StepSeeds seeds(seed);
  try {
    TrainingRows rows(table.get());
    FittedTransforms fitted = FittedTransforms::Fit(steps, rows, seeds, site);
    site.LogWarnings();
    const cf_table& made = rows.get();
    transformed = Resamples(steps) ? NewRows(train, made) : WithFeatures(train, made);
    return std::shared_ptr<const TransformModel>(new TransformModel(std::make_unique<Impl>(
        std::move(steps), std::move(fitted), TableSchema(data.features()), seeds)));
  } catch (const StepError& e) {
    site.LogWarnings();
    ThrowFailed(attempt, e);
  }
}

DataView TransformModel::Apply(const DataView& rows, const RunOptions& options) const {
  const Dataset& data = *rows.data;
  const std::string attempt =
      "cannot apply '" + Joined(impl_->steps) + "' to dataset '" + data.name() + "': ";
  const bool takes_missing =
      (AcceptBits(impl_->steps.front()->component()) & CF_ACCEPTS_MISSING) != 0;
  const AlignedRows aligned(impl_->schema, data, rows.rows.get(),
                            takes_missing ? UnknownLevels::kMissing : UnknownLevels::kRefused,
                            attempt);
  CallSite site(options.cancel, options.log);
  const std::lock_guard guard(impl_->lock);
  try {
    std::unique_ptr<OwnedTable> columns;
    const cf_table made = ApplyTransforms(impl_->steps, impl_->fitted.models, impl_->fitted.schemas,
                                          aligned.get(), impl_->seeds, site, columns);
    site.LogWarnings();
    return WithFeatures(rows, made);
  } catch (const StepError& e) {
    site.LogWarnings();
    ThrowFailed(attempt, e);
  }
}

}  // namespace crossfold
