#include "plugin/scan_answer.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <utility>

#include "plugin/foreign_text.h"

namespace crossfold {
namespace {

using Json = nlohmann::ordered_json;
using End = ScanOutcome::End;

constexpr std::array<std::pair<End, const char*>, 4> kEnds = {{{End::kWorks, "works"},
                                                               {End::kRefused, "refused"},
                                                               {End::kCrashed, "crashed"},
                                                               {End::kHung, "hung"}}};

void WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

std::string ToText(const ScanOutcome& outcome) {
  Json json;
  for (const auto& [end, name] : kEnds) {
    if (end == outcome.end) json["end"] = name;
  }
  if (outcome.end == End::kWorks) {
    json["manifest"] = Json::parse(ToText(outcome.manifest));
  } else {
    json["reason"] = outcome.reason;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<ScanOutcome> ParseScanOutcome(std::string_view text) {
  const auto is_shallow = [](int depth, Json::parse_event_t, const Json&) { return depth < 8; };
  const Json json = Json::parse(text, is_shallow, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object()) return std::nullopt;
  const auto name = json.find("end");
  if (name == json.end() || !name->is_string()) return std::nullopt;
  for (const auto& [end, known] : kEnds) {
    if (*name != known) continue;
    ScanOutcome outcome;
    outcome.end = end;
    const auto detail = json.find(end == End::kWorks ? "manifest" : "reason");
    if (detail == json.end()) return std::nullopt;
    if (end != End::kWorks) {
      if (!detail->is_string()) return std::nullopt;
      outcome.reason = CleanText(detail->get<std::string>().c_str());
      return outcome;
    }
    ManifestReading reading =
        ParseManifest(detail->dump(-1, ' ', false, Json::error_handler_t::replace));
    if (!reading.problem.empty()) return std::nullopt;
    outcome.manifest = std::move(reading.manifest);
    return outcome;
  }
  return std::nullopt;
}

void AnswerScan(const std::filesystem::path& path, const std::string& sha256, int descriptor) {
  WriteAll(descriptor, ToText(ScanHere(path, sha256)));
  ::_exit(0);
}

}  // namespace crossfold
