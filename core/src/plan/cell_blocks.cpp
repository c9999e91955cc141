#include "crossfold/cell.h"

namespace crossfold {
namespace {

bool Continues(const CellBlock& block, const Cell& cell) {
  return block.learner == cell.learner && block.splits == cell.splits &&
         block.first + block.count == cell.split && block.seed == cell.seed &&
         block.metrics == cell.metrics && block.keep == cell.keep;
}

}  // namespace

std::vector<CellBlock> ToBlocks(std::span<const Cell> cells) {
  std::vector<CellBlock> blocks;
  for (const Cell& cell : cells) {
    if (!blocks.empty() && Continues(blocks.back(), cell)) {
      ++blocks.back().count;
    } else {
      blocks.push_back(
          {cell.learner, cell.splits, cell.split, 1, cell.seed, cell.metrics, cell.keep});
    }
  }
  return blocks;
}

}  // namespace crossfold
