// Reading fields of JSON that comes from someone else. What is wrong is thrown as a Defect, which
// names the field: "plugin 3: its 'sha256' is missing".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/json_value.h"
#include "engine/plugin/defect.h"

namespace crossfold {

// The members of one object. `json` must outlive it.
class JsonFields {
 public:
  // `place` begins messages: "plugin 3". Throws Defect if it is not an object.
  JsonFields(const JsonValue& json, std::string place);

  const std::string& place() const { return place_; }
  bool Has(const char* key) const;  // and it is not null
  // One line of valid UTF-8, which is not empty. Optional: "" if it is missing, null or empty.
  std::string Line(const char* key) const;
  std::string OptionalLine(const char* key) const;
  std::string Sha256(const char* key) const;
  std::int64_t Count(const char* key) const;  // 0 or more
  bool Flag(const char* key) const;
  // Of a list that may be missing.
  std::vector<std::string> Lines(const char* key) const;
  // The objects of a list that may be missing, as "<place>, <name> 2".
  std::vector<JsonFields> Objects(const char* key, const std::string& name) const;
  JsonFields Object(const char* key) const;
  const JsonObject& members() const { return *json_.As<JsonObject>(); }

  // Refuses a document of another version than the one that the field must have.
  void CheckVersion(const char* key, std::int64_t version) const;

  [[noreturn]] void Refuse(const char* key, const std::string& finding) const;

 private:
  const JsonValue& Field(const char* key) const;

  const JsonValue& json_;
  std::string place_;
};

// Parses a JSON document. Throws Defect "<start>is not JSON at byte 5".
JsonValue ReadDocument(std::string_view text, const std::string& start = "");

}  // namespace crossfold
