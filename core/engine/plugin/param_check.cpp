#include "engine/plugin/param_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "crossfold/nearest_name.h"
#include "engine/plugin/object_param.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

constexpr std::int64_t kNoLow = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kNoHigh = std::numeric_limits<std::int64_t>::max();

bool InRange(const ParamSpec& p, std::int64_t x) {
  const bool above = (p.flags & CF_PF_LO_OPEN) != 0 ? x > p.ilo : x >= p.ilo;
  const bool below = (p.flags & CF_PF_HI_OPEN) != 0 ? x < p.ihi : x <= p.ihi;
  return above && below;
}

// Whether `x` is in the range. NaN and infinities are in no range.
bool InRange(const ParamSpec& p, double x) {
  if (!std::isfinite(x)) return false;
  const bool above = (p.flags & CF_PF_LO_OPEN) != 0 ? x > p.lo : x >= p.lo;
  const bool below = (p.flags & CF_PF_HI_OPEN) != 0 ? x < p.hi : x <= p.hi;
  return above && below;
}

std::optional<std::int64_t> ToInteger(double x) {
  // Both bounds are exact as doubles; the upper one is 2^63.
  if (!(x >= -0x1p63 && x < 0x1p63) || x != std::trunc(x)) return std::nullopt;
  return static_cast<std::int64_t>(x);
}

std::optional<std::int64_t> AsInteger(const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return *i;
  if (const auto* r = std::get_if<double>(&value)) return ToInteger(*r);
  return std::nullopt;
}

std::optional<double> AsReal(const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* r = std::get_if<double>(&value)) return *r;
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> AsIntegers(const Value& value) {
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) return *list;
  const auto* reals = std::get_if<std::vector<double>>(&value);
  if (reals == nullptr) return std::nullopt;
  std::vector<std::int64_t> list;
  for (const double x : *reals) {
    const std::optional<std::int64_t> i = ToInteger(x);
    if (!i) return std::nullopt;
    list.push_back(*i);
  }
  return list;
}

std::optional<std::vector<double>> AsReals(const Value& value) {
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
  if (integers == nullptr) return std::nullopt;
  return std::vector<double>(integers->begin(), integers->end());
}

template <class T>
bool AllInRange(const ParamSpec& p, const std::vector<T>& list) {
  for (const T x : list) {
    if (!InRange(p, x)) return false;
  }
  return true;
}

// Returns "k = 0" or "distance = 'euclid'".
std::string Given(const ParamSpec& p, const Value& value) {
  const bool is_text = std::holds_alternative<std::string>(value);
  return p.name + " = " + (is_text ? "'" + ToText(value) + "'" : ToText(value));
}

// Returns "an integer in [1, 10], or none".
std::string Requirement(const ParamSpec& p) {
  std::string text;
  switch (p.type) {
    case CF_P_REAL:
      text = "a number" + RangeText(p);
      break;
    case CF_P_INT:
      text = "an integer" + RangeText(p);
      break;
    case CF_P_BOOL:
      text = "true or false";
      break;
    case CF_P_CHOICE:
      for (const std::string& choice : p.choices) text += (text.empty() ? "" : ", ") + choice;
      text = "one of " + text;
      break;
    case CF_P_STRING:
      text = IsObject(p) ? "a JSON object" : "a string";
      break;
    case CF_P_INT_LIST:
      text = "a list of integers" + RangeText(p);
      break;
    case CF_P_STRING_LIST:
      text = "a list of strings";
      break;
    default:
      text = "a list of numbers" + RangeText(p);
      break;
  }
  return (p.flags & CF_PF_NULLABLE) != 0 ? text + ", or none" : text;
}

CheckedValue WrongType(const ParamSpec& p, const Value& value) {
  return {Null{}, Given(p, value) + " is of the wrong type; it must be " + Requirement(p)};
}

CheckedValue OutOfRange(const ParamSpec& p, const Value& value) {
  const auto* real = std::get_if<double>(&value);
  if (real != nullptr && !std::isfinite(*real)) {
    return {Null{}, Given(p, value) + " is not finite; it must be " + Requirement(p)};
  }
  const bool is_list = p.type == CF_P_INT_LIST || p.type == CF_P_REAL_LIST;
  const char* finding = is_list ? " has an element out of range" : " is out of range";
  return {Null{}, Given(p, value) + finding + "; it must be " + Requirement(p)};
}

CheckedValue CheckChoice(const ParamSpec& p, const Value& value) {
  const bool is_text = std::holds_alternative<std::string>(value);
  if (!is_text && !std::holds_alternative<bool>(value)) return WrongType(p, value);
  const std::string name = ToText(value);
  if (std::ranges::find(p.choices, name) != p.choices.end()) return {ChoiceValue(name), ""};
  if (!is_text) return WrongType(p, value);
  return {Null{}, Given(p, value) + " is not a choice; " + KnownNames(name, p.choices)};
}

template <class T>
CheckedValue CheckNumber(const ParamSpec& p, const Value& value, const std::optional<T>& x) {
  if (!x) return WrongType(p, value);
  return InRange(p, *x) ? CheckedValue{*x, ""} : OutOfRange(p, value);
}

template <class T>
CheckedValue CheckList(const ParamSpec& p, const Value& value, std::optional<std::vector<T>> list) {
  if (!list) return WrongType(p, value);
  return AllInRange(p, *list) ? CheckedValue{*std::move(list), ""} : OutOfRange(p, value);
}

// An empty list counts as a list of strings, because it has no type of its own.
CheckedValue CheckStrings(const ParamSpec& p, const Value& value) {
  if (std::holds_alternative<std::vector<std::string>>(value)) return {value, ""};
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
  if (integers != nullptr && integers->empty()) return {std::vector<std::string>(), ""};
  return WrongType(p, value);
}

std::string Bounded(bool low_open, const std::string& low, const std::string& high,
                    bool high_open) {
  if (low.empty() && high.empty()) return "";
  if (high.empty()) return (low_open ? " > " : " >= ") + low;
  if (low.empty()) return (high_open ? " < " : " <= ") + high;
  return (low_open ? " in (" : " in [") + low + ", " + high + (high_open ? ")" : "]");
}

}  // namespace

const ParamSpec* ParamNamed(const Component& component, std::string_view name) {
  for (const ParamSpec& param : component.params) {
    if (param.name == name) return &param;
  }
  return nullptr;
}

bool IsInteger(const ParamSpec& p) { return p.type == CF_P_INT || p.type == CF_P_INT_LIST; }
bool IsReal(const ParamSpec& p) { return p.type == CF_P_REAL || p.type == CF_P_REAL_LIST; }

std::string RangeText(const ParamSpec& p) {
  const bool low_open = (p.flags & CF_PF_LO_OPEN) != 0;
  const bool high_open = (p.flags & CF_PF_HI_OPEN) != 0;
  if (IsInteger(p)) {
    return Bounded(low_open, p.ilo == kNoLow ? "" : std::to_string(p.ilo),
                   p.ihi == kNoHigh ? "" : std::to_string(p.ihi), high_open);
  }
  if (IsReal(p)) {
    return Bounded(low_open, std::isinf(p.lo) ? "" : FormatShortest(p.lo),
                   std::isinf(p.hi) ? "" : FormatShortest(p.hi), high_open);
  }
  return "";
}

CheckedValue CheckValue(const ParamSpec& p, const Value& value) {
  if (std::holds_alternative<Null>(value)) {
    if ((p.flags & CF_PF_NULLABLE) != 0) return {Null{}, ""};
    return {Null{}, Given(p, value) + " is not allowed; it must be " + Requirement(p)};
  }
  switch (p.type) {
    case CF_P_REAL:
      return CheckNumber(p, value, AsReal(value));
    case CF_P_INT:
      return CheckNumber(p, value, AsInteger(value));
    case CF_P_BOOL:
      return std::holds_alternative<bool>(value) ? CheckedValue{value, ""} : WrongType(p, value);
    case CF_P_CHOICE:
      return CheckChoice(p, value);
    case CF_P_STRING:
      if (IsObject(p)) return CheckObject(p, value);
      return std::holds_alternative<std::string>(value) ? CheckedValue{value, ""}
                                                        : WrongType(p, value);
    case CF_P_INT_LIST:
      return CheckList(p, value, AsIntegers(value));
    case CF_P_STRING_LIST:
      return CheckStrings(p, value);
    default:
      return CheckList(p, value, AsReals(value));
  }
}

Value ChoiceValue(const std::string& choice) {
  if (choice == "true" || choice == "false") return choice == "true";
  return choice;
}

std::optional<Condition> ParseCondition(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  Condition condition;
  condition.param = text.substr(0, equals);
  for (std::string_view rest = text.substr(equals + 1);;) {
    const std::size_t comma = rest.find(',');
    const std::string_view value = rest.substr(0, comma);
    if (value.empty()) return std::nullopt;
    condition.values.emplace_back(value);
    if (comma == std::string_view::npos) return condition;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace crossfold
