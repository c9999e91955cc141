#include "store/ledger/ledger_cells.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "crossfold/error.h"
#include "crossfold_plugin/error.hpp"
#include "encoding/fields.h"
#include "engine/data/sha256.h"
#include "store/cells/cell_keys.h"
#include "store/cells/cell_row.h"
#include "store/ledger/ledger_places.h"

namespace crossfold {
namespace {

// Finds the cells of a query among what its run asked for.
class CellFinder {
 public:
  CellFinder(StoreReader& reader, const LedgerQuery& query, std::span<const WantedRange> ranges,
             bool lost)
      : reader_(reader), query_(query) {
    for (const WantedRange& range : ranges) Add(range);
    if (lost) lost_.emplace_back(0, std::numeric_limits<std::int64_t>::max());
  }

  // The series of a split's cell; 0 = the run did not ask for it.
  std::int64_t FindSeries(std::size_t split) {
    const auto [repeat, fold] = query_.places[split];
    const auto of_repeat = ranges_.find(repeat);
    if (of_repeat == ranges_.end()) return 0;
    const Range* found = nullptr;
    for (const Range& range : of_repeat->second) {
      if (fold < range.first || fold >= range.end) continue;
      if (range.learner_key != query_.learner_keys[split]) continue;
      if (query_.splits && range.splits_key != KeyOf(static_cast<std::int64_t>(split))) continue;
      if (found == nullptr || range.probabilities == query_.probabilities) found = &range;
    }
    return found == nullptr ? 0 : found->series;
  }

  const std::vector<std::string>& damaged() const { return damaged_; }

  // Whether there are damaged cells of which only the folds are known, and a split may be one of
  // these.
  bool MayBeDamaged(std::size_t split) const {
    const std::int64_t fold = query_.places[split].second;
    return std::ranges::any_of(
        lost_, [fold](const auto& folds) { return fold >= folds.first && fold < folds.second; });
  }

 private:
  struct Range {
    std::int64_t series, first, end;
    std::string learner_key, splits_key;
    bool probabilities;
  };

  void Add(const WantedRange& range) {
    if (!IsDefined(reader_, range, damaged_)) {
      lost_.push_back(HasFolds(range) ? std::pair(range.first, range.first + range.count)
                                      : std::pair(std::int64_t{0}, kMaxFolds));
      return;
    }
    const SeriesRecord& series = reader_.Series(range.series);
    if (series.traits.seed != query_.seed) return;
    const LearnerRecord& learner = reader_.Learner(series.learner);
    ranges_[series.traits.repeat].push_back(
        {range.series, range.first, range.first + range.count, HexOfKey(learner.key),
         reader_.Splits(series.splits).key, series.traits.probabilities});
  }

  // That of the splits of one repeat is the same.
  const std::string& KeyOf(std::int64_t split) {
    const bool is_lists = query_.splits->partitions().empty();
    const std::int64_t part = is_lists ? split : query_.splits->repeat_of(split);
    auto [known, is_new] = keys_.try_emplace(part);
    if (is_new) {
      const Digest key = SplitsKey(*query_.splits, split);
      known->second.assign(reinterpret_cast<const char*>(key.data()), key.size());
    }
    return known->second;
  }

  StoreReader& reader_;
  const LedgerQuery& query_;
  std::map<std::int64_t, std::vector<Range>> ranges_;  // by repeat
  std::map<std::int64_t, std::string> keys_;
  std::vector<std::string> damaged_;
  std::vector<std::pair<std::int64_t, std::int64_t>>
      lost_;  // first fold and the one after the last
};

}  // namespace

// Reads what the store has of single cells into the cells of a query.
class CellsReader {
 public:
  // `tests` are those of the query's splits.
  CellsReader(StoreReader& reader, const LedgerQuery& query, std::shared_ptr<TestRows> tests,
              StoredCells& into, std::vector<std::string>& damaged)
      : reader_(reader), query_(query), tests_(std::move(tests)), into_(into), damaged_(damaged) {}

  void Read(std::size_t split, std::int64_t series) {
    if (IsReadable([&] { ReadCell(split, series); })) return;
    SetDamaged(split);
    damaged_.push_back(Name(split));
  }

  void SetDamaged(std::size_t split) {
    into_.cells_[split] = {};
    into_.cells_[split].state = CellState::kDamaged;
  }

 private:
  void ReadCell(std::size_t split, std::int64_t id) {
    StoredCells::Cell& cell = into_.cells_[split];
    cell.state = CellState::kMissing;
    const SeriesRecord& series = reader_.Series(id);
    // The splits of a series have the positive class of the first run that asked for it.
    const std::shared_ptr<const Dataset> data =
        query_.splits ? query_.splits->view().data
                      : reader_.LoadDataset(reader_.Splits(series.splits).dataset);
    const std::optional<StoredCell> found = reader_.FindCell(id, query_.places[split].second);
    if (!found) return;
    if (found->damaged_scores > 0) damaged_.push_back("scores of " + Name(split));
    cell.damaged_scores = static_cast<std::uint32_t>(found->damaged_scores);
    TakeOutcome(split, ToOutcome(found->row));
    TakeScores(cell, found->scores);
    if (cell.state == CellState::kOk && data) {
      TakePrediction(split, series.splits, data, found->row.prediction);
    }
  }

  void TakeOutcome(std::size_t split, Outcome&& outcome) {
    StoredCells::Cell& cell = into_.cells_[split];
    cell.state = outcome.status == OutcomeStatus::kOk ? CellState::kOk : CellState::kFailed;
    cell.n_train = outcome.n_train;
    cell.n_test = outcome.n_test;
    cell.fit_s = outcome.fit_s;
    cell.predict_s = outcome.predict_s;
    if (cell.state == CellState::kFailed) into_.failures_[split] = std::move(outcome.failure);
    if (!outcome.warnings.empty()) into_.warnings_[split] = std::move(outcome.warnings);
  }

  void TakeScores(StoredCells::Cell& cell,
                  const std::vector<std::pair<std::int64_t, Score>>& scores) {
    cell.first_score = into_.scores_.size();
    cell.n_scores = static_cast<std::uint32_t>(scores.size());
    for (const auto& [metric, score] : scores) {
      into_.scores_.emplace_back(PlaceOfMetric(metric), score);
    }
  }

  std::uint32_t PlaceOfMetric(std::int64_t id) {
    auto& metrics = into_.metrics_;
    const auto known = std::ranges::find(metrics, id, &StoredCells::Metric::id);
    const auto place = static_cast<std::uint32_t>(known - metrics.begin());
    if (known == metrics.end()) {
      metrics.push_back({id, reader_.Metric(id).text, HexOfKey(reader_.Metric(id).key)});
    }
    return place;
  }

  // Unpacked once, so that a damaged one is found now.
  void TakePrediction(std::size_t split, std::int64_t splits_id,
                      const std::shared_ptr<const Dataset>& data,
                      const std::optional<std::string>& packed) {
    StoredCells::Cell& cell = into_.cells_[split];
    TakePlan(split, splits_id, data);
    if (cell.split_in_plan < 0 || cell.split_in_plan >= into_.plans_.back().splits->size()) {
      FieldReader::Fail();
    }
    if (!packed) return;
    cell.first_byte = into_.bytes_.size();
    cell.n_bytes = packed->size();
    into_.bytes_ += *packed;
    into_.UnpackPrediction(split, Keep::kProbabilities);
  }

  // The query's own splits are those of the cell.
  void TakePlan(std::size_t split, std::int64_t splits_id,
                const std::shared_ptr<const Dataset>& data) {
    StoredCells::Cell& cell = into_.cells_[split];
    auto& plans = into_.plans_;
    if (query_.splits) {
      cell.split_in_plan = static_cast<std::int64_t>(split);
      if (plans.empty()) plans.push_back({query_.splits, data, tests_});
    } else {
      cell.split_in_plan = SplitInPlan(reader_.Splits(splits_id), query_.places[split].second);
      const std::shared_ptr<const SplitPlan> splits = reader_.LoadSplits(splits_id);
      if (plans.empty() || plans.back().splits != splits) {
        plans.push_back({splits, data, std::make_shared<TestRows>()});
      }
    }
    cell.plan = static_cast<std::uint32_t>(plans.size() - 1);
  }

  std::string Name(std::size_t split) const {
    LedgerPlace place;
    place.learner = query_.learner;
    place.dataset = query_.dataset;
    std::tie(place.repeat, place.fold) = query_.places[split];
    return NameOf(place);
  }

  StoreReader& reader_;
  const LedgerQuery& query_;
  const std::shared_ptr<TestRows> tests_;
  StoredCells& into_;
  std::vector<std::string>& damaged_;
};

StoredCells ReadCells(StoreReader& reader, const LedgerQuery& query,
                      std::span<const WantedRange> ranges, bool lost,
                      std::shared_ptr<TestRows> tests, std::vector<std::string>& damaged) {
  CellFinder finder(reader, query, ranges, lost);
  damaged.insert(damaged.end(), finder.damaged().begin(), finder.damaged().end());
  StoredCells cells(query.places.size());
  CellsReader cells_reader(reader, query, std::move(tests), cells, damaged);
  for (std::size_t split = 0; split < query.places.size(); ++split) {
    if (query.learner_keys[split].empty()) continue;
    const std::int64_t series = finder.FindSeries(split);
    if (series != 0) {
      cells_reader.Read(split, series);
    } else if (finder.MayBeDamaged(split)) {
      cells_reader.SetDamaged(split);
    }
  }
  return cells;
}

const std::vector<std::string>& StoredCells::warnings(std::size_t split) const {
  static const std::vector<std::string> kNone;
  const auto found = warnings_.find(split);
  return found == warnings_.end() ? kNone : found->second;
}

const Score* StoredCells::FindScore(std::size_t split, std::string_view metric) const {
  const Cell& cell = cells_[split];
  for (const auto& [place, score] : std::span(scores_).subspan(cell.first_score, cell.n_scores)) {
    const Metric& one = metrics_[place];
    if (one.text == metric || one.key == metric) return &score;
  }
  return nullptr;
}

Prediction StoredCells::UnpackPrediction(std::size_t split, Keep keep) const {
  const Cell& cell = cells_[split];
  const Plan& plan = plans_[cell.plan];
  const TestRows::Rows tested = plan.tests->Of(*plan.splits, cell.split_in_plan);
  Prediction prediction = UnpackPredictionOf(
      *plan.data, std::string_view(bytes_).substr(cell.first_byte, cell.n_bytes), tested.ids);
  if (keep == Keep::kLabels) prediction.probabilities = {};
  return prediction;
}

const std::shared_ptr<const Dataset>& StoredCells::data(std::size_t split) const {
  return plans_[cells_[split].plan].data;
}

}  // namespace crossfold
