// How much memory growing a tree takes: see crossfold.fit-memory/1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "crossfold_plugin/capability.h"
#include "tree.h"

namespace crossfold::bundled::tree {

struct FitShape {
  cf_shape shape;
  std::optional<std::int64_t> max_depth;
  double min_leaf = 0;

  // Of one tree, while it is put in order. A leaf is taken to have 16 rows on the average, or
  // min_leaf if that is more: how many it will have depends on the data.
  std::uint64_t ModelBytes() const {
    constexpr double kRowsOfALeaf = 16;
    double leaves = 1 + Rows() / std::max(min_leaf, kRowsOfALeaf);
    if (max_depth && *max_depth < 60)
      leaves = std::min(leaves, std::ldexp(1.0, static_cast<int>(*max_depth)));
    const double outputs = std::max<double>(static_cast<double>(shape.n_classes), 1);
    return static_cast<std::uint64_t>(4 * leaves * (sizeof(Node) + sizeof(double) * outputs));
  }

  // Ranks, sorted items and values of TrainingColumns and Grow, and 64 bytes per row for targets,
  // weights and the rows of nodes, or before these for the order of the rows (16, and 8 an id).
  std::uint64_t MemoryBytes() const {
    const double n_nominal = static_cast<double>(shape.n_categorical);
    const double n_ordered = static_cast<double>(shape.n_features) - n_nominal;
    return static_cast<std::uint64_t>(Rows() * (24 * n_ordered + 4 * n_nominal + 64));
  }

  // The class list of GrowByLevels, and its buffers of fixed size.
  std::uint64_t LevelBytes() const {
    constexpr double kBuffers = 96 << 20, kOfARow = 4, kSmall = 1 << 16;
    const double per_row =
        kOfARow + (Rows() <= kSmall ? 40 * static_cast<double>(shape.n_features + 2) : 0);
    return static_cast<std::uint64_t>(std::min(kBuffers, 2000 * Rows()) + Rows() * per_row);
  }

 private:
  double Rows() const { return static_cast<double>(shape.n_rows); }
};

}  // namespace crossfold::bundled::tree
