// The results of checks, as text.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "check/check_list.h"
#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/nearest_name.h"
#include "crossfold/plugin_check.h"

namespace crossfold {
namespace {

// " because of A (3) and B (2)": the reasons, the most frequent first, those of equal number in the
// order in which they came; "" if nothing was skipped.
std::string WhySkipped(const std::vector<CheckResult>& results) {
  std::vector<std::pair<std::string, int>> reasons;
  for (const CheckResult& result : results) {
    if (result.outcome != CheckOutcome::kSkipped) continue;
    const auto it = std::find_if(reasons.begin(), reasons.end(),
                                 [&](const auto& known) { return known.first == result.text; });
    if (it == reasons.end()) {
      reasons.emplace_back(result.text, 1);
    } else {
      ++it->second;
    }
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [reason, n] : reasons) {
    text += text.empty() ? " because: " : "; ";
    text += reason;
    if (n > 1) text += " (" + std::to_string(n) + ")";
  }
  return text;
}

}  // namespace

std::string_view CheckScopeName(CheckScope scope) {
  const std::optional<Kind> kind = check::KindOf(scope);
  return kind ? KindName(*kind) : "file";
}

std::string_view CheckOutcomeName(CheckOutcome outcome) {
  switch (outcome) {
    case CheckOutcome::kOk:
      return "ok";
    case CheckOutcome::kFailed:
      return "failed";
    case CheckOutcome::kCrashed:
      return "crashed";
    case CheckOutcome::kTimeout:
      return "timeout";
    case CheckOutcome::kSkipped:
      return "skipped";
    case CheckOutcome::kWarning:
      return "warning";
    case CheckOutcome::kExpectedFailure:
      break;
  }
  return "expected-failure";
}

bool IsBad(CheckOutcome outcome) {
  return outcome == CheckOutcome::kFailed || outcome == CheckOutcome::kCrashed ||
         outcome == CheckOutcome::kTimeout;
}

std::vector<CheckDescription> KnownChecks() {
  std::vector<CheckDescription> known;
  for (const check::Check& check : check::AllChecks()) {
    known.push_back({std::string(check.name), check.scope, check.level, check.warns,
                     std::string(check.needs), std::string(check.summary)});
  }
  return known;
}

std::string_view CheckPage(std::string_view name) {
  for (const check::PageText& page : check::CheckPages()) {
    if (page.name == name) return page.text;
  }
  std::vector<std::string> known;
  for (const check::PageText& page : check::CheckPages()) known.emplace_back(page.name);
  throw Error(ErrorKind::kInvalidArgument, "cannot explain check '" + std::string(name) +
                                               "': there is no such check; " +
                                               KnownNames(std::string(name), known));
}

std::size_t CheckReport::Count(CheckOutcome outcome) const {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(),
                    [&](const CheckResult& result) { return result.outcome == outcome; }));
}

bool CheckReport::passed() const {
  return std::none_of(results.begin(), results.end(),
                      [](const CheckResult& result) { return IsBad(result.outcome); });
}

std::string ToJson(const CheckReport& report) {
  JsonList results;
  JsonObject counts;  // in the order in which the outcomes came first
  for (const CheckResult& result : report.results) {
    const std::string outcome(CheckOutcomeName(result.outcome));
    results.push_back(JsonObject{{"check", result.check},
                                 {"component", result.component},
                                 {"outcome", outcome},
                                 {"text", result.text},
                                 {"seconds", result.seconds}});
    const auto has_outcome = [&](const JsonMember& count) { return count.name == outcome; };
    if (std::ranges::any_of(counts, has_outcome)) continue;
    counts.push_back({outcome, report.Count(result.outcome)});
  }
  return JsonText(JsonObject{{"file", report.file.string()},
                             {"seed", report.seed},
                             {"results", std::move(results)},
                             {"counts", std::move(counts)},
                             {"passed", report.passed()}});
}

std::string ToJson(const std::vector<CheckDescription>& checks) {
  JsonList list;
  for (const CheckDescription& check : checks) {
    list.push_back(JsonObject{{"check", check.name},
                              {"of", CheckScopeName(check.scope)},
                              {"level", check.level},
                              {"finding", check.warns ? "warning" : "failure"},
                              {"needs", check.needs.empty() ? JsonValue() : check.needs},
                              {"summary", check.summary}});
  }
  return JsonText(std::move(list));
}

std::string PlanToJson(const std::vector<CheckResult>& planned) {
  JsonList list;
  for (const CheckResult& result : planned) {
    list.push_back(JsonObject{{"check", result.check}, {"component", result.component}});
  }
  return JsonText(std::move(list));
}

std::string CheckReport::Summary() const {
  std::string text =
      std::to_string(results.size()) + (results.size() == 1 ? " check:" : " checks:");
  const char* separator = " ";
  for (const CheckOutcome outcome :
       {CheckOutcome::kOk, CheckOutcome::kFailed, CheckOutcome::kCrashed, CheckOutcome::kTimeout,
        CheckOutcome::kWarning, CheckOutcome::kExpectedFailure, CheckOutcome::kSkipped}) {
    const std::size_t n = Count(outcome);
    if (n == 0) continue;
    text += separator + std::to_string(n) + " " + std::string(CheckOutcomeName(outcome));
    separator = ", ";
  }
  return text + WhySkipped(results);
}

}  // namespace crossfold
