// Checks of parameters: how they are declared, and what comes of every value that is allowed.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/random_settings.h"
#include "check/trial.h"
#include "crossfold/spec.h"
#include "plugin/foreign_text.h"
#include "plugin/param_check.h"
#include "text/format_number.h"

namespace crossfold::check {
namespace {

// A call that has said so often how far it is gets cancelled: the subject is what a setting does,
// and not how long it takes.
constexpr std::int64_t kPatience = 2000;

ProbeOptions Patient() {
  ProbeOptions options;
  options.cancel_at = kPatience;
  return options;
}

const ParamSpec* FindParam(const Component& component, std::string_view name) {
  for (const ParamSpec& param : component.params) {
    if (param.name == name) return &param;
  }
  return nullptr;
}

// "k = 3, weights = distance"
std::string TextOf(const ParamValues& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += (text.empty() ? "" : ", ") + name + " = " + CleanText(ToText(value).c_str());
  }
  return text.empty() ? "the defaults" : text;
}

// ---- params-declared ----------------------------------------------------------------------------

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
  const bool is_low_open = (p.flags & CF_PF_LO_OPEN) != 0;
  if ((p.flags & CF_PF_LOG) != 0) {
    if (!IsNumeric(p)) return "is no number and cannot have a logarithmic scale (CF_PF_LOG)";
    const double low = is_real ? p.lo : static_cast<double>(p.ilo);
    if (!(low > 0 || (low == 0 && is_low_open))) {
      return "has a logarithmic scale (CF_PF_LOG), on which " + LowText(p) +
             ", its lower bound, is nowhere";
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
    at = FindParam(component, condition->param);
    if (at == &param) return true;
  }
  return false;
}

// Flags that promise what a capability must do.
std::string FindFlagProblem(const Component& component, const ParamSpec& p) {
  constexpr std::uint32_t kKnown = CF_PF_LOG | CF_PF_LO_OPEN | CF_PF_HI_OPEN | CF_PF_NULLABLE |
                                   CF_PF_SUBMODEL | CF_PF_NO_EFFECT_ON_RESULT | CF_PF_DEPRECATED |
                                   CF_PF_PREPARE;
  const auto offers = [&component](std::string_view id) {
    return component.capability<char>(id) != nullptr;
  };
  if ((p.flags & ~kKnown) != 0) {
    return "has the flags " + std::to_string(p.flags & ~kKnown) + ", which mean nothing";
  }
  if ((p.flags & CF_PF_SUBMODEL) != 0 && !offers(CF_CAP_FIT_PATH)) {
    return "has CF_PF_SUBMODEL, but there is no " CF_CAP_FIT_PATH;
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

// ---- params-unknown-rejected --------------------------------------------------------------------

std::vector<Value> UnusualValues(const ParamSpec& param) {
  constexpr std::size_t kLong = 10000;
  switch (param.type) {
    case CF_P_STRING:
      return {Value(std::string()), Value(std::string("no such thing")),
              Value(std::string("\xc3\xa4 \xe2\x82\xac\t\n")), Value(std::string(kLong, 'x'))};
    case CF_P_INT_LIST: {
      const std::int64_t low = std::max<std::int64_t>(param.ilo, -1);
      const std::int64_t entry = std::min(low + 1, param.ihi);
      return {Value(std::vector<std::int64_t>()), Value(std::vector<std::int64_t>{entry}),
              Value(std::vector<std::int64_t>(300, entry))};
    }
    case CF_P_REAL_LIST: {
      const double low = std::max(param.lo, 0.0);
      const double entry = std::min(low + 0.5, param.hi);
      return {Value(std::vector<double>()), Value(std::vector<double>{entry}),
              Value(std::vector<double>(300, entry))};
    }
    default:
      return {};
  }
}

// "'abc'", "a text of 10000 bytes", "a list of 3 numbers"
std::string Describe(const Value& value) {
  constexpr std::size_t kMost = 40;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (text->size() <= kMost) return "'" + CleanText(text->c_str()) + "'";
    return "a text of " + std::to_string(text->size()) + " bytes";
  }
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
  const std::size_t n =
      integers != nullptr ? integers->size() : std::get<std::vector<double>>(value).size();
  return "a list of " + std::to_string(n) + " numbers";
}

void ParamsUnknownRejected(CheckContext& context) {
  const Component& component = context.component();
  const Trials trials(context);
  bool has_any = false;
  for (const ParamSpec& param : component.params) {
    for (const Value& value : UnusualValues(param)) {
      const auto values = SettingWith(component, param, value);
      if (!values) continue;  // the host refuses it
      has_any = true;
      const SpecPtr spec = Spec::Make(context.shared_component(), *values);
      for (std::size_t i = 0; i < trials.size(); ++i) {
        const TrialResult result = trials.Run(i, *spec, Patient());
        const std::string deed =
            "with " + param.name + " = " + Describe(value) + " on " + trials.name(i) + " ";
        if (result.reply.status == CF_E_CANCELLED) continue;
        if (!result.problem.empty()) {
          context.Fail(deed + result.problem);
        } else if (result.reply.status == CF_E_INVALID_PARAM &&
                   result.reply.message.find(param.name) == std::string::npos) {
          context.Fail(deed + "it says '" + CleanText(result.reply.message.c_str()) +
                       "', which does not name the parameter");
        }
      }
    }
  }
  if (!has_any) {
    context.Skip("none of its parameters is a text or a list; hosts check all others");
  }
}

// ---- params-out-of-range ------------------------------------------------------------------------

void ParamsOutOfRange(CheckContext& context) {
  const Component& component = context.component();
  if (component.params.empty()) context.Skip("it has no parameters");
  const Trials trials(context);
  for (const ParamSpec& param : component.params) {
    for (const Value& value : ValuesAtBounds(param)) {
      const auto values = SettingWith(component, param, value);
      if (!values) continue;
      const SpecPtr spec = Spec::Make(context.shared_component(), *values);
      for (std::size_t i = 0; i < trials.size(); ++i) {
        const TrialResult result = trials.Run(i, *spec, Patient());
        const std::string deed =
            "with " + TextOf(*values) + ", which is legal, on " + trials.name(i) + " ";
        if (result.reply.status == CF_E_CANCELLED) continue;
        if (!result.problem.empty()) {
          context.Fail(deed + result.problem);
        } else if (result.reply.status == CF_E_INVALID_PARAM) {
          context.Fail(deed + "it ended with " + result.reply.Describe());
        }
      }
    }
  }
}

// ---- params-default-explicit --------------------------------------------------------------------

void ParamsDefaultExplicit(CheckContext& context) {
  const Component& component = context.component();
  if (component.params.empty()) context.Skip("it has no parameters");
  if ((component.determinism & (CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED)) == 0) {
    context.Skip("it does not declare equal results for equal seeds");
  }
  ParamValues explicitly;
  for (const ParamSpec& param : component.params) {
    if (IsActive(component, param.name, {})) explicitly.emplace(param.name, param.default_value);
  }
  const SpecPtr without = Spec::Make(context.shared_component(), {});
  const SpecPtr with = Spec::Make(context.shared_component(), explicitly);
  const Trials trials(context);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const TrialResult expected = trials.Run(i, *without);
    const TrialResult got = trials.Run(i, *with);
    std::string difference;
    if (got.reply.Describe() != expected.reply.Describe()) {
      difference =
          "it ended with " + got.reply.Describe() + " instead of " + expected.reply.Describe();
    } else {
      difference = Difference("number", got.numbers, expected.numbers);
    }
    if (difference.empty()) continue;
    context.Fail("with every default given explicitly (" + TextOf(explicitly) + ") on " +
                 trials.name(i) + " " + difference);
  }
}

// ---- params-fuzz --------------------------------------------------------------------------------

void ParamsFuzz(CheckContext& context) {
  constexpr int kDraws = 50;
  constexpr std::chrono::seconds kMostTime{3};  // of a slow component fewer settings are tried
  const Component& component = context.component();
  if (component.params.empty()) context.Skip("it has no parameters");
  const Trials trials(context);
  if (trials.size() == 0) context.Skip("there is no data that it declares to take");
  plugin::Random random = context.RandomOf("settings");
  const auto until = std::chrono::steady_clock::now() + kMostTime;
  int n_done = 0, n_worked = 0;
  for (; n_done < kDraws && std::chrono::steady_clock::now() < until; ++n_done) {
    const SpecPtr spec = DrawSpec(context.shared_component(), random);
    const std::size_t i = static_cast<std::size_t>(n_done) % trials.size();
    ProbeOptions options = Patient();
    options.seed = random.Next();
    const TrialResult result = trials.Run(i, *spec, options);
    if (result.reply.ok()) ++n_worked;
    if (result.reply.status == CF_E_CANCELLED || result.problem.empty()) continue;
    context.Fail("with " + TextOf(spec->given()) + " on " + trials.name(i) + " " + result.problem);
  }
  context.Note(std::to_string(n_done) + " settings, " + std::to_string(n_worked) + " worked");
}

constexpr Check kChecks[] = {
    {"params-declared", CheckScope::kLearner, 1, false, "descriptor-complete",
     "ranges, scales, conditions and flags of the parameters make sense", &ParamsDeclared},
    {"params-declared", CheckScope::kTransform, 1, false, "descriptor-complete",
     "ranges, scales, conditions and flags of the parameters make sense", &ParamsDeclared},
    {"params-declared", CheckScope::kSplitter, 1, false, "descriptor-complete",
     "ranges, scales, conditions and flags of the parameters make sense", &ParamsDeclared},
    {"params-declared", CheckScope::kMetric, 1, false, "descriptor-complete",
     "ranges, scales, conditions and flags of the parameters make sense", &ParamsDeclared},
    {"params-out-of-range", CheckScope::kLearner, 4, false, "fit-smoke",
     "the ends of every range work, or fail because of the data", &ParamsOutOfRange},
    {"params-out-of-range", CheckScope::kTransform, 4, false, "descriptor-complete",
     "the ends of every range work, or fail because of the data", &ParamsOutOfRange},
    {"params-out-of-range", CheckScope::kSplitter, 4, false, "split-coverage",
     "the ends of every range work, or fail because of the data", &ParamsOutOfRange},
    {"params-unknown-rejected", CheckScope::kLearner, 4, false, "fit-smoke",
     "unusual texts and lists work, or are refused by the parameter's name",
     &ParamsUnknownRejected},
    {"params-unknown-rejected", CheckScope::kTransform, 4, false, "descriptor-complete",
     "unusual texts and lists work, or are refused by the parameter's name",
     &ParamsUnknownRejected},
    {"params-unknown-rejected", CheckScope::kSplitter, 4, false, "split-coverage",
     "unusual texts and lists work, or are refused by the parameter's name",
     &ParamsUnknownRejected},
    {"params-default-explicit", CheckScope::kLearner, 4, false, "fit-idempotent",
     "defaults that are given change nothing", &ParamsDefaultExplicit},
    {"params-default-explicit", CheckScope::kTransform, 4, false, "descriptor-complete",
     "defaults that are given change nothing", &ParamsDefaultExplicit},
    {"params-default-explicit", CheckScope::kSplitter, 4, false, "fit-idempotent",
     "defaults that are given change nothing", &ParamsDefaultExplicit},
    {"params-fuzz", CheckScope::kLearner, 5, false, "fit-smoke",
     "random legal settings give something usable or a proper error", &ParamsFuzz},
    {"params-fuzz", CheckScope::kTransform, 5, false, "descriptor-complete",
     "random legal settings give something usable or a proper error", &ParamsFuzz},
    {"params-fuzz", CheckScope::kSplitter, 5, false, "split-coverage",
     "random legal settings give something usable or a proper error", &ParamsFuzz},
};

}  // namespace

std::span<const Check> ParamChecks() { return kChecks; }

}  // namespace crossfold::check
