#include "bindings/c/json_arguments.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/column_choice.h"
#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/nearest_name.h"
#include "crossfold/spec_text.h"

namespace crossfold::c_api {
namespace {

// A value with its name for messages: "cannot run the experiment: 'seed' ...".
struct Reader {
  const JsonValue& json;
  std::string attempt;
  std::string place;  // "'seed'"

  [[noreturn]] void Refuse(const std::string& finding) const {
    throw Error(ErrorKind::kInvalidArgument, attempt + ": " + place + " " + finding);
  }

  std::string Text() const {
    const auto* text = json.As<std::string>();
    if (text == nullptr) Refuse("is not a string");
    return *text;
  }
  // The members by name.
  std::map<std::string, const JsonValue*> Members() const {
    const auto* object = json.As<JsonObject>();
    if (object == nullptr) Refuse("is not an object");
    std::map<std::string, const JsonValue*> members;
    for (const JsonMember& member : *object) members[member.name] = &member.value;
    return members;
  }
  // Refuses keys that are not among `names`.
  void CheckKeys(const std::vector<std::string>& names) const {
    for (const auto& [key, value] : Members()) {
      if (std::ranges::find(names, key) != names.end()) continue;
      Refuse("has the unknown key '" + key + "'; " + KnownNames(key, names));
    }
  }
  bool has(const char* key) const { return json.Find(key) != nullptr; }
  // REQUIRES: it has the key.
  Reader At(const char* key) const {
    return {*json.Find(key), attempt, "'" + std::string(key) + "'"};
  }
  bool is_list() const { return json.As<JsonList>() != nullptr; }
  // REQUIRES: it is a list.
  std::size_t size() const { return json.As<JsonList>()->size(); }
  Reader Item(std::size_t i) const {
    return {(*json.As<JsonList>())[i], attempt, "item " + std::to_string(i + 1) + " of " + place};
  }
};

// Parses JSON from the caller.
JsonValue Parse(const char* text, const std::string& attempt) {
  std::string problem;
  if (auto json = ParseJson(text, &problem)) return *std::move(json);
  throw Error(ErrorKind::kInvalidArgument, attempt + ": the text " + problem + "; see RFC 8259");
}

double Number(const Reader& value) {
  if (const auto* real = value.json.As<double>()) return *real;
  if (const auto* whole = value.json.As<std::int64_t>()) return static_cast<double>(*whole);
  if (const auto* large = value.json.As<std::uint64_t>()) return static_cast<double>(*large);
  value.Refuse("is not a number");
}

bool IsInteger(const JsonValue& json) {
  return json.As<std::int64_t>() != nullptr || json.As<std::uint64_t>() != nullptr;
}

std::int64_t Integer(const Reader& value) {
  if (!IsInteger(value.json)) value.Refuse("is not a whole number");
  const auto* number = value.json.As<std::int64_t>();
  if (number == nullptr) value.Refuse("does not fit in 64 bits with a sign");
  return *number;
}

// A list of strings.
std::vector<std::string> Texts(const Reader& list) {
  if (!list.is_list()) list.Refuse("is not a list");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < list.size(); ++i) texts.push_back(list.Item(i).Text());
  return texts;
}

Value ReadValue(const Reader& value) {
  const JsonValue& json = value.json;
  if (json.As<Null>() != nullptr) return Null{};
  if (const auto* flag = json.As<bool>()) return *flag;
  if (IsInteger(json)) return Integer(value);
  if (const auto* number = json.As<double>()) return *number;
  if (const auto* text = json.As<std::string>()) return *text;
  if (json.As<JsonObject>() != nullptr) return Nested{JsonText(json)};
  const auto* list = json.As<JsonList>();
  if (!list->empty() && list->front().As<std::string>() != nullptr) {
    return Texts(value);
  }
  const bool whole = std::ranges::all_of(*list, IsInteger);
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (whole) {
      integers.push_back(Integer(value.Item(i)));
    } else {
      numbers.push_back(Number(value.Item(i)));
    }
  }
  if (whole) return integers;
  return numbers;
}

std::shared_ptr<const Spec> ReadSpec(Kind kind, const Reader& spec, const PluginHost& plugins) {
  if (spec.json.As<std::string>() != nullptr) return ParseSpec(kind, spec.Text(), plugins);
  if (spec.json.As<JsonObject>() == nullptr) {
    spec.Refuse("is not a " + std::string(KindName(kind)) +
                "; write a string or {\"id\": ..., \"params\": {...}}");
  }
  spec.CheckKeys({"id", "params"});
  if (!spec.has("id")) spec.Refuse("has no 'id'");
  ParamValues values;
  if (spec.has("params")) {
    for (const auto& [name, value] : spec.At("params").Members()) {
      const bool is_entry = name.find('.') != std::string::npos;  // any JSON, of an object
      const bool is_list = value->As<JsonList>() != nullptr;
      values[name] = is_entry && is_list
                         ? Nested{JsonText(*value)}
                         : ReadValue({*value, spec.attempt, "parameter '" + name + "'"});
    }
  }
  return MakeNamedSpec(kind, spec.At("id").Text(), std::move(values), plugins);
}

std::shared_ptr<const Pipeline> ReadPipeline(const Reader& learner, const PluginHost& plugins) {
  if (!learner.is_list()) {
    return Pipeline::Make({ReadSpec(Kind::kLearner, learner, plugins)});
  }
  std::vector<std::shared_ptr<const Spec>> steps;
  for (std::size_t i = 0; i < learner.size(); ++i) {
    const Kind kind = i + 1 == learner.size() ? Kind::kLearner : Kind::kTransform;
    steps.push_back(ReadSpec(kind, learner.Item(i), plugins));
  }
  if (steps.empty()) learner.Refuse("is an empty list; end it with a learner");
  return Pipeline::Make(std::move(steps));
}

std::vector<NamedLearner> ReadLearners(const Reader& learners, const PluginHost& plugins) {
  std::vector<NamedLearner> read;
  if (learners.is_list()) {
    for (std::size_t i = 0; i < learners.size(); ++i) {
      const auto learner = ReadPipeline(learners.Item(i), plugins);
      read.push_back({learner->ToString(), learner});
    }
    return read;
  }
  if (learners.json.As<JsonObject>() == nullptr) {
    learners.Refuse("is neither an object by name nor a list");
  }
  for (const auto& [name, learner] : learners.Members()) {
    read.push_back(
        {name, ReadPipeline({*learner, learners.attempt, "learner '" + name + "'"}, plugins)});
  }
  return read;
}

// Numbers by the names of learners.
void TakeSeeds(const Reader& seeds, std::vector<NamedLearner>& learners) {
  for (const auto& [name, seed] : seeds.Members()) {
    const auto learner = std::ranges::find(learners, name, &NamedLearner::name);
    if (learner == learners.end()) seeds.Refuse("names '" + name + "', which is not a learner");
    learner->seed = Integer({*seed, seeds.attempt, "the seed of '" + name + "'"});
  }
}

MetricList ReadMetrics(const Reader& metrics, const PluginHost& plugins) {
  if (!metrics.is_list()) return {ReadSpec(Kind::kMetric, metrics, plugins)};
  MetricList list;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    list.push_back(ReadSpec(Kind::kMetric, metrics.Item(i), plugins));
  }
  return list;
}

// The place of a string in `names`.
std::size_t PlaceOf(const Reader& value, const std::vector<std::string>& names) {
  const std::string text = value.Text();
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) value.Refuse("is '" + text + "'; " + KnownNames(text, names));
  return static_cast<std::size_t>(found - names.begin());
}

// One of the words of `words`.
template <class Word>
Word OneOf(const Reader& value, std::initializer_list<std::pair<const char*, Word>> words) {
  std::vector<std::string> names;
  for (const auto& [name, word] : words) names.emplace_back(name);
  return (words.begin() + PlaceOf(value, names))->second;
}

// One of the names that end in null, as the value of an enumeration.
template <class Enumeration>
Enumeration Named(const Reader& value, const char* const names[]) {
  std::vector<std::string> known;
  for (int i = 0; names[i] != nullptr; ++i) known.emplace_back(names[i]);
  return static_cast<Enumeration>(PlaceOf(value, known));
}

// The member `key` as one of the names, if it is there.
template <class Enumeration>
void TakeNamed(const Reader& given, const char* key, const char* const names[], Enumeration& out) {
  if (given.has(key)) out = Named<Enumeration>(given.At(key), names);
}

void TakeRoles(const Reader& given, Roles& roles) {
  const std::pair<const char*, std::string*> named[] = {
      {"target", &roles.target},    {"weights", &roles.weights}, {"groups", &roles.groups},
      {"time", &roles.time},        {"folds", &roles.folds},     {"strata", &roles.strata},
      {"positive", &roles.positive}};
  for (const auto& [key, column] : named) {
    if (given.has(key)) *column = given.At(key).Text();
  }
  if (given.has("coordinates")) roles.coordinates = Texts(given.At("coordinates"));
  if (!given.has("row_costs")) return;
  for (const auto& [name, column] : given.At("row_costs").Members()) {
    roles.row_costs[name] = Reader{*column, given.attempt, "'row_costs'"}.Text();
  }
}

// The metric that 'metric' means: as it is written in the result, or as it was written in the
// experiment.
std::size_t MetricPlace(const Reader& given, const Experiment& experiment,
                        const PluginHost& plugins) {
  std::vector<std::string> names;
  for (const auto& metric : experiment.metrics) names.push_back(metric->ToString());
  if (!given.has("metric")) {
    if (names.size() == 1) return 0;
    given.Refuse("has no 'metric', and the experiment has " + std::to_string(names.size()) + "; " +
                 KnownNames("", names));
  }
  const Reader wanted = given.At("metric");
  const std::string name = wanted.Text();
  if (std::ranges::find(names, name) != names.end()) return PlaceOf(wanted, names);
  const auto meant = std::ranges::find(names, ParseSpec(Kind::kMetric, name, plugins)->ToString());
  if (meant == names.end()) return PlaceOf(wanted, names);
  return static_cast<std::size_t>(meant - names.begin());
}

std::vector<std::string> CurveKeys(const CurveRequest& request) {
  std::vector<std::string> keys = {"kind", "aggregation", "positive"};
  const auto add = [&keys](std::initializer_list<const char*> more) {
    keys.insert(keys.end(), more.begin(), more.end());
  };
  if (request.vertical) {
    add({"grid", "interval", "confidence", "samples", "seed"});
    return keys;
  }
  add({"repeat", "fold"});
  if (request.kind == CurveKind::kRoc) add({"points"});
  if (request.kind == CurveKind::kCalibration) add({"bins", "binning", "confidence"});
  if (request.kind == CurveKind::kThresholds) add({"costs"});
  if (request.kind == CurveKind::kReliability) {
    add({"band", "score", "confidence", "samples", "seed"});
  }
  if (request.kind == CurveKind::kDecision) {
    add({"thresholds", "prevalence", "confidence", "samples", "seed"});
  }
  return keys;
}

// A number of things; all have limits far inside these, which the curves check.
int SmallCount(const Reader& value) {
  return static_cast<int>(std::clamp<std::int64_t>(Integer(value), -(1 << 30), 1 << 30));
}

void TakeDecisionOptions(const Reader& given, DecisionCurveOptions& decision) {
  if (given.has("prevalence")) decision.prevalence = Number(given.At("prevalence"));
  if (!given.has("thresholds")) return;
  const Reader list = given.At("thresholds");
  if (!list.is_list()) list.Refuse("is not a list of numbers");
  for (std::size_t i = 0; i < list.size(); ++i) {
    decision.thresholds.push_back(Number(list.Item(i)));
  }
}

// The confidence, the number of samples and their seed.
template <class Options>
void TakeSampling(const Reader& given, Options& options) {
  if (given.has("confidence")) options.confidence = Number(given.At("confidence"));
  if (given.has("samples")) options.samples = SmallCount(given.At("samples"));
  if (given.has("seed")) {
    options.seed = static_cast<std::uint64_t>(Integer(given.At("seed")));
  }
}

void TakeCurveOptions(const Reader& given, CurveRequest& read) {
  CalibrationOptions& calibration = read.curve.calibration;
  TakeNamed(given, "points", kRocPointsNames, read.curve.points);
  if (given.has("bins")) calibration.bins = SmallCount(given.At("bins"));
  TakeNamed(given, "binning", kBinningNames, calibration.binning);
  if (given.has("confidence")) calibration.confidence = Number(given.At("confidence"));
  if (given.has("band")) {
    read.curve.reliability.band = Named<ReliabilityBand>(given.At("band"), kReliabilityBandNames);
  }
  TakeNamed(given, "score", kReliabilityScoreNames, read.curve.reliability.score);
  TakeDecisionOptions(given, read.curve.decision);
  TakeSampling(given, read.curve.reliability);
  TakeSampling(given, read.curve.decision);
  if (!given.has("costs")) return;
  const Reader costs = given.At("costs");
  read.curve.costs.emplace();
  for (std::size_t truth = 0; truth < 2; ++truth) {
    for (std::size_t called = 0; called < 2; ++called) {
      const bool square = costs.is_list() && costs.size() == 2 && costs.Item(truth).is_list() &&
                          costs.Item(truth).size() == 2;
      if (!square) costs.Refuse("is not [[tn, fp], [fn, tp]]");
      (*read.curve.costs)[truth][called] = Number(costs.Item(truth).Item(called));
    }
  }
}

void TakeAverageOptions(const Reader& given, RocAverageOptions& average) {
  if (given.has("grid")) average.points = SmallCount(given.At("grid"));
  TakeNamed(given, "interval", kAverageIntervalNames, average.interval);
  TakeSampling(given, average);
}

constexpr const char* kRoleKeys[] = {"target", "weights",     "groups",    "time",    "folds",
                                     "strata", "coordinates", "row_costs", "infinite", "positive"};

InfiniteEntries ReadInfinite(const Reader& given) {
  if (!given.has("infinite")) return InfiniteEntries::kRefuse;
  return InfiniteEntriesFromName(given.At("infinite").Text());
}

// The type that a column is asked to have: a name, or a list of levels.
WantedType ReadType(const Reader& wanted) {
  if (wanted.is_list()) return Texts(wanted);
  return ColumnTypeFromName(wanted.Text());
}

}  // namespace

DataRequest ReadDataRequest(const char* json, const std::string& attempt) {
  DataRequest request;
  if (json == nullptr) return request;
  const JsonValue parsed = Parse(json, attempt);
  const Reader given{parsed, attempt, "the roles"};
  given.CheckKeys({std::begin(kRoleKeys), std::end(kRoleKeys)});
  TakeRoles(given, request.roles);
  request.infinite = ReadInfinite(given);
  return request;
}

ReadRequest ReadOptionsOf(const char* json, const std::string& location, const std::string& attempt,
                          const PluginHost& plugins) {
  ReadRequest request;
  if (json == nullptr) return request;
  const JsonValue parsed = Parse(json, attempt);
  const Reader given{parsed, attempt, "the options"};
  const auto members = given.Members();
  if (given.has("format")) request.format = given.At("format").Text();
  std::vector<std::string> known(std::begin(kRoleKeys), std::end(kRoleKeys));
  known.insert(known.end(), {"format", "types", "drop_missing"});
  const std::size_t n_general = known.size();
  for (const ParamSpec& param : FindSource(plugins, location, request)->params) {
    known.push_back(param.name);
  }
  given.CheckKeys(known);
  TakeRoles(given, request.roles);
  request.infinite = ReadInfinite(given);
  if (given.has("types")) {
    for (const auto& [column, type] : given.At("types").Members()) {
      request.types[column] = ReadType({*type, attempt, "'types'"});
    }
  }
  if (given.has("drop_missing")) request.drop_missing = Texts(given.At("drop_missing"));
  for (std::size_t i = n_general; i < known.size(); ++i) {
    const auto member = members.find(known[i]);
    if (member == members.end()) continue;
    request.options[known[i]] = ReadValue({*member->second, attempt, "'" + known[i] + "'"});
  }
  return request;
}

std::shared_ptr<const Pipeline> ReadLearner(const char* json, const std::string& attempt,
                                            const PluginHost& plugins) {
  return ReadPipeline({Parse(json, attempt), attempt, "the learner"}, plugins);
}

std::shared_ptr<const Spec> ReadSplitter(const char* json, const std::string& attempt,
                                         const PluginHost& plugins) {
  return ReadSpec(Kind::kSplitter, {Parse(json, attempt), attempt, "the splitter"}, plugins);
}

ExperimentText ReadExperiment(const char* json, const std::string& attempt,
                              const PluginHost& plugins) {
  const JsonValue parsed = Parse(json, attempt);
  const Reader given{parsed, attempt, "the experiment"};
  given.CheckKeys({"learners", "splitter", "metrics", "seed", "seeds", "keep", "isolate", "store",
                   "on_store_error", "on_cancel"});
  if (!given.has("learners")) given.Refuse("has no 'learners'");
  ExperimentText read;
  read.experiment.learners = ReadLearners(given.At("learners"), plugins);
  if (given.has("splitter")) {
    read.splitter = ReadSpec(Kind::kSplitter, given.At("splitter"), plugins);
  }
  if (given.has("metrics")) read.experiment.metrics = ReadMetrics(given.At("metrics"), plugins);
  if (given.has("seed")) {
    const Reader seed = given.At("seed");
    const auto* large = seed.json.As<std::uint64_t>();
    read.experiment.seed = large != nullptr ? *large : static_cast<std::uint64_t>(Integer(seed));
  }
  if (given.has("seeds")) TakeSeeds(given.At("seeds"), read.experiment.learners);
  if (given.has("keep")) {
    read.experiment.keep = OneOf<Keep>(given.At("keep"), {{"none", Keep::kNothing},
                                                          {"labels", Keep::kLabels},
                                                          {"probabilities", Keep::kProbabilities}});
  }
  if (given.has("isolate")) {
    read.experiment.isolation =
        OneOf<Isolation>(given.At("isolate"), {{"none", Isolation::kNone},
                                               {"worker", Isolation::kWorker},
                                               {"fresh", Isolation::kFresh},
                                               {"auto", Isolation::kAuto}});
  }
  if (given.has("store")) {
    read.store = given.At("store").Text();
    if (read.store.empty()) given.At("store").Refuse("is empty; name a file");
    // The system's calls would see the part before it, which is another file.
    if (read.store.find('\0') != std::string::npos) {
      given.At("store").Refuse("contains a NUL; name a file");
    }
  }
  if (given.has("on_store_error")) {
    read.on_store_error =
        OneOf<OnStoreError>(given.At("on_store_error"),
                            {{"continue", OnStoreError::kContinue}, {"stop", OnStoreError::kStop}});
  }
  if (given.has("on_cancel")) {
    read.on_cancel = OneOf<OnCancel>(given.At("on_cancel"),
                                     {{"fail", OnCancel::kFail}, {"partial", OnCancel::kPartial}});
  }
  return read;
}

ComparisonOptions ReadComparison(const char* json, const std::string& attempt,
                                 const Experiment& experiment, const PluginHost& plugins) {
  const JsonValue parsed = Parse(json != nullptr ? json : "{}", attempt);
  const Reader given{parsed, attempt, "the options"};
  given.CheckKeys(
      {"metric", "learners", "control", "test", "alpha", "confidence", "rope", "adjust"});
  ComparisonOptions read;
  read.metric = MetricPlace(given, experiment, plugins);
  std::vector<std::string> names;
  for (const NamedLearner& learner : experiment.learners) names.push_back(learner.name);
  if (given.has("learners")) {
    const Reader list = given.At("learners");
    if (!list.is_list()) list.Refuse("is not a list");
    for (std::size_t i = 0; i < list.size(); ++i) {
      read.learners.push_back(PlaceOf(list.Item(i), names));
    }
  }
  if (given.has("control")) read.control = PlaceOf(given.At("control"), names);
  if (given.has("test")) read.test = Named<PairTest>(given.At("test"), kPairTestNames);
  if (given.has("alpha")) read.alpha = Number(given.At("alpha"));
  if (given.has("confidence")) read.confidence = Number(given.At("confidence"));
  if (given.has("rope")) read.rope = Number(given.At("rope"));
  TakeNamed(given, "adjust", stats::kAdjustmentNames, read.adjust);
  return read;
}

CurveRequest ReadCurve(const char* json, const std::string& attempt) {
  const JsonValue parsed = Parse(json, attempt);
  const Reader given{parsed, attempt, "the options"};
  given.Members();
  if (!given.has("kind")) given.Refuse("has no 'kind'");
  CurveRequest read;
  read.kind = Named<CurveKind>(given.At("kind"), kCurveKindNames);
  if (given.has("aggregation")) {
    read.vertical = OneOf<bool>(given.At("aggregation"), {{"pooled", false}, {"vertical", true}});
  }
  if (read.vertical && read.kind != CurveKind::kRoc) {
    given.At("aggregation").Refuse("is 'vertical', which is for kind 'roc'; use 'pooled'");
  }
  given.CheckKeys(CurveKeys(read));
  if (given.has("positive")) read.positive = given.At("positive").Text();
  if (given.has("repeat")) read.repeat = Integer(given.At("repeat"));
  if (given.has("fold")) read.fold = Integer(given.At("fold"));
  TakeCurveOptions(given, read);
  if (read.vertical) TakeAverageOptions(given, read.average);
  return read;
}

}  // namespace crossfold::c_api
