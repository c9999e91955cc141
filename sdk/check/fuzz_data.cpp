#include "check/fuzz_data.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "check/probe_data.h"

namespace crossfold::check {
namespace {

DataShape DrawShape(plugin::Random& random) {
  constexpr std::array<std::int64_t, 7> kRows = {1, 2, 3, 7, 20, 40, 60};
  DataShape shape;
  shape.n_rows = kRows[random.Below(kRows.size())];
  shape.task = random.Below(3) == 0 ? Task::kRegression : Task::kClassification;
  shape.n_classes =
      shape.task == Task::kRegression ? 0 : 2 + static_cast<std::int64_t>(random.Below(3));
  shape.n_numeric = static_cast<std::int64_t>(random.Below(5));
  shape.n_categorical = static_cast<std::int64_t>(random.Below(4));
  shape.missing = random.Below(3) == 0 ? 0.2 : 0;
  shape.weights = random.Below(3) == 0;
  return shape;
}

// What of the shape the component declares to take. The task stays.
DataShape Within(const Component& component, DataShape shape) {
  const std::uint32_t accepts =
      component.learner != nullptr ? component.learner->accepts : component.transform->accepts;
  const auto takes = [accepts](std::uint32_t flag) { return (accepts & flag) != 0; };
  if (!takes(CF_ACCEPTS_NUMERIC)) shape.n_numeric = 0;
  if (!takes(CF_ACCEPTS_CATEGORICAL)) shape.n_categorical = 0;
  if (!takes(CF_ACCEPTS_MISSING)) shape.missing = 0;
  shape.weights = shape.weights && takes(CF_ACCEPTS_WEIGHTS);
  if (shape.n_numeric + shape.n_categorical > 0 || takes(CF_ACCEPTS_NO_FEATURES)) return shape;
  (takes(CF_ACCEPTS_NUMERIC) ? shape.n_numeric : shape.n_categorical) = 1;
  return shape;
}

double DrawEntry(std::uint64_t kind, plugin::Random& random) {
  switch (kind) {
    case 0:
      return 3.5;  // a constant
    case 1:
      return static_cast<double>(random.Below(3));  // ties
    case 2:
      return 100 * random.Normal();
    case 3:
      return 0.01 * random.Normal();
    default:
      return random.Normal();
  }
}

Column DrawNumbers(const DataShape& shape, const std::string& name, plugin::Random& random) {
  const std::uint64_t kind = random.Below(7);
  std::vector<double> entries;
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    const bool is_missing = shape.missing > 0 && random.Uniform() < shape.missing;
    entries.push_back(is_missing ? std::nan("") : DrawEntry(kind, random));
  }
  return Column::Doubles(name, std::move(entries));
}

Column DrawCategories(const DataShape& shape, const std::string& name, std::int64_t n_levels,
                      double missing, plugin::Random& random) {
  const std::uint64_t used = 1 + random.Below(static_cast<std::uint64_t>(n_levels));
  std::vector<std::int32_t> codes;
  std::vector<std::string> levels;
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    const bool is_missing = missing > 0 && random.Uniform() < missing;
    codes.push_back(is_missing ? -1 : static_cast<std::int32_t>(random.Below(used)));
  }
  for (std::int64_t c = 0; c < n_levels; ++c) levels.push_back("level " + std::to_string(c));
  return Column::Categories(name, std::move(codes), std::move(levels));
}

DataPtr DrawOf(const DataShape& shape, plugin::Random& random) {
  std::vector<Column> columns;
  for (std::int64_t j = 0; j < shape.n_numeric; ++j) {
    columns.push_back(DrawNumbers(shape, "n" + std::to_string(j), random));
  }
  for (std::int64_t j = 0; j < shape.n_categorical; ++j) {
    const auto n_levels = 1 + static_cast<std::int64_t>(random.Below(5));
    columns.push_back(
        DrawCategories(shape, "c" + std::to_string(j), n_levels, shape.missing, random));
  }
  DataShape whole = shape;
  whole.missing = 0;
  if (shape.task == Task::kRegression) {
    columns.push_back(DrawNumbers(whole, "y", random));
  } else {
    columns.push_back(DrawCategories(whole, "y", shape.n_classes, 0, random));
  }
  Roles roles{.target = "y"};
  if (shape.weights) {
    std::vector<double> weights;
    for (std::int64_t i = 0; i < shape.n_rows; ++i) {
      weights.push_back(random.Below(5) == 0 ? 0 : 2 * random.Uniform());
    }
    weights.front() = 1;  // not all may be 0
    columns.push_back(Column::Doubles("w", std::move(weights)));
    roles.weights = "w";
  }
  return Dataset::Create("fuzz", std::move(columns), roles);
}

}  // namespace

DataPtr DrawData(const Component& component, plugin::Random& random) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    const DataShape shape = Within(component, DrawShape(random));
    if (Accepts(component, shape)) return DrawOf(shape, random);
  }
  return nullptr;
}

}  // namespace crossfold::check
