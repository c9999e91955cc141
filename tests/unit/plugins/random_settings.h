// Random settings of bundled components on small random data: for tests that walk over all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {

// ---- settings -----------------------------------------------------------------------------------

// So much above its least value a whole number is drawn: rounds, trees and epochs stay few.
constexpr std::int64_t kSpread = 12;

inline std::int64_t Between(plugin::Random& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(high - low) + 1));
}

inline double DrawReal(const ParamSpec& param, plugin::Random& random) {
  const double low = std::isfinite(param.lo) ? param.lo : -2;
  const double high = std::isfinite(param.hi) && param.hi < 1e6 ? param.hi : low + 3;
  switch (random.Below(4)) {
    case 0:
      return low;
    case 1:
      return high;
    default:
      return low + (high - low) * random.Uniform();
  }
}

// Nothing for types of which a random value says little: texts and lists.
inline std::optional<Value> DrawValue(const ParamSpec& param, plugin::Random& random) {
  if ((param.flags & CF_PF_NULLABLE) != 0 && random.Below(3) == 0) return Null{};
  switch (param.type) {
    case CF_P_BOOL:
      return random.Below(2) == 1;
    case CF_P_CHOICE:
      return param.choices[random.Below(param.choices.size())];
    case CF_P_INT: {
      const std::int64_t low = std::max<std::int64_t>(param.ilo, -kSpread);
      return Between(random, low, std::min(param.ihi, low + kSpread));
    }
    case CF_P_REAL:
      return DrawReal(param, random);
    default:
      return std::nullopt;
  }
}

// Whether the other values make the parameter matter: "kernel=rbf,poly".
inline bool IsActive(const ParamSpec& param, const ParamValues& values) {
  if (param.active_if.empty()) return true;
  const std::size_t equals = param.active_if.find('=');
  const auto found = values.find(param.active_if.substr(0, equals));
  if (found == values.end()) return false;
  const std::string wanted = "," + param.active_if.substr(equals + 1) + ",";
  return wanted.find("," + ToText(found->second) + ",") != std::string::npos;
}

inline ParamValues DrawSettings(const Component& component, plugin::Random& random) {
  ParamValues values;
  for (const ParamSpec& param : component.params) {
    if (random.Below(2) == 0) continue;
    if (auto value = DrawValue(param, random)) values[param.name] = std::move(*value);
  }
  // Twice, as one that goes may have made another matter.
  for (int round = 0; round < 2; ++round) {
    for (const ParamSpec& param : component.params) {
      if (!IsActive(param, values)) values.erase(param.name);
    }
  }
  return values;
}

// ---- data ---------------------------------------------------------------------------------------

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

// ---- components ---------------------------------------------------------------------------------

inline std::vector<std::string> BundledIds() {
  std::vector<std::string> ids;
  for (const PluginEntry& entry : BundledPlugins().entries()) {
    for (const std::string& id : entry.learners) {
      if (id != "crossfold.debug") ids.push_back(id);
    }
    ids.insert(ids.end(), entry.transforms.begin(), entry.transforms.end());
  }
  return ids;
}

}  // namespace crossfold
