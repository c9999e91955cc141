// Rows in the order of time, cut into steps that are never divided.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/params.hpp"
#include "crossfold_plugin/splitter.hpp"
#include "row_sets.h"

namespace crossfold::bundled {

enum class StepOrder { kTime, kRows };
inline constexpr std::array<const char*, 2> kStepOrderNames = {"time", "rows"};

// The parameter of the splitters that can do without a time column.
template <class Params>
constexpr auto OrderOfSteps(StepOrder Params::*member) {
  return plugin::Choice("order", member, kStepOrderNames,
                        "Order of the rows: by the time column, or as in the data.");
}

// A step is all rows of one time (StepOrder::kTime), or one row (kRows). Steps count from 0.
class TimeSteps {
 public:
  // Throws Error if the order asks for a time column that is not there.
  TimeSteps(const plugin::SplitInput& input, StepOrder order)
      : rows_(AllRows(input.num_rows())), by_time_(order == StepOrder::kTime) {
    if (by_time_ && input.time().empty()) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                          "there is no time column; read the data with time = \"<column>\", or use "
                          "order = \"rows\"");
    }
    if (by_time_) {
      time_ = input.time();
      time_exact_ = input.time_exact();
      std::stable_sort(rows_.begin(), rows_.end(),
                       [&](std::int64_t a, std::int64_t b) { return IsEarlier(a, b); });
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i == 0 || !by_time_ || IsEarlier(rows_[i - 1], rows_[i])) starts_.push_back(i);
    }
    starts_.push_back(rows_.size());
  }

  std::int64_t size() const { return static_cast<std::int64_t>(starts_.size()) - 1; }
  // REQUIRES: StepOrder::kTime.
  double time(std::int64_t step) const { return TimeOfRow(rows_[Start(step)]); }

  // Appends the rows of the steps first .. last-1.
  void Append(std::int64_t first, std::int64_t last, RowSet& rows) const {
    if (first >= last) return;
    rows.insert(rows.end(), rows_.begin() + static_cast<std::ptrdiff_t>(Start(first)),
                rows_.begin() + static_cast<std::ptrdiff_t>(Start(last)));
  }
  // Positions of the steps first .. last-1, ascending.
  RowSet Rows(std::int64_t first, std::int64_t last) const {
    RowSet rows;
    Append(first, last, rows);
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  // Returns "7 steps", or "7 rows" if a step is always one row.
  std::string Counted(std::int64_t n) const {
    return bundled::Counted(n, by_time_ ? "time step" : "row");
  }

 private:
  std::size_t Start(std::int64_t step) const { return starts_[static_cast<std::size_t>(step)]; }
  double TimeOfRow(std::int64_t row) const { return time_[static_cast<std::size_t>(row)]; }
  bool IsEarlier(std::int64_t a, std::int64_t b) const {
    if (time_exact_.empty()) return TimeOfRow(a) < TimeOfRow(b);
    return time_exact_[static_cast<std::size_t>(a)] < time_exact_[static_cast<std::size_t>(b)];
  }

  RowSet rows_;  // by time, then position
  bool by_time_;
  std::span<const double> time_;
  std::span<const std::int64_t> time_exact_;  // empty = time_ is exact
  std::vector<std::size_t> starts_;           // of the steps in rows_, and the end
};

// The steps of each of `n_blocks` blocks as first and last+1; the first ones are longer by one
// where they do not divide evenly. Throws Error if there are fewer steps than blocks.
inline std::vector<std::pair<std::int64_t, std::int64_t>> MakeBlocks(const TimeSteps& steps,
                                                                     std::int64_t n_blocks) {
  const std::int64_t n = steps.size();
  if (n < 2) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "there is only " + steps.Counted(n) + "; blocks need at least 2");
  }
  if (n_blocks > n) {
    throw plugin::Error(CF_E_INVALID_PARAM, Counted(n_blocks, "fold") + " exceed the " +
                                                steps.Counted(n) + "; use at most " +
                                                Counted(n, "fold"));
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> blocks;
  std::int64_t next = 0;
  for (std::int64_t block = 0; block < n_blocks; ++block) {
    const std::int64_t end = next + n / n_blocks + (block < n % n_blocks ? 1 : 0);
    blocks.emplace_back(next, end);
    next = end;
  }
  return blocks;
}

}  // namespace crossfold::bundled
