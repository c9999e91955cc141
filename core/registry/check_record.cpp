#include "registry/check_record.h"

#include <algorithm>
#include <utility>

#include "engine/plugin/foreign_text.h"
#include "engine/text/utc_time.h"

namespace crossfold {

CheckRecord RecordOf(const CheckReport& report, const std::string& host) {
  CheckRecord record;
  record.host = host;
  record.date = UtcDate();
  record.seed = report.seed;
  record.passed = report.passed();
  for (const CheckResult& result : report.results) {
    const std::string outcome(CheckOutcomeName(result.outcome));
    ++record.counts[outcome];
    if (result.outcome == CheckOutcome::kOk) continue;
    record.findings.push_back(
        {result.check, result.component, outcome, CleanText(result.text.c_str())});
  }
  return record;
}

std::string ToText(const CheckRecord& record) {
  std::string text;
  for (const auto& [outcome, n] : record.counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + outcome;
  }
  return text + " (Crossfold " + record.host + ", " + record.date + ")";
}

CheckRecord ReadCheckRecord(const JsonFields& fields) {
  CheckRecord record;
  record.host = fields.Line("host");
  record.date = fields.Line("date");
  record.seed = static_cast<std::uint64_t>(fields.Count("seed"));
  record.passed = fields.Flag("passed");
  const JsonFields counts = fields.Object("counts");
  for (const JsonMember& member : counts.members()) {
    if (!IsFileWord(member.name)) counts.Refuse("outcome", "is not the name of an outcome");
    record.counts[member.name] = counts.Count(member.name.c_str());
  }
  for (const JsonFields& finding : fields.Objects("findings", "finding")) {
    record.findings.push_back({finding.Line("check"), finding.OptionalLine("component"),
                               finding.Line("outcome"), finding.OptionalLine("text")});
  }
  return record;
}

JsonValue FindingsJson(const CheckRecord& record) {
  JsonList findings;
  for (const RecordedFinding& finding : record.findings) {
    findings.push_back(JsonObject{{"check", finding.check},
                                  {"component", finding.component},
                                  {"outcome", finding.outcome},
                                  {"text", finding.text}});
  }
  return findings;
}

JsonObject ToJson(const CheckRecord& record) {
  JsonObject counts;
  for (const auto& [outcome, n] : record.counts) counts.push_back({outcome, n});
  return {{"host", record.host},         {"date", record.date},
          {"seed", record.seed},         {"passed", record.passed},
          {"counts", std::move(counts)}, {"findings", FindingsJson(record)}};
}

bool IsFileWord(std::string_view text) {
  constexpr std::size_t kMaxLength = 200;
  const bool is_made_of_these = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._+-").find(c) != std::string_view::npos;
  });
  return !text.empty() && text.size() <= kMaxLength && is_made_of_these && text != "." &&
         text != "..";
}

}  // namespace crossfold
