// A tree as text, as rules, and for Graphviz.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "../tree/columns.h"
#include "../tree/tree.h"

namespace crossfold::bundled {

// The names that the text of a tree needs.
struct TreeNames {
  std::span<const tree::ColumnInfo> columns;
  std::span<const std::string> classes;  // empty in regression
  bool with_ratio = false;               // splits were chosen by gain ratio: show it too
};

std::string TreeAsText(const tree::Tree& t, const TreeNames& names);
std::string TreeAsRules(const tree::Tree& t, const TreeNames& names);
std::string TreeAsDot(const tree::Tree& t, const TreeNames& names);

}  // namespace crossfold::bundled
