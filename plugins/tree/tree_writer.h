// Writing the nodes of a growing tree, whatever the order in which they are split.
#pragma once

#include <cstddef>

#include "split_search.h"
#include "tree.h"

namespace crossfold::bundled::tree {

// Adds `n` leaves after the last node, with outputs of 0.
void AddNodes(Tree& tree, std::size_t n);

// Makes the node split so, and adds its children.
void WriteSplit(Tree& tree, std::size_t node, const Candidate& split, std::size_t n_children);

// For a level that no row has: the child predicts like its parent.
void InheritOutput(Tree& tree, std::size_t parent, std::size_t child);

}  // namespace crossfold::bundled::tree
