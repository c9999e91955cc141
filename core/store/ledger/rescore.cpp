#include "crossfold/rescore.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/outcome.h"
#include "crossfold/score.h"
#include "crossfold/store_ledger.h"
#include "crossfold/subgroup.h"
#include "crossfold/summary.h"
#include "engine/score/score_cell.h"
#include "engine/score/test_rows.h"

namespace crossfold {
namespace {

// The entries whose row is marked by 1. REQUIRES: one mark per row of the dataset.
Prediction RowsOfPrediction(const Prediction& all, std::span<const std::uint8_t> marked) {
  Prediction part;
  part.n_classes = all.n_classes;
  const auto k = static_cast<std::size_t>(all.n_classes);
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    if (marked[static_cast<std::size_t>(all.rows[i])] == 0) continue;
    part.rows.push_back(all.rows[i]);
    if (!all.labels.empty()) part.labels.push_back(all.labels[i]);
    const std::size_t per_row = all.values.size() / all.rows.size();  // 1, or a score per class
    for (std::size_t v = 0; v < per_row; ++v) part.values.push_back(all.values[i * per_row + v]);
    if (!all.probabilities.empty()) {
      const auto from = all.probabilities.begin() + static_cast<std::ptrdiff_t>(i * k);
      part.probabilities.insert(part.probabilities.end(), from,
                                from + static_cast<std::ptrdiff_t>(k));
    }
  }
  return part;
}

// A dataset of the store, prepared for scoring.
struct ScoredData {
  std::shared_ptr<const Dataset> kept;    // as the store has it; keeps the key alive
  std::shared_ptr<const Dataset> data;    // with other costs
  std::vector<std::uint8_t> in_subgroup;  // empty = all rows
  std::vector<std::string> classes;       // RescoredFold::classes
};

class Rescorer {
 public:
  explicit Rescorer(const RescoreRequest& request) : request_(request) {}

  RescoredFold ScoreEntry(const LedgerEntry& entry) {
    RescoredFold fold;
    fold.learner = entry.learner;
    fold.dataset = entry.dataset;
    fold.candidate = entry.candidate;
    fold.occurrence = entry.occurrence;
    fold.repeat = entry.repeat;
    fold.fold = entry.fold;
    fold.failed = entry.finished && entry.outcome.status != OutcomeStatus::kOk;
    if (entry.data) fold.classes = DataOf(entry).classes;
    const std::string why = WhyNone(entry);
    if (why.empty()) {
      fold.scores = ScoreRows(entry);
    } else {
      fold.scores.assign(request_.metrics.size(), {false, 0, why});
    }
    return fold;
  }

 private:
  // Why there is nothing to score; "" = there is.
  static std::string WhyNone(const LedgerEntry& entry) {
    if (!entry.finished) return "the store has no result of it; run the script again";
    if (entry.outcome.status != OutcomeStatus::kOk) {
      return "failed at " + entry.outcome.failure.stage + ": " + entry.outcome.failure.message;
    }
    if (!entry.data) return "the store did not keep the data";
    if (!entry.has_prediction) {
      return "the store did not keep its prediction; run again with keep = \"labels\" or "
             "\"probabilities\" and room for predictions";
    }
    return "";
  }

  const ScoredData& DataOf(const LedgerEntry& entry) {
    const auto [it, is_new] = datasets_.try_emplace(entry.data.get());
    ScoredData& scored = it->second;
    if (!is_new) return scored;
    scored.kept = scored.data = entry.data;
    for (const auto& metric : request_.metrics) {
      const std::optional<ScoredClass> found = FindScoredClass(*metric, *entry.data);
      scored.classes.push_back(found ? found->name : "");
    }
    if (request_.costs) {
      scored.data = Dataset::WithCosts(*entry.data, ToCostMatrix(*request_.costs, *entry.data));
    }
    if (!request_.subgroup.empty()) {
      scored.in_subgroup = SubgroupRows(request_.subgroup, *entry.data);
    }
    return scored;
  }

  std::vector<Score> ScoreRows(const LedgerEntry& entry) {
    const ScoredData& scored = DataOf(entry);
    Prediction prediction = entry.outcome.prediction;
    if (!scored.in_subgroup.empty()) {
      prediction = RowsOfPrediction(prediction, scored.in_subgroup);
      if (prediction.rows.empty()) {
        return {request_.metrics.size(),
                {false, 0, "no tested row is in the subgroup '" + request_.subgroup + "'"}};
      }
    }
    std::optional<TrainingTarget> training;
    if (NeedsAny(CF_NEEDS_TRAINING_TARGET) && entry.splits && entry.splits->min_train_rows() > 0) {
      training = targets_.Find(entry.splits, entry.split, entry.outcome.prediction.rows);
    }
    std::vector<Score> scores = ScoreWithTarget(request_.metrics, *scored.data, prediction,
                                                training ? &*training : nullptr, request_.log);
    for (std::size_t m = 0; entry.keep == Keep::kLabels && m < scores.size(); ++m) {
      if (scores[m].defined || !Needs(m, CF_NEEDS_PROBABILITIES)) continue;
      scores[m].undefined =
          "it needs probabilities, and the store kept labels; run the script "
          "again with keep = \"probabilities\"";
    }
    return scores;
  }

  bool Needs(std::size_t metric, std::uint32_t what) const {
    return (request_.metrics[metric]->component().metric->needs & what) != 0;
  }
  bool NeedsAny(std::uint32_t what) const {
    for (std::size_t m = 0; m < request_.metrics.size(); ++m) {
      if (Needs(m, what)) return true;
    }
    return false;
  }

  const RescoreRequest& request_;
  std::map<const Dataset*, ScoredData> datasets_;
  TrainingTargets targets_;
};

// Finds the numbers that are not means over folds, learner by learner: their folds come one after
// the other.
class HeadlineFinder {
 public:
  HeadlineFinder(const RescoreRequest& request, Rescored& found)
      : request_(request), found_(found) {}

  // Takes the last fold that was found, of this entry.
  void Add(const LedgerEntry& entry) {
    const RescoredFold& fold = found_.folds.back();
    const RescoredFold& first = found_.folds[first_];
    if (std::tie(fold.dataset, fold.learner, fold.occurrence) !=
        std::tie(first.dataset, first.learner, first.occurrence)) {
      Finish();
      first_ = found_.folds.size() - 1;
    }
    if (fold.failed || !entry.data || !entry.has_prediction) return;
    data_ = entry.data;
    const Prediction& p = entry.outcome.prediction;
    sets_.push_back(p.rows);
    places_.push_back(found_.folds.size() - 1);
    all_.n_classes = p.n_classes;
    Append(all_.rows, p.rows);
    Append(all_.labels, p.labels);
    Append(all_.values, p.values);
    Append(all_.probabilities, p.probabilities);
  }

  // Ends the folds of a learner.
  void Finish() {
    if (data_) {
      DropPartial();
      const TestSets sets = MeasureTestRows(*data_, sets_);
      for (std::size_t m = 0; m < request_.metrics.size(); ++m) SetNumber(sets, m);
    }
    data_ = nullptr;
    all_ = {};
    sets_.clear();
    places_.clear();
  }

 private:
  template <class T>
  static void Append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  // Drops what only some folds have.
  void DropPartial() {
    const std::size_t n = all_.rows.size();
    const std::size_t of_classes = n * static_cast<std::size_t>(all_.n_classes);
    if (all_.labels.size() != n) all_.labels.clear();
    if (all_.values.size() != (all_.n_classes > 0 ? of_classes : n)) all_.values.clear();
    if (all_.probabilities.size() != of_classes) all_.probabilities.clear();
  }

  void SetNumber(const TestSets& sets, std::size_t m) {
    const Spec& metric = *request_.metrics[m];
    const bool is_mean = !sets.weights.empty() && IsMeanOverRows(metric, *data_);
    const Aggregation aggregation = ChooseAggregation(sets, TestSizeOf(metric), is_mean);
    if (aggregation == Aggregation::kMean) return;
    found_.aggregations[m] = aggregation;
    Score& number = found_.headlines[{first_, m}];
    if (aggregation == Aggregation::kPooled) {
      number = ScorePrediction(metric, *data_, all_);
      return;
    }
    double sum = 0, total = 0;
    for (std::size_t s = 0; s < places_.size(); ++s) {
      const Score& score = found_.folds[places_[s]].scores[m];
      if (!score.defined) continue;
      sum += sets.weights[s] * score.value;
      total += sets.weights[s];
    }
    number = total > 0 ? Score{true, sum / total, ""} : Score{false, 0, "no fold has a score"};
  }

  const RescoreRequest& request_;
  Rescored& found_;
  std::size_t first_ = 0;
  std::shared_ptr<const Dataset> data_;
  Prediction all_;
  std::vector<std::vector<std::int64_t>> sets_;
  std::vector<std::size_t> places_;  // of the folds of the sets
};

// What the folds of one row of the summary have in common.
using Group = std::vector<const RescoredFold*>;

std::vector<Group> GroupsOf(const Rescored& rescored) {
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::string, std::int64_t>, std::size_t> places;
  for (const RescoredFold& fold : rescored.folds) {
    // The occurrences of an inner cell are its outer folds; a search takes another candidate in
    // every outer fold.
    const auto key = rescored.inner
                         ? std::tuple(fold.dataset, fold.learner, fold.candidate, std::int64_t{0})
                         : std::tuple(fold.dataset, fold.learner, std::string(), fold.occurrence);
    const auto [it, is_new] = places.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].push_back(&fold);
  }
  return groups;
}

// "knn", "knn (2)": several experiments of one script may use a name.
std::string LearnerName(const RescoredFold& fold, bool inner) {
  if (inner || fold.occurrence == 0) return fold.learner;
  return fold.learner + " (" + std::to_string(fold.occurrence + 1) + ")";
}

// "f1 (bad)"
std::string TitleOf(const std::string& metric, const std::vector<std::string>& classes,
                    std::size_t m) {
  return classes.empty() || classes[m].empty() ? metric : metric + " (" + classes[m] + ")";
}

void AddNumber(double value, std::vector<TableCell>& row) {
  if (std::isnan(value)) {
    row.emplace_back(Null{});
  } else {
    row.emplace_back(value);
  }
}

// mean, sd, min, max, folds. Infinite scores of one sign have that mean and no other number.
// Another number than the mean is in its place.
void AddSummary(const Group& group, std::size_t metric, const Score* headline,
                std::vector<TableCell>& row) {
  const std::size_t place = row.size();
  std::vector<double> values;
  double infinite = 0;
  for (const RescoredFold* fold : group) {
    const Score& score = fold->scores[metric];
    if (!score.defined) continue;
    values.push_back(score.value);
    if (std::isinf(score.value)) infinite += score.value;  // NaN for both signs
  }
  if (infinite != 0) {
    AddNumber(infinite, row);
    row.resize(row.size() + 3);
  } else {
    const Summary summary = Summarize(values);
    for (const double number : {summary.mean, summary.sd, summary.min, summary.max}) {
      AddNumber(number, row);
    }
  }
  if (headline != nullptr) row[place] = Null{};
  if (headline != nullptr && headline->defined) row[place] = headline->value;
  const std::string all = std::to_string(group.size());
  row.emplace_back(values.size() == group.size() ? all
                                                 : std::to_string(values.size()) + " of " + all);
}

}  // namespace

Rescored Rescore(const std::filesystem::path& store, const RescoreRequest& request) {
  if (request.metrics.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot rescore '" + store.string() + "': no metric is given; name at least one");
  }
  const Ledger ledger(store);
  Rescored rescored;
  rescored.run = ledger.Choose(request.run).number;
  rescored.inner = request.inner;
  for (const auto& metric : request.metrics) rescored.metrics.push_back(metric->ToString());
  Rescorer rescorer(request);
  HeadlineFinder headlines(request, rescored);
  const bool is_whole = !request.inner && request.subgroup.empty() && !request.costs;
  rescored.damaged =
      ledger.Visit(rescored.run, request.inner ? LedgerPart::kInner : LedgerPart::kOuter,
                   [&](const LedgerEntry& entry) {
                     rescored.folds.push_back(rescorer.ScoreEntry(entry));
                     if (is_whole) headlines.Add(entry);
                   });
  headlines.Finish();
  return rescored;
}

Table SummaryTable(const Rescored& rescored) {
  std::set<std::string> datasets;
  for (const RescoredFold& fold : rescored.folds) datasets.insert(fold.dataset);
  const bool several = datasets.size() > 1;
  Table table;
  table.columns = {"learner", "metric", "mean", "sd", "min", "max", "folds"};
  if (rescored.inner) table.columns.insert(table.columns.begin() + 1, "candidate");
  if (several) table.columns.insert(table.columns.begin(), "dataset");
  for (const Group& group : GroupsOf(rescored)) {
    for (std::size_t m = 0; m < rescored.metrics.size(); ++m) {
      std::vector<TableCell>& row = table.rows.emplace_back();
      if (several) row.emplace_back(group.front()->dataset);
      row.emplace_back(LearnerName(*group.front(), rescored.inner));
      if (rescored.inner) row.emplace_back(group.front()->candidate);
      row.emplace_back(TitleOf(rescored.metrics[m], group.front()->classes, m));
      const auto first = static_cast<std::size_t>(group.front() - rescored.folds.data());
      const auto headline = rescored.headlines.find({first, m});
      AddSummary(group, m, headline == rescored.headlines.end() ? nullptr : &headline->second, row);
    }
  }
  return table;
}

std::string SummaryText(const Rescored& rescored) {
  std::string text = ToText(SummaryTable(rescored));
  for (const auto& [metric, aggregation] : rescored.aggregations) {
    text += "(" + rescored.metrics[metric] +
            (aggregation == Aggregation::kPooled
                 ? ": one score of all predictions together; the folds are too small for a mean of "
                   "scores: docs/metrics_scores.md)\n"
                 : ": the mean over the rows by their weights)\n");
  }
  return text;
}

Table ScoreTable(const Rescored& rescored) {
  Table table;
  table.columns = {"dataset", "learner", "repeat", "fold", "metric", "value", "undefined"};
  if (rescored.inner) {
    table.columns.insert(table.columns.begin() + 2, {"candidate", "occurrence"});
  }
  for (const RescoredFold& fold : rescored.folds) {
    for (std::size_t m = 0; m < rescored.metrics.size(); ++m) {
      std::vector<TableCell>& row = table.rows.emplace_back();
      row = {fold.dataset, LearnerName(fold, rescored.inner)};
      if (rescored.inner) row.insert(row.end(), {fold.candidate, fold.occurrence + 1});
      row.insert(row.end(), {fold.repeat + 1, fold.fold + 1, rescored.metrics[m]});
      const Score& score = fold.scores[m];
      row.resize(row.size() + 2);  // nothing, and nothing
      if (score.defined) {
        row[row.size() - 2] = score.value;
      } else {
        row.back() = score.undefined;
      }
    }
  }
  return table;
}

}  // namespace crossfold
