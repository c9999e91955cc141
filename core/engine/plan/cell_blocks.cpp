#include "crossfold/cell.h"

namespace crossfold {
namespace {

bool Continues(const CellBlock& block, const CellBlock& cells) {
  return block.learner == cells.learner && block.splits == cells.splits &&
         block.first + block.count == cells.first && block.seed == cells.seed &&
         block.metrics == cells.metrics && block.keep == cells.keep &&
         block.isolation == cells.isolation && block.purpose == cells.purpose;
}

}  // namespace

std::optional<Isolation> IsolationNamed(std::string_view name) {
  if (name == "none") return Isolation::kNone;
  if (name == "worker") return Isolation::kWorker;
  if (name == "fresh") return Isolation::kFresh;
  if (name == "auto") return Isolation::kAuto;
  return std::nullopt;
}

void AppendCells(std::vector<CellBlock>& blocks, const CellBlock& cells) {
  if (!blocks.empty() && Continues(blocks.back(), cells)) {
    blocks.back().count += cells.count;
  } else {
    blocks.push_back(cells);
  }
}

std::vector<CellBlock> ToBlocks(std::span<const Cell> cells) {
  std::vector<CellBlock> blocks;
  for (const Cell& cell : cells) {
    AppendCells(blocks, {cell.learner, cell.splits, cell.split, 1, cell.seed, cell.metrics,
                         cell.keep, cell.isolation, cell.purpose});
  }
  return blocks;
}

}  // namespace crossfold
