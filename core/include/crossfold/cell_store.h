// A file in which finished cells are kept, so that no cell is ever computed twice: its outcome is
// found by what it was computed from (rows, learner, parameters, seed, the plugins' files), never
// by a name. The file is a SQLite database with its write-ahead log next to it.
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

// What a run does when its store accepts no more cells, as on a full disk.
enum class OnStoreError {
  kContinue,  // cells still run and are delivered
  kStop       // the run ends with an error
};

// "continue" or "stop"; nullopt for another name.
std::optional<OnStoreError> OnStoreErrorNamed(std::string_view name);

struct StoreOptions {
  // Bytes that predictions may take in the file; what comes later is kept without them, and can be
  // read again but not rescored. 0 = none at all.
  std::uint64_t prediction_bytes = ~std::uint64_t{0};
  // Also computes again what failed by itself. What failed by a limit or a signal always is.
  bool retry_failed = false;
  OnStoreError on_error = OnStoreError::kContinue;
  // Whether removing the file after its last cell means that nobody needs it any more, as when a
  // script has finished with it. If false, its content goes to a new file.
  bool may_be_removed = false;
  // Gets warnings about damaged rows and results that differ, and at once about failed writes; may
  // be empty.
  LogSink log;
};

// What was run, for status and export.
struct RunRecord {
  std::string script;       // path, "" = none
  std::string script_text;  // the whole file
  std::vector<std::string> arguments;
  std::uint64_t seed = 0;
};

// Thread-safe; several processes may use one file. A cell is safe from a kill of this process when
// its outcome is delivered, and from a power cut a second or 1000 cells later at most.
class CellStore {
 public:
  // Opens or makes the file. Throws Error(kIo), or Error(kBadData) for a file that is no store, one
  // of a newer Crossfold, or one too damaged to be read (with the way to save what is whole).
  static std::shared_ptr<CellStore> Open(const std::filesystem::path& path,
                                         const StoreOptions& options = {});
  // Waits until everything is on the disk.
  ~CellStore();
  CellStore(const CellStore&) = delete;
  CellStore& operator=(const CellStore&) = delete;

  const std::filesystem::path& path() const;
  // Begins a run, to which the cells that are asked for from now on belong. Without it they belong
  // to a run without a script. Throws Error(kIo).
  void BeginRun(const RunRecord& run);
  // Notes that the run asked for everything that it wanted, so that cells of older runs of its
  // script may be removed (store_gc.h). Throws like Flush, and then records nothing.
  void FinishRun();
  // Puts everything that is finished on the disk. Throws Error(kIo) with problem() if there is one.
  void Flush();
  // Which computed cells the file at path() lacks, why, and where they are; "" = none. A file that
  // was removed, replaced or cut off while it was in use is never written to again: its content and
  // all later cells go to a new file, which this names.
  std::string problem() const;

  struct Counts {
    std::uint64_t found = 0;     // cells that were there
    std::uint64_t computed = 0;  // cells that were not, whether they could be added or not
  };
  // Since this store was opened.
  Counts counts() const;

  struct Impl;  // of the store layer
  Impl& impl() { return *impl_; }

 private:
  explicit CellStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Takes outcomes from the store, and lets `engine` compute and the store keep those that it lacks.
// Several processes that run the same cells at the same time share them: each computes the cells
// that no other has claimed, and waits for the rest. A claim ends with its process. Cancelled cells
// are not kept. Everything that `take` gets has the same bits as without a store. Throws Error(kIo)
// if the store accepts nothing from the start. If it stops accepting cells later, the log reports
// it at once, all outcomes are delivered, and CellStore::problem says what it lacks; with
// OnStoreError::kStop the cells are cancelled and Error(kIo) is thrown. REQUIRES: as RunAndScore.
void RunStored(CellStore& store, std::span<const CellBlock> blocks, const RunOptions& options,
               const RunEngine& engine, const TakeOutcome& take);

}  // namespace crossfold
