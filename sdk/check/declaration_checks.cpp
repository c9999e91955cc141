// Checks of how parameters are declared, beyond what a host refuses.
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/random_settings.h"
#include "engine/plugin/param_check.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

constexpr std::int64_t kNoHigh = std::numeric_limits<std::int64_t>::max();

bool IsNumeric(const ParamSpec& p) {
  return p.type == CF_P_REAL || p.type == CF_P_INT || p.type == CF_P_REAL_LIST ||
         p.type == CF_P_INT_LIST;
}

std::string LowText(const ParamSpec& p) {
  const bool is_real = p.type == CF_P_REAL || p.type == CF_P_REAL_LIST;
  return is_real ? FormatShortest(p.lo) : std::to_string(p.ilo);
}

// What is wrong with the range; "" = nothing.
std::string FindRangeProblem(const ParamSpec& p) {
  const bool is_real = p.type == CF_P_REAL || p.type == CF_P_REAL_LIST;
  if ((p.flags & CF_PF_LOG) != 0) {
    if (!IsNumeric(p)) return "is not a number and cannot have a logarithmic scale (CF_PF_LOG)";
    // A search gives the range if the declared one has no end, or does not say where it begins
    // above 0. Without an upper bound 0 may be a value outside of the scale.
    const double low = is_real ? p.lo : static_cast<double>(p.ilo);
    const bool is_bounded = is_real ? std::isfinite(p.hi) : p.ihi != kNoHigh;
    const bool is_open = !is_bounded || (p.flags & CF_PF_LO_OPEN) != 0;
    if (low < 0 || (low == 0 && !is_open)) {
      return "has a logarithmic scale (CF_PF_LOG), which cannot show " + LowText(p) +
             ", its lower bound";
    }
  }
  const bool has_one_value = is_real ? p.lo == p.hi : p.ilo == p.ihi;
  if (IsNumeric(p) && has_one_value) return "can have no other value than " + LowText(p);
  return "";
}

// Whether conditions lead from the parameter back to itself.
bool GoesInCircles(const Component& component, const ParamSpec& param) {
  const ParamSpec* at = &param;
  for (std::size_t step = 0; at != nullptr && step <= component.params.size(); ++step) {
    const std::optional<Condition> condition = ParseCondition(at->active_if);
    if (!condition) return false;
    at = ParamNamed(component, condition->param);
    if (at == &param) return true;
  }
  return false;
}

// Flags that need a capability or a type.
std::string FindFlagProblem(const Component& component, const ParamSpec& p) {
  constexpr std::uint32_t kKnown = CF_PF_LOG | CF_PF_LO_OPEN | CF_PF_HI_OPEN | CF_PF_NULLABLE |
                                   CF_PF_SUBMODEL | CF_PF_NO_EFFECT_ON_RESULT | CF_PF_DEPRECATED |
                                   CF_PF_PREPARE | CF_PF_OBJECT;
  const auto offers = [&component](std::string_view id) {
    return component.capability<char>(id) != nullptr;
  };
  if ((p.flags & ~kKnown) != 0) {
    return "has the flags " + std::to_string(p.flags & ~kKnown) + ", which mean nothing";
  }
  if ((p.flags & CF_PF_SUBMODEL) != 0 && !offers(CF_CAP_FIT_PATH)) {
    return "has CF_PF_SUBMODEL, but there is no " CF_CAP_FIT_PATH;
  }
  if ((p.flags & CF_PF_OBJECT) != 0 && !IsObject(p)) {
    return "has CF_PF_OBJECT, but is not a string";
  }
  if ((p.flags & CF_PF_PREPARE) != 0 && !offers(CF_CAP_PREPARE)) {
    return "has CF_PF_PREPARE, but there is no " CF_CAP_PREPARE;
  }
  return "";
}

void ParamsDeclared(CheckContext& context) {
  const Component& component = context.component();
  if (component.params.empty()) context.Skip("it has no parameters");
  for (const ParamSpec& param : component.params) {
    const std::string subject = "parameter '" + param.name + "' ";
    for (const std::string& problem :
         {FindRangeProblem(param), FindFlagProblem(component, param)}) {
      if (!problem.empty()) context.Fail(subject + problem);
    }
    if (GoesInCircles(component, param)) {
      context.Fail(subject + "depends on itself: '" + param.active_if + "'");
    } else if (!param.active_if.empty() && !SettingWith(component, param, param.default_value)) {
      context.Fail(subject + "is never active: no setting fulfils '" + param.active_if + "'");
    }
    if (param.doc.empty()) context.Warn(subject + "has no doc");
  }
}

constexpr std::string_view kSummary =
    "ranges, scales, conditions and flags of the parameters make sense";

constexpr Check kDeclarationChecks[] = {
    {"params-declared", CheckScope::kLearner, 1, false, "descriptor-complete", kSummary,
     &ParamsDeclared},
    {"params-declared", CheckScope::kTransform, 1, false, "descriptor-complete", kSummary,
     &ParamsDeclared},
    {"params-declared", CheckScope::kSplitter, 1, false, "descriptor-complete", kSummary,
     &ParamsDeclared},
    {"params-declared", CheckScope::kMetric, 1, false, "descriptor-complete", kSummary,
     &ParamsDeclared},
    {"params-declared", CheckScope::kSource, 1, false, "descriptor-complete", kSummary,
     &ParamsDeclared},
};

}  // namespace

std::span<const Check> DeclarationChecks() { return kDeclarationChecks; }

}  // namespace crossfold::check
