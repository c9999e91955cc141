// The processes of one folder. A process serves one call at a time; there is one for each thread
// that fits at the same time, and it stays until this process ends.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "child.h"

namespace crossfold::exec {

// Thread-safe. Must live as long as the process.
class ChildPool {
 public:
  // A child of the pool, and the number of models that live in it.
  struct Member {
    std::unique_ptr<Child> child;
    bool is_busy = false;
    std::size_t n_models = 0;
    // What it is to forget before its next request, as others drop while it is busy.
    std::vector<std::uint64_t> tables, models;
  };
  using MemberPtr = std::shared_ptr<Member>;

  // A member for one call. It goes back to the pool with this object.
  class Lease {
   public:
    Lease(ChildPool& pool, MemberPtr member) : pool_(pool), member_(std::move(member)) {}
    ~Lease() { pool_.GiveBack(*member_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Child& child() const { return *member_->child; }
    const MemberPtr& member() const { return member_; }

   private:
    ChildPool& pool_;
    MemberPtr member_;
  };

  // `folder` and `description` live as long as the pool.
  ChildPool(const std::string& folder, const FolderDescription& description)
      : folder_(folder), description_(description) {}

  // Starts a process now, so that what it says of its environment is known. Throws plugin::Error.
  const Environment& Open();

  // Lends a process with this budget of threads for the call, the one with the fewest models, and
  // starts one if all are busy or have models. Waits if there are as many as the machine has
  // processors. Throws plugin::Error, also if the call is cancelled meanwhile, or if the process
  // has another environment than the first one.
  Lease Borrow(const cf_call* call);
  // Lends this one; waits until it is free. Throws plugin::Error if it has ended.
  Lease Borrow(const cf_call* call, const MemberPtr& member);

  // A model lives in the member from now on, or no longer.
  void AddModel(const MemberPtr& member);
  void DropModel(const MemberPtr& member, std::uint64_t model);
  // No call uses the table any more.
  void DropTable(std::uint64_t table);

  // Returns a number for a table or model that no other one has.
  std::uint64_t NewNumber();

 private:
  friend class Lease;

  void GiveBack(Member& member);
  void RemoveEnded();
  MemberPtr FindFree(std::uint32_t threads) const;
  MemberPtr Start(std::unique_lock<std::mutex>& lock, const cf_call* call);
  void RequireSameEnvironment(const Child& child) const;
  bool MakeRoom();
  void Take(Member& member);
  void Wait(std::unique_lock<std::mutex>& lock, const cf_call* call);

  const std::string& folder_;
  const FolderDescription& description_;
  Launcher launcher_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<MemberPtr> members_;
  std::size_t n_starting_ = 0;
  Environment environment_;
  std::uint64_t last_number_ = 0;
};

}  // namespace crossfold::exec
