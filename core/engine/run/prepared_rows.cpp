#include "engine/run/prepared_rows.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/run/fit_predict.h"
#include "engine/run/step_operations.h"

namespace crossfold {
namespace {

using Impl = SharedWork::Impl;

std::string SizeKey(const Preparation& wanted) { return wanted.data->content_hash() + wanted.key; }

// Dropped structures are destroyed after the lock is released, because the plugin may take long or
// wait for a call that runs.
using Dropped = std::list<Impl::Kept>;

// Drops structures of datasets that no longer exist. REQUIRES: the lock is held.
void DropExpired(Impl& impl, Dropped& dropped) {
  for (auto it = impl.kept.begin(); it != impl.kept.end();) {
    const auto next = std::next(it);
    if (it->data.expired()) dropped.splice(dropped.end(), impl.kept, it);
    it = next;
  }
}

std::shared_ptr<const PreparedRows> Find(Impl& impl, const Preparation& wanted) {
  Dropped dropped;
  const std::lock_guard lock(impl.mutex);
  DropExpired(impl, dropped);
  for (auto it = impl.kept.begin(); it != impl.kept.end(); ++it) {
    if (it->key != wanted.key || it->data.lock() != wanted.data) continue;
    impl.kept.splice(impl.kept.begin(), impl.kept, it);
    return it->rows;
  }
  return nullptr;
}

// Stores the structure; returns whether it is small enough to be used. Structures get half of the
// memory; the rest is for predictions.
bool Store(SharedWork& shared, const Preparation& wanted,
           const std::shared_ptr<const PreparedRows>& rows) {
  Impl& impl = shared.impl();
  const std::uint64_t budget = shared.memory() / 2;
  Dropped dropped;
  const std::lock_guard lock(impl.mutex);
  if (rows->bytes() > budget) {
    impl.too_large.insert(SizeKey(wanted));
    return false;
  }
  impl.kept.push_front({wanted.data, wanted.key, rows});
  std::uint64_t total = 0;
  for (auto it = impl.kept.begin(); it != impl.kept.end();) {
    const auto next = std::next(it);
    total += it->rows->bytes();
    if (total > budget) dropped.splice(dropped.end(), impl.kept, it);
    it = next;
  }
  return true;
}

}  // namespace

std::uint64_t DefaultSharedMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return std::uint64_t{1} << 30;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 2;
}

SharedWork::SharedWork(std::uint64_t memory, std::uint64_t run_memory)
    : memory_(memory != 0 ? memory : DefaultSharedMemory()),
      run_memory_(run_memory),
      impl_(std::make_unique<Impl>()) {}
SharedWork::~SharedWork() = default;

std::uint64_t SharedWork::used() const {
  Dropped dropped;
  const std::lock_guard lock(impl_->mutex);
  DropExpired(*impl_, dropped);
  std::uint64_t total = 0;
  for (const Impl::Kept& one : impl_->kept) total += one.rows->bytes();
  return total;
}

PreparedRows::PreparedRows(const Preparation& wanted, CallSite& site)
    : learner_(wanted.learner),
      table_(learner_->component().capability<cf_cap_prepare>(CF_CAP_PREPARE)) {
  const Component& component = learner_->component();
  const RowTable all = RowTable::ForPrediction(*wanted.data, nullptr);
  RequireAccepted("prepare", component, all.get());
  const Spec& spec = *learner_;
  CallStep("prepare", component, 0, site, [&](const cf_call* call) {
    return table_->prepare(call, spec.args().data(), spec.args().size(), &all.get(), &prepared_);
  });
  if (prepared_ == nullptr) {
    ThrowStepError("prepare", component, CF_E_INVALID_ARGUMENT,
                   "it reported success but prepared nothing");
  }
  CallStep("prepare", component, 0, site, [&](const cf_call*) {
    bytes_ = table_->bytes(component.info(), prepared_);
    return CF_OK;
  });
}

PreparedRows::~PreparedRows() {
  if (prepared_ == nullptr) return;
  CallSite silent(nullptr, LogSink());
  TryStep("destroy", learner_->component(), 0, silent, [&](const cf_call*) {
    table_->destroy(learner_->component().info(), prepared_);
    return CF_OK;
  });
}

std::shared_ptr<const PreparedRows> FindOrPrepare(SharedWork& shared, const Preparation& wanted,
                                                  CallSite& site) {
  if (auto found = Find(shared.impl(), wanted)) return found;
  if (wanted.uses < kWorthPreparing) return nullptr;
  {
    const std::lock_guard lock(shared.impl().mutex);
    const std::set<std::string>& too_large = shared.impl().too_large;
    // The key needs the hash of all rows.
    if (!too_large.empty() && too_large.contains(SizeKey(wanted))) return nullptr;
  }
  try {
    auto rows = std::make_shared<const PreparedRows>(wanted, site);
    return Store(shared, wanted, rows) ? rows : nullptr;
  } catch (const StepError&) {
    return nullptr;
  }
}

}  // namespace crossfold
