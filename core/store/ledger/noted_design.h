// What an experiment noted of its design; see scripts/crossfold/stored/findings.lua. Foreign bytes:
// what is not there, or of another type, is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/json_value.h"

namespace crossfold {

// A member of a JSON object: a list or a string; an empty one if there is none.
const JsonList& JsonListOf(const JsonValue& json, std::string_view name);
std::string JsonTextOf(const JsonValue& json, std::string_view name);

struct NotedLearner {
  std::string name;
  // "imported from a.csv (SHA-256 3f...)"; "" = it was evaluated by Crossfold.
  std::string imported;
};

struct NotedDesign {
  std::vector<NotedLearner> learners;
  std::vector<std::string> datasets;
  std::vector<std::vector<std::int64_t>> folds;              // of each repeat, by dataset
  std::vector<std::pair<std::string, std::string>> metrics;  // text, key; "" = written in Lua
};

// `body` is that of a finding of the kind "evaluate".
NotedDesign ReadDesign(const JsonValue& body);

// Whether a store has the folds of a learner with this name under `in_store`, which has the number
// of the evaluation if it is not the first of the run.
bool IsNameInStore(const std::string& name, const std::string& in_store);

}  // namespace crossfold
