// Runs cells with a store: stored outcomes are taken from it, the rest is computed.
#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>

#include "crossfold/cancel_token.h"
#include "crossfold/cell_store.h"
#include "crossfold/score.h"
#include "engine/plan/sharing.h"
#include "engine/run/cell_runner.h"
#include "engine/run/shared_items.h"
#include "engine/score/score_cell.h"
#include "store/cells/cell_claims.h"
#include "store/cells/cell_sharing.h"
#include "store/cells/series_reader.h"
#include "store/cells/store_impl.h"
#include "store/cells/stored_prediction.h"

namespace crossfold {
namespace {

constexpr std::int64_t kChunk = 1024;                   // rows that are read at a time
constexpr std::size_t kMaxBlob = std::size_t{1} << 29;  // SQLite takes twice as much

// The cells of one block that are of one series, which is how a store keeps them: a block may have
// folds of several repeats, and a series has one. `block` and `index` lead back to the batch.
struct Piece {
  std::uint32_t block;
  std::int64_t split, count, fold;  // first split, how many, first fold
  std::size_t index;                // of the first cell in the batch
  StoredId series;
};

// Cells for the engine: a run of its numbers and where they are in the batch.
struct Missing {
  std::size_t engine_index, index;
  std::uint32_t piece;
  std::int64_t split;
};

// One of them.
struct MissingCell {
  std::size_t index;
  std::uint32_t piece;
  std::int64_t split, fold;
};

bool DependsOnTheRun(const Failure& failure) {
  return failure.stage.starts_with("score ") || failure.stage == "on_finished";
}

// Whether a store keeps the outcome.
bool IsOfTheCell(const Outcome& outcome) {
  return outcome.status == OutcomeStatus::kOk ||
         (outcome.status == OutcomeStatus::kFailed && !DependsOnTheRun(outcome.failure));
}

// Whether the metric logged a warning, which a score does not keep: then it is computed again the
// next time.
bool HasWarned(const Spec& metric, const std::vector<std::string>& warnings) {
  const std::string start = StageName("score", metric.component()) + ": ";
  return std::ranges::any_of(warnings,
                             [&](const std::string& line) { return line.starts_with(start); });
}

class StoreRunner {
 public:
  StoreRunner(CellStore::Impl& store, std::span<const CellBlock> blocks, const RunOptions& options,
              const RunEngine& engine, const TakeOutcome& take)
      : store_(store),
        blocks_(blocks),
        options_(options),
        stop_(options.cancel),
        engine_(engine),
        take_(take),
        stored_(store),
        sharing_(store, stored_) {}
  StoreRunner(const StoreRunner&) = delete;
  StoreRunner& operator=(const StoreRunner&) = delete;

  void Run() {
    if (!Define()) return RunUnkept();
    std::unordered_set<std::int64_t> series;
    for (const Piece& piece : pieces_) series.insert(piece.series.id);
    store_.FlushIfWaiting(series);
    sharing_.BeginLookUp();
    for (std::uint32_t p = 0; p < pieces_.size() && !cancelled(); ++p) {
      LookUp(p, pieces_[p].fold, pieces_[p].fold + pieces_[p].count);
    }
    ComputeMissing();
    store_.Settle(warned_of_.has_value());
  }

 private:
  bool cancelled() const { return stop_.cancelled(); }
  const CellBlock& BlockOf(const Piece& piece) const { return blocks_[piece.block]; }

  // Everything that cells refer to is in the file before one of them is computed; or false, and the
  // file takes nothing.
  bool Define() {
    return store_.Change([this](Database&, Definitions& definitions, std::int64_t run) {
      std::size_t index = 0;
      metrics_.resize(blocks_.size());
      for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
        DefineMetrics(b, definitions);
        DefinePieces(b, run, index, definitions);
        index += static_cast<std::size_t>(blocks_[b].count);
      }
    });
  }

  void RunUnkept() {
    engine_(blocks_, options_, [this](std::size_t i, Outcome&& outcome) {
      if (IsOfTheCell(outcome)) store_.CountLostCell();
      take_(i, std::move(outcome));
    });
    store_.Settle(true);
  }

  void DefineMetrics(std::uint32_t b, Definitions& definitions) {
    const CellBlock& block = blocks_[b];
    if (!block.metrics) return;
    const Dataset& data = *block.splits->view().data;
    if (b > 0 && blocks_[b - 1].metrics == block.metrics &&
        blocks_[b - 1].splits->view().data.get() == &data) {
      metrics_[b] = metrics_[b - 1];
      return;
    }
    auto ids = std::make_shared<std::vector<StoredId>>();
    for (const auto& metric : MetricsFor(*block.metrics, data)) {
      ids->push_back(definitions.MetricOf(*metric));
    }
    metrics_[b] = std::move(ids);
  }

  void DefinePieces(std::uint32_t b, std::int64_t run, std::size_t index,
                    Definitions& definitions) {
    const CellBlock& block = blocks_[b];
    const SplitPlan& plan = *block.splits;
    const std::int64_t end = block.first + block.count;
    for (std::int64_t split = block.first; split < end;) {
      std::int64_t next = split + 1;
      const std::int64_t fold = plan.fold_of(split);
      if (!plan.partitions().empty()) {
        const auto repeat = static_cast<std::size_t>(plan.repeat_of(split));
        next = std::min(end, split - fold + plan.partitions()[repeat].n_folds);
      }
      const StoredId series = definitions.SeriesOf(block, split, options_.share);
      definitions.Want(run, block, series.id, fold, next - split);
      pieces_.push_back({b, split, next - split, fold,
                         index + static_cast<std::size_t>(split - block.first), series});
      split = next;
    }
  }

  // Delivers the stored outcomes of a piece's folds first .. end - 1, and collects the missing
  // ones.
  void LookUp(std::uint32_t p, std::int64_t fold, std::int64_t end) {
    const Piece& piece = pieces_[p];
    while (fold < end && !cancelled()) {
      const std::int64_t stop = std::min(end, fold + kChunk);
      std::vector<FoundCell> cells = Read(piece, fold, stop);
      Deliver(p, fold, stop, cells);
      fold = stop;
    }
  }

  // Where the file is damaged, what comes before that in the table.
  std::vector<FoundCell> Read(const Piece& piece, std::int64_t first, std::int64_t end) {
    std::vector<FoundCell> cells;
    const bool scored = metrics_[piece.block] && !metrics_[piece.block]->empty();
    try {
      stored_.Read(piece.series.id, first, end, scored, cells);
    } catch (const SqliteError& e) {
      WarnOfUnreadable(piece, e);
    }
    return cells;
  }

  void Deliver(std::uint32_t p, std::int64_t first, std::int64_t end,
               std::vector<FoundCell>& cells) {
    const Piece& piece = pieces_[p];
    std::vector<char> delivered(cells.size(), 0);
    const bool any_to_score =
        std::ranges::any_of(cells, [&](const FoundCell& cell) { return LacksScores(piece, cell); });
    ForEach(cells.size(), any_to_score,
            [&](std::size_t i) { delivered[i] = DeliverOne(piece, cells[i]) ? 1 : 0; });
    store_.CountFound(static_cast<std::uint64_t>(std::ranges::count(delivered, 1)));
    std::size_t next = 0;
    for (std::int64_t fold = first; fold < end; ++fold) {
      while (next < cells.size() && cells[next].fold < fold) ++next;
      const bool is_stored = next < cells.size() && cells[next].fold == fold;
      if (is_stored && delivered[next] != 0) continue;
      if (is_stored) replaced_.insert(piece.index + static_cast<std::size_t>(fold - piece.fold));
      AddMissing(p, fold);
    }
  }

  // Calls body(i) for every i < n, on all workers if that pays.
  template <class Body>
  void ForEach(std::size_t n, bool parallel, const Body& body) {
    SharedItems items(n, nullptr, body);
    items.WorkOn(parallel ? options_.workers : 1);
  }

  bool LacksScores(const Piece& piece, const FoundCell& cell) const {
    const CellBlock& block = BlockOf(piece);
    return block.metrics && cell.read.row.status == StoredStatus::kOk &&
           cell.scores.size() < block.metrics->size();
  }

  void AddMissing(std::uint32_t p, std::int64_t fold) {
    const Piece& piece = pieces_[p];
    CellBlock one = BlockOf(piece);
    one.first = piece.split + (fold - piece.fold);
    one.count = 1;
    if (store_.options().prediction_bytes > 0) {
      one.keep = WantsProbabilities(one) ? Keep::kProbabilities : std::max(one.keep, Keep::kLabels);
    }
    const std::size_t index = piece.index + static_cast<std::size_t>(fold - piece.fold);
    const bool continues =
        !missing_.empty() && missing_.back().piece == p &&
        missing_.back().index + (n_missing_ - missing_.back().engine_index) == index;
    if (!continues) missing_.push_back({n_missing_, index, p, one.first});
    AppendCells(todo_, one);
    ++n_missing_;
  }

  // False = the cell must be computed. May be called on any thread; does not throw.
  bool DeliverOne(const Piece& piece, FoundCell& cell) {
    try {
      return TryDeliver(piece, cell);
    } catch (const plugin::Error&) {
      WarnOfDamage(piece, cell.fold, "it does not fit the cell");
    } catch (const std::exception& e) {
      WarnOfDamage(piece, cell.fold, e.what());
    }
    return false;
  }

  void WarnOfDamage(const Piece& piece, std::int64_t fold, const std::string& finding) const {
    store_.Warn("the stored result of learner '" +
                ShortSpecText(BlockOf(piece).learner->ToString()) + "', repeat " +
                std::to_string(BlockOf(piece).splits->repeat_of(piece.split) + 1) + ", fold " +
                std::to_string(fold + 1) + ", in store '" + store_.path().string() +
                "' cannot be used (" + finding + "); it is computed again");
  }

  // Is called once per piece.
  void WarnOfUnreadable(const Piece& piece, const SqliteError& e) {
    if (warned_of_ == piece.index) return;
    warned_of_ = piece.index;
    store_.Warn("stored results of learner '" + ShortSpecText(BlockOf(piece).learner->ToString()) +
                "', repeat " + std::to_string(BlockOf(piece).splits->repeat_of(piece.split) + 1) +
                ", are computed again: " + e.what());
  }

  bool TryDeliver(const Piece& piece, FoundCell& cell) {
    const CellRow& row = cell.read.row;
    if (!cell.read.is_whole) {
      WarnOfDamage(piece, cell.fold, "its checksum is wrong");
      return false;
    }
    if (row.status == StoredStatus::kStopped) return false;
    if (row.status == StoredStatus::kFailed && store_.options().retry_failed) return false;
    const CellBlock& block = BlockOf(piece);
    const std::int64_t split = piece.split + (cell.fold - piece.fold);
    Outcome outcome = ToOutcome(row);
    if (outcome.status == OutcomeStatus::kOk) {
      std::vector<std::optional<Score>> known = KnownScores(piece, cell);
      const bool lacks = std::ranges::any_of(known, [](const auto& one) { return !one; });
      if (lacks && cell.has_damaged_score) {
        WarnOfDamage(piece, cell.fold, "the checksum of a score is wrong");
      }
      if (lacks || block.keep != Keep::kNothing) {
        if (!row.prediction) return false;
        const TestRows::Rows tested = tests_.Of(*block.splits, split);
        const Dataset& data = *block.splits->view().data;
        outcome.prediction = UnpackPredictionOf(data, *row.prediction, tested.ids);
      }
      AddScores(piece, split, cell, known, outcome);
    }
    DropUnwanted(outcome.status == OutcomeStatus::kOk ? block.keep : Keep::kNothing,
                 outcome.prediction);
    Hand(piece.index + static_cast<std::size_t>(cell.fold - piece.fold), std::move(outcome));
    return true;
  }

  std::vector<std::optional<Score>> KnownScores(const Piece& piece, const FoundCell& cell) const {
    std::vector<std::optional<Score>> known;
    if (!metrics_[piece.block]) return known;
    for (const StoredId& metric : *metrics_[piece.block]) {
      const auto found =
          std::ranges::find(cell.scores, metric.id, &std::pair<std::int64_t, Score>::first);
      known.push_back(found == cell.scores.end() ? std::nullopt : std::optional(found->second));
    }
    return known;
  }

  // The stored scores, and those that are computed now from the stored prediction.
  void AddScores(const Piece& piece, std::int64_t split, const FoundCell& cell,
                 std::vector<std::optional<Score>>& known, Outcome& outcome) {
    const CellBlock& block = BlockOf(piece);
    MetricList lacking;
    for (std::size_t m = 0; m < known.size(); ++m) {
      if (!known[m]) lacking.push_back((*block.metrics)[m]);
    }
    if (!lacking.empty()) {
      CallSite site(options_.cancel, options_.log);
      try {
        const CellRef ref{&block, split};
        std::vector<Score> scores =
            ScoreCellPrediction(ref, lacking, outcome.prediction, targets_, site);
        KeepScores(piece, cell.fold, lacking, scores, site.warnings);
        auto next = scores.begin();
        for (auto& one : known) {
          if (!one) one = std::move(*next++);
        }
      } catch (const StepError& e) {
        outcome.status = e.cancelled() ? OutcomeStatus::kCancelled : OutcomeStatus::kFailed;
        if (!e.cancelled()) outcome.failure = e.failure();
      }
      outcome.warnings.insert(outcome.warnings.end(), site.warnings.begin(), site.warnings.end());
      if (outcome.status != OutcomeStatus::kOk) return;
    }
    for (auto& one : known) outcome.scores.push_back(std::move(*one));
  }

  void KeepScores(const Piece& piece, std::int64_t fold, const MetricList& metrics,
                  const std::vector<Score>& scores, const std::vector<std::string>& warnings) {
    FinishedCell cell;
    cell.series = piece.series;
    cell.fold = fold;
    const CellBlock& block = BlockOf(piece);
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      if (HasWarned(*metrics[i], warnings)) continue;
      const auto m = std::ranges::find(*block.metrics, metrics[i]) - block.metrics->begin();
      cell.scores.push_back({(*metrics_[piece.block])[static_cast<std::size_t>(m)], scores[i]});
    }
    if (!cell.scores.empty()) store_.Keep(std::move(cell));
  }

  void Hand(std::size_t index, Outcome&& outcome) const {
    CallOnFinished(options_, index, outcome);
    take_(index, std::move(outcome));
  }

  // Computes the missing cells, except those that another process has claimed: it looks for these
  // again and again, until they are stored or the other process has given them up.
  void ComputeMissing() {
    while (n_missing_ > 0 && !cancelled()) {
      Compute();
      const std::vector<std::size_t> left = sharing_.Postponed();
      if (left.empty()) return;
      std::vector<MissingCell> cells;
      std::vector<LackingCell> lacking;
      for (const std::size_t i : left) {
        cells.push_back(MissingAt(i));
        lacking.push_back(LackingAt(i));
      }
      if (left.size() == n_missing_) sharing_.WaitFor(lacking, stop_);
      LookUpAgain(cells);
    }
  }

  void Compute() {
    sharing_.BeginRound(n_missing_);
    RunOptions options = options_;
    options.cancel = &stop_;
    options.on_finished = nullptr;  // called here, with the numbers of the whole batch
    options.claim = [this](std::span<const std::size_t> cells) {
      return sharing_.Claim(cells, [this](std::size_t i) { return LackingAt(i); });
    };
    engine_(todo_, options, [this](std::size_t i, Outcome&& outcome) {
      const MissingCell cell = MissingAt(i);
      const Piece& piece = pieces_[cell.piece];
      KeepOutcome(cell, outcome, sharing_.TakeClaim(i));
      DropUnwanted(BlockOf(piece).keep, outcome.prediction);
      Hand(cell.index, std::move(outcome));
    });
    sharing_.EndRound();
  }

  MissingCell MissingAt(std::size_t i) const {
    const auto after = std::ranges::upper_bound(missing_, i, {}, &Missing::engine_index);
    const Missing& run = *std::prev(after);
    const std::size_t beyond = i - run.engine_index;
    const std::int64_t split = run.split + static_cast<std::int64_t>(beyond);
    const Piece& piece = pieces_[run.piece];
    return {run.index + beyond, run.piece, split, piece.fold + (split - piece.split)};
  }

  LackingCell LackingAt(std::size_t i) const {
    const MissingCell cell = MissingAt(i);
    return {pieces_[cell.piece].series.id, cell.fold, replaced_.contains(cell.index)};
  }

  void LookUpAgain(const std::vector<MissingCell>& cells) {
    sharing_.BeginLookUp();
    missing_.clear();
    todo_.clear();
    n_missing_ = 0;
    for (auto cell = cells.begin(); cell != cells.end() && !cancelled();) {
      const auto first = cell;
      std::int64_t fold = first->fold;
      while (cell != cells.end() && cell->piece == first->piece && cell->fold == fold) {
        ++cell, ++fold;
      }
      LookUp(first->piece, first->fold, fold);
    }
  }

  // Is called on a worker's thread; a failure loses the stored cell, not the outcome.
  void KeepOutcome(const MissingCell& place, const Outcome& outcome,
                   std::shared_ptr<const CellClaim> claim) {
    if (!IsOfTheCell(outcome)) return;
    const Piece& piece = pieces_[place.piece];
    try {
      FinishedCell cell;
      cell.series = piece.series;
      cell.fold = place.fold;
      cell.claim = std::move(claim);
      cell.replaces = replaced_.contains(place.index);
      cell.row = ToCellRow(outcome);
      const CellBlock& block = BlockOf(piece);
      if (outcome.status == OutcomeStatus::kOk && store_.options().prediction_bytes > 0) {
        const TestRows::Rows tested = tests_.Of(*block.splits, place.split);
        std::string packed = PackPrediction(outcome.prediction, tested.ids);
        if (packed.size() <= kMaxBlob && store_.TakeRoom(packed.size()))
          cell.row->prediction = std::move(packed);
      }
      for (std::size_t m = 0; m < outcome.scores.size(); ++m) {
        if (HasWarned(*(*block.metrics)[m], outcome.warnings)) continue;
        cell.scores.push_back({(*metrics_[piece.block])[m], outcome.scores[m]});
      }
      store_.CountComputed();
      store_.Keep(std::move(cell));
      if (store_.stops()) stop_.Cancel();
    } catch (const std::exception& e) {
      store_.Warn("cannot store a cell of learner '" +
                  ShortSpecText(BlockOf(piece).learner->ToString()) + "': " + e.what());
    }
  }

  CellStore::Impl& store_;
  std::span<const CellBlock> blocks_;
  const RunOptions& options_;
  CancelToken stop_;
  const RunEngine& engine_;
  const TakeOutcome& take_;

  std::vector<Piece> pieces_;
  std::vector<std::shared_ptr<const std::vector<StoredId>>> metrics_;  // of each block; or null
  TrainingTargets targets_;
  std::vector<CellBlock> todo_;
  std::vector<Missing> missing_;
  std::size_t n_missing_ = 0;
  std::unordered_set<std::size_t> replaced_;  // cells whose stored row is of no use
  std::optional<std::size_t> warned_of_;      // index of the piece
  TestRows tests_;
  SeriesReader stored_;
  CellSharing sharing_;
};

}  // namespace

void RunStored(CellStore& store, std::span<const CellBlock> blocks, const RunOptions& options,
               const RunEngine& engine, const TakeOutcome& take) {
  StoreRunner(store.impl(), blocks, options, engine, take).Run();
}

}  // namespace crossfold
