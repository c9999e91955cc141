// Which missing cells a run computes, and which it leaves to other processes on the same store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "crossfold/cancel_token.h"
#include "store/cells/cell_claims.h"
#include "store/cells/series_reader.h"
#include "store/cells/store_impl.h"

namespace crossfold {

// A cell that the store lacks.
struct LackingCell {
  std::int64_t series, fold;
  bool is_replaced = false;  // it has a row that is unusable
};

// The sharing of one run, in rounds: BeginLookUp, BeginRound, Claim and TakeClaim, EndRound. Claim
// and TakeClaim may be called on several threads at the same time, for different cells.
class CellSharing {
 public:
  using CellAt = std::function<LackingCell(std::size_t)>;

  CellSharing(CellStore::Impl& store, SeriesReader& stored)
      : store_(store), stored_(stored), claimer_(store.claims().NewClaimer()) {}

  // Must be called before cells are looked up.
  void BeginLookUp() { signs_ = store_.claims().signs_of_others(); }
  // Must be called before `n` missing cells are computed, which have the numbers from 0 on.
  void BeginRound(std::size_t n);
  // Claims the cells; false = another process has claimed or stored one, so they are postponed.
  // Cells that the engine requests a second time, after a crash, are claimed already.
  bool Claim(std::span<const std::size_t> cells, const CellAt& at);
  // The claim on a cell, to be held until the cell is in the tables.
  std::shared_ptr<const CellClaim> TakeClaim(std::size_t i);
  // Drops the other claims, and writes the cells of this round if other processes wait for them.
  void EndRound();
  // The numbers of cells of the last round.
  std::vector<std::size_t> Postponed() const;
  // Waits until one of the cells is stored or given up, or `stop` is cancelled.
  void WaitFor(std::span<const LackingCell> cells, const CancelToken& stop);

 private:
  bool IsAnyStored(std::span<const CellRange> ranges);
  void NoteWaiting(std::size_t n_cells);

  CellStore::Impl& store_;
  SeriesReader& stored_;
  CellClaimer claimer_;
  std::vector<std::shared_ptr<const CellClaim>> claims_;  // of missing cells, while they run
  std::vector<char> postponed_;                           // missing cells without a claim
  std::uint64_t signs_ = 0;                               // of others, before the last look
  bool noted_waiting_ = false;
};

}  // namespace crossfold
