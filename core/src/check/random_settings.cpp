#include "check/random_settings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "crossfold/spec.h"
#include "plugin/param_check.h"
#include "text/format_number.h"

namespace crossfold::check {
namespace {

// So much above its least value a whole number is drawn.
constexpr std::int64_t kSpread = 12;

std::int64_t Between(plugin::Random& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(high - low) + 1));
}

double DrawReal(const ParamSpec& param, plugin::Random& random) {
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

// Whether the other values make the parameter matter; those that are not given do not.
bool IsActiveAmong(const ParamSpec& param, const ParamValues& values) {
  const std::optional<Condition> condition = ParseCondition(param.active_if);
  if (!condition) return true;
  const auto found = values.find(condition->param);
  if (found == values.end()) return false;
  return std::find(condition->values.begin(), condition->values.end(), ToText(found->second)) !=
         condition->values.end();
}

const ParamSpec* FindParam(const Component& component, const std::string& name) {
  for (const ParamSpec& param : component.params) {
    if (param.name == name) return &param;
  }
  return nullptr;
}

// The value that a condition means by its text.
std::optional<Value> ValueFrom(const ParamSpec& param, const std::string& text) {
  if (text == "none" && (param.flags & CF_PF_NULLABLE) != 0) return Null{};
  switch (param.type) {
    case CF_P_BOOL:
      return text == "true";
    case CF_P_INT:
      if (const auto number = ParseInteger(text)) return *number;
      return std::nullopt;
    case CF_P_CHOICE:
    case CF_P_STRING:
      return text;
    default:
      return std::nullopt;
  }
}

void AddEnds(const ParamSpec& param, std::vector<double>&& candidates, std::vector<Value>& ends) {
  for (const double x : candidates) {
    if (CheckValue(param, x).problem.empty()) ends.emplace_back(x);
  }
}

}  // namespace

std::optional<Value> DrawValue(const ParamSpec& param, plugin::Random& random) {
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

ParamValues DrawSettings(const Component& component, plugin::Random& random) {
  ParamValues values;
  for (const ParamSpec& param : component.params) {
    if (random.Below(2) == 0) continue;
    if (auto value = DrawValue(param, random)) values[param.name] = std::move(*value);
  }
  // Twice, as one that goes may have made another matter.
  for (int round = 0; round < 2; ++round) {
    for (const ParamSpec& param : component.params) {
      if (!IsActiveAmong(param, values)) values.erase(param.name);
    }
  }
  return values;
}

std::vector<Value> EndsOf(const ParamSpec& param) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  constexpr std::int64_t kMostAbove = 1000;
  std::vector<Value> ends;
  if ((param.flags & CF_PF_NULLABLE) != 0) ends.emplace_back(Null{});
  if (param.type == CF_P_BOOL) {
    ends.insert(ends.end(), {Value(false), Value(true)});
  } else if (param.type == CF_P_CHOICE) {
    ends.insert(ends.end(), param.choices.begin(), param.choices.end());
  } else if (param.type == CF_P_REAL) {
    const bool is_low_open = (param.flags & CF_PF_LO_OPEN) != 0;
    const bool is_high_open = (param.flags & CF_PF_HI_OPEN) != 0;
    AddEnds(param,
            {is_low_open ? std::nextafter(param.lo, kFar) : param.lo,
             is_high_open ? std::nextafter(param.hi, -kFar) : param.hi},
            ends);
  } else if (param.type == CF_P_INT) {
    const std::int64_t low = param.ilo + ((param.flags & CF_PF_LO_OPEN) != 0 ? 1 : 0);
    const std::int64_t high = param.ihi - ((param.flags & CF_PF_HI_OPEN) != 0 ? 1 : 0);
    // Not the ends of the type: they mean that there is no bound.
    if (param.ilo != std::numeric_limits<std::int64_t>::min()) {
      ends.emplace_back(low);
      if (high > low && high - low <= kMostAbove) ends.emplace_back(high);
    }
  }
  return ends;
}

std::optional<ParamValues> SettingWith(const Component& component, const ParamSpec& param,
                                       const Value& value) {
  ParamValues values = {{param.name, value}};
  const ParamSpec* dependent = &param;
  for (std::size_t step = 0; step < component.params.size(); ++step) {
    const std::optional<Condition> condition = ParseCondition(dependent->active_if);
    if (!condition) break;
    dependent = FindParam(component, condition->param);
    if (dependent == nullptr) return std::nullopt;
    const auto wanted = ValueFrom(*dependent, condition->values.front());
    if (!wanted || !values.emplace(dependent->name, *wanted).second) return std::nullopt;
  }
  if (!FindProblems(component, values).empty()) return std::nullopt;
  return values;
}

}  // namespace crossfold::check
