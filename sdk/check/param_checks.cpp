// Checks of parameters: their declarations, and the effect of every allowed value.
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
#include "engine/plugin/foreign_text.h"
#include "engine/plugin/param_check.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// "k = 3, weights = distance"
std::string SettingsText(const ParamValues& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += (text.empty() ? "" : ", ") + name + " = " + CleanText(ToText(value).c_str());
  }
  return text.empty() ? "the defaults" : text;
}

// ---- params-unknown-rejected --------------------------------------------------------------------

std::vector<Value> UnusualValues(const ParamSpec& param) {
  constexpr std::size_t kLong = 1000;
  switch (param.type) {
    case CF_P_STRING:
      if (IsObject(param)) {  // hosts refuse other strings
        return {Value(std::string("{}")), Value(std::string(R"({"no_such_entry":1})")),
                Value(std::string(R"({"":null,"\u00e4 \t":[[],{"a":[1,2.5,"x",true]}]})")),
                Value(R"({"long":")" + std::string(kLong, 'x') + "\"}")};
      }
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
    case CF_P_STRING_LIST:
      return {Value(std::vector<std::string>()), Value(std::vector<std::string>{"no such thing"}),
              Value(std::vector<std::string>(300, "\xc3\xa4"))};
    default:
      return {};
  }
}

// "'abc'", "a string of 10000 bytes", "a list of 3 numbers"
std::string DescribeValue(const Value& value) {
  constexpr std::size_t kMax = 40;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (text->size() <= kMax) return "'" + CleanText(text->c_str()) + "'";
    return "a string of " + std::to_string(text->size()) + " bytes";
  }
  const auto list = [](std::size_t n, const char* of) {
    return "a list of " + std::to_string(n) + of;
  };
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
    return list(integers->size(), " numbers");
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    return list(texts->size(), " strings");
  }
  return list(std::get<std::vector<double>>(value).size(), " numbers");
}

bool IsAboutSettings(cf_status status) {
  return status == CF_E_INVALID_PARAM || status == CF_E_INVALID_ARGUMENT;
}

void ParamsUnknownRejected(CheckContext& context) {
  constexpr std::size_t kMaxQuoted = 200;
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
        const TrialResult result = trials.RunBriefly(i, *spec);
        const std::string deed =
            "with " + param.name + " = " + DescribeValue(value) + " on " + trials.name(i) + " ";
        if (context.FailIf(deed, result.problem) || !IsAboutSettings(result.reply.status) ||
            result.reply.message.find(param.name) != std::string::npos) {
          continue;
        }
        context.Fail(deed + "it says '" +
                     CleanText(result.reply.message.substr(0, kMaxQuoted).c_str()) +
                     "', which does not name the parameter");
      }
    }
  }
  if (!has_any) {
    context.Skip("none of its parameters is a string or a list; hosts check all others");
  }
}

// ---- params-out-of-range ------------------------------------------------------------------------

void ParamsOutOfRange(CheckContext& context) {
  const Component& component = context.component();
  if (component.params.empty()) context.Skip("it has no parameters");
  if (MisbehavesOnRequest(component)) context.Skip("it misbehaves if its settings say so");
  const Trials trials(context);
  for (const ParamSpec& param : component.params) {
    for (const Value& value : ValuesAtBounds(param)) {
      const auto values = SettingWith(component, param, value);
      if (!values) continue;
      const SpecPtr spec = Spec::Make(context.shared_component(), *values);
      for (std::size_t i = 0; i < trials.size(); ++i) {
        context.FailIf(
            "with " + SettingsText(*values) + ", which is legal, on " + trials.name(i) + " ",
            trials.RunBriefly(i, *spec).problem);
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
  const SpecPtr without = context.Defaults();
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
    context.FailIf("with every default given explicitly (" + SettingsText(explicitly) + ") on " +
                       trials.name(i) + " ",
                   difference);
  }
}

// ---- params-fuzz --------------------------------------------------------------------------------

void ParamsFuzz(CheckContext& context) {
  constexpr int kDraws = 50;
  constexpr std::chrono::seconds kMaxTime{3};  // of a slow component fewer settings are tried
  const Component& component = context.component();
  if (component.params.empty()) context.Skip("it has no parameters");
  const Trials trials(context);
  if (trials.size() == 0) context.Skip("there is no data that it declares to take");
  plugin::Random random = context.RandomOf("settings");
  const auto until = std::chrono::steady_clock::now() + kMaxTime;
  int n_done = 0, n_worked = 0;
  for (; n_done < kDraws && std::chrono::steady_clock::now() < until; ++n_done) {
    const SpecPtr spec = DrawSpec(context.shared_component(), random);
    const std::size_t i = static_cast<std::size_t>(n_done) % trials.size();
    const TrialResult result = trials.RunBriefly(i, *spec, random.Next());
    if (result.reply.ok()) ++n_worked;
    context.FailIf("with " + SettingsText(spec->given()) + " on " + trials.name(i) + " ",
                   result.problem);
  }
  context.Note(std::to_string(n_done) + " settings, " + std::to_string(n_worked) + " worked");
}

constexpr std::string_view kBounds = "the ends of every range work, or fail because of the data";
constexpr std::string_view kUnusual =
    "unusual strings and lists work, or are refused with the parameter's name";
constexpr std::string_view kDefaults = "giving the defaults explicitly changes nothing";
constexpr std::string_view kFuzz = "random valid settings give a usable result or a proper error";

constexpr Check kParamChecks[] = {
    {"params-out-of-range", kLearner, 4, false, "fit-smoke", kBounds, &ParamsOutOfRange},
    {"params-out-of-range", kTransform, 4, false, "transform-smoke", kBounds, &ParamsOutOfRange},
    {"params-out-of-range", kSplitter, 4, false, "split-coverage", kBounds, &ParamsOutOfRange},
    {"params-out-of-range", kMetric, 4, false, "metric-smoke", kBounds, &ParamsOutOfRange},
    {"params-out-of-range", kSource, 4, false, "source-smoke", kBounds, &ParamsOutOfRange},
    {"params-unknown-rejected", kLearner, 4, false, "fit-smoke", kUnusual, &ParamsUnknownRejected},
    {"params-unknown-rejected", kTransform, 4, false, "transform-smoke", kUnusual,
     &ParamsUnknownRejected},
    {"params-unknown-rejected", kSplitter, 4, false, "split-coverage", kUnusual,
     &ParamsUnknownRejected},
    {"params-unknown-rejected", kMetric, 4, false, "metric-smoke", kUnusual,
     &ParamsUnknownRejected},
    {"params-unknown-rejected", kSource, 4, false, "source-smoke", kUnusual,
     &ParamsUnknownRejected},
    {"params-default-explicit", kLearner, 4, false, "fit-idempotent", kDefaults,
     &ParamsDefaultExplicit},
    {"params-default-explicit", kTransform, 4, false, "transform-smoke", kDefaults,
     &ParamsDefaultExplicit},
    {"params-default-explicit", kSplitter, 4, false, "fit-idempotent", kDefaults,
     &ParamsDefaultExplicit},
    {"params-default-explicit", kMetric, 4, false, "metric-smoke", kDefaults,
     &ParamsDefaultExplicit},
    {"params-default-explicit", kSource, 4, false, "source-smoke", kDefaults,
     &ParamsDefaultExplicit},
    {"params-fuzz", kLearner, 5, false, "params-out-of-range", kFuzz, &ParamsFuzz},
    {"params-fuzz", kTransform, 5, false, "params-out-of-range", kFuzz, &ParamsFuzz},
    {"params-fuzz", kSplitter, 5, false, "params-out-of-range", kFuzz, &ParamsFuzz},
    {"params-fuzz", kMetric, 5, false, "params-out-of-range", kFuzz, &ParamsFuzz},
    {"params-fuzz", kSource, 5, false, "params-out-of-range", kFuzz, &ParamsFuzz},
};

}  // namespace

std::span<const Check> ParamChecks() { return kParamChecks; }

}  // namespace crossfold::check
