// Checks of what a plugin says about itself, and of how it declares parameters.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/plugin_entry.h"
#include "check/random_settings.h"
#include "crossfold/component.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_loader.h"
#include "engine/plugin/capabilities.h"
#include "engine/plugin/descriptor.h"
#include "engine/plugin/foreign_text.h"
#include "engine/plugin/param_check.h"
#include "engine/text/ascii.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string NameOf(const Component& component) {
  return std::string(KindName(component.kind)) + " '" + component.id + "'";
}

// ---- descriptor-complete ------------------------------------------------------------------------

// A field of bits, and which of them version 1.0 knows.
struct Bits {
  const char* name;
  std::uint32_t value, known;
};

std::vector<Bits> BitsOf(const Component& c) {
  constexpr std::uint32_t kTasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION;
  constexpr std::uint32_t kAccepts = CF_ACCEPTS_MISSING | CF_ACCEPTS_CATEGORICAL |
                                     CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NUMERIC |
                                     CF_ACCEPTS_NO_FEATURES;
  std::vector<Bits> all = {
      {"determinism", c.determinism,
       CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER | CF_DET_UNSEEDED},
      {"process_flags", c.process_flags,
       CF_USES_THREADS | CF_USES_OPENMP | CF_NOT_FORK_SAFE | CF_WANTS_CHILD_PROCESS}};
  if (c.learner != nullptr) {
    all.push_back({"tasks", c.learner->tasks, kTasks});
    all.push_back({"accepts", c.learner->accepts, kAccepts});
  } else if (c.transform != nullptr) {
    all.push_back({"tasks", c.transform->tasks, kTasks});
    all.push_back({"accepts", c.transform->accepts, kAccepts});
  } else if (c.splitter != nullptr) {
    all.push_back(
        {"uses", c.splitter->uses,
         CF_SPLIT_USES_TARGET | CF_SPLIT_USES_GROUPS | CF_SPLIT_USES_TIME | CF_SPLIT_USES_FOLDS});
  } else if (c.source != nullptr) {
    all.push_back({"promises", c.source->promises, CF_SOURCE_READS_ONE_FILE});
  } else {
    all.push_back({"tasks", c.metric->tasks, kTasks});
    all.push_back({"needs", c.metric->needs,
                   CF_NEEDS_LABELS | CF_NEEDS_VALUES | CF_NEEDS_PROBABILITIES | CF_NEEDS_COSTS |
                       CF_NEEDS_GROUPS | CF_NEEDS_TRAINING_TARGET | CF_TAKES_SCORES});
  }
  return all;
}

// Whether words and AND, OR, WITH take turns: the form of an SPDX expression (SPDX specification
// 2.3, annex D). Which licences there are is not looked up.
bool LooksLikeSpdx(std::string_view text) {
  std::vector<std::string> words;
  int depth = 0;
  bool was_word = false;
  for (const char c : text) {
    const bool is_word = IsLetter(c) || IsDigit(c) || c == '.' || c == '-' || c == '+' || c == ':';
    if (is_word && !was_word) words.emplace_back();
    if (is_word) words.back() += c;
    was_word = is_word;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth < 0 || (!is_word && c != ' ' && c != '(' && c != ')')) return false;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if ((word == "AND" || word == "OR" || word == "WITH") != (i % 2 == 1)) return false;
  }
  return depth == 0 && words.size() % 2 == 1;
}

void DescriptorComplete(CheckContext& context) {
  const Manifest manifest = ReadManifestFile(context.file()).manifest;
  const LoadResult result = LoadPlugin(context.file(), manifest);
  if (context.FailIf("", result.problem)) return;
  for (const RefusedComponent& refused : result.refused) {
    context.Fail(std::string(KindName(refused.kind)) + " '" + refused.id + "': " + refused.reason);
  }
  for (const auto& component : result.components) {
    const std::string name = NameOf(*component);
    for (const Bits& bits : BitsOf(*component)) {
      const std::uint32_t unknown = bits.value & ~bits.known;
      if (unknown != 0 && manifest.abi_minor <= CF_ABI_MINOR) {
        context.Fail(name + ": the bits " + std::to_string(unknown) + " of its '" + bits.name +
                     "' mean nothing in plugin ABI 1." + std::to_string(CF_ABI_MINOR));
      }
      if (bits.value == 0 && std::string_view(bits.name) == "tasks") {
        context.Fail(name + " is for no task: its 'tasks' are 0");
      }
    }
    if (component->title.empty()) context.Warn(name + " has no title");
    if (component->doc.empty()) context.Warn(name + " has no doc");
  }
  const std::string& license = result.plugin->license;
  if (license.empty()) {
    context.Warn("it names no licence");
  } else if (!LooksLikeSpdx(license)) {
    context.Warn("its licence '" + license +
                 "' is not an SPDX expression such as 'MIT' or 'GPL-3.0-or-later'");
  }
}

// ---- id-form ------------------------------------------------------------------------------------

// "org.example.knn": two parts or more, none empty.
bool IsReverseDomain(std::string_view id) {
  std::size_t n_parts = 1, length = 0;
  for (const char c : id) {
    if (c != '.') {
      ++length;
    } else {
      if (length == 0) return false;
      length = 0;
      ++n_parts;
    }
  }
  return length > 0 && n_parts >= 2;
}

// "1", "1.2", "1.2.3", and with a suffix: "1.2.3-rc.1", "1.2.3+git4".
bool IsVersion(std::string_view text) {
  std::size_t digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsDigit(c)) {
      ++digits;
    } else if (digits == 0) {
      return false;
    } else if (c == '.') {
      digits = 0;
    } else {
      const std::string_view suffix = text.substr(i + 1);
      const bool is_clean = std::all_of(suffix.begin(), suffix.end(), [](char s) {
        return IsLetter(s) || IsDigit(s) || s == '.' || s == '-' || s == '+';
      });
      return (c == '-' || c == '+') && !suffix.empty() && is_clean;
    }
  }
  return digits > 0;
}

void CheckText(CheckContext& context, const std::string& what, const char* text) {
  if (text == nullptr || CleanDocument(text) == text) return;
  context.Fail("the " + what + " has bytes that are not UTF-8, or control characters: '" +
               CleanText(text) + "'");
}

void CheckTexts(CheckContext& context, const Component& component) {
  const cf_info& info = *component.info();
  const std::string of = " of " + NameOf(component);
  CheckText(context, "title" + of, info.title);
  CheckText(context, "doc" + of, info.doc);
  CheckText(context, "source" + of, info.source);
  for (std::size_t i = 0; i < info.n_params; ++i) {
    const cf_param& param = *info.params[i];
    const std::string of_param = " of parameter '" + component.params[i].name + "'" + of;
    CheckText(context, "doc" + of_param, param.doc);
    CheckText(context, "unit" + of_param, param.unit);
    for (std::size_t j = 0; j < param.n_choices; ++j) {
      CheckText(context, "choice " + std::to_string(j) + of_param, param.choices[j]);
    }
  }
}

void CheckId(CheckContext& context, const std::string& of, const std::string& id) {
  if (IsReverseDomain(id)) return;
  context.Fail("the id '" + id + "' of " + of +
               " may be anyone's; begin it with a name that is yours, as in 'org.example.knn'");
}

void CheckVersion(CheckContext& context, const std::string& of, const std::string& version) {
  if (IsVersion(version)) return;
  context.Fail("the version '" + version + "' of " + of +
               " cannot be compared with others; write numbers with dots, as in '1.2.0'");
}

// The tables of the plugin. Skips the check if there are none.
const cf_plugin& TablesOf(CheckContext& context, const Manifest& manifest) {
  Entered entered;
  if (context.is_folder()) {
    const LoadResult result = LoadPlugin(context.file(), manifest);
    entered.problem = result.problem;
    if (result.plugin != nullptr) entered.plugin = result.plugin->descriptor;
  } else {
    entered = Enter(LoadEntry(context.file()), CF_ABI_MINOR);
  }
  if (entered.plugin == nullptr) context.Skip(entered.problem);
  return *entered.plugin;
}

// Without the versions of a folder's interpreter and packages: "1.0.0 (python 3.11.2)".
std::string OwnVersion(const Component& component, bool is_folder) {
  return component.version.substr(0, is_folder ? component.version.find(" (") : std::string::npos);
}

void IdForm(CheckContext& context) {
  const Manifest manifest = ReadManifestFile(context.file()).manifest;
  CheckId(context, "the plugin", manifest.id);
  CheckVersion(context, "the plugin", manifest.version);
  const cf_plugin& plugin = TablesOf(context, manifest);
  CheckText(context, "vendor", plugin.vendor);
  CheckText(context, "license", plugin.license);
  CheckText(context, "build_info", plugin.build_info);
  for (const Component& component : ReadDescriptor(plugin, manifest).components) {
    CheckId(context, "a " + std::string(KindName(component.kind)), component.id);
    CheckVersion(context, NameOf(component), OwnVersion(component, context.is_folder()));
    CheckTexts(context, component);
  }
}

// ---- capability-unknown -------------------------------------------------------------------------

GetCapability GetterOf(const Component& c) {
  if (c.learner != nullptr) return c.learner->get_capability;
  if (c.transform != nullptr) return c.transform->get_capability;
  if (c.splitter != nullptr) return c.splitter->get_capability;
  return c.metric != nullptr ? c.metric->get_capability : c.source->get_capability;
}

void CapabilityUnknown(CheckContext& context) {
  const GetCapability get = GetterOf(context.component());
  if (get == nullptr) context.Skip("it has no get_capability");
  const cf_info* self = context.component().info();
  std::vector<std::string> unknown = {"",          "/",          "/1",
                                      "crossfold", "crossfold.", "org.example.none/1"};
  for (const KnownCapability& known : KnownCapabilities()) {
    const std::string id = known.id;
    unknown.push_back(id.substr(0, id.size() - 1));  // without its revision
    unknown.push_back(id.substr(0, id.size() - 2));
    unknown.push_back(id + "0");
    unknown.push_back(id + " ");
    unknown.push_back(id.substr(0, id.size() - 1) + "2");
    unknown.push_back("x" + id);
  }
  for (const std::string& id : unknown) {
    if (get(self, id.c_str()) == nullptr) continue;
    context.Fail("get_capability(\"" + id +
                 "\") gives a table, although there is no such capability");
  }
  constexpr std::uint32_t kMaxBytes = 4096;
  for (const OfferedCapability& offered : context.component().capabilities) {
    const auto size = *static_cast<const std::uint32_t*>(offered.table);
    if (size > kMaxBytes || size % alignof(void*) != 0) {
      context.Fail("the struct_size of " + std::string(offered.id) + " is " + std::to_string(size) +
                   ", which is not the size of a table");
    }
    if (get(self, offered.id) != offered.table) {
      context.Fail("get_capability(\"" + std::string(offered.id) +
                   "\") gives another table each time");
    }
  }
}

// Checks of how parameters are declared, beyond what a host refuses.

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
    context.FailIf(subject, FindRangeProblem(param));
    context.FailIf(subject, FindFlagProblem(component, param));
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

constexpr std::string_view kNoUnknownTable = "there is no table for an unknown capability id";

constexpr Check kDescriptionChecks[] = {
    {"descriptor-complete", kFile, 1, false, "load-now-local",
     "the entry function returns complete tables that agree with the manifest",
     &DescriptorComplete},
    {"id-form", kFile, 1, false, "descriptor-complete",
     "ids begin with a domain, versions can be compared, strings are UTF-8", &IdForm},
    {"capability-unknown", kLearner, 1, false, "descriptor-complete", kNoUnknownTable,
     &CapabilityUnknown},
    {"capability-unknown", kTransform, 1, false, "descriptor-complete", kNoUnknownTable,
     &CapabilityUnknown},
    {"capability-unknown", kSplitter, 1, false, "descriptor-complete", kNoUnknownTable,
     &CapabilityUnknown},
    {"capability-unknown", kMetric, 1, false, "descriptor-complete", kNoUnknownTable,
     &CapabilityUnknown},
    {"params-declared", kLearner, 1, false, "descriptor-complete", kSummary, &ParamsDeclared},
    {"params-declared", kTransform, 1, false, "descriptor-complete", kSummary, &ParamsDeclared},
    {"params-declared", kSplitter, 1, false, "descriptor-complete", kSummary, &ParamsDeclared},
    {"params-declared", kMetric, 1, false, "descriptor-complete", kSummary, &ParamsDeclared},
    {"params-declared", kSource, 1, false, "descriptor-complete", kSummary, &ParamsDeclared},
};

}  // namespace

std::span<const Check> DescriptionChecks() { return kDescriptionChecks; }

}  // namespace crossfold::check
