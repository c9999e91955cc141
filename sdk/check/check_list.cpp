#include "check/check_list.h"

#include <optional>
#include <string_view>

#include "crossfold/component.h"
#include "crossfold/plugin_check.h"

namespace crossfold::check {

std::vector<Check> AllChecks() {
  std::vector<Check> all;
  for (const auto family : {
           FileChecks(),
           DescriptionChecks(),
           FitChecks(),
           RowChecks(),
           TransformChecks(),
           SplitterChecks(),
           MetricChecks(),
           SourceChecks(),
           ParamChecks(),
           ErrorChecks(),
           ResourceChecks(),
           CapabilityChecks(),
           ReportChecks(),
       }) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

std::optional<Kind> KindOf(CheckScope scope) {
  switch (scope) {
    case kFile:
      return std::nullopt;
    case kLearner:
      return Kind::kLearner;
    case kTransform:
      return Kind::kTransform;
    case kSplitter:
      return Kind::kSplitter;
    case kMetric:
      return Kind::kMetric;
    case kSource:
      break;
  }
  return Kind::kSource;
}

const Check* FindCheck(std::span<const Check> checks, std::string_view name, CheckScope scope) {
  for (const Check& check : checks) {
    if (check.name == name && check.scope == scope) return &check;
  }
  return nullptr;
}

}  // namespace crossfold::check
