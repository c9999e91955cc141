// What planning leave-one-out over 1,000,000 rows takes: the peak resident memory of the process
// (VmHWM of /proc/self/status) beyond what it held before (VmRSS), and the size of the plan. The
// budget is 50 MB; more is a failure.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"
#include "crossfold/spec.h"
#include "crossfold/split.h"

namespace {

constexpr std::int64_t kRows = 1000000;
constexpr std::int64_t kBudgetKilobytes = 50 * 1024;

// A line such as "VmHWM:" of the status; 0 where there is no such file.
std::int64_t Kilobytes(std::string_view line) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::int64_t kilobytes = 0;
    if (word == line && status >> kilobytes) return kilobytes;
  }
  return 0;
}

}  // namespace

int main() {
  crossfold::PluginHostOptions options;
  options.paths = {CROSSFOLD_BENCH_PLUGINS};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  const crossfold::PluginHost plugins(options);
  const auto splitter = crossfold::Spec::Make(
      plugins.Find(crossfold::Kind::kSplitter, "leave_one_out"), crossfold::ParamValues{});
  const auto data = crossfold::Dataset::Create(
      "rows", {crossfold::Column::Doubles("x", std::vector<double>(kRows))}, {});

  const std::int64_t before = Kilobytes("VmRSS:");
  const auto plan = crossfold::MakeSplits(*splitter, {data, nullptr}, 1);
  const std::int64_t growth = Kilobytes("VmHWM:") - before;
  const std::size_t plan_bytes =
      plan->partitions().front().fold_of_row.size() * sizeof(std::int32_t);
  std::cout << "leave-one-out over " << kRows << " rows: " << plan->size() << " splits, plan "
            << plan_bytes / 1024 << " KB, peak resident memory " << growth << " KB above the "
            << before << " KB before, budget " << kBudgetKilobytes << " KB\n";
  return growth <= kBudgetKilobytes ? 0 : 1;
}
