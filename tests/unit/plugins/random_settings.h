// Small random data, for tests that walk over all bundled components.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check/random_settings.h"
#include "crossfold_plugin/random.hpp"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {

inline Column DrawFeature(const std::string& name, std::uint64_t kind, std::int64_t n,
                          plugin::Random& random) {
  std::vector<double> entries;
  std::vector<std::int32_t> codes;
  for (std::int64_t i = 0; i < n; ++i) {
    codes.push_back(static_cast<std::int32_t>(random.Below(3)));
    const double with_ties = static_cast<double>(random.Below(4));
    entries.push_back(kind == 1 ? with_ties : kind == 2 ? 3.5 : random.Normal());
    if (kind == 3 && random.Below(4) == 0) entries.back() = std::nan("");
  }
  if (kind >= 4) return Column::Categories(name, std::move(codes), {"a", "b", "c", "never"});
  return Column::Doubles(name, std::move(entries));
}

// Numbers alone, categories alone, or both with missing entries; classes or numbers to predict.
inline DataPtr DrawData(bool classes, plugin::Random& random) {
  const std::int64_t n = std::vector<std::int64_t>{1, 2, 5, 20, 40}[random.Below(5)];
  const auto mix = random.Below(3);
  std::vector<Column> columns;
  const auto n_features = 1 + random.Below(4);
  for (std::uint64_t j = 0; j < n_features; ++j) {
    const std::uint64_t kind = mix == 0 ? random.Below(3) : mix == 1 ? 4 : random.Below(5);
    columns.push_back(DrawFeature("x" + std::to_string(j), kind, n, random));
  }
  std::vector<std::int32_t> labels;
  std::vector<double> values;
  for (std::int64_t i = 0; i < n; ++i) {
    labels.push_back(static_cast<std::int32_t>(random.Below(3)));
    values.push_back(random.Normal());
  }
  columns.push_back(classes ? Column::Categories("y", labels, {"p", "q", "r"})
                            : Column::Doubles("y", values));
  return Dataset::Create("drawn", std::move(columns), {.target = "y"});
}

}  // namespace crossfold
