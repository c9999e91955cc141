// A file that keeps finished cells, so that no cell is computed twice. The outcome of a cell is
// found by its inputs (rows, learner, parameters, seed, the plugins' files), never by a name. The
// file is a SQLite database with its write-ahead log next to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/plugin_host.h"
#include "crossfold/run.h"

namespace crossfold {

// What a run does when its store cannot take more cells, as on a full disk.
enum class OnStoreError {
  kContinue,  // cells still run and are delivered
  kStop       // the run ends with an error
};

// Parses "continue" or "stop"; nullopt for another name.
std::optional<OnStoreError> OnStoreErrorNamed(std::string_view name);

struct StoreOptions {
  // Maximum bytes of predictions in the file. Later cells are kept without predictions; they can be
  // read again but not rescored. 0 = no predictions are kept.
  std::uint64_t prediction_bytes = ~std::uint64_t{0};
  // Whether to compute cells again that failed by themselves. Cells that failed by a limit or a
  // signal are always computed again.
  bool retry_failed = false;
  OnStoreError on_error = OnStoreError::kContinue;
  // Whether cells are to be computed into it. A store whose cells have other seeds than those of
  // this Crossfold is refused then.
  bool for_runs = true;
  // Whether the file may be removed after its last cell, as when a script has finished with it. If
  // false, the content of a removed file goes to a new file.
  bool may_be_removed = false;
  // Gets warnings about damaged rows and results that differ, and immediately about failed writes.
  // It may be empty.
  LogSink log = {};
};

// The description of a run, for status and export.
struct RunRecord {
  std::string script;       // path, "" = none
  std::string script_text;  // the whole file
  std::vector<std::string> arguments;
  std::uint64_t seed = 0;
};

// Thread-safe; several processes may use one file. A delivered outcome survives a kill of this
// process. It survives a power cut after at most a second or 1000 cells.
class CellStore {
 public:
  // Opens or makes the file. Throws Error(kIo), or Error(kBadData) for a file that is not a store,
  // is of a newer Crossfold or (for runs) of one with other seeds, or is too damaged to be read
  // (with the way to save its intact part).
  static std::shared_ptr<CellStore> Open(const std::filesystem::path& path,
                                         const StoreOptions& options = {});
  // Waits until everything is on the disk.
  ~CellStore();
  CellStore(const CellStore&) = delete;
  CellStore& operator=(const CellStore&) = delete;

  // Begins a run, to which the cells that are requested from now on belong. Without it they belong
  // to a run without a script. Throws Error(kIo).
  void BeginRun(const RunRecord& run);
  // Records that the run has requested all of its cells, so that cells of older runs of its script
  // may be removed (store_gc.h). Throws as Flush does, and then records nothing.
  void FinishRun();
  // Writes everything that is finished to the disk. Throws Error(kIo) with problem() if there is
  // one.
  void Flush();
  // Returns which computed cells the file at path() lacks, why, and where they are; "" = none. A
  // file that was removed, replaced or truncated while it was in use is never written again: its
  // content and all later cells go to a new file, which this names.
  std::string problem() const;

  struct Counts {
    std::uint64_t found = 0;     // cells that the store had
    std::uint64_t computed = 0;  // other cells, whether they could be added or not
  };
  // Counts since this store was opened.
  Counts counts() const;

  struct Impl;  // of the store layer
  Impl& impl() { return *impl_; }

 private:
  explicit CellStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Takes outcomes from the store; `engine` computes the missing ones, which the store then keeps.
// Several processes that run the same cells at the same time share them: each computes the cells
// that no other has claimed, and waits for the rest. A claim ends with its process. Cancelled cells
// are not kept. Everything that `take` gets has the same bits as without a store. Throws Error(kIo)
// if the store cannot take cells from the start. If that happens later, the log reports it
// immediately, all outcomes are delivered, and CellStore::problem says what the store lacks; with
// OnStoreError::kStop the cells are cancelled and Error(kIo) is thrown. REQUIRES: as RunAndScore.
void RunStored(CellStore& store, std::span<const CellBlock> blocks, const RunOptions& options,
               const RunEngine& engine, const TakeOutcome& take);

}  // namespace crossfold
