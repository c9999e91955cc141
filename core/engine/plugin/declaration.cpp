#include "engine/plugin/declaration.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "crossfold/error.h"
#include "engine/plugin/param_check.h"

namespace crossfold {
namespace {

// Whether the name is [a-z][a-z0-9_]*.
bool IsParamName(std::string_view name) {
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

std::string FindChoiceDefect(const ParamSpec& param) {
  if (param.choices.empty()) return "it has no choices";
  std::set<std::string_view> seen;
  for (const std::string& choice : param.choices) {
    if (choice.empty()) return "it has a choice without a name";
    if (!seen.insert(choice).second) return "it has the choice '" + choice + "' twice";
  }
  const bool is_nullable = (param.flags & CF_PF_NULLABLE) != 0;
  return is_nullable && seen.contains("none") ? "'none' is both a choice and the missing value"
                                              : "";
}

std::string FindConditionDefect(const ParamSpec& param, const std::vector<ParamSpec>& params) {
  if (param.active_if.empty()) return "";
  const std::string text = "its condition '" + param.active_if + "' ";
  const std::optional<Condition> condition = ParseCondition(param.active_if);
  if (!condition) return text + "is not NAME=VALUE";
  const auto control = std::find_if(params.begin(), params.end(),
                                    [&](const ParamSpec& p) { return p.name == condition->param; });
  if (control == params.end() || control->name == param.name) {
    return text + "does not name another parameter";
  }
  if (control->type != CF_P_CHOICE) return "";
  for (const std::string& value : condition->values) {
    if (std::find(control->choices.begin(), control->choices.end(), value) ==
        control->choices.end()) {
      return text + "does not name a choice of " + control->name;
    }
  }
  return "";
}

}  // namespace

std::string FindDefect(const ParamSpec& param) {
  if (!IsParamName(param.name)) return "names are made of a-z, 0-9 and '_'";
  if (param.type < CF_P_REAL || param.type > CF_P_STRING_LIST) {
    return "its type " + std::to_string(param.type) + " is unknown";
  }
  if (IsReal(param) && !(param.lo <= param.hi)) return "its range is empty";
  if (IsInteger(param) && param.ilo > param.ihi) return "its range is empty";
  if (param.type == CF_P_CHOICE) {
    std::string defect = FindChoiceDefect(param);
    if (!defect.empty()) return defect;
  }
  const CheckedValue checked = CheckValue(param, param.default_value);
  return checked.problem.empty() ? "" : "its default is refused: " + checked.problem;
}

std::string FindDefect(const std::vector<ParamSpec>& params) {
  const auto named = [](const ParamSpec& param, const std::string& defect) {
    return "parameter '" + param.name + "': " + defect;
  };
  std::set<std::string_view> names;
  for (const ParamSpec& param : params) {
    const std::string defect = FindDefect(param);
    if (!defect.empty()) return named(param, defect);
    if (!names.insert(param.name).second) return named(param, "it is declared twice");
  }
  for (const ParamSpec& param : params) {
    const std::string defect = FindConditionDefect(param, params);
    if (!defect.empty()) return named(param, defect);
  }
  return "";
}

std::shared_ptr<const Component> DeclareComponent(Kind kind, std::string id,
                                                  std::vector<ParamSpec> params) {
  const std::string defect = FindDefect(params);
  if (!defect.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot declare " + std::string(KindName(kind)) + " '" + id + "': " + defect);
  }
  auto component = std::make_shared<Component>();
  component->kind = kind;
  component->id = std::move(id);
  component->params = std::move(params);
  NormalizeDefaults(component->params);
  return component;
}

void NormalizeDefaults(std::vector<ParamSpec>& params) {
  for (ParamSpec& param : params) {
    param.default_value = CheckValue(param, param.default_value).value;
  }
}

}  // namespace crossfold
