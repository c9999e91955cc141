#include "store/ledger/diff_inputs.h"

#include <cstddef>
#include <set>

namespace crossfold {
namespace {

void AddDifference(DiffReason reason, const std::string& text, InputDifference& found) {
  if (!found.reason) found.reason = reason;
  found.text += (found.text.empty() ? "" : "; ") + text;
}

std::string ValueText(const ParamValues& given, const std::string& name) {
  const auto it = given.find(name);
  return it == given.end() ? "the default" : ToText(it->second);
}

// "k = 5 and 7".
void CompareParameters(const SpecRecord& a, const SpecRecord& b, InputDifference& found) {
  std::set<std::string> names;
  for (const auto& [name, value] : a.given) names.insert(name);
  for (const auto& [name, value] : b.given) names.insert(name);
  for (const std::string& name : names) {
    const auto in_a = a.given.find(name), in_b = b.given.find(name);
    const bool same =
        in_a != a.given.end() && in_b != b.given.end() && in_a->second == in_b->second;
    if (same) continue;
    AddDifference(DiffReason::kParameter,
                  std::string(ShortId(a.component)) + ": " + name + " = " +
                      ValueText(a.given, name) + " and " + ValueText(b.given, name),
                  found);
  }
}

std::string PluginText(const SpecRecord& step) {
  return step.plugin_version + " (file " + step.sha256.substr(0, 12) + ")";
}

// The version of a component can contain those of the packages that it uses.
void CompareVersions(const SpecRecord& a, const SpecRecord& b, InputDifference& found) {
  if (a.component_version == b.component_version) return;
  AddDifference(
      DiffReason::kPlugin,
      std::string(ShortId(a.component)) + " " + a.component_version + " and " + b.component_version,
      found);
}

void ComparePlugins(const SpecRecord& a, const SpecRecord& b, InputDifference& found) {
  CompareVersions(a, b, found);
  if (a.plugin == b.plugin && a.plugin_version == b.plugin_version && a.sha256 == b.sha256) return;
  const std::string name =
      a.plugin == b.plugin ? a.plugin + " " : a.plugin + " and " + b.plugin + " ";
  AddDifference(DiffReason::kPlugin, "plugin " + name + PluginText(a) + " and " + PluginText(b),
                found);
}

// "standardize|knn".
std::string ComponentsOf(const LearnerRecord& learner) {
  std::string text;
  for (const SpecRecord& step : learner.steps) {
    text += (text.empty() ? "" : "|") + std::string(ShortId(step.component));
  }
  return text;
}

std::string Hash(const DatasetRecord& data) {
  return std::to_string(data.n_rows) + " rows (hash " + data.hash.substr(0, 12) + ")";
}

}  // namespace

std::string DiffInputs::DataText(std::int64_t dataset_a, std::int64_t dataset_b) {
  return Hash(a_.DatasetOf(dataset_a)) + " and " + Hash(b_.DatasetOf(dataset_b));
}

void DiffInputs::CompareData(const SplitsRecord& a, const SplitsRecord& b, InputDifference& found) {
  if (a_.DatasetOf(a.dataset).hash == b_.DatasetOf(b.dataset).hash) return;
  AddDifference(DiffReason::kData, DataText(a.dataset, b.dataset), found);
}

void DiffInputs::CompareSplits(const SeriesRecord& a, const SeriesRecord& b,
                               InputDifference& found) {
  if (a_.Splits(a.splits).key == b_.Splits(b.splits).key) return;
  const auto [it, is_new] = same_rows_.try_emplace({a.splits, b.splits}, false);
  if (is_new) it->second = a_.SplitsDefinition(a.splits) == b_.SplitsDefinition(b.splits);
  found.same_rows = it->second;
  if (!found.same_rows) AddDifference(DiffReason::kSplit, "different training or test rows", found);
}

void DiffInputs::CompareLearners(const LearnerRecord& a, const LearnerRecord& b,
                                 InputDifference& found) {
  if (a.key == b.key) return;
  if (ComponentsOf(a) != ComponentsOf(b)) {
    AddDifference(DiffReason::kPlugin, ComponentsOf(a) + " and " + ComponentsOf(b), found);
    return;
  }
  for (std::size_t i = 0; i < a.steps.size(); ++i) CompareParameters(a.steps[i], b.steps[i], found);
  for (std::size_t i = 0; i < a.steps.size(); ++i) ComparePlugins(a.steps[i], b.steps[i], found);
}

const InputDifference& DiffInputs::Of(std::int64_t a, std::int64_t b, const std::string& versions) {
  const auto [it, is_new] = known_.try_emplace({a, b});
  InputDifference& found = it->second;
  if (!is_new) return found;
  const SeriesRecord& in_a = a_.Series(a);
  const SeriesRecord& in_b = b_.Series(b);
  if (in_a.key == in_b.key) return found;
  CompareData(a_.Splits(in_a.splits), b_.Splits(in_b.splits), found);
  CompareSplits(in_a, in_b, found);
  if (in_a.traits.seed != in_b.traits.seed) {
    AddDifference(
        DiffReason::kSeed,
        "seed " + std::to_string(in_a.traits.seed) + " and " + std::to_string(in_b.traits.seed),
        found);
  }
  CompareLearners(a_.Learner(in_a.learner), b_.Learner(in_b.learner), found);
  if (!versions.empty()) AddDifference(DiffReason::kCrossfold, "Crossfold " + versions, found);
  if (in_a.traits.separate != in_b.traits.separate) {
    AddDifference(
        DiffReason::kMode,
        in_a.traits.separate ? "the first run without sharing" : "the second run without sharing",
        found);
  }
  return found;
}

}  // namespace crossfold
