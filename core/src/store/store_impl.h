// What is behind a CellStore: the connection, the log, and the thread that moves cells from the log
// into the tables.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

#include "crossfold/cell_store.h"
#include "store/cell_claims.h"
#include "store/cell_commit.h"
#include "store/cell_log.h"
#include "store/definitions.h"
#include "store/sqlite.h"

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

  // Everything that uses the connection does so under its lock.
  struct Locked {
    std::unique_lock<std::mutex> lock;
    Database& db;
    Definitions& definitions;
  };
  Locked Lock();
  // The run that cells belong to; a new one without a script if none was begun, to be set when the
  // transaction is committed. REQUIRES: locked, inside a transaction.
  std::int64_t CurrentRun();
  void SetRun(std::int64_t id);

  // Puts a cell into the log, so that it outlives this process, and later into the tables. From any
  // thread. Failures to write show at the next Flush.
  void Keep(FinishedCell cell);
  // Whether there is room for a prediction of so many bytes; takes the room.
  bool TakeRoom(std::size_t prediction_bytes);
  // Puts what is waiting into the tables. Throws Error.
  void Flush();
  // The same if cells of these series are waiting, so that they are found.
  void FlushIfWaiting(const std::unordered_set<std::int64_t>& series);
  // Tries again what could not be written. Throws Error(kIo) if that still fails.
  void RequireWritten();

  ClaimsFile& claims() { return claims_; }

  void CountFound(std::uint64_t n) { found_ += n; }
  void CountComputed() { ++computed_; }
  Counts counts() const { return {found_, computed_}; }

 private:
  void WriteInBackground();

  const std::filesystem::path path_;
  const StoreOptions options_;
  const CellCommit::Warn warn_;

  std::mutex db_mutex_;  // taken before queue_mutex_
  std::unique_ptr<Database> db_;
  ClaimsFile claims_;
  std::unique_ptr<Definitions> definitions_;
  std::unique_ptr<CellCommit> commit_;
  std::int64_t run_id_ = 0;  // 0 = none was begun

  std::mutex queue_mutex_;
  std::condition_variable wake_, drained_;
  std::unique_ptr<CellLog> log_;
  std::vector<FinishedCell> waiting_;
  bool stop_ = false, failing_ = false;

  std::atomic<std::uint64_t> found_{0}, computed_{0}, prediction_bytes_{0};
  std::thread writer_;
};

}  // namespace crossfold
