#include "child_pool.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "crossfold_plugin/error.hpp"

namespace crossfold::exec {
namespace {

std::size_t MaxChildren() { return std::max(2u, std::thread::hardware_concurrency()); }

}  // namespace

const Environment& ChildPool::Open() {
  auto member = std::make_shared<Member>();
  member->child = std::make_unique<Child>(launcher_, folder_, description_, 1, nullptr);
  environment_ = member->child->environment();
  members_.push_back(std::move(member));
  return environment_;
}

ChildPool::Lease ChildPool::Borrow(const cf_call* call) {
  std::unique_lock lock(mutex_);
  for (;;) {
    RemoveEnded();
    const MemberPtr free = FindFree(call->n_threads);
    const bool is_full = members_.size() + n_starting_ >= MaxChildren();
    if (free != nullptr && (free->n_models == 0 || is_full)) {
      Take(*free);
      return Lease(*this, free);
    }
    if (is_full) {
      // A free one with another budget makes room.
      const auto idle = std::find_if(members_.begin(), members_.end(), [](const MemberPtr& member) {
        return !member->is_busy && member->n_models == 0;
      });
      const bool is_any_busy =
          n_starting_ > 0 || std::any_of(members_.begin(), members_.end(),
                                         [](const MemberPtr& member) { return member->is_busy; });
      if (idle == members_.end() && is_any_busy) {
        Wait(lock, call);
        continue;
      }
      if (idle != members_.end()) members_.erase(idle);  // else there is one more than usual
    }
    ++n_starting_;
    lock.unlock();
    MemberPtr started;
    try {
      started = Start(call);
    } catch (...) {
      lock.lock();
      --n_starting_;
      freed_.notify_all();
      throw;
    }
    lock.lock();
    --n_starting_;
    members_.push_back(started);
    Take(*started);
    return Lease(*this, started);
  }
}

ChildPool::Lease ChildPool::Borrow(const cf_call* call, const MemberPtr& member) {
  std::unique_lock lock(mutex_);
  while (member->is_busy) Wait(lock, call);
  if (!member->child->IsAlive()) {
    throw plugin::Error(CF_E_INTERNAL, "the process that has the model has ended; fit it again");
  }
  Take(*member);
  return Lease(*this, member);
}

// Returns the free member with the fewest models; null if there is none.
ChildPool::MemberPtr ChildPool::FindFree(std::uint32_t threads) const {
  MemberPtr best;
  for (const MemberPtr& member : members_) {
    if (member->is_busy || member->child->threads() != threads) continue;
    if (best == nullptr || member->n_models < best->n_models) best = member;
  }
  return best;
}

ChildPool::MemberPtr ChildPool::Start(const cf_call* call) {
  auto member = std::make_shared<Member>();
  member->child = std::make_unique<Child>(launcher_, folder_, description_, call->n_threads, call);
  if (member->child->environment() == environment_) return member;
  throw plugin::Error(CF_E_INTERNAL, "its environment was " + ToText(environment_) +
                                         " and is now " + ToText(member->child->environment()) +
                                         "; start the program again");
}

// REQUIRES: mutex_ is held.
void ChildPool::Take(Member& member) {
  member.is_busy = true;
  for (const std::uint64_t table : std::exchange(member.tables, {})) member.child->DropTable(table);
  for (const std::uint64_t model : std::exchange(member.models, {})) member.child->DropModel(model);
  member.child->ClearArena();
}

// Gives up processes that have ended, also while nobody used them.
void ChildPool::RemoveEnded() {
  std::erase_if(members_, [](const MemberPtr& member) {
    return !member->is_busy && !member->child->IsAlive();
  });
}

void ChildPool::GiveBack(Member& member) {
  const std::lock_guard lock(mutex_);
  member.is_busy = false;
  RemoveEnded();
  freed_.notify_all();
}

void ChildPool::Wait(std::unique_lock<std::mutex>& lock, const cf_call* call) {
  freed_.wait_for(lock, std::chrono::milliseconds(50));
  lock.unlock();
  const bool is_cancelled = call->host->progress(call, 0) != 0;
  lock.lock();
  if (is_cancelled) throw plugin::Error(CF_E_CANCELLED, "cancelled");
}

void ChildPool::AddModel(const MemberPtr& member) {
  const std::lock_guard lock(mutex_);
  ++member->n_models;
}

void ChildPool::DropModel(const MemberPtr& member, std::uint64_t model) {
  const std::lock_guard lock(mutex_);
  --member->n_models;
  member->models.push_back(model);
}

void ChildPool::DropTable(std::uint64_t table) {
  const std::lock_guard lock(mutex_);
  for (const MemberPtr& member : members_) member->tables.push_back(table);
}

std::uint64_t ChildPool::NewNumber() {
  const std::lock_guard lock(mutex_);
  return ++last_number_;
}

}  // namespace crossfold::exec
