#include "registry/json_fields.h"

#include <optional>
#include <utility>

#include "engine/data/sha256.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {

JsonValue ReadDocument(std::string_view text, const std::string& start) {
  std::string problem;
  std::optional<JsonValue> json = ParseJson(text, &problem);
  if (!json) throw Defect{start + problem};
  return *std::move(json);
}

JsonFields::JsonFields(const JsonValue& json, std::string place)
    : json_(json), place_(std::move(place)) {
  if (json_.As<JsonObject>() == nullptr) throw Defect{place_ + " is not an object"};
}

void JsonFields::Refuse(const char* key, const std::string& finding) const {
  throw Defect{place_ + ": its '" + key + "' " + finding};
}

void JsonFields::CheckVersion(const char* key, std::int64_t version) const {
  if (Count(key) == version) return;
  throw Defect{"it has a version that this Crossfold does not know; use a newer one"};
}

bool JsonFields::Has(const char* key) const {
  const JsonValue* field = json_.Find(key);
  return field != nullptr && field->As<Null>() == nullptr;
}

const JsonValue& JsonFields::Field(const char* key) const {
  if (!Has(key)) Refuse(key, "is missing");
  return *json_.Find(key);
}

std::string JsonFields::Line(const char* key) const {
  const auto* text = Field(key).As<std::string>();
  if (text == nullptr) Refuse(key, "is not a string");
  if (!IsCleanLine(*text)) Refuse(key, "is not one line of text");
  return *text;
}

std::string JsonFields::OptionalLine(const char* key) const {
  const auto* text = json_.FindAs<std::string>(key);
  const bool is_empty = !Has(key) || (text != nullptr && text->empty());
  return is_empty ? "" : Line(key);
}

std::string JsonFields::Sha256(const char* key) const {
  std::string text = Line(key);
  if (!IsSha256(text)) Refuse(key, "is not 64 digits of 0-9 and a-f");
  return text;
}

std::int64_t JsonFields::Count(const char* key) const {
  const auto* number = Field(key).As<std::int64_t>();
  if (number == nullptr || *number < 0) Refuse(key, "is not a whole number of 0 or more");
  return *number;
}

bool JsonFields::Flag(const char* key) const {
  const auto* flag = Field(key).As<bool>();
  if (flag == nullptr) Refuse(key, "is not true or false");
  return *flag;
}

std::vector<std::string> JsonFields::Lines(const char* key) const {
  std::vector<std::string> lines;
  if (!Has(key)) return lines;
  const auto* list = Field(key).As<JsonList>();
  if (list == nullptr) Refuse(key, "is not a list");
  for (const JsonValue& entry : *list) {
    const auto* text = entry.As<std::string>();
    if (text == nullptr || !IsCleanLine(*text)) Refuse(key, "has an entry that is not one line");
    lines.push_back(*text);
  }
  return lines;
}

std::vector<JsonFields> JsonFields::Objects(const char* key, const std::string& name) const {
  std::vector<JsonFields> objects;
  if (!Has(key)) return objects;
  const auto* list = Field(key).As<JsonList>();
  if (list == nullptr) Refuse(key, "is not a list");
  const std::string start = place_.empty() ? "" : place_ + ", ";
  for (const JsonValue& entry : *list) {
    objects.emplace_back(entry, start + name + " " + std::to_string(objects.size() + 1));
  }
  return objects;
}

JsonFields JsonFields::Object(const char* key) const {
  return {Field(key), (place_.empty() ? "" : place_ + ", ") + std::string("'") + key + "'"};
}

}  // namespace crossfold
