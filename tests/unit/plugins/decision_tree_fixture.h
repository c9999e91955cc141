// What the tests of decision_tree share: a fitted tree as text, and its size.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "crossfold/fitted_model.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {

inline std::shared_ptr<const FittedModel> FitTree(const ParamValues& values,
                                                  const DataView& train) {
  return FittedModel::Fit(BundledLearner("decision_tree", values), train, 1, {});
}
inline std::string TreeText(const ParamValues& values, const DataView& train,
                            std::string_view format = "text") {
  return FitTree(values, train)->Export(format, {});
}

// As Weka prints it: leaves, and nodes with leaves.
struct TreeSize {
  std::int64_t leaves = 0, nodes = 0;
  bool operator==(const TreeSize&) const = default;
};
inline void PrintTo(const TreeSize& size, std::ostream* out) {
  *out << size.leaves << " leaves, " << size.nodes << " nodes";
}
inline TreeSize SizeOf(const ParamValues& values, const DataView& train) {
  const auto model = FitTree(values, train);
  const auto lines = [&](const char* format) {
    const std::string text = model->Export(format, {});
    return static_cast<std::int64_t>(std::count(text.begin(), text.end(), '\n'));
  };
  return {lines("rules"), lines("text")};
}

// C4.5 release 8 with its defaults, as the README gives it.
inline const ParamValues kC45 = {{"criterion", std::string("gain_ratio")},
                                 {"mdl_correction", true},
                                 {"threshold", std::string("observed")},
                                 {"min_rows", 4.0},
                                 {"min_leaf", 2.0},
                                 {"pruning", std::string("error_based")},
                                 {"subtree_raising", true}};
inline const ParamValues kId3 = {{"criterion", std::string("entropy")}};

inline ParamValues With(ParamValues values, const ParamValues& more) {
  for (const auto& [name, value] : more) values[name] = value;
  return values;
}

}  // namespace crossfold
