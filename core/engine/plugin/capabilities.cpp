#include "engine/plugin/capabilities.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string_view>

#include "engine/plugin/foreign_text.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

// A pointer that must not be null.
struct RequiredField {
  const char* name;
  std::size_t offset;
};

// What this host knows of a capability. This is the one place that lists them.
struct Rule {
  const char* id;
  const char* words;    // for people
  std::uint32_t kinds;  // bits of Kind
  std::size_t last;     // offset of the last field of version 1.0, of 8 bytes; frozen
  std::vector<RequiredField> required;
  bool has_reserved = true;  // the second field must be 0
};

constexpr std::uint32_t Bit(Kind kind) { return 1u << static_cast<unsigned>(kind); }
constexpr std::uint32_t kLearners = Bit(Kind::kLearner);
constexpr std::uint32_t kTransforms = Bit(Kind::kTransform);
constexpr std::uint32_t kMetrics = Bit(Kind::kMetric);

std::vector<Rule> MakeRules() {
  return {
      {CF_CAP_PROBA,
       "gives a probability for every class",
       kLearners,
       offsetof(cf_cap_proba, predict_proba),
       {{"predict_proba", offsetof(cf_cap_proba, predict_proba)}}},
      {CF_CAP_SCORES,
       "ranks rows by scores where it has no probabilities",
       kLearners,
       offsetof(cf_cap_scores, predict_scores),
       {{"replaces_probabilities", offsetof(cf_cap_scores, replaces_probabilities)},
        {"predict_scores", offsetof(cf_cap_scores, predict_scores)}}},
      {CF_CAP_PREPARE,
       "shares one prepared structure per dataset between folds and settings",
       kLearners,
       offsetof(cf_cap_prepare, bytes),
       {{"prepare", offsetof(cf_cap_prepare, prepare)},
        {"fit_prepared", offsetof(cf_cap_prepare, fit_prepared)},
        {"destroy", offsetof(cf_cap_prepare, destroy)},
        {"bytes", offsetof(cf_cap_prepare, bytes)}}},
      {CF_CAP_FIT_PATH,
       "fits many values of the parameter with the flag 'submodel' at once",
       kLearners,
       offsetof(cf_cap_fit_path, predict_at),
       {{"fit_path", offsetof(cf_cap_fit_path, fit_path)},
        {"predict_at", offsetof(cf_cap_fit_path, predict_at)}}},
      {CF_CAP_INCREMENTAL,
       "adds rows to a model and removes them",
       kLearners,
       offsetof(cf_cap_incremental, remove_rows),
       {{"clone", offsetof(cf_cap_incremental, clone)},
        {"add_rows", offsetof(cf_cap_incremental, add_rows)}},
       /*has_reserved=*/false},
      {CF_CAP_CROSS_PREDICT,
       "predicts all folds of a partition in one call",
       kLearners,
       offsetof(cf_cap_cross_predict, tolerance),
       {{"cross_predict", offsetof(cf_cap_cross_predict, cross_predict)}}},
      {CF_CAP_SERIALIZE,
       "saves and loads fitted models",
       kLearners | kTransforms,
       offsetof(cf_cap_serialize, load),
       {{"save", offsetof(cf_cap_serialize, save)}, {"load", offsetof(cf_cap_serialize, load)}},
       /*has_reserved=*/false},
      {CF_CAP_IMPORTANCE,
       "reports the importance of every feature",
       kLearners,
       offsetof(cf_cap_importance, importance),
       {{"importance", offsetof(cf_cap_importance, importance)}}},
      {CF_CAP_WARM_START,
       "starts from a neighbouring model, if a script asks for it",
       kLearners,
       offsetof(cf_cap_warm_start, fit_from),
       {{"fit_from", offsetof(cf_cap_warm_start, fit_from)}}},
      {CF_CAP_CHECK,
       "checks limits that depend on the data before anything runs",
       kLearners | kTransforms | kMetrics,
       offsetof(cf_cap_check, check),
       {{"check", offsetof(cf_cap_check, check)}}},
      {CF_CAP_VALIDATION,
       "stops or chooses by validation rows, if early_stopping_share is given",
       kLearners,
       offsetof(cf_cap_validation, n_params),
       {{"fit_validated", offsetof(cf_cap_validation, fit_validated)}}},
      {CF_CAP_MEMORY,
       "reports the size of a model in bytes",
       kLearners,
       offsetof(cf_cap_memory, model_bytes),
       {{"model_bytes", offsetof(cf_cap_memory, model_bytes)}}},
      {CF_CAP_FIT_MEMORY,
       "reports the memory of a fit before it starts",
       kLearners,
       offsetof(cf_cap_fit_memory, cross_bytes),
       {{"fit_bytes", offsetof(cf_cap_fit_memory, fit_bytes)}}},
      {CF_CAP_RESAMPLE,
       "chooses, repeats or weighs training rows",
       kTransforms,
       offsetof(cf_cap_resample, resample),
       {{"resample", offsetof(cf_cap_resample, resample)}}},
      {CF_CAP_SYNTHESIZE,
       "makes new training rows",
       kTransforms,
       offsetof(cf_cap_synthesize, synthesize),
       {{"synthesize", offsetof(cf_cap_synthesize, synthesize)}}},
      {CF_CAP_ACCUMULATE,
       "takes rows block by block, so that metrics share one pass",
       kMetrics,
       offsetof(cf_cap_accumulate, destroy),
       {{"begin", offsetof(cf_cap_accumulate, begin)},
        {"add", offsetof(cf_cap_accumulate, add)},
        {"finish", offsetof(cf_cap_accumulate, finish)},
        {"destroy", offsetof(cf_cap_accumulate, destroy)}}},
      {CF_CAP_TEST_SIZE,
       "says how large a test set it needs; smaller ones are pooled",
       kMetrics,
       offsetof(cf_cap_test_size, class_rows),
       {}},
      {CF_CAP_EXPORT,
       "writes a fitted model as text",
       kLearners | kTransforms,
       offsetof(cf_cap_export, export_model),
       {{"formats", offsetof(cf_cap_export, formats)},
        {"export_model", offsetof(cf_cap_export, export_model)}}},
      {CF_CAP_ONNX,
       "writes a fitted model as a graph of ONNX",
       kLearners | kTransforms,
       offsetof(cf_cap_onnx, write_graph),
       {{"write_graph", offsetof(cf_cap_onnx, write_graph)}}},
      {CF_CAP_WRITE,
       "writes data in its format",
       Bit(Kind::kSource),
       offsetof(cf_cap_write, write),
       {{"write", offsetof(cf_cap_write, write)}}},
  };
}

bool IsNull(const void* table, std::size_t offset) {
  const void* pointer = nullptr;
  std::memcpy(&pointer, static_cast<const char*>(table) + offset, sizeof(pointer));
  return pointer == nullptr;
}

std::uint32_t UnsignedAt(const void* table, std::size_t offset) {
  std::uint32_t number = 0;
  std::memcpy(&number, static_cast<const char*>(table) + offset, sizeof(number));
  return number;
}

// Returns what is wrong with the tolerance of a capability, by which results are compared; "" =
// nothing.
std::string FindToleranceProblem(std::string_view id, const void* table) {
  double tolerance = 0;
  if (id == CF_CAP_CROSS_PREDICT) {
    tolerance = static_cast<const cf_cap_cross_predict*>(table)->tolerance;
  } else if (id == CF_CAP_INCREMENTAL) {
    tolerance = static_cast<const cf_cap_incremental*>(table)->tolerance;
  }
  if (tolerance >= 0 && std::isfinite(tolerance)) return "";
  return "its tolerance is " + FormatShortest(tolerance) + ", not a finite number from 0 up";
}

// Returns what is wrong with a table; "" = nothing.
std::string FindTableProblem(const Rule& rule, const void* table) {
  const std::uint32_t size = UnsignedAt(table, 0);  // every table starts with its own
  const std::size_t needed = rule.last + 8;
  if (size < needed) {
    return "truncated table: " + std::to_string(size) + " bytes, plugin ABI 1.0 has " +
           std::to_string(needed);
  }
  for (const RequiredField& field : rule.required) {
    if (IsNull(table, field.offset)) return "its '" + std::string(field.name) + "' is null";
  }
  if (rule.id == std::string_view(CF_CAP_TEST_SIZE)) {
    const auto& size = *static_cast<const cf_cap_test_size*>(table);
    if (size.rows < 0 || size.class_rows < 0) return "a number of rows is negative";
  }
  return FindToleranceProblem(rule.id, table);
}

bool Offers(std::span<const OfferedCapability> offered, std::string_view id) {
  for (const OfferedCapability& one : offered) {
    if (id == one.id) return true;
  }
  return false;
}

}  // namespace

std::vector<KnownCapability> KnownCapabilities() {
  std::vector<KnownCapability> known;
  for (const Rule& rule : MakeRules()) known.push_back({rule.id, rule.words});
  return known;
}

CapabilityReading ReadCapabilities(Kind kind, const cf_info& self, GetCapability get) {
  const std::vector<Rule> rules = MakeRules();
  CapabilityReading reading;
  if (get == nullptr) return reading;
  try {
    for (const Rule& rule : rules) {
      if ((rule.kinds & Bit(kind)) == 0) continue;
      const void* table = get(&self, rule.id);
      if (table == nullptr) continue;
      const std::string problem = FindTableProblem(rule, table);
      if (!problem.empty()) {
        reading.problem = "capability " + std::string(rule.id) + ": " + problem;
        return reading;
      }
      if (rule.has_reserved && UnsignedAt(table, offsetof(cf_cap_proba, reserved)) != 0) {
        reading.problem = "capability " + std::string(rule.id) + ": its 'reserved' is not 0";
        reading.needs_newer = true;
        return reading;
      }
      reading.offered.push_back({rule.id, table});
    }
  } catch (const std::exception& e) {
    reading.problem = "a C++ exception crossed the plugin boundary: " + CleanText(e.what());
    return reading;
  } catch (...) {
    reading.problem = "a C++ exception crossed the plugin boundary: of an unknown type";
    return reading;
  }
  if (Offers(reading.offered, CF_CAP_SYNTHESIZE) && !Offers(reading.offered, CF_CAP_RESAMPLE)) {
    reading.problem =
        "capability " CF_CAP_SYNTHESIZE ": there is no " CF_CAP_RESAMPLE ", which it needs";
  }
  return reading;
}

}  // namespace crossfold
