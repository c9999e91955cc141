// How long the folds of an experiment take, so that its shards (shard.h) get about the same time.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace crossfold {

struct ShardCosts {
  // Seconds of an outer fold with everything that it asks for, such as the inner cells of a search,
  // by the names of dataset and learner in the experiment. All are greater than 0.
  std::map<std::pair<std::string, std::string>, double> seconds;

  // Of a learner without an entry it is the mean of all. REQUIRES: there is an entry.
  double Of(const std::string& dataset, const std::string& learner) const;
};

// Parses a list of {"dataset", "learner", "seconds"} in JSON; `name` is for messages.
// Throws Error(kBadData).
ShardCosts ParseShardCosts(std::string_view json, const std::string& name);
// Writes such a list, with one learner per line.
std::string ShardCostsText(const ShardCosts& costs);

}  // namespace crossfold
