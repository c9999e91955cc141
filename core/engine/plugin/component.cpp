#include "crossfold/component.h"

#include <algorithm>

#include "engine/plugin/param_check.h"

namespace crossfold {
namespace {

constexpr std::string_view kBundledPrefix = "crossfold.";

std::string TypeText(const ParamSpec& param) {
  switch (param.type) {
    case CF_P_REAL:
      return "real" + RangeText(param);
    case CF_P_INT:
      return "integer" + RangeText(param);
    case CF_P_BOOL:
      return "true or false";
    case CF_P_CHOICE: {
      std::string names;
      for (const std::string& choice : param.choices) {
        names += (names.empty() ? "" : ", ") + choice;
      }
      return "one of " + names;
    }
    case CF_P_STRING:
      return IsObject(param) ? "object" : "string";
    case CF_P_INT_LIST:
      return "list of integers" + RangeText(param);
    case CF_P_STRING_LIST:
      return "list of strings";
    default:
      return "list of reals" + RangeText(param);
  }
}

}  // namespace

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kLearner:
      return "learner";
    case Kind::kTransform:
      return "transform";
    case Kind::kSplitter:
      return "splitter";
    case Kind::kMetric:
      return "metric";
    case Kind::kSource:
      break;
  }
  return "source";
}

bool ComponentIds::empty() const {
  return std::all_of(ids_.begin(), ids_.end(), [](const auto& list) { return list.empty(); });
}

std::vector<std::string> ComponentIds::all() const {
  std::vector<std::string> all;
  for (const std::vector<std::string>& list : ids_) all.insert(all.end(), list.begin(), list.end());
  return all;
}

const cf_info* Component::info() const {
  if (learner != nullptr) return &learner->info;
  if (transform != nullptr) return &transform->info;
  if (splitter != nullptr) return &splitter->info;
  if (metric != nullptr) return &metric->info;
  return source != nullptr ? &source->info : nullptr;
}

bool IsObject(const ParamSpec& param) {
  return param.type == CF_P_STRING && (param.flags & CF_PF_OBJECT) != 0;
}

std::string Describe(const ParamSpec& param) {
  std::string text = TypeText(param);
  if (!param.unit.empty()) text += ", in " + param.unit;
  if ((param.flags & CF_PF_NULLABLE) != 0) text += ", or none";
  const std::string value = ToText(param.default_value);
  const bool is_text = std::holds_alternative<std::string>(param.default_value);
  return text + ", default " +
         (is_text && param.type == CF_P_STRING && !IsObject(param) ? "'" + value + "'" : value);
}

std::string_view ShortId(std::string_view id) {
  const std::string_view rest = id.substr(std::min(id.size(), kBundledPrefix.size()));
  return id.starts_with(kBundledPrefix) && !rest.empty() ? rest : id;
}

}  // namespace crossfold
