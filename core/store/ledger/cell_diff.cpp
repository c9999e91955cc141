#include "store/ledger/cell_diff.h"

#include <cstddef>
#include <memory>
#include <set>

#include "store/cells/outcome_difference.h"
#include "store/cells/stored_prediction.h"

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

CellDifference CellDiff::Of(const Place& place_a, const Place& place_b,
                            const std::string& versions) {
  const std::optional<Cell> a = ReadCell(a_, place_a), b = ReadCell(b_, place_b);
  CellDifference found;
  found.is_in_a = a && !a->is_stopped;
  found.is_in_b = b && !b->is_stopped;
  if (!found.is_in_a || !found.is_in_b) return found;
  found.has_damaged_scores = a->has_damaged_scores || b->has_damaged_scores;
  const InputDifference& inputs = inputs_.Of(place_a.series, place_b.series, versions);
  found.has_other_inputs = inputs.reason.has_value();
  std::string metric_plugin;
  const std::string result =
      ResultDifference(place_a, *a, place_b, *b, inputs.same_rows, metric_plugin);
  if (result.empty()) return found;
  if (inputs.reason) {
    found.reason = inputs.reason;
    found.finding = inputs.text;
  } else if (!metric_plugin.empty()) {
    found.reason = DiffReason::kPlugin;
    found.finding = "that of metric " + metric_plugin + "; " + result;
  } else {
    found.reason = DiffReason::kNotReproducible;
    found.finding = "same inputs, different result: " + result;
  }
  return found;
}

std::optional<CellDiff::Cell> CellDiff::ReadCell(StoreReader& reader, const Place& place) {
  std::optional<StoredCell> stored = reader.FindCell(place.series, place.fold);
  if (!stored) return std::nullopt;
  Cell cell;
  cell.outcome = ToOutcome(stored->row);
  cell.is_stopped = stored->row.status == StoredStatus::kStopped;
  cell.prediction = std::move(stored->row.prediction);
  cell.has_damaged_scores = stored->damaged_scores > 0;
  for (const auto& [id, score] : stored->scores) {
    const MetricRecord& metric = reader.Metric(id);
    cell.scores[metric.text] = {metric.key, score};
  }
  return cell;
}

Prediction CellDiff::Unpack(StoreReader& reader, const Place& place, const std::string& packed) {
  const std::int64_t splits = reader.Series(place.series).splits;
  const std::shared_ptr<const SplitPlan> plan = reader.LoadSplits(splits);
  if (!plan) return UnpackPrediction(packed, {});
  const std::int64_t split = SplitInPlan(reader.Splits(splits), place.fold);
  if (split >= plan->size()) reader.FailDamaged("split " + std::to_string(splits));
  return UnpackPredictionOf(*plan->view().data, packed, plan->Rows(split).test);
}

std::string CellDiff::ResultDifference(const Place& place_a, Cell a, const Place& place_b, Cell b,
                                       bool same_rows, std::string& metric_plugin) {
  const bool are_ok =
      a.outcome.status == OutcomeStatus::kOk && b.outcome.status == a.outcome.status;
  if (!same_rows && are_ok) return "predictions for other rows";
  const bool with_prediction = a.prediction && b.prediction && *a.prediction != *b.prediction;
  if (with_prediction) {
    a.outcome.prediction = Unpack(a_, place_a, *a.prediction);
    b.outcome.prediction = Unpack(b_, place_b, *b.prediction);
  }
  std::vector<std::string> metrics;
  for (const auto& [text, in_a] : a.scores) {
    const auto in_b = b.scores.find(text);
    if (in_b == b.scores.end()) continue;
    metrics.push_back(text);
    a.outcome.scores.push_back(in_a.second);
    b.outcome.scores.push_back(in_b->second.second);
  }
  const OutcomeNames names{"the first run", "the second"};
  std::string finding =
      FindDifference(a.outcome, b.outcome, with_prediction, metrics, ClassesOf(place_a), names);
  for (const std::string& metric : metrics) {
    const bool is_it = finding.starts_with(metric + ": ");
    if (is_it && a.scores[metric].first != b.scores[metric].first) metric_plugin = metric;
  }
  return finding;
}

std::vector<std::string> CellDiff::ClassesOf(const Place& place) {
  const SeriesRecord& series = a_.Series(place.series);
  const auto data = a_.LoadDataset(a_.Splits(series.splits).dataset);
  if (!data) return {};
  return {data->class_names().begin(), data->class_names().end()};
}

}  // namespace crossfold
