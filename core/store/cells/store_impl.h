// The implementation of CellStore: the connection, the log, and the thread that moves cells from
// the log into the tables.
#pragma once

#include <time.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "crossfold/cell_store.h"
#include "store/cells/cell_claims.h"
#include "store/cells/cell_commit.h"
#include "store/cells/cell_log.h"
#include "store/cells/definitions.h"
#include "store/cells/sqlite.h"
#include "store/cells/watched_file.h"

namespace crossfold {

struct CellStore::Impl {
  Impl(const std::filesystem::path& path, const StoreOptions& options);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const StoreOptions& options() const { return options_; }
  void Warn(const std::string& message) const;

  void BeginRun(const RunRecord& run);
  void FinishRun();

  // The connection is only used under its lock.
  struct Locked {
    std::unique_lock<std::mutex> lock;
    Database& db;
    Definitions& definitions;
  };
  Locked Lock();
  // Changes the tables for the current run, or for a new one without a script if none was begun.
  // False = nothing of `change` could be written, and the run continues. Throws Error if the run
  // must stop, or if nothing was kept yet.
  using TableChange = std::function<void(Database& db, Definitions& definitions, std::int64_t run)>;
  bool Change(const TableChange& change);

  // Puts a cell into the log, so that it outlives this process, and later into the tables. May be
  // called on any thread. A failure is logged, and every Flush tries again.
  void Keep(FinishedCell cell);
  // A computed cell, or a note of an experiment, that could not even wait for a Flush.
  void CountLostCell() {
    ++computed_;
    ++lost_cells_;
  }
  void CountLostNote() { ++lost_notes_; }
  // Reserves room for a prediction of this number of bytes; returns whether there is room.
  bool TakeRoom(std::size_t prediction_bytes);
  // Bytes of predictions that it still takes.
  std::uint64_t room() const {
    const std::uint64_t most = options_.prediction_bytes;
    return most == ~std::uint64_t{0} ? most
                                     : most - std::min<std::uint64_t>(most, prediction_bytes_);
  }
  // Puts waiting cells into the tables. Throws Error.
  void Flush();
  void TryFlush();  // the same; keeps a failure in problem()
  // The same, if cells of these series are waiting, so that they are found. Does not throw.
  void FlushIfWaiting(const std::unordered_set<std::int64_t>& series);
  // Is called at the end of a batch: flushes again if writes have failed or may have failed
  // (`doubtful`). Throws Error(kIo) if the run is to stop.
  void Settle(bool doubtful);
  // Whether the run must stop because a write failed.
  bool stops() const { return options_.on_error == OnStoreError::kStop && has_failed_; }
  std::string problem();  // as CellStore::problem

  ClaimsFile& claims() { return *claims_; }

  void CountFound(std::uint64_t n) { found_ += n; }
  void CountComputed() { ++computed_; }
  Counts counts() const { return {found_, computed_}; }

 private:
  void WriteInBackground();
  // Checks that the file was not removed, replaced or truncated; otherwise moves to a rescue file.
  // Throws Error if none can be made. REQUIRES: db_mutex_.
  void CheckFile();
  // Whether the file was removed after the last cell, as by a script that no longer needs it.
  // REQUIRES: db_mutex_.
  bool IsDiscarded();
  void Rescue(const std::string& loss);
  // Makes a new file with all rows; null = it cannot be made anywhere.
  std::unique_ptr<Database> CopyElsewhere() const;
  void WriteTo(std::unique_ptr<Database> db);
  // Logs a failure once until a Flush succeeds.
  void NoteFailure(const std::string& reason);
  void NoteSuccess();  // cells were written
  // Records the total of the run's rows, which detects a missing one.
  void CloseRun(bool finished);
  // The current run, or a new one without a script if none was begun, to be set when the
  // transaction is committed. Changes after FinishRun open the run again. REQUIRES: db_mutex_,
  // inside a transaction.
  std::int64_t CurrentRun();
  void SetRun(std::int64_t id);

  const std::filesystem::path path_;
  const StoreOptions options_;
  const CellCommit::Warn warn_;

  std::mutex db_mutex_;  // taken before queue_mutex_
  std::unique_ptr<Database> db_;
  std::unique_ptr<WatchedFile> file_;            // of db_
  std::string loss_;                             // what happened to the file, if it is gone
  std::vector<std::unique_ptr<Database>> left_;  // before a rescue; others may have statements
  std::unique_ptr<ClaimsFile> claims_;
  std::unique_ptr<Definitions> definitions_;
  std::unique_ptr<CellCommit> commit_;
  std::int64_t run_id_ = 0;  // 0 = none was begun
  bool run_is_closed_ = false;

  std::mutex queue_mutex_;
  std::condition_variable wake_, drained_;
  std::unique_ptr<CellLog> log_, left_log_;
  std::vector<FinishedCell> waiting_;
  std::size_t unlogged_ = 0;  // of them
  timespec last_kept_{};      // CLOCK_REALTIME_COARSE, as files have it
  bool stop_ = false, failing_ = false;
  std::string failure_, rescue_;  // the last reason; what was lost and where it is now

  std::atomic<bool> has_failed_{false}, is_gone_{false};  // gone = no file took its place
  std::atomic<std::uint64_t> lost_cells_{0}, lost_notes_{0};
  std::atomic<std::uint64_t> found_{0}, computed_{0}, prediction_bytes_{0};
  std::thread writer_;
};

}  // namespace crossfold
