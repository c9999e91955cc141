// Growing a tree level by level from attribute lists in scratch memory, for data that outgrow
// memory: SLIQ (Mehta, Agrawal and Rissanen 1996), with rows moved to the lists of their own nodes,
// as SPRINT does (Shafer, Agrawal and Mehta 1996), once nodes are small.
#pragma once

#include <cstddef>
#include <span>

#include "attribute_lists.h"
#include "crossfold_plugin/context.hpp"
#include "grow.h"
#include "ordered_rows.h"
#include "tree.h"

namespace crossfold::bundled::tree {

// Returns the tree that Grow gives for these rows with `row_weights` (one per row, empty = those of
// the rows), byte for byte. REQUIRES: not options.oblique. Keeps 4 bytes per row in memory. `lists`
// are those of `rows`, and may serve any number of trees. `context` may be null. Throws Error if
// one level has more nodes than can be numbered, or all weights are 0.
//
// The lists of all open nodes are searched in one pass per column and level, until nodes have at
// most `rows_in_memory` rows (rounded down to a power of two, at most 65536; 0 = by the number of
// columns and classes). Such nodes are grown to their end in memory.
Tree GrowByLevels(const GrowOptions& options, const OrderedRows& rows, const AttributeLists& lists,
                  std::span<const double> row_weights = {},
                  const plugin::Context* context = nullptr, std::size_t rows_in_memory = 0);

}  // namespace crossfold::bundled::tree
