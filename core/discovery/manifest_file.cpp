#include "discovery/manifest_file.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "crossfold_plugin.h"
#include "discovery/elf_file.h"
#include "discovery/plugin_folder.h"
#include "engine/plugin/defect.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

// What is wrong with the text of the manifest, as in "its manifest is ...".
struct BadText {
  std::string finding;
};

[[noreturn]] void ThrowBadField(const std::string& key, const std::string& finding) {
  throw BadText{"wrong: '" + key + "' " + finding};
}

const JsonValue& Field(const JsonValue& object, const char* key) {
  const JsonValue* field = object.Find(key);
  if (field == nullptr) ThrowBadField(key, "is missing");
  return *field;
}

std::uint32_t NumberField(const JsonValue& object, const char* key) {
  const auto* number = Field(object, key).As<std::int64_t>();
  if (number == nullptr || !std::in_range<std::uint32_t>(*number)) {
    ThrowBadField(key, "is not a whole number");
  }
  return static_cast<std::uint32_t>(*number);
}

const std::string& TextField(const JsonValue& object, const char* key) {
  const auto* text = Field(object, key).As<std::string>();
  if (text == nullptr) ThrowBadField(key, "is not a string");
  if (!IsCleanLine(*text)) ThrowBadField(key, "is not one line of text");
  return *text;
}

void CheckId(const char* key, const std::string& id) {
  if (!IsWellFormedId(id)) {
    ThrowBadField(key, "has the id '" + CleanText(id.c_str()) +
                           "'; ids are made of a-z, 0-9, '_', '.' and '-'");
  }
}

// Returns "learners" for learners, and so on.
std::string KeyOf(Kind kind) { return std::string(KindName(kind)) + "s"; }

// Reads a list that may be missing.
std::vector<std::string> StringsField(const JsonValue& object, const char* key) {
  std::vector<std::string> texts;
  const JsonValue* field = object.Find(key);
  if (field == nullptr) return texts;
  const auto* list = field->As<JsonList>();
  if (list == nullptr) ThrowBadField(key, "is not a list");
  for (const JsonValue& entry : *list) {
    const auto* text = entry.As<std::string>();
    if (text == nullptr) ThrowBadField(key, "has an entry that is not a string");
    if (!IsCleanLine(*text)) ThrowBadField(key, "has an entry that is not one line of text");
    texts.push_back(*text);
  }
  return texts;
}

std::vector<std::string> IdsField(const JsonValue& object, const char* key,
                                  std::set<std::string>& all) {
  std::vector<std::string> ids;
  for (std::string& id : StringsField(object, key)) {
    ids.push_back(std::move(id));
    CheckId(key, ids.back());
    if (!all.insert(ids.back()).second) ThrowBadField(key, "repeats the id '" + ids.back() + "'");
  }
  return ids;
}

// {"check": "row-order", "component": "org.example.knn", "reason": "ties"}; without a component it
// refers to the file.
ExpectedFailure ReadExpectedFailure(const JsonValue& json, const std::set<std::string>& ids) {
  constexpr const char* kKey = "expected_failures";
  if (json.As<JsonObject>() == nullptr) {
    ThrowBadField(kKey, "has an entry that is not an object");
  }
  ExpectedFailure failure;
  failure.check = TextField(json, "check");
  failure.reason = TextField(json, "reason");
  if (const JsonValue* component = json.Find("component")) {
    const auto* id = component->As<std::string>();
    if (id == nullptr) ThrowBadField("component", "is not a string");
    failure.component = *id;
  }
  if (!failure.component.empty() && ids.count(failure.component) == 0) {
    ThrowBadField(kKey, "names the component '" + CleanText(failure.component.c_str()) +
                            "', which the plugin does not have");
  }
  return failure;
}

std::vector<ExpectedFailure> ExpectedFailuresField(const JsonValue& object,
                                                   const std::set<std::string>& ids) {
  std::vector<ExpectedFailure> failures;
  const JsonValue* field = object.Find("expected_failures");
  if (field == nullptr) return failures;
  const auto* list = field->As<JsonList>();
  if (list == nullptr) ThrowBadField("expected_failures", "is not a list");
  for (const JsonValue& entry : *list) failures.push_back(ReadExpectedFailure(entry, ids));
  return failures;
}

void CheckMajor(const JsonValue& json) {
  const std::uint32_t major = NumberField(json, "crossfold");
  if (major == CF_ABI_MAJOR) return;
  throw Defect{"built for plugin ABI " + std::to_string(major) + "; this host supports ABI " +
               std::to_string(CF_ABI_MAJOR)};
}

Manifest ReadFields(const JsonValue& json) {
  if (json.As<JsonObject>() == nullptr) throw BadText{"not a JSON object"};
  CheckMajor(json);
  Manifest manifest;
  if (json.Find("abi_minor") != nullptr) manifest.abi_minor = NumberField(json, "abi_minor");
  manifest.id = TextField(json, "id");
  CheckId("id", manifest.id);
  manifest.version = TextField(json, "version");
  std::set<std::string> all;
  for (const Kind kind : kKinds) manifest.ids[kind] = IdsField(json, KeyOf(kind).c_str(), all);
  manifest.factories = StringsField(json, "factories");
  if (all.empty() && manifest.factories.empty()) {
    constexpr const char* kNothing = "its manifest offers nothing";
    if (manifest.abi_minor <= CF_ABI_MINOR) throw Defect{kNothing};
    throw Defect{std::string(kNothing) + " that this one knows", true};
  }
  manifest.expected_failures = ExpectedFailuresField(json, all);
  return manifest;
}

JsonValue ReadText(std::string_view text) {
  std::optional<JsonValue> json = ParseJson(text);
  if (!json) throw BadText{"not valid JSON"};
  return *std::move(json);
}

// Returns what a library with this component would have as its manifest.
JsonValue ManifestOfFolder(const JsonValue& json) {
  if (json.As<JsonObject>() == nullptr) throw BadText{"not a JSON object"};
  CheckMajor(json);
  const std::string& kind = TextField(json, "kind");
  if (kind != KindName(Kind::kLearner)) {
    ThrowBadField("kind", "is '" + CleanText(kind.c_str()) + "'; it must be 'learner'");
  }
  JsonObject manifest;
  for (const char* key : {"crossfold", "id", "version", "expected_failures"}) {
    if (const JsonValue* field = json.Find(key)) manifest.push_back({key, *field});
  }
  manifest.push_back({KeyOf(Kind::kLearner), JsonList{TextField(json, "id")}});
  return manifest;
}

template <class Body>
ManifestReading Catching(Body&& body, const std::string& name = "manifest") {
  ManifestReading reading;
  try {
    body(reading);
  } catch (const Defect& defect) {
    reading.problem = defect.Reason();
  } catch (const BadText& text) {
    reading.problem = "its " + name + " is " + text.finding;
  }
  return reading;
}

}  // namespace

ManifestReading ReadManifest(std::uint64_t size, const ByteReader& read) {
  return Catching([&](ManifestReading& reading) {
    const std::optional<std::string> text = ElfFile(size, read).Section(CF_MANIFEST_SECTION);
    reading.is_missing = !text;
    if (!text) throw Defect{"has no crossfold manifest; is it a Crossfold plugin?"};
    reading.manifest = ReadFields(ReadText(std::string_view(*text).substr(0, text->find('\0'))));
  });
}

ManifestReading ReadManifest(std::string_view file) {
  return ReadManifest(file.size(), ReaderOf(file));
}

ManifestReading ReadManifest(const PluginFile& file) {
  if (!file.problem().empty()) {
    ManifestReading reading;
    reading.problem = file.problem();
    return reading;
  }
  return ReadManifest(file.size(), file.reader());
}

ManifestReading ReadManifestFile(const std::filesystem::path& path) {
  if (IsPluginFolder(path)) return ReadFolderManifest(path).reading;
  return ReadManifest(PluginFile(path));
}

ManifestReading ParseManifest(std::string_view text) {
  return Catching([&](ManifestReading& reading) { reading.manifest = ReadFields(ReadText(text)); });
}

ManifestReading ParseFolderManifest(std::string_view text) {
  const auto read = [&](ManifestReading& reading) {
    reading.manifest = ReadFields(ManifestOfFolder(ReadText(text)));
    std::vector<ExpectedFailure>& failures = reading.manifest.expected_failures;
    for (std::size_t i = 0, n = failures.size(); i < n; ++i) {
      if (!failures[i].component.empty()) continue;
      failures.push_back(failures[i]);
      failures.back().component = reading.manifest.id;
    }
  };
  return Catching(read, "crossfold.json");
}

ManifestReading ManifestFromJson(const JsonValue& json) {
  return Catching([&](ManifestReading& reading) { reading.manifest = ReadFields(json); });
}

JsonValue ToJson(const Manifest& manifest) {
  JsonObject json = {{"crossfold", CF_ABI_MAJOR},
                     {"abi_minor", manifest.abi_minor},
                     {"id", manifest.id},
                     {"version", manifest.version}};
  for (const Kind kind : kKinds) json.push_back({KeyOf(kind), manifest.ids[kind]});
  if (!manifest.factories.empty()) json.push_back({"factories", manifest.factories});
  JsonList failures;
  for (const ExpectedFailure& failure : manifest.expected_failures) {
    failures.push_back(JsonObject{
        {"check", failure.check}, {"component", failure.component}, {"reason", failure.reason}});
  }
  if (!failures.empty()) json.push_back({"expected_failures", std::move(failures)});
  return json;
}

}  // namespace crossfold
