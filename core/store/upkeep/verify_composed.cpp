#include "store/upkeep/verify_composed.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/score.h"
#include "crossfold/spec_text.h"
#include "crossfold_plugin/error.hpp"
#include "store/cells/outcome_difference.h"
#include "store/cells/stored_prediction.h"
#include "store/ledger/noted_design.h"

namespace crossfold {
namespace {

// Learner, dataset, repeat, fold.
using ComposedPlace = std::tuple<std::string, std::string, std::int64_t, std::int64_t>;

// "3 12": job and split, from 1.
std::optional<std::pair<std::int64_t, std::int64_t>> NumbersOf(const std::string& name) {
  std::int64_t job = 0, split = 0;
  const char* end = name.data() + name.size();
  const auto first = std::from_chars(name.data(), end, job);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ' ') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, split);
  if (second.ec != std::errc() || second.ptr != end || job < 1 || split < 1) return std::nullopt;
  return std::pair(job, split);
}

std::optional<ComposedPlace> PlaceOf(const std::string& name, const std::string& learner,
                                     const NotedDesign& design) {
  const auto numbers = NumbersOf(name);
  if (!numbers || design.learners.empty()) return std::nullopt;
  const std::size_t d = static_cast<std::size_t>(numbers->first - 1) / design.learners.size();
  if (d >= design.datasets.size()) return std::nullopt;
  std::int64_t fold = numbers->second - 1;
  for (std::size_t repeat = 0; repeat < design.folds[d].size(); ++repeat) {
    const std::int64_t n = design.folds[d][repeat];
    if (fold < n) {
      return ComposedPlace(learner, design.datasets[d], static_cast<std::int64_t>(repeat), fold);
    }
    fold -= n;
  }
  return std::nullopt;
}

// A recorded value: a number, or one that JSON cannot express; else undefined, with its reason.
Score ScoreOf(const JsonValue& value, const JsonValue& reason) {
  if (const auto* number = value.As<double>()) return {true, *number, ""};
  if (const auto* number = value.As<std::int64_t>()) {
    return {true, static_cast<double>(*number), ""};
  }
  const std::string special = JsonTextOf(value, "#number");
  if (special == "inf") return {true, std::numeric_limits<double>::infinity(), ""};
  if (special == "-inf") return {true, -std::numeric_limits<double>::infinity(), ""};
  const auto* why = reason.As<std::string>();
  return {false, 0, why == nullptr ? "" : *why};
}

// The recorded scores of one fold.
struct NotedScores {
  const NotedDesign* design;
  JsonValue body;
  std::string imported;  // of its learner
};

class ComposedVerifier {
 public:
  ComposedVerifier(StoreReader& reader, const PluginHost& plugins)
      : reader_(reader), plugins_(plugins) {}

  void VerifyRun(std::int64_t run, std::vector<VerifiedCell>& cells) {
    std::vector<std::string> damaged;  // reported by the check of all rows
    const std::vector<ComposedRecord> composed = reader_.Composed(run, damaged);
    if (composed.empty()) return;
    std::map<std::int64_t, NotedDesign> designs;  // by experiment
    std::map<ComposedPlace, NotedScores> noted;
    for (const FindingRow& row : reader_.Findings(run, damaged)) {
      if (row.kind != "evaluate" && row.kind != "fold") continue;
      std::optional<JsonValue> body = ParseJson(row.body);
      if (!body) continue;
      if (row.kind == "evaluate") {
        designs[row.experiment] = ReadDesign(*body);
        continue;
      }
      const std::string learner = JsonTextOf(*body, "composed");
      const NotedDesign& design = designs[row.experiment];
      const std::optional<ComposedPlace> place = PlaceOf(row.name, learner, design);
      if (place && body->Find("fallback") == nullptr) {
        const auto job = static_cast<std::size_t>(NumbersOf(row.name)->first - 1);
        const NotedLearner& by = design.learners[job % design.learners.size()];
        noted.insert_or_assign(*place, NotedScores{&design, std::move(*body), by.imported});
      }
    }
    for (const ComposedRecord& one : composed) cells.push_back(Verify(one, noted));
  }

 private:
  VerifiedCell Verify(const ComposedRecord& one,
                      const std::map<ComposedPlace, NotedScores>& noted) {
    VerifiedCell cell;
    cell.learner = one.learner;
    cell.dataset = one.dataset_name;
    cell.repeat = one.repeat;
    cell.fold = one.fold;
    const auto scores =
        noted.find(ComposedPlace(one.learner, one.dataset_name, one.repeat, one.fold));
    if (scores != noted.end()) cell.imported = scores->second.imported;
    try {
      cell.finding =
          scores == noted.end() ? "it has no recorded score" : WhyNot(one, scores->second);
      cell.result = VerifyResult::kUnchecked;
      if (cell.finding.empty()) {
        cell.finding = Compare(one, scores->second);
        cell.result = cell.finding.empty() ? VerifyResult::kEqual : VerifyResult::kDifferent;
      }
    } catch (const Error& e) {  // a missing plugin, a damaged row
      cell.result = VerifyResult::kUnchecked;
      cell.finding = e.what();
    } catch (const plugin::Error&) {
      cell.result = VerifyResult::kUnchecked;
      cell.finding = "its row is damaged";
    }
    return cell;
  }

  // Why nothing can be compared; "" = it can.
  std::string WhyNot(const ComposedRecord& one, const NotedScores& noted) {
    if (one.failure) return "it failed: " + *one.failure;
    if (!one.prediction) return "the store did not keep its prediction";
    if (!reader_.LoadDataset(one.dataset)) return "the store did not keep the data";
    const JsonList& values = JsonListOf(noted.body, "values");
    for (std::size_t m = 0; m < noted.design->metrics.size() && m < values.size(); ++m) {
      if (IsComputable(noted.design->metrics[m])) return "";
    }
    return "no score of it can be computed here";
  }

  bool IsComputable(const std::pair<std::string, std::string>& metric) {
    return MetricOf(metric) != nullptr;
  }

  // Null = it is written in Lua, needs training rows, or its plugin is another one.
  const std::shared_ptr<const Spec>& MetricOf(const std::pair<std::string, std::string>& metric) {
    const auto [it, is_new] = metrics_.try_emplace(metric);
    if (!is_new || metric.second.empty()) return it->second;
    try {
      std::shared_ptr<const Spec> spec = ParseSpec(Kind::kMetric, metric.first, plugins_);
      const bool needs_training = (spec->component().metric->needs & CF_NEEDS_TRAINING_TARGET) != 0;
      if (ToHex(SpecKey(*spec)) == metric.second && !needs_training) it->second = std::move(spec);
    } catch (const Error&) {  // a missing plugin
    }
    return it->second;
  }

  std::string Compare(const ComposedRecord& one, const NotedScores& noted) {
    const std::shared_ptr<const Dataset> data = reader_.LoadDataset(one.dataset);
    const JsonList& values = JsonListOf(noted.body, "values");
    const JsonList& reasons = JsonListOf(noted.body, "reasons");
    MetricList metrics;
    std::vector<std::string> names;
    Outcome stored, computed;
    stored.status = computed.status = OutcomeStatus::kOk;
    for (std::size_t m = 0; m < noted.design->metrics.size() && m < values.size(); ++m) {
      const std::shared_ptr<const Spec>& metric = MetricOf(noted.design->metrics[m]);
      if (!metric) continue;
      metrics.push_back(metric);
      names.push_back(noted.design->metrics[m].first);
      stored.scores.push_back(ScoreOf(values[m], m < reasons.size() ? reasons[m] : JsonValue()));
    }
    const Prediction prediction = UnpackPrediction(*one.prediction, {});
    for (const std::int64_t row : prediction.rows) {
      if (row < 0 || row >= data->num_rows()) return "a predicted row is not in the data";
    }
    computed.scores = ScorePredictions(metrics, *data, prediction, plugins_.log());
    return FindDifference(stored, computed, false, names, {}, {"the store", "its prediction"});
  }

  StoreReader& reader_;
  const PluginHost& plugins_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Spec>> metrics_;
};

}  // namespace

std::vector<VerifiedCell> VerifyComposed(StoreReader& reader, const PluginHost& plugins) {
  std::vector<VerifiedCell> cells;
  ComposedVerifier verifier(reader, plugins);
  Statement run(reader.db(), "SELECT DISTINCT run FROM composed ORDER BY run");
  while (run.Step()) verifier.VerifyRun(run.Number(0), cells);
  return cells;
}

}  // namespace crossfold
