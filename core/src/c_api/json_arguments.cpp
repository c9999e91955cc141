#include "c_api/json_arguments.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "crossfold/spec_text.h"

namespace crossfold::c_api {
namespace {

using Json = nlohmann::json;

// A value with the words for what is wrong with it: "cannot run the experiment: 'seed' ...".
struct Reader {
  const Json& json;
  std::string attempt;
  std::string place;  // "'seed'"

  [[noreturn]] void Refuse(const std::string& finding) const {
    throw Error(ErrorKind::kInvalidArgument, attempt + ": " + place + " " + finding);
  }

  std::string Text() const {
    if (!json.is_string()) Refuse("is no text");
    return json.get<std::string>();
  }
  void CheckObject() const {
    if (!json.is_object()) Refuse("is no object");
  }
  // Refuses keys that are not `known`.
  void CheckKeys(std::initializer_list<const char*> known) const {
    CheckObject();
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& [key, value] : json.items()) {
      if (std::ranges::find(names, key) != names.end()) continue;
      Refuse("has the unknown key '" + key + "'; " + KnownNames(key, names));
    }
  }
  bool has(const char* key) const { return json.contains(key); }
  Reader At(const char* key) const { return {json.at(key), attempt, "'" + std::string(key) + "'"}; }
  Reader Item(std::size_t i) const {
    return {json.at(i), attempt, "item " + std::to_string(i + 1) + " of " + place};
  }
};

// A text that the caller gave as JSON.
Json Parse(const char* text, const std::string& attempt) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::kInvalidArgument, attempt + ": the text is no JSON at byte " +
                                                 std::to_string(error.byte) + "; see RFC 8259");
  }
}

std::vector<double> Numbers(const Reader& list) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < list.json.size(); ++i) {
    if (!list.json[i].is_number()) list.Item(i).Refuse("is no number");
    numbers.push_back(list.json[i].get<double>());
  }
  return numbers;
}

std::int64_t Integer(const Reader& value) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.json.is_number_unsigned() && value.json.get<std::uint64_t>() > kLargest) {
    value.Refuse("does not fit in 64 bits with a sign");
  }
  return value.json.get<std::int64_t>();
}

Value ReadValue(const Reader& value) {
  const Json& json = value.json;
  if (json.is_null()) return Null{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return Integer(value);
  if (json.is_number_float()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array()) value.Refuse("is no parameter value");
  const bool whole = std::ranges::all_of(json, [](const Json& e) { return e.is_number_integer(); });
  if (!whole) return Numbers(value);
  std::vector<std::int64_t> integers;
  for (std::size_t i = 0; i < json.size(); ++i) integers.push_back(Integer(value.Item(i)));
  return integers;
}

std::shared_ptr<const Spec> ReadSpec(Kind kind, const Reader& spec, const PluginHost& plugins) {
  if (spec.json.is_string()) return ParseSpec(kind, spec.Text(), plugins);
  if (!spec.json.is_object()) {
    spec.Refuse("is no " + std::string(KindName(kind)) +
                "; write a text or {\"id\": ..., \"params\": {...}}");
  }
  spec.CheckKeys({"id", "params"});
  if (!spec.has("id")) spec.Refuse("has no 'id'");
  ParamValues values;
  if (spec.has("params")) {
    const Reader params = spec.At("params");
    params.CheckObject();
    for (const auto& [name, value] : params.json.items()) {
      values[name] = ReadValue({value, spec.attempt, "parameter '" + name + "'"});
    }
  }
  return MakeNamedSpec(kind, spec.At("id").Text(), std::move(values), plugins);
}

std::shared_ptr<const Pipeline> ReadPipeline(const Reader& learner, const PluginHost& plugins) {
  if (!learner.json.is_array()) {
    return Pipeline::Make({ReadSpec(Kind::kLearner, learner, plugins)});
  }
  std::vector<std::shared_ptr<const Spec>> steps;
  for (std::size_t i = 0; i < learner.json.size(); ++i) {
    const Kind kind = i + 1 == learner.json.size() ? Kind::kLearner : Kind::kTransform;
    steps.push_back(ReadSpec(kind, learner.Item(i), plugins));
  }
  if (steps.empty()) learner.Refuse("is an empty list; end it with a learner");
  return Pipeline::Make(std::move(steps));
}

std::vector<NamedLearner> ReadLearners(const Reader& learners, const PluginHost& plugins) {
  std::vector<NamedLearner> read;
  if (learners.json.is_array()) {
    for (std::size_t i = 0; i < learners.json.size(); ++i) {
      const auto learner = ReadPipeline(learners.Item(i), plugins);
      read.push_back({learner->ToString(), learner});
    }
    return read;
  }
  if (!learners.json.is_object()) learners.Refuse("is neither an object by name nor a list");
  for (const auto& [name, learner] : learners.json.items()) {
    read.push_back(
        {name, ReadPipeline({learner, learners.attempt, "learner '" + name + "'"}, plugins)});
  }
  return read;
}

MetricList ReadMetrics(const Reader& metrics, const PluginHost& plugins) {
  if (!metrics.json.is_array()) return {ReadSpec(Kind::kMetric, metrics, plugins)};
  MetricList list;
  for (std::size_t i = 0; i < metrics.json.size(); ++i) {
    list.push_back(ReadSpec(Kind::kMetric, metrics.Item(i), plugins));
  }
  return list;
}

// One of the words of `words`.
template <class Word>
Word OneOf(const Reader& value, std::initializer_list<std::pair<const char*, Word>> words) {
  const std::string text = value.Text();
  std::vector<std::string> names;
  for (const auto& [name, word] : words) {
    if (text == name) return word;
    names.emplace_back(name);
  }
  value.Refuse("is '" + text + "'; " + KnownNames(text, names));
}

void TakeRoles(const Reader& given, Roles& roles) {
  const std::pair<const char*, std::string*> named[] = {
      {"target", &roles.target}, {"weights", &roles.weights}, {"groups", &roles.groups},
      {"time", &roles.time},     {"folds", &roles.folds},     {"strata", &roles.strata}};
  for (const auto& [key, column] : named) {
    if (given.has(key)) *column = given.At(key).Text();
  }
  if (!given.has("row_costs")) return;
  const Reader costs = given.At("row_costs");
  costs.CheckObject();
  for (const auto& [name, column] : costs.json.items()) {
    roles.row_costs[name] = Reader{column, given.attempt, "'row_costs'"}.Text();
  }
}

// A list of texts.
std::vector<std::string> Texts(const Reader& list) {
  if (!list.json.is_array()) list.Refuse("is no list");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < list.json.size(); ++i) texts.push_back(list.Item(i).Text());
  return texts;
}

// A character; null is none.
char Character(const Reader& value) {
  if (value.json.is_null()) return kNoQuote;
  const std::string text = value.Text();
  if (text.size() != 1) value.Refuse("is not one character");
  return text[0];
}

std::int64_t Count(const Reader& value, std::int64_t least) {
  if (!value.json.is_number_integer()) value.Refuse("is no whole number");
  const std::int64_t number = Integer(value);
  if (number < least) value.Refuse("is less than " + std::to_string(least));
  return number;
}

// The form of a CSV file.
void TakeLayout(const Reader& given, CsvOptions& options) {
  if (given.has("separator")) options.separator = SeparatorFromName(given.At("separator").Text());
  if (given.has("quote")) options.quote = Character(given.At("quote"));
  if (given.has("decimal")) options.decimal = Character(given.At("decimal"));
  if (given.has("thousands")) options.thousands = Character(given.At("thousands"));
  if (given.has("encoding")) options.encoding = TextEncodingFromName(given.At("encoding").Text());
  if (given.has("comment")) options.comment = given.At("comment").Text();
  if (given.has("skip_lines")) options.skip_lines = Count(given.At("skip_lines"), 0);
  if (given.has("most_bytes")) options.most_bytes = Count(given.At("most_bytes"), 1);
  if (given.has("names")) options.names = Texts(given.At("names"));
  if (given.has("header")) {
    const Reader header = given.At("header");
    if (!header.json.is_boolean()) header.Refuse("is neither true nor false");
    options.header = header.json.get<bool>();
  }
}

}  // namespace

Roles ReadRoles(const char* json, const std::string& attempt) {
  Roles roles;
  if (json == nullptr) return roles;
  const Json parsed = Parse(json, attempt);
  const Reader given{parsed, attempt, "the roles"};
  given.CheckKeys({"target", "weights", "groups", "time", "folds", "strata", "row_costs"});
  TakeRoles(given, roles);
  return roles;
}

CsvOptions ReadCsvOptions(const char* json, const std::string& attempt) {
  CsvOptions options;
  if (json == nullptr) return options;
  const Json parsed = Parse(json, attempt);
  const Reader given{parsed, attempt, "the options"};
  given.CheckKeys({"target", "weights", "groups", "time", "folds", "strata", "row_costs", "types",
                   "missing", "separator", "quote", "decimal", "thousands", "encoding", "comment",
                   "skip_lines", "header", "names", "most_bytes"});
  TakeRoles(given, options.roles);
  if (given.has("types")) {
    const Reader types = given.At("types");
    types.CheckObject();
    for (const auto& [column, type] : types.json.items()) {
      options.types[column] = ColumnTypeFromName(Reader{type, attempt, "'types'"}.Text());
    }
  }
  if (given.has("missing")) options.missing = Texts(given.At("missing"));
  TakeLayout(given, options);
  return options;
}

std::shared_ptr<const Pipeline> ReadLearner(const char* json, const std::string& attempt,
                                            const PluginHost& plugins) {
  const Json parsed = Parse(json, attempt);
  return ReadPipeline({parsed, attempt, "the learner"}, plugins);
}

std::shared_ptr<const Spec> ReadSplitter(const char* json, const std::string& attempt,
                                         const PluginHost& plugins) {
  const Json parsed = Parse(json, attempt);
  return ReadSpec(Kind::kSplitter, {parsed, attempt, "the splitter"}, plugins);
}

ExperimentText ReadExperiment(const char* json, const std::string& attempt,
                              const PluginHost& plugins) {
  const Json parsed = Parse(json, attempt);
  const Reader given{parsed, attempt, "the experiment"};
  given.CheckKeys({"learners", "splitter", "metrics", "seed", "keep", "isolate", "store"});
  if (!given.has("learners")) given.Refuse("has no 'learners'");
  ExperimentText read;
  read.experiment.learners = ReadLearners(given.At("learners"), plugins);
  if (given.has("splitter")) {
    read.splitter = ReadSpec(Kind::kSplitter, given.At("splitter"), plugins);
  }
  if (given.has("metrics")) read.experiment.metrics = ReadMetrics(given.At("metrics"), plugins);
  if (given.has("seed")) {
    const Reader seed = given.At("seed");
    if (!seed.json.is_number_integer()) seed.Refuse("is no whole number");
    read.experiment.seed = seed.json.get<std::uint64_t>();
  }
  if (given.has("keep")) {
    read.experiment.keep = OneOf<Keep>(given.At("keep"), {{"none", Keep::kNothing},
                                                          {"labels", Keep::kLabels},
                                                          {"probabilities", Keep::kProbabilities}});
  }
  if (given.has("isolate")) {
    read.experiment.isolation = OneOf<Isolation>(
        given.At("isolate"),
        {{"none", Isolation::kNone}, {"worker", Isolation::kWorker}, {"fresh", Isolation::kFresh}});
  }
  if (given.has("store")) {
    read.store = given.At("store").Text();
    if (read.store.empty()) given.At("store").Refuse("is empty; name a file");
    // The system's calls would see the part in front of it, which is another file.
    if (read.store.find('\0') != std::string::npos) {
      given.At("store").Refuse("holds a NUL; name a file");
    }
  }
  return read;
}

}  // namespace crossfold::c_api
