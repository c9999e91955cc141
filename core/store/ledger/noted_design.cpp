#include "store/ledger/noted_design.h"

namespace crossfold {

const JsonList& JsonListOf(const JsonValue& json, std::string_view name) {
  static const JsonList none;
  const JsonList* list = json.FindAs<JsonList>(name);
  return list == nullptr ? none : *list;
}

std::string JsonTextOf(const JsonValue& json, std::string_view name) {
  const std::string* text = json.FindAs<std::string>(name);
  return text == nullptr ? "" : *text;
}

NotedDesign ReadDesign(const JsonValue& body) {
  NotedDesign design;
  for (const JsonValue& learner : JsonListOf(body, "learners")) {
    NotedLearner& noted = design.learners.emplace_back();
    noted.name = JsonTextOf(learner, "name");
    const std::string sha256 = JsonTextOf(learner, "imported_sha256");
    if (!sha256.empty()) {
      noted.imported = JsonTextOf(learner, "text") + " (SHA-256 " + sha256 + ")";
    }
  }
  for (const JsonValue& dataset : JsonListOf(body, "datasets")) {
    design.datasets.push_back(JsonTextOf(dataset, "name"));
    std::vector<std::int64_t>& folds = design.folds.emplace_back();
    for (const JsonValue& n : JsonListOf(dataset, "folds")) {
      const auto* count = n.As<std::int64_t>();
      folds.push_back(count == nullptr ? 0 : *count);
    }
  }
  for (const JsonValue& metric : JsonListOf(body, "metrics")) {
    design.metrics.emplace_back(JsonTextOf(metric, "text"), JsonTextOf(metric, "key"));
  }
  return design;
}

bool IsNameInStore(const std::string& name, const std::string& in_store) {
  return in_store == name || in_store.starts_with(name + ", evaluation ");
}

}  // namespace crossfold
