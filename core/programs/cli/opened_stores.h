// The stores that a script opened, for the thread that saves them when it is interrupted.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "crossfold/cell_store.h"
#include "crossfold/error.h"
#include "crossfold/missing_shards.h"
#include "crossfold/shard.h"

namespace crossfold::cli {

// Thread-safe.
class OpenedStores {
 public:
  void Add(const std::shared_ptr<CellStore>& store) {
    const std::lock_guard lock(mutex_);
    stores_.push_back(store);
  }

  // Puts what is finished on the disk; false = no store was opened. Throws Error(kIo).
  bool Save() {
    for (const std::shared_ptr<CellStore>& store : Open()) store->Flush();
    const std::lock_guard lock(mutex_);
    return !stores_.empty();
  }

  // Writes everything that is finished to the disk and records whether the run finished. Returns
  // whether the stores have all of it; reports on stderr what they lack.
  bool End(bool is_finished) {
    return ForEach(
        [is_finished](CellStore& store) { is_finished ? store.FinishRun() : store.Flush(); });
  }
  // The same for a shard that has computed everything that belongs to it.
  bool EndShard(const Shard& shard) {
    return ForEach([&](CellStore& store) { RecordShard(store, shard.number, shard.count); });
  }

 private:
  // Calls `f` with each open store. Returns whether none throws; reports on stderr what it throws.
  template <class F>
  bool ForEach(const F& f) {
    bool is_whole = true;
    for (const std::shared_ptr<CellStore>& store : Open()) {
      try {
        f(*store);
      } catch (const Error& e) {
        std::fflush(stdout);
        std::fprintf(stderr, "crossfold: %s\n", e.what());
        is_whole = false;
      }
    }
    return is_whole;
  }

  std::vector<std::shared_ptr<CellStore>> Open() {
    std::vector<std::shared_ptr<CellStore>> open;
    const std::lock_guard lock(mutex_);
    for (const std::weak_ptr<CellStore>& one : stores_) {
      if (std::shared_ptr<CellStore> store = one.lock()) open.push_back(std::move(store));
    }
    return open;
  }

  std::mutex mutex_;
  std::vector<std::weak_ptr<CellStore>> stores_;
};

}  // namespace crossfold::cli
