// The seed of a node, made from that of its tree and the path to the node.
#pragma once

#include <cstdint>

#include "crossfold_plugin/random.hpp"

namespace crossfold::bundled::tree {

// `child`: its place among the children of the node with `seed`.
inline std::uint64_t SeedOfChild(std::uint64_t seed, std::uint64_t child) {
  plugin::Random random(seed + 0x632BE59BD9B4E019u * (child + 1));
  return random.Next();
}

}  // namespace crossfold::bundled::tree
