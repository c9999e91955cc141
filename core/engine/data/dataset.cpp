#include "crossfold/dataset.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "engine/data/column_checks.h"
#include "engine/data/column_entries.h"
#include "engine/data/content_hash.h"
#include "engine/data/missing_rows.h"
#include "engine/data/role_names.h"

namespace crossfold {
namespace {

std::vector<std::string> NamesOf(std::span<const Column> columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

std::vector<const char*> Pointers(std::span<const std::string> texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

cf_column ViewOf(const Column& column, const std::vector<const char*>& levels) {
  const bool categorical = column.dtype == CF_CAT32;
  cf_column view{};
  view.data = column.data;
  view.validity = column.validity;
  view.name = column.name.c_str();
  view.levels = categorical ? levels.data() : nullptr;
  view.n_levels = categorical ? static_cast<std::int64_t>(levels.size()) : 0;
  view.null_count = column.CountMissing();
  view.dtype = column.dtype;
  view.flags = categorical && column.ordered ? std::uint32_t{CF_COLUMN_ORDERED} : 0u;
  view.validity_offset = column.validity_offset;
  return view;
}

std::string Attempt(const std::string& dataset) { return "cannot make dataset '" + dataset + "'"; }

// Returns the entries of the column itself if it is of type `dtype` and passes `check`; else what
// `make` makes of them, which it keeps in `storage`.
template <class T>
std::span<const T> EntriesOf(const RoleColumn& role, std::int32_t dtype,
                             void (RoleColumn::*check)() const,
                             std::vector<T> (RoleColumn::*make)() const, std::vector<T>& storage) {
  if (role.column.dtype == dtype) {
    (role.*check)();
    return {static_cast<const T*>(role.column.data), static_cast<std::size_t>(role.column.n_rows)};
  }
  storage = (role.*make)();
  return storage;
}

}  // namespace

Dataset::~Dataset() = default;

std::shared_ptr<const Dataset> Dataset::Make(std::string name, std::vector<Column> columns,
                                             const Roles& roles, std::vector<double> costs,
                                             Past past) {
  const std::string attempt = Attempt(name);
  CheckColumns(columns, attempt);
  CheckRoleNames(roles, NamesOf(columns), ErrorKind::kBadData, attempt);

  std::shared_ptr<Dataset> data(new Dataset);
  data->name_ = std::move(name);
  data->columns_ = std::move(columns);
  data->n_rows_ = data->columns_[0].n_rows;
  data->past_ = std::move(past);
  data->roles_ = roles;
  data->AssignRoles();
  data->costs_ = std::move(costs);
  return data;
}

const std::string& Dataset::content_hash() const {
  std::call_once(content_hash_made_, [this] {
    content_hash_ = ContentHash(n_rows_, columns_, roles_);
    if (!costs_.empty()) content_hash_ = HashWithCosts(content_hash_, costs_);
  });
  return content_hash_;
}

std::string Dataset::hash_with_positive() const {
  return roles_.positive.empty() ? content_hash()
                                 : HashWithPositive(content_hash(), roles_.positive);
}

std::shared_ptr<const Dataset> Dataset::Create(std::string name, std::vector<Column> columns,
                                               const Roles& roles,
                                               std::span<const std::string> drop_missing) {
  std::int64_t n_dropped = 0;
  if (!drop_missing.empty()) {
    CheckColumns(columns, Attempt(name));
    const std::int64_t n_rows = columns[0].n_rows;
    const auto rows =
        CompleteRows(columns, ColumnsMeant(roles, NamesOf(columns), drop_missing, Attempt(name)));
    n_dropped = n_rows - static_cast<std::int64_t>(rows.size());
    if (n_dropped == n_rows && n_rows > 0) {
      throw Error(ErrorKind::kBadData,
                  Attempt(name) + ": drop_missing leaves out all of its rows; name fewer columns");
    }
    for (Column& column : columns) {
      if (n_dropped > 0) column = column.Selected(rows);
    }
  }
  return Make(std::move(name), std::move(columns), roles, {}, {.n_dropped = n_dropped});
}

std::shared_ptr<const Dataset> Dataset::Rebuild(const Dataset& data, std::vector<Column> columns,
                                                const Roles& roles) {
  return Make(data.name_, std::move(columns), roles, data.costs_, data.past_);
}

std::shared_ptr<const Dataset> Dataset::WithRoles(const Dataset& data, const Roles& roles) {
  const bool same_target = roles.target == data.roles_.target;
  return Make(data.name_, data.columns_, roles, same_target ? data.costs_ : std::vector<double>(),
              data.past_);
}

std::shared_ptr<const Dataset> Dataset::WithCosts(const Dataset& data, const CostMatrix& costs) {
  const std::string attempt = "cannot set the costs of dataset '" + data.name_ + "': ";
  const auto shape = [](std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
  };
  if (data.task_ != Task::kClassification) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "its target is not categorical");
  }
  const std::int64_t k = data.num_classes();
  if (costs.n_rows != k || costs.n_columns != k) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "the matrix is " + shape(costs.n_rows, costs.n_columns) + ", the " +
                    std::to_string(k) + " classes need " + shape(k, k));
  }
  for (const double cost : costs.costs) {
    if (std::isfinite(cost)) continue;
    throw Error(ErrorKind::kInvalidArgument, attempt + "an entry is not finite");
  }
  return Make(data.name_, data.columns_, data.roles_, costs.costs, data.past_);
}

std::shared_ptr<const Dataset> Dataset::WithOrigin(const Dataset& data, std::string origin) {
  Past past = data.past_;
  past.origin = std::move(origin);
  return Make(data.name_, data.columns_, data.roles_, data.costs_, std::move(past));
}

std::shared_ptr<const Dataset> Dataset::WithNotes(const Dataset& data,
                                                  std::vector<std::string> notes) {
  Past past = data.past_;
  past.notes = std::move(notes);
  return Make(data.name_, data.columns_, data.roles_, data.costs_, std::move(past));
}

void Dataset::AssignRoles() {
  const std::string attempt = Attempt(name_);
  const auto role_column = [&](const char* role, const std::string& column_name) {
    return RoleColumn{column(column_name), role, attempt};
  };
  if (!roles_.target.empty()) AssignTarget(column(roles_.target));
  if (!roles_.weights.empty()) {
    const RoleColumn role = role_column("weights", roles_.weights);
    weights_ =
        EntriesOf(role, CF_F64, &RoleColumn::CheckWeights, &RoleColumn::Weights, made_weights_);
  }
  if (!roles_.groups.empty()) groups_ = role_column("groups", roles_.groups).Groups();
  if (!roles_.time.empty()) AssignTime(role_column("time", roles_.time));
  if (!roles_.folds.empty()) folds_ = role_column("folds", roles_.folds).Folds();

  if (!roles_.strata.empty()) strata_ = role_column("strata", roles_.strata).Groups();
  // Whoever needs coordinates reads the columns.
  for (const std::string& name : roles_.coordinates) {
    role_column("coordinates", name).CheckFiniteNumbers();
  }
  AssignRowCosts();
  AssignFeatures();
  CheckPositive();
}

void Dataset::AssignTime(const RoleColumn& role) {
  Times times = role.Times();
  time_ = std::move(times.values);
  time_exact_ = std::move(times.ticks);
  seconds_per_tick_ = times.seconds_per_tick;
}

void Dataset::AssignFeatures() {
  const std::vector<RoleName> named = NamedRoles(roles_);
  for (const Column& column : columns_) {
    const bool has_role = std::any_of(named.begin(), named.end(), [&](const RoleName& role) {
      return role.column == column.name;
    });
    if (has_role) continue;
    level_pointers_.push_back(Pointers(column.levels));
    features_.push_back(ViewOf(column, level_pointers_.back()));
  }
}

void Dataset::AssignRowCosts() {
  if (roles_.row_costs.empty()) return;
  const std::string attempt = Attempt(name_);
  if (task_ != Task::kClassification) {
    throw Error(ErrorKind::kBadData, attempt + ": row_costs needs a categorical target");
  }
  for (const auto& [name, column] : roles_.row_costs) {
    if (std::find(class_names_.begin(), class_names_.end(), name) != class_names_.end()) continue;
    throw Error(ErrorKind::kBadData, attempt + ": row_costs names '" + name +
                                         "', which is not a class; " +
                                         KnownNames(name, class_names_));
  }
  const auto k = static_cast<std::size_t>(num_classes());
  row_costs_.resize(static_cast<std::size_t>(n_rows_) * k);
  for (std::size_t c = 0; c < k; ++c) {
    const auto place = roles_.row_costs.find(class_names_[c]);
    if (place == roles_.row_costs.end()) {
      throw Error(ErrorKind::kBadData, attempt + ": row_costs has no column for class '" +
                                           class_names_[c] + "'; give one for every class");
    }
    const std::vector<double> costs =
        RoleColumn{column(place->second), "row_costs", attempt}.FiniteNumbers();
    for (std::size_t row = 0; row < costs.size(); ++row) row_costs_[row * k + c] = costs[row];
  }
}

void Dataset::CheckPositive() const {
  if (roles_.positive.empty()) return;
  const std::string attempt = Attempt(name_) + ": positive = '" + roles_.positive + "' ";
  if (task_ != Task::kClassification) {
    throw Error(ErrorKind::kBadData,
                attempt + (task_ == Task::kNone ? "needs a target; name its column, too"
                                                : "needs classes, and target '" + roles_.target +
                                                      "' is numeric; read it with types = { " +
                                                      roles_.target + " = \"categorical\" }"));
  }
  if (std::find(class_names_.begin(), class_names_.end(), roles_.positive) != class_names_.end()) {
    return;
  }
  throw Error(ErrorKind::kBadData,
              attempt + "is not a class; " + KnownNames(roles_.positive, class_names_));
}

void Dataset::AssignTarget(const Column& column) {
  const RoleColumn role{column, "target", Attempt(name_)};
  target_.name = column.name.c_str();
  if (IsNumeric(column.dtype)) {
    task_ = Task::kRegression;
    values_ = EntriesOf(role, CF_F64, &RoleColumn::CheckFiniteNumbers, &RoleColumn::FiniteNumbers,
                        made_values_);
    target_.data = values_.data();
    target_.dtype = CF_F64;
    return;
  }
  task_ = Task::kClassification;
  labels_ = EntriesOf(role, CF_CAT32, &RoleColumn::CheckClassIndices, &RoleColumn::ClassIndices,
                      made_labels_);
  class_names_ =
      column.dtype == CF_BOOL8 ? std::vector<std::string>{"false", "true"} : column.levels;
  class_name_pointers_ = Pointers(class_names_);
  target_.data = labels_.data();
  target_.dtype = CF_CAT32;
  target_.levels = class_name_pointers_.data();
  target_.n_levels = num_classes();
  target_.flags =
      column.dtype == CF_CAT32 && column.ordered ? std::uint32_t{CF_COLUMN_ORDERED} : 0u;
}

const Column* Dataset::FindColumn(std::string_view name) const {
  for (const Column& column : columns_) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

const Column& Dataset::column(std::string_view name) const {
  if (const Column* column = FindColumn(name)) return *column;
  throw Error(ErrorKind::kInvalidArgument,
              "cannot find column '" + std::string(name) + "' in dataset '" + name_ +
                  "': there is no such column; " + KnownNames(name, NamesOf(columns_)));
}

}  // namespace crossfold
