#include "store/ledger/cell_diff.h"

#include <memory>

#include "store/cells/outcome_difference.h"
#include "store/cells/prediction_blob.h"
#include "store/cells/test_rows.h"

namespace crossfold {

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
