#include "folder_description.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "crossfold_plugin.h"

namespace crossfold::exec {
namespace {

using Json = nlohmann::json;

struct Word {
  const char* name;
  std::uint32_t bit;
};

constexpr std::array kTasks = {Word{"binary", CF_TASK_BINARY},
                               Word{"multiclass", CF_TASK_MULTICLASS},
                               Word{"regression", CF_TASK_REGRESSION}};
constexpr std::array kAccepts = {
    Word{"numeric", CF_ACCEPTS_NUMERIC}, Word{"categorical", CF_ACCEPTS_CATEGORICAL},
    Word{"missing", CF_ACCEPTS_MISSING}, Word{"weights", CF_ACCEPTS_WEIGHTS},
    Word{"no_features", CF_ACCEPTS_NO_FEATURES}};
constexpr std::array kDeterminism = {Word{"seeded", CF_DET_SEEDED}, Word{"threads", CF_DET_THREADS},
                                     Word{"row_order", CF_DET_ROW_ORDER},
                                     Word{"unseeded", CF_DET_UNSEEDED}};
enum Ability : std::uint32_t {
  kHasProba = 1,
  kHasSave = 2,
  kHasImportance = 4,
  kHasValidation = 8
};
constexpr std::array kAbilities = {Word{"proba", kHasProba}, Word{"serialize", kHasSave},
                                   Word{"importance", kHasImportance},
                                   Word{"validation", kHasValidation}};
constexpr std::array kTypes = {
    Word{"real", CF_P_REAL},           Word{"int", CF_P_INT},
    Word{"bool", CF_P_BOOL},           Word{"choice", CF_P_CHOICE},
    Word{"string", CF_P_STRING},       Word{"int_list", CF_P_INT_LIST},
    Word{"real_list", CF_P_REAL_LIST}, Word{"string_list", CF_P_STRING_LIST},
    Word{"object", CF_P_STRING}};

[[noreturn]] void Refuse(const std::string& what) {
  throw BadDescription("its crossfold.json: " + what);
}

std::string Known(std::span<const Word> words) {
  std::string text;
  for (const Word& word : words)
    text += (text.empty() ? "'" : ", '") + std::string(word.name) + "'";
  return text;
}

// An object of the file, whose keys are read one by one.
class Section {
 public:
  // `place` is "" for the whole file, else such as "the parameter 'k': ".
  Section(const Json& json, std::string place, std::initializer_list<const char*> keys)
      : json_(json), place_(std::move(place)) {
    for (const auto& item : json.items()) {
      const auto is_key = [&](const char* key) { return item.key() == key; };
      if (std::none_of(keys.begin(), keys.end(), is_key)) {
        Refuse(place_ + "there is no key '" + item.key() + "'");
      }
    }
  }

  const Json* Find(const char* key) const {
    const auto it = json_.find(key);
    return it == json_.end() ? nullptr : &*it;
  }

  std::string Text(const char* key, std::optional<std::string> otherwise) const {
    const Json* value = Find(key);
    if (value == nullptr) {
      if (otherwise) return *std::move(otherwise);
      Refuse(place_ + "it has no '" + key + "'");
    }
    if (!value->is_string()) Wrong(key, "is not a string");
    return value->get<std::string>();
  }

  std::vector<std::string> Texts(const char* key) const {
    const Json* value = Find(key);
    if (value == nullptr) return {};
    if (!value->is_array()) Wrong(key, "is not a list");
    for (const Json& entry : *value) {
      if (!entry.is_string()) Wrong(key, "has an entry that is not a string");
    }
    return value->get<std::vector<std::string>>();
  }

  std::uint32_t Bits(const char* key, std::span<const Word> words) const {
    std::uint32_t bits = 0;
    for (const std::string& text : Texts(key)) bits |= Bit(key, text, words);
    return bits;
  }

  std::uint32_t Bit(const char* key, const std::string& text, std::span<const Word> words) const {
    const auto it = std::find_if(words.begin(), words.end(),
                                 [&](const Word& word) { return text == word.name; });
    if (it == words.end()) Wrong(key, "has '" + text + "'; known: " + Known(words));
    return it->bit;
  }

  bool Flag(const char* key) const {
    const Json* value = Find(key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) Wrong(key, "is not true or false");
    return value->get<bool>();
  }

  double Number(const char* key, double otherwise) const {
    const Json* value = Find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_number()) Wrong(key, "is not a number");
    return value->get<double>();
  }

  std::int64_t Integer(const char* key, std::int64_t otherwise) const {
    const Json* value = Find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_number_integer()) Wrong(key, "is not an integer");
    return value->get<std::int64_t>();
  }

  [[noreturn]] void Wrong(const std::string& key, const std::string& what) const {
    Refuse(place_ + "'" + key + "' " + what);
  }

 private:
  const Json& json_;
  std::string place_;
};

std::int64_t ChoiceIndex(const Section& from, const Json& value, const ParamDescription& param) {
  if (!value.is_string()) from.Wrong("default", "is not a string");
  const auto it = std::find(param.choices.begin(), param.choices.end(), value.get<std::string>());
  if (it == param.choices.end()) from.Wrong("default", "is not one of its choices");
  return it - param.choices.begin();
}

template <class T>
std::vector<T> Numbers(const Section& from, const Json& value, bool (Json::*fits)() const) {
  if (!value.is_array()) from.Wrong("default", "is not a list");
  for (const Json& entry : value) {
    if (!(entry.*fits)()) from.Wrong("default", "has an entry of the wrong type");
  }
  return value.get<std::vector<T>>();
}

ParamDescription::Default ReadDefault(const Section& from, const ParamDescription& param) {
  const Json* value = from.Find("default");
  if (value == nullptr && param.is_object) return std::string("{}");
  if (value == nullptr) from.Wrong("default", "is missing");
  if (value->is_null()) return std::monostate();
  switch (param.type) {
    case CF_P_REAL:
      return from.Number("default", 0);
    case CF_P_INT:
      return from.Integer("default", 0);
    case CF_P_BOOL:
      return std::int64_t{from.Flag("default")};
    case CF_P_CHOICE:
      return ChoiceIndex(from, *value, param);
    case CF_P_INT_LIST:
      return Numbers<std::int64_t>(from, *value, &Json::is_number_integer);
    case CF_P_REAL_LIST:
      return Numbers<double>(from, *value, &Json::is_number);
    case CF_P_STRING_LIST:
      return from.Texts("default");
    default:
      if (!param.is_object) return from.Text("default", {});
      if (!value->is_object()) from.Wrong("default", "is not an object");
      return value->dump();
  }
}

std::uint32_t ReadFlags(const Section& from) {
  constexpr std::array kFlags = {Word{"log", CF_PF_LOG}, Word{"min_open", CF_PF_LO_OPEN},
                                 Word{"max_open", CF_PF_HI_OPEN}, Word{"nullable", CF_PF_NULLABLE}};
  std::uint32_t flags = 0;
  for (const Word& flag : kFlags) flags |= from.Flag(flag.name) ? flag.bit : 0;
  return flags;
}

ParamDescription ReadParam(const Json& json) {
  if (!json.is_object()) Refuse("'params' has an entry that is not an object");
  const std::string name = json.contains("name") && json["name"].is_string()
                               ? json["name"].get<std::string>()
                               : std::string("?");
  const Section from(json, "the parameter '" + name + "': ",
                     {"name", "type", "default", "min", "max", "min_open", "max_open", "log",
                      "nullable", "choices", "active_if", "unit", "doc"});
  ParamDescription param;
  param.name = from.Text("name", {});
  param.doc = from.Text("doc", "");
  param.active_if = from.Text("active_if", "");
  param.unit = from.Text("unit", "");
  const std::string type = from.Text("type", {});
  param.type = static_cast<std::int32_t>(from.Bit("type", type, kTypes));
  param.is_object = type == "object";
  param.flags = ReadFlags(from) | (param.is_object ? CF_PF_OBJECT : 0);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  using Limits = std::numeric_limits<std::int64_t>;
  const bool is_integer = param.type == CF_P_INT || param.type == CF_P_INT_LIST;
  param.lo = is_integer ? 0 : from.Number("min", -kInfinity);
  param.hi = is_integer ? 0 : from.Number("max", kInfinity);
  param.ilo = is_integer ? from.Integer("min", Limits::min()) : 0;
  param.ihi = is_integer ? from.Integer("max", Limits::max()) : 0;
  param.choices = from.Texts("choices");
  param.default_value = ReadDefault(from, param);
  return param;
}

void ReadAbilities(const Section& from, FolderDescription& folder) {
  const std::uint32_t abilities = from.Bits("capabilities", kAbilities);
  folder.has_proba = (abilities & kHasProba) != 0;
  folder.has_serialize = (abilities & kHasSave) != 0;
  folder.has_importance = (abilities & kHasImportance) != 0;
  folder.has_validation = (abilities & kHasValidation) != 0;
}

FolderDescription ReadFolder(const Json& json) {
  const Section from(
      json, "",
      {"crossfold", "id", "version", "kind", "title", "doc", "source", "vendor", "license", "start",
       "tasks", "accepts", "capabilities", "determinism", "params", "expected_failures"});
  FolderDescription folder;
  if (from.Integer("crossfold", 0) != CF_ABI_MAJOR) from.Wrong("crossfold", "is not 1");
  if (from.Text("kind", {}) != "learner") from.Wrong("kind", "is not 'learner'");
  folder.id = from.Text("id", {});
  folder.version = from.Text("version", {});
  folder.title = from.Text("title", folder.id);
  folder.doc = from.Text("doc", "");
  folder.source = from.Text("source", "");
  folder.vendor = from.Text("vendor", "");
  folder.license = from.Text("license", "");
  folder.start = from.Texts("start");
  if (folder.start.empty() || folder.start[0].empty()) from.Wrong("start", "names no program");
  if (folder.start[0].find('/') != std::string::npos &&
      (folder.start[0][0] == '/' || folder.start[0].find("..") != std::string::npos)) {
    from.Wrong(
        "start",
        "names a program outside the folder; put it into the folder, or its folder on the PATH");
  }
  folder.tasks = from.Bits("tasks", kTasks);
  if (folder.tasks == 0) from.Wrong("tasks", "has no task; known: " + Known(kTasks));
  folder.accepts = from.Bits("accepts", kAccepts);
  folder.determinism = CF_DET_SEEDED;
  if (from.Find("determinism") != nullptr) {
    folder.determinism = from.Bits("determinism", kDeterminism);
  }
  ReadAbilities(from, folder);
  const Json* params = from.Find("params");
  if (params != nullptr && !params->is_array()) from.Wrong("params", "is not a list");
  if (params != nullptr) {
    for (const Json& param : *params) folder.params.push_back(ReadParam(param));
  }
  return folder;
}

}  // namespace

FolderDescription ParseDescription(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) Refuse("it is not valid JSON");
  if (!json.is_object()) Refuse("it is not a JSON object");
  return ReadFolder(json);
}

}  // namespace crossfold::exec
