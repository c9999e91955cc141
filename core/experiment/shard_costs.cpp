#include "crossfold/shard_costs.h"

#include <cassert>

#include "crossfold/error.h"
#include "crossfold/json_value.h"

namespace crossfold {
namespace {

// A whole number of JSON is an integer.
double NumberOf(const JsonValue& entry, std::string_view name) {
  if (const auto* number = entry.FindAs<double>(name)) return *number;
  const auto* whole = entry.FindAs<std::int64_t>(name);
  return whole == nullptr ? 0 : static_cast<double>(*whole);
}

[[noreturn]] void Refuse(const std::string& name, const std::string& finding) {
  throw Error(ErrorKind::kBadData, "cannot read the costs of shards '" + name + "': " + finding +
                                       R"(; a costs file is a list of {"dataset": "iris", )"
                                       R"("learner": "knn", "seconds": 0.5})");
}

}  // namespace

double ShardCosts::Of(const std::string& dataset, const std::string& learner) const {
  assert(!seconds.empty());
  const auto known = seconds.find({dataset, learner});
  if (known != seconds.end()) return known->second;
  double sum = 0;
  for (const auto& [names, one] : seconds) sum += one;
  return sum / static_cast<double>(seconds.size());
}

ShardCosts ParseShardCosts(std::string_view json, const std::string& name) {
  std::string problem;
  const std::optional<JsonValue> read = ParseJson(json, &problem);
  if (!read) Refuse(name, "it " + problem);
  const auto* list = read->As<JsonList>();
  if (list == nullptr || list->empty()) Refuse(name, "it has no list of learners");
  ShardCosts costs;
  for (const JsonValue& entry : *list) {
    const std::string place = "entry " + std::to_string(costs.seconds.size() + 1);
    const auto* dataset = entry.FindAs<std::string>("dataset");
    const auto* learner = entry.FindAs<std::string>("learner");
    const double seconds = NumberOf(entry, "seconds");
    if (dataset == nullptr || learner == nullptr)
      Refuse(name, place + " has no dataset or no learner");
    if (!(seconds > 0)) Refuse(name, place + " has no seconds greater than 0");
    if (!costs.seconds.try_emplace({*dataset, *learner}, seconds).second) {
      Refuse(name, "learner '" + *learner + "' on '" + *dataset + "' has two entries");
    }
  }
  return costs;
}

std::string ShardCostsText(const ShardCosts& costs) {
  std::string text = "[";
  for (const auto& [names, seconds] : costs.seconds) {
    text += text.size() == 1 ? "\n  " : ",\n  ";
    text += JsonText(
        JsonObject{{"dataset", names.first}, {"learner", names.second}, {"seconds", seconds}});
  }
  return text + "\n]\n";
}

}  // namespace crossfold
