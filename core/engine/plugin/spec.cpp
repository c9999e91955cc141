#include "crossfold/spec.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <deque>
#include <iterator>
#include <utility>

#include "crossfold/nearest_name.h"
#include "engine/plugin/object_param.h"
#include "engine/plugin/param_check.h"
#include "engine/plugin/problems.h"
#include "engine/text/ascii.h"

namespace crossfold {
namespace {

ParamSpec ColumnListParam(std::string_view name, const char* doc) {
  ParamSpec spec;
  spec.name = name;
  spec.doc = doc;
  spec.type = CF_P_STRING;
  spec.flags = CF_PF_NULLABLE;
  return spec;
}

ParamSpec ValidationParam() {
  ParamSpec spec;
  spec.name = Spec::kEarlyStoppingShare;
  spec.doc =
      "Share of the training rows that is held out before the transforms are fitted, for the "
      "learner to stop or choose by.";
  spec.type = CF_P_REAL;
  spec.flags = CF_PF_LO_OPEN | CF_PF_HI_OPEN | CF_PF_NULLABLE;
  spec.default_value = Null{};
  spec.lo = 0;
  spec.hi = 1;
  return spec;
}

const cf_cap_validation* ValidationOf(const Component& component) {
  return component.capability<cf_cap_validation>(CF_CAP_VALIDATION);
}

// The parameters that transforms, or learners that validate, have in addition to those that they
// declare.
std::span<const ParamSpec> AddedParamsOf(const Component& component) {
  static const ParamSpec kOfTransforms[] = {
      ColumnListParam(ColumnChoice::kColumns,
                      "Features that the transform gets: names, patterns and types."),
      ColumnListParam(ColumnChoice::kExcept, "Features that it does not get, in the same form.")};
  static const ParamSpec kOfLearners[] = {ValidationParam()};
  if (component.kind == Kind::kTransform) return kOfTransforms;
  if (ValidationOf(component) != nullptr) return kOfLearners;
  return {};
}

// Returns the declared parameter of that name, or the object that has the entry of that name.
const ParamSpec* DeclaredParam(const Component& component, std::string_view name) {
  const ParamSpec* param = ParamNamed(component, name);
  return param != nullptr ? param : ObjectOfEntry(component, name);
}

// Returns the parameter that a name means among those that the component declares and these.
const ParamSpec* AnyParamNamed(const Component& component, std::string_view name) {
  if (const ParamSpec* declared = DeclaredParam(component, name)) return declared;
  const std::span<const ParamSpec> added = AddedParamsOf(component);
  const auto found = std::ranges::find(added, name, &ParamSpec::name);
  return found == added.end() ? nullptr : &*found;
}

bool IsAdded(const Component& component, std::string_view name) {
  return DeclaredParam(component, name) == nullptr && AnyParamNamed(component, name) != nullptr;
}

bool IsColumnParam(const Component& component, std::string_view name) {
  return component.kind == Kind::kTransform && IsAdded(component, name);
}

// Checks a list of columns.
CheckedValue CheckColumns(const Component& component, const std::string& name, Value value) {
  if (component.changes_rows()) {
    return {{},
            "'" + name +
                "' cannot choose features for a transform that changes which rows "
                "train; leave it out"};
  }
  std::string problem = ColumnList::Normalize(name, value);
  return {std::move(value), std::move(problem)};
}

const Value& ValueOf(const ParamSpec& param, const ParamValues& given) {
  const auto it = given.find(param.name);
  return it == given.end() ? param.default_value : it->second;
}

std::string JoinedWithOr(const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += i + 1 == values.size() ? " or " : ", ";
    text += values[i];
  }
  return text;
}

// Whether the parameter has an effect only on fits with validation rows.
bool NeedsValidation(const Component& component, const ParamSpec& param) {
  const cf_cap_validation* table = ValidationOf(component);
  if (table == nullptr || table->params == nullptr) return false;
  return std::any_of(table->params, table->params + table->n_params,
                     [&](const char* name) { return name != nullptr && param.name == name; });
}

// Returns why `param` has no effect with these values, or "". A parameter also has no effect if the
// one that it depends on has none.
std::string WhyInactive(const Component& component, const ParamSpec& param,
                        const ParamValues& given) {
  if (NeedsValidation(component, param) && !given.contains(Spec::kEarlyStoppingShare)) {
    return "'" + param.name + "' has no effect without " + std::string(Spec::kEarlyStoppingShare);
  }
  const ParamSpec* dependent = &param;
  // The loop ends after as many steps as there are parameters, even if declarations are circular.
  for (std::size_t step = 0; step < component.params.size(); ++step) {
    if (dependent->active_if.empty()) return "";
    const std::optional<Condition> condition = ParseCondition(dependent->active_if);
    const ParamSpec* control = condition ? ParamNamed(component, condition->param) : nullptr;
    assert(control != nullptr);  // checked when the plugin was loaded
    if (control == nullptr) return "";
    const std::string value = ToText(ValueOf(*control, given));
    if (std::find(condition->values.begin(), condition->values.end(), value) ==
        condition->values.end()) {
      return "'" + param.name + "' has no effect while " + control->name + " = " + value +
             "; it needs " + control->name + " = " + JoinedWithOr(condition->values);
    }
    dependent = control;
  }
  return "";
}

std::string UnknownParam(const Component& component, const std::string& name) {
  if (name == Spec::kEarlyStoppingShare && component.kind == Kind::kLearner) {
    return "'" + name + "' needs a learner that offers " CF_CAP_VALIDATION;
  }
  std::vector<std::string> known;
  for (const ParamSpec& p : component.params) known.push_back(p.name);
  for (const ParamSpec& p : AddedParamsOf(component)) known.push_back(p.name);
  return "unknown parameter '" + name + "'; " + KnownNames(name, known);
}

// Checks the value of what AnyParamNamed returned for `name`. `good` has the values that were
// checked before it, among them the object of an entry.
CheckedValue CheckNamed(const Component& component, const ParamSpec& param, const std::string& name,
                        const Value& value, const ParamValues& good) {
  if (IsColumnParam(component, name)) return CheckColumns(component, name, value);
  if (name == param.name) return CheckValue(param, value);
  return WithEntry(param, ValueOf(param, good), name, value);
}

// Returns the problems, sorted by parameter. `good` gets the values without a problem, normalised.
// An object comes before its entries, which are then set in it.
std::vector<std::string> CheckValues(const Component& component, const ParamValues& values,
                                     ParamValues& good) {
  std::vector<std::string> problems;
  std::vector<const ParamSpec*> accepted;
  for (const auto& [name, value] : values) {
    const ParamSpec* param = AnyParamNamed(component, name);
    if (param == nullptr) {
      problems.push_back(UnknownParam(component, name));
      continue;
    }
    // For an added parameter null is as if it were not given.
    if (IsAdded(component, name) && std::holds_alternative<Null>(value)) continue;
    CheckedValue checked = CheckNamed(component, *param, name, value, good);
    if (!checked.problem.empty()) {
      problems.push_back(std::move(checked.problem));
      continue;
    }
    if (!good.contains(param->name)) accepted.push_back(param);
    good.insert_or_assign(param->name, std::move(checked.value));
  }
  for (const ParamSpec* param : accepted) {
    const std::optional<Condition> condition = ParseCondition(param->active_if);
    // A control with a problem of its own does not decide about parameters that depend on it.
    if (condition && values.contains(condition->param) && !good.contains(condition->param)) {
      continue;
    }
    std::string why = WhyInactive(component, *param, good);
    if (!why.empty()) problems.push_back(std::move(why));
  }
  return problems;
}

// Makes the argument of a value. `lists` keeps the arrays that lists of strings need.
cf_arg ToArg(const ParamSpec& param, const Value& value,
             std::deque<std::vector<const char*>>& lists) {
  cf_arg arg{};
  arg.name = param.name.c_str();
  arg.value.type = param.type;
  if (std::holds_alternative<Null>(value)) {
    arg.value.is_null = 1;
  } else if (param.type == CF_P_CHOICE) {
    arg.value.u.i = std::ranges::find(param.choices, ToText(value)) - param.choices.begin();
  } else if (const auto* b = std::get_if<bool>(&value)) {
    arg.value.u.i = *b ? 1 : 0;
  } else if (const auto* i = std::get_if<std::int64_t>(&value)) {
    arg.value.u.i = *i;
  } else if (const auto* r = std::get_if<double>(&value)) {
    arg.value.u.r = *r;
  } else if (const auto* s = std::get_if<std::string>(&value)) {
    arg.value.u.s.p = s->c_str();
    arg.value.u.s.n = s->size();
  } else if (const auto* il = std::get_if<std::vector<std::int64_t>>(&value)) {
    arg.value.u.il.p = il->data();
    arg.value.u.il.n = il->size();
  } else if (const auto* rl = std::get_if<std::vector<double>>(&value)) {
    arg.value.u.rl.p = rl->data();
    arg.value.u.rl.n = rl->size();
  } else if (const auto* sl = std::get_if<std::vector<std::string>>(&value)) {
    std::vector<const char*>& pointers = lists.emplace_back();
    for (const std::string& text : *sl) pointers.push_back(text.c_str());
    arg.value.u.sl.p = pointers.data();
    arg.value.u.sl.n = pointers.size();
  }
  return arg;
}

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// Free strings are quoted, so that no string can look like another parameter. Lists of columns are
// in brackets; a bracket inside has a backslash before it. Objects are JSON.
std::string IdentityText(const ParamSpec& param, bool is_columns, const Value& value) {
  if (is_columns) return "[" + ToText(value) + "]";
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    std::string list;
    for (const std::string& text : *texts) list += (list.empty() ? "" : ", ") + Quoted(text);
    return "{" + list + "}";
  }
  const auto* text = std::get_if<std::string>(&value);
  const bool is_free = text != nullptr && param.type == CF_P_STRING && !IsObject(param);
  return is_free ? Quoted(*text) : ToText(value);
}

// Shortens the text between two braces or brackets: of a long list of numbers it keeps the first
// ones.
std::string ShortList(std::string_view inside) {
  constexpr std::ptrdiff_t kMaxShown = 20, kFirst = 5;
  const std::ptrdiff_t n = std::ranges::count(inside, ',') + 1;
  if (n <= kMaxShown || !(IsDigit(inside[0]) || inside[0] == '-')) return std::string(inside);
  std::size_t end = 0;
  for (std::ptrdiff_t i = 0; i < kFirst; ++i) end = inside.find(',', end + 1);
  return std::string(inside.substr(0, end)) + ", and " + std::to_string(n - kFirst) + " more";
}

}  // namespace

bool IsActive(const Component& component, std::string_view param, const ParamValues& given) {
  const ParamSpec* spec = AnyParamNamed(component, param);
  assert(spec != nullptr);
  return WhyInactive(component, *spec, given).empty();
}

std::vector<const ParamSpec*> AddedParams(const Component& component) {
  std::vector<const ParamSpec*> params;
  if (component.changes_rows()) return params;  // no choice of features fits all rows
  for (const ParamSpec& param : AddedParamsOf(component)) {
    if (ParamNamed(component, param.name) == nullptr) params.push_back(&param);
  }
  return params;
}

std::vector<std::string> FindProblems(const Component& component, const ParamValues& values) {
  ParamValues good;
  return CheckValues(component, values, good);
}

std::shared_ptr<const Spec> Spec::Make(std::shared_ptr<const Component> component,
                                       const ParamValues& values) {
  assert(component != nullptr);
  const std::shared_ptr<Spec> spec(new Spec);
  const std::vector<std::string> problems = CheckValues(*component, values, spec->given_);
  if (!problems.empty()) {
    ThrowIfAny("cannot make " + std::string(KindName(component->kind)) + " '" +
                   std::string(ShortId(component->id)) + "'",
               problems);
  }
  spec->component_ = std::move(component);
  const ParamValues added = spec->added();
  if (!added.empty() && spec->component_->kind == Kind::kTransform) spec->columns_.emplace(added);
  const std::vector<ParamSpec>& params = spec->component_->params;
  spec->values_.reserve(params.size());
  spec->args_.reserve(params.size());
  for (const ParamSpec& param : params) {
    // The arguments point into values_, which does not change any more.
    spec->values_.push_back(ValueOf(param, spec->given_));
    spec->args_.push_back(ToArg(param, spec->values_.back(), spec->string_lists_));
  }
  return spec;
}

std::shared_ptr<const Spec> Spec::With(const ParamValues& changes) const {
  ParamValues values = changes;
  values.insert(given_.begin(), given_.end());
  return Make(component_, values);
}

ParamValues Spec::WithoutInactive(const ParamValues& changes) const {
  ParamValues values = changes, active;
  values.insert(given_.begin(), given_.end());
  for (const auto& [name, value] : changes) {
    if (FindParam(name) == nullptr || IsActive(*component_, name, values)) {
      active.emplace(name, value);
    }
  }
  return active;
}

std::optional<double> Spec::early_stopping_share() const {
  const auto it = given_.find(kEarlyStoppingShare);
  if (it == given_.end() || !IsAdded(*component_, kEarlyStoppingShare)) return std::nullopt;
  return std::get<double>(it->second);
}

ParamValues Spec::added() const {
  ParamValues values;
  for (const auto& [name, value] : given_) {
    if (IsAdded(*component_, name)) values.emplace(name, value);
  }
  return values;
}

bool Spec::has_param(std::string_view name) const {
  return DeclaredParam(*component_, name) != nullptr;
}

const ParamSpec* Spec::FindParam(std::string_view name) const {
  return AnyParamNamed(*component_, name);
}

std::string Spec::TextWithout(std::uint32_t flags) const {
  std::string text(ShortId(component_->id));
  const char* separator = "{";
  for (const auto& [name, value] : given_) {
    const ParamSpec& param = *FindParam(name);
    if ((param.flags & flags) != 0) continue;
    text += separator + name + "=" + IdentityText(param, IsColumnParam(*component_, name), value);
    separator = ",";
  }
  return *separator == '{' ? text : text + "}";
}

std::string ShortSpecText(std::string_view text) {
  std::string result;
  constexpr std::string_view kOpening = "{[", kAny = "{}[]";
  for (std::size_t open = text.find_first_of(kOpening); open != text.npos;
       open = text.find_first_of(kOpening)) {
    result += text.substr(0, open + 1);
    text.remove_prefix(open + 1);
    const std::string_view inside = text.substr(0, text.find_first_of(kAny));
    result += ShortList(inside);
    text.remove_prefix(inside.size());
  }
  return result.append(text);
}

}  // namespace crossfold
