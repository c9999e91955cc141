// Running the cells of a batch, alone or several of them as one item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "crossfold/run.h"
#include "engine/plan/sharing.h"
#include "engine/run/fit_predict.h"
#include "engine/run/prepared_rows.h"
#include "engine/run/step_call.h"
#include "engine/run/step_seeds.h"

namespace crossfold {

// One cell of a block, for the call that computes it. Unlike a Cell it borrows from the block, so
// that a cell costs two words and no reference counts that all workers share.
struct CellRef {
  const CellBlock* block;
  std::int64_t split;

  StepSeeds seeds() const {
    return StepSeeds(block->seed, block->splits->repeat_of(split), block->splits->fold_of(split));
  }
};

// Called on the worker after a successful prediction, before predictions are dropped as the cell's
// `keep` says. Throws StepError if the cell fails.
using FinishCell = std::function<void(const CellRef&, CallSite&, Outcome&)>;

// Reduces a prediction to what a cell keeps.
void DropUnwanted(Keep keep, Prediction& prediction);
// Probabilities, and scores of crossfold.scores/1.
void DropProbabilities(Prediction& prediction);
// Calls RunOptions::on_finished, if there is one and the cell was not cancelled. If it throws, the
// cell fails.
void CallOnFinished(const RunOptions& options, std::size_t index, Outcome& outcome);

// The result of shared work for one cell.
struct SharedResult {
  Prediction prediction;
  std::vector<std::string> warnings;
  std::int64_t n_train = 0;
  double fit_s = 0, predict_s = 0;
  const char* via = "";  // the capability that it came from
  double tolerance = 0;  // of that capability
};
using DeliverResult = std::function<void(std::uint32_t block, std::int64_t split, SharedResult&&)>;

// Gets the predictions of all test rows of some folds of one repeat, at these positions of the
// view, instead of an outcome for each cell. Without positions, and without rows in the prediction,
// they are of all rows in the order of the view.
using TakeFolds =
    std::function<void(std::uint32_t block, std::int64_t split,
                       std::span<const std::int64_t> positions, Prediction&& prediction)>;

// The state that the workers of one batch share. Thread-safe; each cell is run by one worker only.
class CellRunner {
 public:
  // All arguments must outlive this; `finish` and `take_folds` may be empty.
  CellRunner(std::span<const CellBlock> blocks, const RunOptions& options, const FinishCell& finish,
             const TakeOutcome& take, const TakeFolds& take_folds);

  const CellBlock& block(std::uint32_t b) const { return blocks_[b]; }
  CellRef cell(std::uint32_t b, std::int64_t split) const { return {&blocks_[b], split}; }
  const RunOptions& options() const { return options_; }
  bool cancelled() const { return options_.cancel != nullptr && options_.cancel->cancelled(); }
  CallSite MakeSite() const { return CallSite(options_.cancel, options_.log); }
  const TakeFolds& take_folds() const { return take_folds_; }

  // Whether to compute the cells of an item, as RunOptions::claim says.
  bool Claim(const WorkItem& item, std::span<const std::uint32_t> blocks) const;
  // Fits, predicts and finishes one cell. A failure becomes its outcome.
  void RunAlone(std::uint32_t b, std::int64_t split) const;
  // Finishes a cell that shared work has predicted.
  void Finish(std::uint32_t b, std::int64_t split, SharedResult&& result) const;
  // Finishes a cell that failed on its route, which is part of its definition (a learner with a
  // tolerance).
  void Fail(std::uint32_t b, std::int64_t split, Failure failure) const;

  // Returns what the cell predicts if it is run alone. Throws StepError.
  Prediction PredictAlone(const CellRef& cell) const;

 private:
  std::size_t IndexOf(std::uint32_t b, std::int64_t split) const {
    return first_cell_[b] + static_cast<std::size_t>(split - blocks_[b].first);
  }
  void Close(std::size_t index, CallSite& site, Outcome& outcome) const;

  std::span<const CellBlock> blocks_;
  const RunOptions& options_;
  const FinishCell& finish_;
  const TakeOutcome& take_;
  const TakeFolds& take_folds_;
  std::vector<std::size_t> first_cell_;  // of each block
};

// Run the items of engine/plan/sharing.h. Each function delivers what it could predict and returns
// the other cells with the reasons. These cells are then run alone, so that a failure reads the
// same with and without sharing; if the route is part of the cell's definition, they have failed.
struct LeftCell {
  std::uint32_t block;
  std::int64_t split;
  Failure failure;
};
using BlockList = std::span<const std::uint32_t>;
// `memory`: bytes for the predictions of all settings that are requested at the same time.
std::vector<LeftCell> RunSharedFits(const CellRunner& runner, BlockList blocks,
                                    const WorkItem& item, const PreparedRows* prepared,
                                    std::uint64_t memory, const DeliverResult& deliver);
std::vector<LeftCell> RunCrossFolds(const CellRunner& runner, BlockList blocks,
                                    const WorkItem& item, const PreparedRows* prepared,
                                    std::uint64_t memory, const DeliverResult& deliver);
std::vector<LeftCell> RunIncrementalFolds(const CellRunner& runner, BlockList blocks,
                                          const WorkItem& item, const DeliverResult& deliver);

// Does what RunCells does, for blocks. Outcomes go to `take` as they are made.
void RunBlocks(std::span<const CellBlock> blocks, const RunOptions& options,
               const FinishCell& finish, const TakeOutcome& take,
               const TakeFolds& take_folds = TakeFolds());

// Does what RunCells does; `finish` may be empty.
std::vector<Outcome> RunCellsAndFinish(std::span<const Cell> cells, const RunOptions& options,
                                       const FinishCell& finish);

}  // namespace crossfold
