// The names that a model needs to describe itself, and its description.
#pragma once

#include <string>
#include <vector>

#include "../tree/columns.h"
#include "boosting.h"
#include "crossfold_plugin/stream.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::bundled::adaboost {

struct Names {
  std::vector<tree::ColumnInfo> features;
  std::vector<std::string> classes;

  static Names Of(const plugin::TrainingView& train);
  void Save(plugin::Writer& writer) const;
  static Names Load(plugin::Reader& reader);
  // One per feature; 0 = numeric.
  std::vector<std::int64_t> num_levels() const;
};

// Describes every round with its error, the weight of its vote and its tree.
std::string Describe(const Boosted& boosted, const Names& names);

}  // namespace crossfold::bundled::adaboost
