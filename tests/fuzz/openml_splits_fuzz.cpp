// Any bytes as an OpenML file of splits, and these splits on data of some sizes. What is planned
// reads back as the same splits from the text that it is written as.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/openml_splits.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

namespace {

using crossfold::Dataset;
using crossfold::OpenmlSplits;

std::shared_ptr<const Dataset> Rows(std::size_t n, bool has_groups) {
  std::vector<std::int64_t> groups(n);
  for (std::size_t i = 0; i < n; ++i) groups[i] = static_cast<std::int64_t>(i / 2);
  crossfold::Roles roles;
  if (has_groups) roles.groups = "g";
  return Dataset::Create("rows", {crossfold::Column::Integers("g", std::move(groups))}, roles);
}

void Plan(const OpenmlSplits& splits, const std::shared_ptr<const Dataset>& data) {
  const auto plan = crossfold::fuzz::Attempted([&] {
    return crossfold::PlanOpenmlSplits(splits, {data, nullptr});
  });
  if (plan == nullptr) return;
  const std::string text = crossfold::FormatOpenmlSplits(*plan);
  const auto again =
      crossfold::PlanOpenmlSplits(crossfold::ParseOpenmlSplits(text, "again"), {data, nullptr});
  crossfold::fuzz::Demand(crossfold::HaveSameSplits(*plan, *again), "written splits read back");
}

}  // namespace

int crossfold::fuzz::FeedOpenmlSplits(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto splits = Attempted([&] { return std::optional(ParseOpenmlSplits(text, "fuzz")); });
  if (!splits) return 0;
  crossfold::fuzz::Demand(!splits->splits.empty(), "there are splits");
  for (const std::size_t n : {2U, 4U, 9U}) Plan(*splits, Rows(n, false));
  Plan(*splits, Rows(4, true));
  return 0;
}
