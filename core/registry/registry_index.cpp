#include "crossfold/registry_index.h"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "engine/data/iso_time.h"
#include "registry/json_fields.h"
#include "registry/plugin_fields.h"

namespace crossfold {
namespace {

constexpr std::int64_t kIndexVersion = 1;

RegistryKey ReadKey(const JsonFields& fields) {
  RegistryKey key{ParsePublicKey(fields.Line("public"), fields.place()),
                  fields.OptionalLine("note")};
  if (key.key.Id() != fields.Line("id")) fields.Refuse("id", "is not the id of its public key");
  return key;
}

void CheckKeys(const RegistryIndex& index) {
  for (auto key = index.keys.begin(); key != index.keys.end(); ++key) {
    const auto same = [&](const RegistryKey& other) {
      return other.key.number == key->key.number || other.key.bytes == key->key.bytes;
    };
    if (std::any_of(index.keys.begin(), key, same)) {
      throw Defect{"it has key " + key->key.Id() + " twice"};
    }
  }
  const auto n = static_cast<std::int64_t>(index.keys.size());
  if (n > 0 && (index.threshold < 1 || index.threshold > n)) {
    throw Defect{"its 'threshold' is " + std::to_string(index.threshold) + ", and it has " +
                 std::to_string(n) + " keys"};
  }
}

void Sort(std::vector<RegistryPlugin>& plugins) {
  std::stable_sort(
      plugins.begin(), plugins.end(), [](const RegistryPlugin& a, const RegistryPlugin& b) {
        if (a.id != b.id) return a.id < b.id;
        if (IsOlderVersion(a.version, b.version)) return true;
        if (IsOlderVersion(b.version, a.version)) return false;
        // Versions that differ only after a '+' have no order of their own.
        return std::tuple(a.version, a.platform.Name()) < std::tuple(b.version, b.platform.Name());
      });
}

RegistryIndex ReadIndex(std::string_view text) {
  const JsonValue json = ReadDocument(text);
  const JsonFields fields(json, "it");
  if (!fields.Has("crossfold_registry")) throw Defect{"is not an index of a registry"};
  if (fields.Count("crossfold_registry") != kIndexVersion) {
    throw Defect{"has a version that this Crossfold does not know; use a newer one"};
  }
  RegistryIndex index;
  index.id = IdIn(fields);
  index.title = fields.OptionalLine("title");
  index.serial = fields.Count("serial");
  index.valid_until = fields.OptionalLine("valid_until");
  if (!index.valid_until.empty() && !IsIndexDate(index.valid_until)) {
    fields.Refuse("valid_until", "is not a date such as 2027-03-31");
  }
  index.threshold = fields.Count("threshold");
  for (const JsonFields& key : fields.Objects("keys", "key")) index.keys.push_back(ReadKey(key));
  CheckKeys(index);
  for (const JsonFields& key : fields.Objects("revoked", "revoked key")) {
    index.revoked.push_back({key.Line("id"), key.OptionalLine("reason")});
  }
  const JsonValue* serials = json.Find("key_serials");
  if (const auto* list = serials == nullptr ? nullptr : serials->As<JsonList>()) {
    for (const JsonValue& serial : *list) {
      const auto* number = serial.As<std::int64_t>();
      if (number == nullptr) fields.Refuse("key_serials", "has an entry that is not a number");
      index.key_serials.push_back(*number);
    }
  }
  for (const JsonFields& plugin : fields.Objects("plugins", "plugin")) {
    index.plugins.push_back(ReadListedPlugin(plugin));
  }
  Sort(index.plugins);
  return index;
}

// A part of a version between two dots: a number, or a word.
struct VersionPart {
  bool is_number = false;
  std::uint64_t number = 0;
  std::string_view word;

  auto Key() const { return std::tuple(!is_number, number, word); }
};

VersionPart TakePart(std::string_view& text) {
  VersionPart part;
  part.word = text.substr(0, text.find('.'));
  text.remove_prefix(std::min(part.word.size() + 1, text.size()));
  const char* end = part.word.data() + part.word.size();
  const auto [stop, failure] = std::from_chars(part.word.data(), end, part.number);
  part.is_number = failure == std::errc() && stop == end;
  if (part.is_number) part.word = {};
  return part;
}

// -1, 0 or 1. More parts come later: 1.2 before 1.2.1.
int CompareParts(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto of_a = TakePart(a).Key(), of_b = TakePart(b).Key();
    if (of_a != of_b) return of_a < of_b ? -1 : 1;
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

// Without the part after '+', which does not order versions, as the parts before and after '-'.
std::pair<std::string_view, std::string_view> PartsOfVersion(std::string_view version) {
  version = version.substr(0, version.find('+'));
  const std::size_t dash = std::min(version.find('-'), version.size());
  return {version.substr(0, dash), version.substr(std::min(dash + 1, version.size()))};
}

}  // namespace

RegistryIndex ParseRegistryIndex(std::string_view text, const std::string& attempt) {
  try {
    return ReadIndex(text);
  } catch (const Defect& defect) {
    throw Error(ErrorKind::kBadData, attempt + ": its index: " + defect.text);
  }
}

std::string ToText(const RegistryIndex& index) {
  JsonList keys, revoked, plugins;
  for (const RegistryKey& key : index.keys) {
    keys.push_back(
        JsonObject{{"id", key.key.Id()}, {"public", key.key.ToText()}, {"note", key.note}});
  }
  for (const RevokedKey& key : index.revoked) {
    revoked.push_back(JsonObject{{"id", key.id}, {"reason", key.reason}});
  }
  std::vector<RegistryPlugin> sorted = index.plugins;
  Sort(sorted);
  for (const RegistryPlugin& plugin : sorted) plugins.push_back(ListedJson(plugin));
  return JsonText(JsonObject{{"crossfold_registry", kIndexVersion},
                             {"id", index.id},
                             {"title", index.title},
                             {"serial", index.serial},
                             {"valid_until", index.valid_until},
                             {"threshold", index.threshold},
                             {"keys", std::move(keys)},
                             {"revoked", std::move(revoked)},
                             {"key_serials", index.key_serials},
                             {"plugins", std::move(plugins)}},
                  1) +
         "\n";
}

bool IsIndexDate(std::string_view text) {
  const std::optional<IsoTime> time = ParseIsoTime(text);
  return time && !time->has_clock;
}

bool IsOlderVersion(std::string_view a, std::string_view b) {
  const auto [release_a, pre_a] = PartsOfVersion(a);
  const auto [release_b, pre_b] = PartsOfVersion(b);
  if (const int order = CompareParts(release_a, release_b); order != 0) return order < 0;
  // A release comes after its candidates.
  if (pre_a.empty() || pre_b.empty()) return !pre_a.empty() && pre_b.empty();
  return CompareParts(pre_a, pre_b) < 0;
}

bool IsCandidateVersion(std::string_view version) {
  return !PartsOfVersion(version).second.empty();
}

}  // namespace crossfold
