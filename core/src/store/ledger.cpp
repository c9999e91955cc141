#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/store_ledger.h"
#include "crossfold_plugin/error.hpp"
#include "data/fields.h"
#include "store/cell_keys.h"
#include "store/ledger_places.h"
#include "store/prediction_blob.h"
#include "store/store_place.h"
#include "store/store_reader.h"
#include "store/test_rows.h"

namespace crossfold {
namespace {

// Of a key as the tables have it.
std::string HexOf(const std::string& key) {
  Digest digest{};
  std::memcpy(digest.data(), key.data(), std::min(key.size(), digest.size()));
  return ToHex(digest);
}

// An entry that has names and places alone.
LedgerEntry EntryAt(const LedgerPlace& place) {
  LedgerEntry entry;
  entry.learner = place.learner;
  entry.dataset = place.dataset;
  entry.candidate = place.candidate;
  entry.inner = place.inner;
  entry.occurrence = place.occurrence;
  entry.repeat = place.repeat;
  entry.fold = place.fold;
  return entry;
}

LedgerEntry DamagedEntryAt(const LedgerPlace& place) {
  LedgerEntry entry = EntryAt(place);
  entry.damaged = true;
  return entry;
}

// Puts together what the store knows of a cell.
class EntryReader {
 public:
  explicit EntryReader(StoreReader& reader) : reader_(reader) {}

  // nullopt = it is damaged. `damaged` gets what of it, or all of it, is.
  std::optional<LedgerEntry> Read(const LedgerPlace& place, const LedgerPlaces& all,
                                  std::vector<std::string>& damaged) {
    LedgerEntry entry = EntryAt(place);
    try {
      if (place.series == 0) {
        ReadComposed(all.composed[place.composed], entry);
      } else {
        ReadCell(place, entry, damaged);
      }
      return entry;
    } catch (const plugin::Error&) {
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kBadData) throw;
    }
    damaged.push_back(NameOf(place));
    return std::nullopt;
  }

 private:
  void ReadCell(const LedgerPlace& place, LedgerEntry& entry, std::vector<std::string>& damaged) {
    const SeriesRecord& series = reader_.Series(place.series);
    entry.keep = series.traits.probabilities ? Keep::kProbabilities : Keep::kLabels;
    const SplitsRecord& splits = reader_.Splits(series.splits);
    entry.splits_id = series.splits;
    entry.data = reader_.LoadDataset(splits.dataset);
    const std::optional<StoredCell> cell = reader_.FindCell(place.series, place.fold);
    if (!cell) return;
    if (cell->damaged_scores > 0) damaged.push_back("scores of " + NameOf(place));
    entry.damaged_scores = cell->damaged_scores;
    entry.finished = true;
    entry.outcome = ToOutcome(cell->row);
    for (const auto& [metric, score] : cell->scores) {
      entry.scores.emplace_back(reader_.Metric(metric).text, score);
      entry.metric_keys.push_back(HexOf(reader_.Metric(metric).key));
    }
    if (entry.outcome.status != OutcomeStatus::kOk || !entry.data) return;
    entry.splits = reader_.LoadSplits(series.splits);
    entry.split = SplitInPlan(splits, place.fold);
    if (entry.split < 0 || entry.split >= entry.splits->size()) FieldReader::Fail();
    if (cell->row.prediction) {
      Unpack(*cell->row.prediction, TestsOf(entry.splits, entry.split), entry);
    }
  }

  void ReadComposed(const ComposedRecord& composed, LedgerEntry& entry) {
    entry.finished = true;
    entry.keep = Keep::kProbabilities;
    entry.data = reader_.LoadDataset(composed.dataset);
    entry.outcome.status = composed.failure ? OutcomeStatus::kFailed : OutcomeStatus::kOk;
    entry.outcome.n_train = composed.n_train;
    if (composed.failure) {
      entry.outcome.failure = {composed.learner, CF_E_INTERNAL, *composed.failure};
    }
    if (composed.prediction && entry.data) Unpack(*composed.prediction, {}, entry);
    entry.outcome.n_test = static_cast<std::int64_t>(entry.outcome.prediction.rows.size());
  }

  void Unpack(const std::string& bytes, std::span<const std::int64_t> tested, LedgerEntry& entry) {
    entry.outcome.prediction = UnpackPredictionOf(*entry.data, bytes, tested);
    entry.has_prediction = true;
  }

  // Those of the last plan are kept: entries come fold by fold.
  std::span<const std::int64_t> TestsOf(const std::shared_ptr<const SplitPlan>& plan,
                                        std::int64_t split) {
    const std::int64_t fold = plan->partitions().empty() ? 0 : plan->fold_of(split);
    if (plan != plan_) {
      tests_ = MakeFoldTests(*plan, split - fold);
      plan_ = plan;
    }
    return tests_->Of(fold);
  }

  StoreReader& reader_;
  std::shared_ptr<const SplitPlan> plan_;
  std::shared_ptr<const FoldTests> tests_;
};

// Finds the cells of a query among what its run asked for.
class CellFinder {
 public:
  // `ranges` are those of the learner and the dataset of the query. `lost`: some ranges are
  // damaged, and any cell may be of one of them.
  CellFinder(StoreReader& reader, const std::vector<WantedRange>& ranges, bool lost,
             const LedgerQuery& query)
      : reader_(reader), query_(query) {
    for (const WantedRange& range : ranges) Add(range);
    if (lost) lost_.emplace_back(0, std::numeric_limits<std::int64_t>::max());
  }

  // The place of a split's cell; nullopt = the run did not ask for it.
  std::optional<LedgerPlace> Find(std::size_t split) {
    const auto [repeat, fold] = query_.places[split];
    const auto of_repeat = ranges_.find(repeat);
    if (of_repeat == ranges_.end()) return std::nullopt;
    const Range* found = nullptr;
    for (const Range& range : of_repeat->second) {
      if (fold < range.first || fold >= range.end) continue;
      if (range.learner_key != query_.learner_keys[split]) continue;
      if (query_.splits && range.splits_key != KeyOf(static_cast<std::int64_t>(split))) continue;
      if (found == nullptr || range.probabilities == query_.probabilities) found = &range;
    }
    if (found == nullptr) return std::nullopt;
    LedgerPlace place;
    place.learner = query_.learner;
    place.dataset = query_.dataset;
    place.candidate = found->candidate;
    place.repeat = repeat;
    place.fold = fold;
    place.series = found->series;
    return place;
  }

  const std::vector<std::string>& damaged() const { return damaged_; }

  // The place of a split if cells are damaged of which nobody knows more than the folds and it may
  // be one of these.
  std::optional<LedgerPlace> FindDamaged(std::size_t split) const {
    const auto [repeat, fold] = query_.places[split];
    const bool is_one = std::ranges::any_of(lost_, [fold = fold](const auto& folds) {
      return fold >= folds.first && fold < folds.second;
    });
    if (!is_one) return std::nullopt;
    LedgerPlace place;
    place.learner = query_.learner;
    place.dataset = query_.dataset;
    place.repeat = repeat;
    place.fold = fold;
    return place;
  }

 private:
  struct Range {
    std::int64_t series, first, end;
    std::string candidate, learner_key, splits_key;
    bool probabilities;
  };

  void Add(const WantedRange& range) {
    if (!IsDefined(reader_, range, damaged_)) {
      lost_.push_back(HasFolds(range) ? std::pair(range.first, range.first + range.count)
                                      : std::pair(std::int64_t{0}, kMostFolds));
      return;
    }
    const SeriesRecord& series = reader_.Series(range.series);
    if (series.traits.seed != query_.seed) return;
    const LearnerRecord& learner = reader_.Learner(series.learner);
    ranges_[series.traits.repeat].push_back(
        {range.series, range.first, range.first + range.count, learner.text, HexOf(learner.key),
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
      lost_;  // first fold and the one behind the last
};

}  // namespace

struct Ledger::Impl {
  explicit Impl(const std::filesystem::path& path) : place(path), reader(place.path()) {}

  // What a run asked for of a learner on a dataset, without inner cells. That of the last run stays
  // in memory. `damaged` gets the names of what is left out.
  const std::vector<WantedRange>& OuterRanges(const LedgerQuery& query,
                                              std::vector<std::string>& damaged) {
    if (query.run != ranges_of_) {
      ranges_.clear();
      damaged_.clear();
      for (WantedRange& range : reader.Wanted(query.run, damaged_)) {
        if (!range.inner) ranges_[{range.learner, range.dataset}].push_back(std::move(range));
      }
      ranges_of_ = query.run;
    }
    damaged.insert(damaged.end(), damaged_.begin(), damaged_.end());
    return ranges_[{query.learner, query.dataset}];
  }

  StorePlace place;
  StoreReader reader;

 private:
  std::int64_t ranges_of_ = 0;
  // By learner and dataset.
  std::map<std::pair<std::string, std::string>, std::vector<WantedRange>> ranges_;
  std::vector<std::string> damaged_;
};

Ledger::Ledger(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}

Ledger::~Ledger() = default;

std::vector<StoredRun> Ledger::runs() const { return impl_->reader.Runs(); }

StoredRun Ledger::Choose(std::int64_t number) const { return impl_->reader.Choose(number); }

std::int64_t Ledger::LastWithResults() const { return impl_->reader.LastWithResults(); }

std::vector<std::string> Ledger::Visit(std::int64_t run, LedgerPart part,
                                       const std::function<void(const LedgerEntry&)>& visit) const {
  const LedgerPlaces all = FindPlaces(impl_->reader, run, part);
  std::vector<std::string> damaged = all.damaged;
  EntryReader reader(impl_->reader);
  for (const LedgerPlace& place : all.places) {
    const std::optional<LedgerEntry> entry = reader.Read(place, all, damaged);
    if (entry) visit(*entry);
  }
  return damaged;
}

std::vector<Finding> Ledger::Findings(std::int64_t run, std::vector<std::string>& damaged) const {
  std::vector<Finding> findings;
  for (FindingRow& row : impl_->reader.Findings(run, damaged)) {
    try {
      Finding finding;
      finding.splits = impl_->reader.SplitsOf(row);
      finding.experiment = row.experiment;
      finding.kind = std::move(row.kind);
      finding.name = std::move(row.name);
      finding.body = std::move(row.body);
      findings.push_back(std::move(finding));
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kBadData) throw;
      damaged.push_back(NameOf(row));
    }
  }
  return findings;
}

std::vector<std::string> Ledger::VisitCells(
    const LedgerQuery& query, const std::function<void(std::size_t, LedgerEntry&&)>& visit) const {
  std::vector<std::string> damaged;
  const std::vector<WantedRange>& ranges = impl_->OuterRanges(query, damaged);
  CellFinder finder(impl_->reader, ranges, !damaged.empty(), query);
  damaged.insert(damaged.end(), finder.damaged().begin(), finder.damaged().end());
  EntryReader reader(impl_->reader);
  for (std::size_t split = 0; split < query.places.size(); ++split) {
    if (query.learner_keys[split].empty()) continue;
    const std::optional<LedgerPlace> place = finder.Find(split);
    if (place) {
      std::optional<LedgerEntry> entry = reader.Read(*place, {}, damaged);
      visit(split, entry ? std::move(*entry) : DamagedEntryAt(*place));
    } else if (const auto lost = finder.FindDamaged(split)) {
      visit(split, DamagedEntryAt(*lost));
    }
  }
  return damaged;
}

std::vector<std::string> Ledger::VisitComposed(
    std::int64_t run, const std::string& learner, const std::string& dataset,
    const std::function<void(const LedgerEntry&)>& visit) const {
  LedgerPlaces all;
  std::vector<std::string> damaged;
  all.composed = impl_->reader.Composed(run, learner, dataset, damaged);
  EntryReader reader(impl_->reader);
  for (std::size_t i = 0; i < all.composed.size(); ++i) {
    const ComposedRecord& one = all.composed[i];
    LedgerPlace place;
    place.learner = learner;
    place.dataset = dataset;
    place.repeat = one.repeat;
    place.fold = one.fold;
    place.composed = i;
    const std::optional<LedgerEntry> entry = reader.Read(place, all, damaged);
    if (entry) visit(*entry);
  }
  return damaged;
}

}  // namespace crossfold
