// Ordered columns laid out for finding stumps: which rows to add up, in which order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../tree/columns.h"

namespace crossfold::bundled::adaboost {

// A column is walked from both of its ends towards its most frequent value, whose rows are what
// remains of all: the zeros of sparse columns cost nothing. The rows of one value are a run; some
// runs together are a block. Whatever has an `end` begins where its forerunner ends.
class StumpWalks {
 public:
  struct Run {
    std::size_t end_entry;
    std::uint32_t cut;  // the rank below the threshold that lies after this run
  };
  struct Block {
    std::size_t end_entry, end_run;
  };
  struct Walk {
    std::uint32_t feature;
    std::size_t end_block;
  };

  // A block ends with the run that fills it with this many entries. REQUIRES: no nominal column, no
  // missing entry.
  StumpWalks(const tree::TrainingColumns& columns, std::size_t entries_per_block);

  std::span<const std::uint32_t> entries() const { return entries_; }  // rows
  std::span<const Run> runs() const { return runs_; }
  std::span<const Block> blocks() const { return blocks_; }
  std::span<const Walk> walks() const { return walks_; }

 private:
  void AddColumn(const tree::TrainingColumn& column, std::uint32_t feature);
  void AddRun(std::uint32_t rank, std::uint32_t cut);
  void CloseBlock();
  void CloseWalk(std::uint32_t feature);

  std::size_t entries_per_block_;
  std::vector<std::uint32_t> order_;          // of the column at hand: its rows by rank
  std::vector<std::uint32_t> first_of_rank_;  // where each rank begins there
  std::vector<std::uint32_t> entries_;
  std::vector<Run> runs_;
  std::vector<Block> blocks_;
  std::vector<Walk> walks_;
};

}  // namespace crossfold::bundled::adaboost
