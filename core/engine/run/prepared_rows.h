// Structures that learners prepare for all rows of a dataset (crossfold.prepare/1), kept for later
// batches within a budget.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "crossfold/dataset.h"
#include "crossfold/shared_work.h"
#include "engine/plan/sharing.h"
#include "engine/run/step_call.h"

namespace crossfold {

// Owns one structure. It is read-only, so any number of threads may use it.
class PreparedRows {
 public:
  // Throws StepError if the plugin refuses the rows.
  PreparedRows(const Preparation& wanted, CallSite& site);
  ~PreparedRows();
  PreparedRows(const PreparedRows&) = delete;
  PreparedRows& operator=(const PreparedRows&) = delete;

  const cf_prepared* get() const { return prepared_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<const Spec> learner_;  // keeps the component alive, whose address is in keys
  const cf_cap_prepare* table_;
  cf_prepared* prepared_ = nullptr;
  std::uint64_t bytes_ = 0;
};

struct SharedWork::Impl {
  struct Kept {
    std::weak_ptr<const Dataset> data;
    std::string key;
    std::shared_ptr<const PreparedRows> rows;
  };

  mutable std::mutex mutex;
  std::list<Kept> kept;             // the most recently used one first
  std::set<std::string> too_large;  // keys, with their datasets' hashes
  // Learners and capabilities whose results were compared, and learners that broke a law. They are
  // kept alive, so that no other component can get their address.
  std::set<std::pair<std::shared_ptr<const Component>, std::string>> checked;
  std::set<std::shared_ptr<const Component>> broken;
  bool has_logged_missing_workers = false;
};

// Returns the structure if it exists; else, if it is worth it, makes and keeps it. Returns null if
// it is not worth it, if it is larger than the budget of structures, or if the plugin cannot make
// it. Cells then run without it.
std::shared_ptr<const PreparedRows> FindOrPrepare(SharedWork& shared, const Preparation& wanted,
                                                  CallSite& site);

}  // namespace crossfold
