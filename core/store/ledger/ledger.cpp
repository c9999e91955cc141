#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/store_ledger.h"
#include "crossfold_plugin/error.hpp"
#include "encoding/fields.h"
#include "store/cells/cell_keys.h"
#include "store/cells/stored_prediction.h"
#include "store/ledger/ledger_cells.h"
#include "store/ledger/ledger_places.h"
#include "store/ledger/store_reader.h"

namespace crossfold {
namespace {

// An entry with only names and places.
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

// Collects what the store has of a cell.
class EntryReader {
 public:
  EntryReader(StoreReader& reader, std::int64_t run)
      : reader_(reader), noted_(reader.NotedDatasets(run)) {}

  // nullopt = it is damaged. `damaged` gets the damaged parts, or the whole cell.
  std::optional<LedgerEntry> Read(const LedgerPlace& place, const LedgerPlaces& all,
                                  std::vector<std::string>& damaged) {
    LedgerEntry entry = EntryAt(place);
    const bool is_read = IsReadable([&] {
      if (place.series == 0) {
        ReadComposed(all.composed[place.composed], entry);
      } else {
        ReadCell(place, entry, damaged);
      }
    });
    if (is_read) return entry;
    damaged.push_back(NameOf(place));
    return std::nullopt;
  }

 private:
  void ReadCell(const LedgerPlace& place, LedgerEntry& entry, std::vector<std::string>& damaged) {
    const SeriesRecord& series = reader_.Series(place.series);
    entry.keep = series.traits.probabilities ? Keep::kProbabilities : Keep::kLabels;
    const SplitsRecord& splits = reader_.Splits(series.splits);
    entry.splits_id = series.splits;
    entry.data = DataOf(place, splits);
    const std::optional<StoredCell> cell = reader_.FindCell(place.series, place.fold);
    if (!cell) return;
    if (cell->damaged_scores > 0) damaged.push_back("scores of " + NameOf(place));
    entry.damaged_scores = cell->damaged_scores;
    entry.finished = true;
    entry.outcome = ToOutcome(cell->row);
    for (const auto& [metric, score] : cell->scores) {
      entry.scores.emplace_back(reader_.Metric(metric).text, score);
    }
    if (entry.outcome.status != OutcomeStatus::kOk || !entry.data) return;
    entry.splits = reader_.LoadSplits(series.splits);
    entry.split = SplitInPlan(splits, place.fold);
    if (entry.split < 0 || entry.split >= entry.splits->size()) FieldReader::Fail();
    if (cell->row.prediction) {
      Unpack(*cell->row.prediction, TestsOf(entry.splits, entry.split), entry);
    }
  }

  // What the run last called by this name: data of splits have the positive class of the first run
  // that asked for them.
  std::shared_ptr<const Dataset> DataOf(const LedgerPlace& place, const SplitsRecord& splits) {
    const std::shared_ptr<const Dataset> data = reader_.LoadDataset(splits.dataset);
    for (const std::int64_t id : noted_[place.dataset]) {
      if (!data || id == splits.dataset) return data;
      const std::shared_ptr<const Dataset> named = reader_.LoadDataset(id);
      if (named && named->content_hash() == data->content_hash()) return named;
    }
    return data;
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
  std::map<std::string, std::vector<std::int64_t>> noted_;
  std::shared_ptr<const SplitPlan> plan_;
  std::shared_ptr<const FoldTests> tests_;
};

}  // namespace

struct Ledger::Impl {
  explicit Impl(const std::filesystem::path& path) : place(path), reader(place.path()) {}

  // What a run asked for of a learner on a dataset, without inner cells. The list of the last run
  // stays in memory. `damaged` gets the names of what is left out.
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

  // Those of the last splits stay in memory: queries come learner by learner.
  std::shared_ptr<TestRows> TestsOf(const std::shared_ptr<const SplitPlan>& splits) {
    if (tests_ == nullptr || splits != tested_) {
      tests_ = std::make_shared<TestRows>();
      tested_ = splits;
    }
    return tests_;
  }

  StorePlace place;
  StoreReader reader;

 private:
  std::shared_ptr<const SplitPlan> tested_;
  std::shared_ptr<TestRows> tests_;
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
  EntryReader reader(impl_->reader, run);
  for (const LedgerPlace& place : all.places) {
    const std::optional<LedgerEntry> entry = reader.Read(place, all, damaged);
    if (entry) visit(*entry);
  }
  return damaged;
}

std::vector<Finding> Ledger::Findings(std::int64_t run, std::vector<std::string>& damaged) const {
  std::vector<Finding> findings;
  for (FindingRow& row : impl_->reader.Findings(run, damaged)) {
    Finding finding;
    if (!IsReadable([&] { finding.splits = impl_->reader.SplitsOf(row); })) {
      damaged.push_back(NameOf(row));
      continue;
    }
    finding.experiment = row.experiment;
    finding.kind = std::move(row.kind);
    finding.name = std::move(row.name);
    finding.body = std::move(row.body);
    findings.push_back(std::move(finding));
  }
  return findings;
}

StoredCells Ledger::Cells(const LedgerQuery& query, std::vector<std::string>& damaged) const {
  std::vector<std::string> lost;
  const std::vector<WantedRange>& ranges = impl_->OuterRanges(query, lost);
  damaged.insert(damaged.end(), lost.begin(), lost.end());
  return ReadCells(impl_->reader, query, ranges, !lost.empty(), impl_->TestsOf(query.splits),
                   damaged);
}

std::vector<std::string> Ledger::VisitComposed(
    std::int64_t run, const std::string& learner, const std::string& dataset,
    const std::function<void(const LedgerEntry&)>& visit) const {
  LedgerPlaces all;
  std::vector<std::string> damaged;
  all.composed = impl_->reader.Composed(run, learner, dataset, damaged);
  EntryReader reader(impl_->reader, run);
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
