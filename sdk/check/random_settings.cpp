#include "check/random_settings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "crossfold/spec.h"
#include "engine/plugin/param_check.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

constexpr std::int64_t kSpread = 12;     // of whole numbers that are drawn
constexpr std::int64_t kMaxSteps = 100;  // from the least whole number to a bound
constexpr double kMaxReal = 1e6;

bool IsOpen(const ParamSpec& param, std::uint32_t flag) { return (param.flags & flag) != 0; }

double DrawReal(const ParamSpec& param, plugin::Random& random) {
  const double low = std::isfinite(param.lo) ? param.lo : -2;
  const double high = std::isfinite(param.hi) && param.hi < kMaxReal ? param.hi : low + 3;
  switch (random.Below(4)) {
    case 0:
      if (!IsOpen(param, CF_PF_LO_OPEN)) return low;
      break;
    case 1:
      if (!IsOpen(param, CF_PF_HI_OPEN)) return high;
      break;
    default:
      break;
  }
  // Neither bound: Uniform() may be 0.
  return low + (high - low) * (0.001 + 0.998 * random.Uniform());
}

std::int64_t DrawInteger(const ParamSpec& param, plugin::Random& random) {
  const std::int64_t low = std::max<std::int64_t>(param.ilo, -kSpread);
  const std::int64_t high = std::max(low, std::min(param.ihi, low + kSpread));
  return low + static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(high - low) + 1));
}

// Nothing for types for which random values are not useful.
std::optional<Value> DrawValue(const ParamSpec& param, plugin::Random& random) {
  if ((param.flags & CF_PF_NULLABLE) != 0 && random.Below(3) == 0) return Null{};
  switch (param.type) {
    case CF_P_BOOL:
      return random.Below(2) == 1;
    case CF_P_CHOICE:
      return param.choices[random.Below(param.choices.size())];
    case CF_P_INT:
      return DrawInteger(param, random);
    case CF_P_REAL:
      return DrawReal(param, random);
    case CF_P_STRING:
      if (IsObject(param)) return std::string("{}");
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// A number just inside of an open bound: not the very next one, with which no arithmetic is left.
double Inside(double bound, double other) {
  const double step = 1e-6 * std::max(1.0, std::abs(bound));
  return bound < other ? std::min(bound + step, (bound + other) / 2)
                       : std::max(bound - step, (bound + other) / 2);
}

// The value that the text of a condition means.
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

}  // namespace

bool MisbehavesOnRequest(const Component& component) { return component.id == "crossfold.debug"; }

SpecPtr DrawSpec(const std::shared_ptr<const Component>& component, plugin::Random& random) {
  ParamValues values;
  if (MisbehavesOnRequest(*component)) return Spec::Make(component, values);
  for (const ParamSpec& param : component->params) {
    if (random.Below(2) == 0) continue;
    if (auto value = DrawValue(param, random)) values[param.name] = std::move(*value);
  }
  // Repeated for the number of parameters, as removing one may make another inactive.
  for (std::size_t round = 0; round < component->params.size(); ++round) {
    for (const ParamSpec& param : component->params) {
      if (values.count(param.name) != 0 && !IsActive(*component, param.name, values)) {
        values.erase(param.name);
      }
    }
  }
  // The drawn values are valid if the declaration is, which other checks test.
  if (!FindProblems(*component, values).empty()) values.clear();
  return Spec::Make(component, values);
}

SpecPtr DrawSharing(const Spec& defaults, plugin::Random& random) {
  ParamValues values = DrawSpec(defaults.shared_component(), random)->given();
  for (const ParamSpec& param : defaults.component().params) {
    if ((param.flags & CF_PF_PREPARE) != 0) values.erase(param.name);
  }
  const bool is_legal = FindProblems(defaults.component(), values).empty();
  return defaults.With(is_legal ? values : ParamValues());
}

std::vector<SpecPtr> SpecsAtBounds(const std::shared_ptr<const Component>& component) {
  std::vector<SpecPtr> specs = {Spec::Make(component, {})};
  if (MisbehavesOnRequest(*component)) return specs;
  for (const ParamSpec& param : component->params) {
    for (Value& value : ValuesAtBounds(param)) {
      const ParamValues values = {{param.name, std::move(value)}};
      if (FindProblems(*component, values).empty()) specs.push_back(Spec::Make(component, values));
    }
  }
  return specs;
}

std::vector<Value> ValuesAtBounds(const ParamSpec& param) {
  std::vector<Value> values;
  if (param.type == CF_P_BOOL) {
    values.emplace_back(false);
    values.emplace_back(true);
  }
  for (const std::string& choice : param.choices) values.emplace_back(choice);
  if (param.type == CF_P_INT) {
    if (param.ilo > -kMaxSteps) values.emplace_back(param.ilo);
    const std::int64_t least = std::max<std::int64_t>(param.ilo, 0);
    if (param.ihi - least <= kMaxSteps) values.emplace_back(param.ihi);
  }
  if (param.type == CF_P_REAL) {
    if (std::isfinite(param.lo)) {
      values.emplace_back(IsOpen(param, CF_PF_LO_OPEN) ? Inside(param.lo, param.hi) : param.lo);
    }
    if (std::isfinite(param.hi)) {
      values.emplace_back(IsOpen(param, CF_PF_HI_OPEN) ? Inside(param.hi, param.lo) : param.hi);
    }
  }
  if ((param.flags & CF_PF_NULLABLE) != 0) values.emplace_back(Null{});
  return values;
}

std::optional<ParamValues> SettingWith(const Component& component, const ParamSpec& param,
                                       const Value& value) {
  ParamValues values = {{param.name, value}};
  const ParamSpec* dependent = &param;
  for (std::size_t step = 0; step < component.params.size(); ++step) {
    const std::optional<Condition> condition = ParseCondition(dependent->active_if);
    if (!condition) break;
    dependent = ParamNamed(component, condition->param);
    if (dependent == nullptr) return std::nullopt;
    const auto wanted = ValueFrom(*dependent, condition->values.front());
    if (!wanted || !values.emplace(dependent->name, *wanted).second) return std::nullopt;
  }
  if (FindProblems(component, values).empty()) return values;
  values.emplace(Spec::kEarlyStoppingShare, 0.25);  // some have an effect with it only
  if (!FindProblems(component, values).empty()) return std::nullopt;
  return values;
}

}  // namespace crossfold::check
