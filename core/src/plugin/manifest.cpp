#include "plugin/manifest.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "crossfold_plugin.h"
#include "plugin/elf_file.h"
#include "plugin/foreign_text.h"

namespace crossfold {
namespace {

// Why a file is no plugin. Thrown and caught in this file only.
struct Defect {
  std::string text;
  bool is_missing = false;  // the manifest: the file itself may be in order
};

using Json = nlohmann::json;

[[noreturn]] void ThrowBadField(const std::string& key, const std::string& finding) {
  throw Defect{"its manifest is wrong: '" + key + "' " + finding};
}

const Json& Field(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) ThrowBadField(key, "is missing");
  return *it;
}

std::uint32_t NumberField(const Json& object, const char* key) {
  const Json& field = Field(object, key);
  if (!field.is_number_unsigned() || field.get<std::uint64_t>() > UINT32_MAX) {
    ThrowBadField(key, "is not a whole number");
  }
  return field.get<std::uint32_t>();
}

std::string TextField(const Json& object, const char* key) {
  const Json& field = Field(object, key);
  if (!field.is_string()) ThrowBadField(key, "is not a text");
  std::string text = field.get<std::string>();
  if (text.empty() || text.find('\0') != std::string::npos || CleanText(text.c_str()) != text) {
    ThrowBadField(key, "is not one line of text");
  }
  return text;
}

void CheckId(const char* key, const std::string& id) {
  if (!IsWellFormedId(id)) {
    ThrowBadField(key, "has the id '" + CleanText(id.c_str()) +
                           "'; ids are made of a-z, 0-9, '_', '.' and '-'");
  }
}

std::vector<std::string> IdsField(const Json& object, const char* key, std::set<std::string>& all) {
  const Json& field = Field(object, key);
  if (!field.is_array()) ThrowBadField(key, "is not a list");
  std::vector<std::string> ids;
  for (const Json& entry : field) {
    if (!entry.is_string()) ThrowBadField(key, "has an entry that is not a text");
    ids.push_back(entry.get<std::string>());
    CheckId(key, ids.back());
    if (!all.insert(ids.back()).second) ThrowBadField(key, "repeats the id '" + ids.back() + "'");
  }
  return ids;
}

// {"check": "row-order", "component": "org.example.knn", "reason": "ties"}; without a component it
// is about the file.
ExpectedFailure ParseExpectedFailure(const Json& json, const std::set<std::string>& ids) {
  constexpr const char* kKey = "expected_failures";
  if (!json.is_object()) ThrowBadField(kKey, "has an entry that is not an object");
  ExpectedFailure failure;
  failure.check = TextField(json, "check");
  failure.reason = TextField(json, "reason");
  if (const auto it = json.find("component"); it != json.end()) {
    if (!it->is_string()) ThrowBadField("component", "is not a text");
    failure.component = it->get<std::string>();
  }
  if (!failure.component.empty() && ids.count(failure.component) == 0) {
    ThrowBadField(kKey, "names the component '" + CleanText(failure.component.c_str()) +
                            "', which the plugin does not have");
  }
  return failure;
}

std::vector<ExpectedFailure> ExpectedFailuresField(const Json& object,
                                                   const std::set<std::string>& ids) {
  std::vector<ExpectedFailure> failures;
  const auto it = object.find("expected_failures");
  if (it == object.end()) return failures;
  if (!it->is_array()) ThrowBadField("expected_failures", "is not a list");
  for (const Json& entry : *it) failures.push_back(ParseExpectedFailure(entry, ids));
  return failures;
}

Manifest ParseText(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Defect{"its manifest is not valid JSON"};
  if (!json.is_object()) throw Defect{"its manifest is not a JSON object"};
  const std::uint32_t major = NumberField(json, "crossfold");
  if (major != CF_ABI_MAJOR) {
    throw Defect{"built for plugin ABI " + std::to_string(major) + ", this host speaks " +
                 std::to_string(CF_ABI_MAJOR)};
  }
  Manifest manifest;
  if (json.contains("abi_minor")) manifest.abi_minor = NumberField(json, "abi_minor");
  manifest.id = TextField(json, "id");
  CheckId("id", manifest.id);
  manifest.version = TextField(json, "version");
  std::set<std::string> all;
  manifest.learners = IdsField(json, "learners", all);
  manifest.transforms = IdsField(json, "transforms", all);
  manifest.splitters = IdsField(json, "splitters", all);
  manifest.metrics = IdsField(json, "metrics", all);
  if (all.empty()) throw Defect{"its manifest offers nothing"};
  manifest.expected_failures = ExpectedFailuresField(json, all);
  return manifest;
}

std::optional<std::string> TextOfSection(std::uint64_t size, const ByteReader& read) {
  try {
    return ElfFile(size, read).Section(CF_MANIFEST_SECTION);
  } catch (const ElfDefect& defect) {
    throw Defect{defect.text};
  }
}

Manifest ReadElf(std::uint64_t size, const ByteReader& read) {
  const std::optional<std::string> text = TextOfSection(size, read);
  if (!text) throw Defect{"has no crossfold manifest; is it a Crossfold plugin?", true};
  return ParseText(std::string_view(*text).substr(0, text->find('\0')));
}

template <class Body>
ManifestReading Catching(Body&& body) {
  ManifestReading reading;
  try {
    reading.manifest = body();
  } catch (const Defect& defect) {
    reading.problem = defect.text;
    reading.is_missing = defect.is_missing;
  }
  return reading;
}

}  // namespace

ManifestReading ReadManifest(std::uint64_t size, const ByteReader& read) {
  return Catching([&] { return ReadElf(size, read); });
}

ManifestReading ReadManifest(std::string_view file) {
  return ReadManifest(file.size(), [file](std::uint64_t offset, std::span<char> out) {
    if (offset > file.size() || out.size() > file.size() - offset) return false;
    std::copy_n(file.data() + offset, out.size(), out.data());
    return true;
  });
}

ManifestReading ReadManifest(const PluginFile& file) {
  if (!file.problem().empty()) {
    ManifestReading reading;
    reading.problem = file.problem();
    return reading;
  }
  return ReadManifest(file.size(), [&file](std::uint64_t offset, std::span<char> out) {
    return file.Read(offset, out);
  });
}

ManifestReading ReadManifestFile(const std::filesystem::path& path) {
  return ReadManifest(PluginFile(path));
}

ManifestReading ParseManifest(std::string_view text) {
  return Catching([&] { return ParseText(text); });
}

std::string ToText(const Manifest& manifest) {
  nlohmann::ordered_json json;
  json["crossfold"] = CF_ABI_MAJOR;
  json["abi_minor"] = manifest.abi_minor;
  json["id"] = manifest.id;
  json["version"] = manifest.version;
  json["learners"] = manifest.learners;
  json["transforms"] = manifest.transforms;
  json["splitters"] = manifest.splitters;
  json["metrics"] = manifest.metrics;
  for (const ExpectedFailure& failure : manifest.expected_failures) {
    json["expected_failures"].push_back(
        {{"check", failure.check}, {"component", failure.component}, {"reason", failure.reason}});
  }
  return json.dump();
}

bool IsWellFormedId(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  });
}

}  // namespace crossfold
