#include "analysis/facts/torn_groups.h"

#include <unordered_map>

#include "crossfold/error.h"

namespace crossfold {

void RefuseTornGroups(const SplitPlan& plan, const std::string& name, const std::string& way_out) {
  const Dataset& data = *plan.view().data;
  if (data.groups().empty()) return;
  const auto group_of = [&](std::int64_t row) {
    return data.groups()[static_cast<std::size_t>(row)];
  };
  for (std::int64_t split = 0; split < plan.size(); ++split) {
    const SplitRows rows = plan.Rows(split);
    std::unordered_map<std::int64_t, std::int64_t> tested;
    for (const std::int64_t row : rows.test) tested.try_emplace(group_of(row), row);
    for (const std::int64_t row : rows.train) {
      const auto place = tested.find(group_of(row));
      if (place == tested.end()) continue;
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot use the splits of '" + name + "' on dataset '" + data.name() +
                      "': split " + std::to_string(split + 1) + " tests row " +
                      std::to_string(place->second + 1) + " while row " + std::to_string(row + 1) +
                      " of the same group trains; " + way_out);
    }
  }
}

}  // namespace crossfold
