// The stores that a script opened, for the thread that saves them when it is interrupted.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "crossfold/cell_store.h"

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
    std::vector<std::weak_ptr<CellStore>> stores;
    {
      const std::lock_guard lock(mutex_);
      stores = stores_;
    }
    for (const std::weak_ptr<CellStore>& one : stores) {
      if (const std::shared_ptr<CellStore> store = one.lock()) store->Flush();
    }
    return !stores.empty();
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<CellStore>> stores_;
};

}  // namespace crossfold::cli
