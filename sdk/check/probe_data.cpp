#include "check/probe_data.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"

namespace crossfold::check {

namespace {

constexpr std::int64_t kLevels = 3;

std::uint32_t TasksOf(const Component& component) {
  return component.learner != nullptr ? component.learner->tasks : component.transform->tasks;
}

std::uint32_t TaskBit(const DataShape& shape) {
  if (shape.task == Task::kRegression) return CF_TASK_REGRESSION;
  return shape.n_classes == 2 ? CF_TASK_BINARY : CF_TASK_MULTICLASS;
}

bool IsMissing(const DataShape& shape, plugin::Random& random) {
  return shape.missing > 0 && random.Uniform() < shape.missing;
}

// What the features predict, one number per row: the class, or a number around 0, 1 and 2.
std::vector<double> DrawCauses(const DataShape& shape, plugin::Random& random) {
  std::vector<double> causes;
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    causes.push_back(shape.task == Task::kRegression ? 2 * random.Uniform()
                                                     : static_cast<double>(i % shape.n_classes));
  }
  return causes;
}

Column DrawNumbersAbout(const DataShape& shape, std::int64_t j, const std::vector<double>& causes,
                        plugin::Random& random) {
  constexpr double kNoise = 0.3;
  const double slope = j % 2 == 0 ? 1.0 + static_cast<double>(j) : -1.5;
  std::vector<double> entries;
  for (const double cause : causes) {
    const double entry = slope * (cause + kNoise * random.Normal());
    entries.push_back(IsMissing(shape, random) ? std::nan("") : entry);
  }
  return Column::Doubles("n" + std::to_string(j), std::move(entries));
}

Column DrawCategoriesAbout(const DataShape& shape, std::int64_t j,
                           const std::vector<double>& causes, plugin::Random& random) {
  constexpr double kRight = 0.85;
  std::vector<std::int32_t> codes;
  for (const double cause : causes) {
    std::int64_t code = (std::lround(cause) + j) % kLevels;
    if (random.Uniform() > kRight) code = static_cast<std::int64_t>(random.Below(kLevels));
    codes.push_back(IsMissing(shape, random) ? -1 : static_cast<std::int32_t>(code));
  }
  return Column::Categories("c" + std::to_string(j), std::move(codes), {"a", "b", "c", "never"});
}

Column MakeTarget(const DataShape& shape, const std::vector<double>& causes) {
  if (shape.task == Task::kRegression) return Column::Doubles("y", causes);
  std::vector<std::int32_t> codes(causes.begin(), causes.end());
  std::vector<std::string> classes;
  for (std::int64_t c = 0; c < shape.n_classes; ++c) classes.push_back("k" + std::to_string(c));
  return Column::Categories("y", std::move(codes), std::move(classes));
}

}  // namespace

std::uint32_t AcceptedBy(const Component& component) {
  return component.learner != nullptr ? component.learner->accepts : component.transform->accepts;
}

DataPtr MakeData(const DataShape& shape, std::uint64_t seed) {
  plugin::Random random(seed);
  const std::vector<double> causes = DrawCauses(shape, random);
  std::vector<Column> columns;
  for (std::int64_t j = 0; j < shape.n_numeric; ++j) {
    columns.push_back(DrawNumbersAbout(shape, j, causes, random));
  }
  for (std::int64_t j = 0; j < shape.n_categorical; ++j) {
    columns.push_back(DrawCategoriesAbout(shape, j, causes, random));
  }
  columns.push_back(MakeTarget(shape, causes));
  Roles roles{.target = "y"};
  if (shape.weights) {
    std::vector<double> weights;
    for (std::int64_t i = 0; i < shape.n_rows; ++i) weights.push_back(0.5 + 1.5 * random.Uniform());
    columns.push_back(Column::Doubles("w", std::move(weights)));
    roles.weights = "w";
  }
  return Dataset::Create("probe", std::move(columns), roles);
}

bool Accepts(const Component& component, const DataShape& shape) {
  const std::uint32_t accepts = AcceptedBy(component);
  if ((TasksOf(component) & TaskBit(shape)) == 0) return false;
  if (shape.n_numeric > 0 && (accepts & CF_ACCEPTS_NUMERIC) == 0) return false;
  if (shape.n_categorical > 0 && (accepts & CF_ACCEPTS_CATEGORICAL) == 0) return false;
  if (shape.missing > 0 && (accepts & CF_ACCEPTS_MISSING) == 0) return false;
  if (shape.weights && (accepts & CF_ACCEPTS_WEIGHTS) == 0) return false;
  return NumFeatures(shape) > 0 || (accepts & CF_ACCEPTS_NO_FEATURES) != 0;
}

std::vector<DataShape> UsualShapes(const Component& component) {
  const std::uint32_t accepts = AcceptedBy(component);
  std::vector<DataShape> shapes;
  for (const auto& [task, n_classes] :
       {std::pair{Task::kClassification, 2}, std::pair{Task::kClassification, 3},
        std::pair{Task::kRegression, 0}}) {
    DataShape shape;
    shape.task = task;
    shape.n_classes = n_classes;
    shape.n_numeric = (accepts & CF_ACCEPTS_NUMERIC) != 0 ? 3 : 0;
    shape.n_categorical = shape.n_numeric == 0 ? 2 : 0;
    if (Accepts(component, shape)) shapes.push_back(shape);
  }
  return shapes;
}

std::vector<DataShape> OfOneFeature(const Component& component, const DataShape& usual) {
  std::vector<DataShape> shapes;
  for (const auto& [n_numeric, n_categorical] : {std::pair{1, 0}, {0, 1}}) {
    DataShape shape = usual;
    shape.n_numeric = n_numeric;
    shape.n_categorical = n_categorical;
    if (Accepts(component, shape)) shapes.push_back(shape);
  }
  return shapes;
}

std::vector<DataShape> ShapesToTry(const Component& component, const DataShape& usual) {
  std::vector<DataShape> shapes = {usual};
  DataShape categories = usual;
  categories.n_numeric = 0;
  categories.n_categorical = 2;
  if (usual.n_numeric > 0 && Accepts(component, categories)) shapes.push_back(categories);
  if (component.learner == nullptr) return shapes;
  for (const DataShape& one : OfOneFeature(component, usual)) shapes.push_back(one);
  return shapes;
}

DataShape Fuller(const Component& component, DataShape shape) {
  const std::uint32_t accepts = AcceptedBy(component);
  if ((accepts & CF_ACCEPTS_CATEGORICAL) != 0) shape.n_categorical = 2;
  if ((accepts & CF_ACCEPTS_MISSING) != 0) shape.missing = 0.1;
  shape.weights = (accepts & CF_ACCEPTS_WEIGHTS) != 0;
  return shape;
}

std::string Describe(const DataShape& shape) {
  std::string text = shape.task == Task::kRegression
                         ? "regression"
                         : "classification of " + std::to_string(shape.n_classes) + " classes";
  std::vector<std::string> extras;
  if (shape.n_categorical > 0) extras.emplace_back("categories");
  if (shape.missing > 0) extras.emplace_back("missing entries");
  if (shape.weights) extras.emplace_back("weights");
  for (std::size_t i = 0; i < extras.size(); ++i) {
    text += (i == 0 ? " with " : i + 1 < extras.size() ? ", " : " and ") + extras[i];
  }
  return text;
}

DataPtr WithFeatures(const Dataset& data, const std::function<bool(Column&)>& change) {
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    Column changed = column;
    const bool has_role = column.name == data.roles().target || column.name == data.roles().weights;
    columns.push_back(!has_role && change(changed) ? std::move(changed) : column);
  }
  return Dataset::Rebuild(data, std::move(columns), data.roles());
}

DataPtr WithLevel(const Dataset& data, double from, double to) {
  return WithFeatures(data, [&](Column& column) {
    if (column.dtype != CF_CAT32) return false;
    std::vector<double> entries = EntriesOf(column);
    for (double& entry : entries) entry = entry == from ? to : entry;
    column = WithEntries(column, entries);
    return true;
  });
}

Column ColumnOf(std::int32_t dtype, const std::string& name, const std::vector<int>& numbers) {
  switch (dtype) {
    case CF_F32:
      return Column::Floats(name, {numbers.begin(), numbers.end()});
    case CF_I32:
      return Column::Integers32(name, {numbers.begin(), numbers.end()});
    case CF_I64:
      return Column::Integers(name, {numbers.begin(), numbers.end()});
    case CF_BOOL8:
      return Column::Booleans(name, std::vector<bool>(numbers.begin(), numbers.end()));
    case CF_CAT32:
      return Column::Categories(name, {numbers.begin(), numbers.end()}, {"false", "true"});
    default:
      return Column::Doubles(name, {numbers.begin(), numbers.end()});
  }
}

Column WithEntries(const Column& column, const std::vector<double>& entries) {
  if (column.dtype != CF_CAT32) return Column::Doubles(column.name, entries);
  std::vector<std::int32_t> codes;
  for (const double entry : entries) {
    codes.push_back(std::isnan(entry) ? -1 : static_cast<std::int32_t>(entry));
  }
  return Column::Categories(column.name, std::move(codes), column.levels);
}

Column Filled(const Column& column, double entry) {
  return WithEntries(column, std::vector<double>(static_cast<std::size_t>(column.n_rows), entry));
}

std::vector<double> EntriesOf(const Column& column) {
  std::vector<double> entries;
  for (std::int64_t i = 0; i < column.n_rows; ++i) {
    if (column.is_missing(i)) {
      entries.push_back(std::numeric_limits<double>::quiet_NaN());
    } else if (column.dtype == CF_CAT32) {
      entries.push_back(static_cast<const std::int32_t*>(column.data)[i]);
    } else {
      entries.push_back(static_cast<const double*>(column.data)[i]);
    }
  }
  return entries;
}

}  // namespace crossfold::check
