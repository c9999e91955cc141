// The jobs of the threads of an isolated run, and the numbers of its definitions.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace crossfold {

// Things that workers know by numbers from 1 on.
template <class T>
class Numbered {
 public:
  std::uint64_t Add(const std::shared_ptr<const T>& thing) {
    if (thing == nullptr) return 0;
    const auto [known, is_new] = numbers_.emplace(thing.get(), things_.size() + 1);
    if (is_new) things_.push_back(thing);
    return known->second;
  }
  std::uint64_t number(const std::shared_ptr<const T>& thing) const {
    return thing == nullptr ? 0 : numbers_.at(thing.get());
  }
  const std::shared_ptr<const T>& thing(std::uint64_t number) const {
    return things_[static_cast<std::size_t>(number - 1)];
  }
  std::size_t size() const { return things_.size(); }

 private:
  std::vector<std::shared_ptr<const T>> things_;
  std::unordered_map<const T*, std::uint64_t> numbers_;
};

// Splits split .. split + n_splits - 1 of some blocks, for one process.
struct Job {
  std::vector<std::uint32_t> blocks;
  std::int64_t split = 0, n_splits = 1;
  bool fresh = false;  // in a process that has run nothing else; then `lone` is also set
  bool lone =
      false;  // nothing is sent ahead after it, so that it is known which job ends the process

  std::size_t num_cells() const { return blocks.size() * static_cast<std::size_t>(n_splits); }
  // Cell `place`, as workers count them.
  std::uint32_t block_of(std::size_t place) const {
    return blocks[place / static_cast<std::size_t>(n_splits)];
  }
  std::int64_t split_of(std::size_t place) const {
    return split + static_cast<std::int64_t>(place % static_cast<std::size_t>(n_splits));
  }
};

// The jobs of a run. A job that fails may give others, so an empty list is the end only if nothing
// runs.
class JobList {
 public:
  void Add(Job job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  std::size_t size() const { return jobs_.size(); }

  // Waits for a job; nothing = all is done, or Stop was called.
  std::optional<Job> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || !jobs_.empty() || running_ == 0; });
    if (stopped_ || jobs_.empty()) return std::nullopt;
    return TakeFront();
  }
  // A job that may be sent ahead to a process; nothing if only `others` jobs are left, or the next
  // one must run alone.
  std::optional<Job> TryTake(std::size_t others) {
    const std::lock_guard lock(mutex_);
    if (stopped_ || jobs_.size() <= others || jobs_.front().lone) {
      return std::nullopt;
    }
    return TakeFront();
  }
  // Reports that `count` jobs are over, and what is left of them.
  void Finish(std::vector<Job> left, std::size_t count = 1) {
    {
      const std::lock_guard lock(mutex_);
      running_ -= count;
      jobs_.insert(jobs_.begin(), std::make_move_iterator(left.begin()),
                   std::make_move_iterator(left.end()));
    }
    changed_.notify_all();
  }
  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
  }

 private:
  // REQUIRES: the mutex is held, and there is one.
  Job TakeFront() {
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    ++running_;
    return job;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::size_t running_ = 0;
  bool stopped_ = false;
};

}  // namespace crossfold
