#include "crossfold/component_facts.h"
#include "engine/plugin/capabilities.h"

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace crossfold {
namespace {

struct NamedBit {
  std::uint32_t bit;
  const char* name;
  const char* words;
};

std::vector<Fact> Named(std::uint32_t bits, std::initializer_list<NamedBit> known) {
  std::vector<Fact> facts;
  for (const NamedBit& one : known) {
    if ((bits & one.bit) != 0) facts.push_back({one.name, one.words});
  }
  return facts;
}

// The tasks and accepts of each kind; 0 if a kind has none.
std::uint32_t TaskBits(const Component& component) {
  if (component.learner != nullptr) return component.learner->tasks;
  if (component.transform != nullptr) return component.transform->tasks;
  return component.metric != nullptr ? component.metric->tasks : 0;
}

}  // namespace

std::vector<Fact> TasksOf(const Component& component) {
  return Named(TaskBits(component),
               {{CF_TASK_BINARY, "binary", "classification with two classes"},
                {CF_TASK_MULTICLASS, "multiclass", "classification with more than two classes"},
                {CF_TASK_REGRESSION, "regression", "a numeric target"}});
}

std::vector<Fact> AcceptsOf(const Component& component) {
  const std::uint32_t bits = component.learner != nullptr     ? component.learner->accepts
                             : component.transform != nullptr ? component.transform->accepts
                                                              : 0;
  return Named(bits, {{CF_ACCEPTS_NUMERIC, "numeric", "numeric features"},
                      {CF_ACCEPTS_CATEGORICAL, "categorical", "categorical features"},
                      {CF_ACCEPTS_MISSING, "missing", "missing values"},
                      {CF_ACCEPTS_WEIGHTS, "weights", "row weights"},
                      {CF_ACCEPTS_NO_FEATURES, "no_features", "tables without any feature"}});
}

std::vector<Fact> NeedsOf(const Component& component) {
  if (component.splitter != nullptr) {
    return Named(component.splitter->uses, {{CF_SPLIT_USES_TARGET, "target", "the target"},
                                            {CF_SPLIT_USES_GROUPS, "groups", "a column of groups"},
                                            {CF_SPLIT_USES_TIME, "time", "a column of times"},
                                            {CF_SPLIT_USES_FOLDS, "folds", "a column of folds"}});
  }
  if (component.metric == nullptr) return {};
  return Named(component.metric->needs,
               {{CF_NEEDS_LABELS, "labels", "predicted classes"},
                {CF_NEEDS_VALUES, "values", "predicted numbers"},
                {CF_NEEDS_PROBABILITIES, "probabilities", "predicted probabilities"},
                {CF_NEEDS_COSTS, "costs", "a cost matrix"},
                {CF_NEEDS_GROUPS, "groups", "a column of groups"},
                {CF_NEEDS_TRAINING_TARGET, "training_target", "the target of the training rows"}});
}

std::vector<Fact> CapabilitiesOf(const Component& component) {
  std::vector<Fact> facts;
  const std::vector<KnownCapability> all = KnownCapabilities();
  for (const OfferedCapability& offered : component.capabilities) {
    facts.push_back({offered.id, ""});
    for (const KnownCapability& known : all) {
      if (facts.back().name == known.id) facts.back().words = known.words;
    }
  }
  return facts;
}

Fact ThreadingOf(const Component& component) {
  switch (component.threading) {
    case CF_MT_OBJECTS:
      return {"objects", "different models may be fitted and used at the same time"};
    case CF_MT_PREDICT:
      return {"predict", "any calls may run at the same time, also on one model"};
    default:
      return {"none", "one call at a time into the whole plugin"};
  }
}

std::vector<Fact> DeterminismOf(const Component& component) {
  return Named(component.determinism,
               {{CF_DET_SEEDED, "seeded", "the same seed and data give the same bytes"},
                {CF_DET_THREADS, "threads", "the same bytes for any number of threads"},
                {CF_DET_ROW_ORDER, "row_order", "the order of the training rows does not matter"},
                {CF_DET_UNSEEDED, "unseeded", "the seed does not matter"}});
}

std::vector<Fact> ProcessFlagsOf(const Component& component) {
  return Named(component.process_flags,
               {{CF_USES_THREADS, "threads", "starts threads of its own"},
                {CF_USES_OPENMP, "openmp", "uses OpenMP"},
                {CF_NOT_FORK_SAFE, "not_fork_safe", "does not survive a fork of the process"},
                {CF_WANTS_CHILD_PROCESS, "wants_child_process", "wants a process of its own"}});
}

std::string DirectionOf(const Component& component) {
  if (component.metric == nullptr) return "";
  const std::int32_t direction = component.metric->direction;
  return direction > 0 ? "higher" : direction < 0 ? "lower" : "neither";
}

std::string TypeNameOf(const ParamSpec& param) {
  switch (param.type) {
    case CF_P_REAL:
      return "real";
    case CF_P_INT:
      return "integer";
    case CF_P_BOOL:
      return "boolean";
    case CF_P_CHOICE:
      return "choice";
    case CF_P_STRING:
      return IsObject(param) ? "object" : "string";
    case CF_P_INT_LIST:
      return "integer_list";
    case CF_P_STRING_LIST:
      return "string_list";
    default:
      return "real_list";
  }
}

std::vector<Fact> FlagsOf(const ParamSpec& param) {
  return Named(param.flags,
               {{CF_PF_LOG, "log", "searched on a logarithmic scale"},
                {CF_PF_NULLABLE, "nullable", "'none' is a value"},
                {CF_PF_SUBMODEL, "submodel", "one fit serves all values"},
                {CF_PF_NO_EFFECT_ON_RESULT, "no_effect_on_result", "does not change any result"},
                {CF_PF_DEPRECATED, "deprecated", "do not use it in new scripts"},
                {CF_PF_PREPARE, "prepare", "prepared structures depend on it"}});
}

}  // namespace crossfold
