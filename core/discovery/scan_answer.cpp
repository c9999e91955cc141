#include "discovery/scan_answer.h"
#include "discovery/manifest_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/plugin/foreign_text.h"
#include "files/file_descriptor.h"

namespace crossfold {
namespace {

using End = ScanOutcome::End;

constexpr std::array<std::pair<End, const char*>, 4> kEnds = {{{End::kWorks, "works"},
                                                               {End::kRefused, "refused"},
                                                               {End::kCrashed, "crashed"},
                                                               {End::kHung, "hung"}}};

JsonValue ToJson(const std::vector<RefusedComponent>& refused) {
  JsonList list;
  for (const RefusedComponent& one : refused) {
    list.push_back(
        JsonObject{{"kind", KindName(one.kind)}, {"id", one.id}, {"reason", one.reason}});
  }
  return list;
}

// Returns false if it is not what ToJson wrote. Null = there are none.
bool ReadRefused(const JsonValue* json, ScanOutcome& outcome) {
  if (json == nullptr) return true;
  const auto* list = json->As<JsonList>();
  if (list == nullptr) return false;
  for (const JsonValue& entry : *list) {
    const auto* name = entry.FindAs<std::string>("kind");
    const auto* id = entry.FindAs<std::string>("id");
    const auto* reason = entry.FindAs<std::string>("reason");
    if (name == nullptr || id == nullptr || reason == nullptr) return false;
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](Kind known) { return KindName(known) == *name; });
    if (kind == kKinds.end()) return false;
    outcome.refused.push_back({*kind, CleanText(id->c_str()), CleanText(reason->c_str())});
  }
  return true;
}

}  // namespace

JsonValue ToJson(const ScanOutcome& outcome) {
  JsonObject json;
  for (const auto& [end, name] : kEnds) {
    if (end == outcome.end) json.push_back({"end", name});
  }
  if (outcome.end == End::kWorks) {
    json.push_back({"manifest", ToJson(outcome.manifest)});
    if (!outcome.refused.empty()) json.push_back({"refused", ToJson(outcome.refused)});
  } else {
    json.push_back({"reason", outcome.reason});
  }
  return json;
}

std::optional<ScanOutcome> ScanOutcomeFromJson(const JsonValue& json) {
  const auto* name = json.FindAs<std::string>("end");
  if (name == nullptr) return std::nullopt;
  for (const auto& [end, known] : kEnds) {
    if (*name != known) continue;
    ScanOutcome outcome;
    outcome.end = end;
    if (end != End::kWorks) {
      const auto* reason = json.FindAs<std::string>("reason");
      if (reason == nullptr) return std::nullopt;
      outcome.reason = CleanText(reason->c_str());
      return outcome;
    }
    const JsonValue* manifest = json.Find("manifest");
    if (manifest == nullptr) return std::nullopt;
    ManifestReading reading = ManifestFromJson(*manifest);
    if (!reading.problem.empty()) return std::nullopt;
    outcome.manifest = std::move(reading.manifest);
    if (!ReadRefused(json.Find("refused"), outcome)) return std::nullopt;
    return outcome;
  }
  return std::nullopt;
}

std::string ToText(const ScanOutcome& outcome) { return JsonText(ToJson(outcome)); }

std::optional<ScanOutcome> ParseScanOutcome(std::string_view text) {
  const std::optional<JsonValue> json = ParseJson(text);
  return json ? ScanOutcomeFromJson(*json) : std::nullopt;
}

void AnswerScan(const std::filesystem::path& path, std::string_view lock, int descriptor) {
  std::optional<LockedPlugin> wanted;
  if (!lock.empty()) wanted = ParsePluginLock(lock, "").plugins.at(0);
  WriteAll(descriptor, ToText(ScanHere(path, wanted)));
  ::_exit(0);
}

}  // namespace crossfold
