// The cells of one item: which of them shared work has served, and why it has not served the
// others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/run/cell_runner.h"

namespace crossfold {

// Not thread-safe. Cells are (place in the item's blocks, split counted from the item's first).
class ItemCells {
 public:
  ItemCells(std::span<const std::uint32_t> blocks, std::int64_t split, std::int64_t n_splits,
            const DeliverResult& deliver)
      : blocks_(blocks),
        split_(split),
        n_splits_(static_cast<std::size_t>(n_splits)),
        deliver_(deliver),
        served_(blocks.size() * n_splits_) {}

  std::size_t num_blocks() const { return blocks_.size(); }
  std::size_t num_splits() const { return n_splits_; }
  std::uint32_t block(std::size_t i) const { return blocks_[i]; }
  std::int64_t split(std::size_t s) const { return split_ + static_cast<std::int64_t>(s); }

  void Deliver(std::size_t i, std::size_t s, SharedResult&& result) {
    deliver_(blocks_[i], split(s), std::move(result));
    served_[i * n_splits_ + s] = true;
  }
  // Marks a cell that was served by other means.
  void SetServed(std::size_t i, std::size_t s) { served_[i * n_splits_ + s] = true; }
  bool is_served(std::size_t i, std::size_t s) const { return served_[i * n_splits_ + s]; }
  // Sets the reason for this cell, in case nothing serves it.
  void SetFailure(std::size_t i, std::size_t s, Failure failure) {
    failures_[i * n_splits_ + s] = std::move(failure);
  }

  // Runs `body`. If it throws, that is the reason for the cells that it did not serve.
  template <class Body>
  void Try(const Body& body) {
    try {
      body();
    } catch (const StepError& e) {
      failure_ = e.failure();
    } catch (const std::bad_alloc&) {
      failure_ = {"run", CF_E_OUT_OF_MEMORY, "out of memory"};
    } catch (const std::exception& e) {
      failure_ = {"run", CF_E_INTERNAL, e.what()};
    }
  }

  // Returns the cells that nothing served, and why.
  std::vector<LeftCell> Left() const {
    std::vector<LeftCell> left;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      for (std::size_t s = 0; s < n_splits_; ++s) {
        if (is_served(i, s)) continue;
        const auto own = failures_.find(i * n_splits_ + s);
        left.push_back({blocks_[i], split(s), own != failures_.end() ? own->second : failure_});
      }
    }
    return left;
  }

 private:
  std::span<const std::uint32_t> blocks_;
  std::int64_t split_;
  std::size_t n_splits_;
  const DeliverResult& deliver_;
  std::vector<bool> served_;
  std::map<std::size_t, Failure> failures_;
  // The reason for cells without a reason of their own.
  Failure failure_{"run", CF_E_INTERNAL, "shared work gave no prediction"};
};

}  // namespace crossfold
