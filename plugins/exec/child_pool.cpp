#include "child_pool.h"

#include <algorithm>
#include <chrono>
#include <exception>
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
    const bool is_full = members_.size() + n_starting_ >= MaxChildren();
    MemberPtr member = FindFree(call->n_threads);
    if (member == nullptr || (member->n_models > 0 && !is_full)) {
      if (is_full && !MakeRoom()) {
        Wait(lock, call);
        continue;
      }
      member = Start(lock, call);
    }
    Take(*member);
    return Lease(*this, member);
  }
}

// Gives up a process with another budget that nobody needs. Returns false if there is none, but one
// may become free; without a busy one, there will be one more than usual.
bool ChildPool::MakeRoom() {
  const auto idle = std::find_if(members_.begin(), members_.end(), [](const MemberPtr& member) {
    return !member->is_busy && member->n_models == 0;
  });
  if (idle != members_.end()) {
    members_.erase(idle);
    return true;
  }
  return n_starting_ == 0 && std::none_of(members_.begin(), members_.end(),
                                          [](const MemberPtr& member) { return member->is_busy; });
}

ChildPool::Lease ChildPool::Borrow(const cf_call* call, const MemberPtr& member) {
  std::unique_lock lock(mutex_);
  while (member->is_busy) Wait(lock, call);
  if (!member->child->IsAlive()) {
    // It is not the fault of this model, so the host may try its cell again.
    throw plugin::Error(CF_E_IO, "the process that has the model has ended; fit it again");
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

// Starts a process without the lock.
ChildPool::MemberPtr ChildPool::Start(std::unique_lock<std::mutex>& lock, const cf_call* call) {
  ++n_starting_;
  lock.unlock();
  auto member = std::make_shared<Member>();
  std::exception_ptr failure;
  try {
    member->child =
        std::make_unique<Child>(launcher_, folder_, description_, call->n_threads, call);
    RequireSameEnvironment(*member->child);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  --n_starting_;
  if (failure != nullptr) {
    freed_.notify_all();
    std::rethrow_exception(failure);
  }
  members_.push_back(member);
  return member;
}

void ChildPool::RequireSameEnvironment(const Child& child) const {
  if (child.environment() == environment_) return;
  throw plugin::Error(CF_E_INTERNAL, "its environment was " + ToText(environment_) +
                                         " and is now " + ToText(child.environment()) +
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
