// What store_writer runs, so that tests know what it may have left.
#pragma once

#include <vector>

#include "unit/store/store_fixture.h"

namespace crossfold::fixture {

inline std::vector<CellBlock> WriterBlocks() {
  const auto metrics = Metrics({Metric("hits"), Metric("true_probability")});
  std::vector<CellBlock> blocks;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto splits = ModuloSplits(All(Classes(60, 3)), 20, 2);
    blocks.push_back(BlockOf(Learner("coin"), splits, metrics, Keep::kLabels, seed));
  }
  return blocks;
}

}  // namespace crossfold::fixture
