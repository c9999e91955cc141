// Splits as OpenML keeps them: an ARFF file with the attributes
//   type {TRAIN,TEST}, rowid (from 0), repeat, fold and perhaps sample
// and a line for each row of each side of each split. So the folds of a published task can be used
// here, and the splits of a run can be given to others.
//   https://docs.openml.org/concepts/tasks/ ; B. Bischl et al. 2021, "OpenML benchmarking suites",
//   NeurIPS datasets and benchmarks
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/split.h"

namespace crossfold {

// One split; its rows are 0-based, in the order of the file. Samples are growing parts of
// the training rows of one fold, for learning curves.
struct OpenmlSplit {
  std::int64_t repeat = 0, fold = 0, sample = 0;
  SplitRows rows;
};

struct OpenmlSplits {
  std::string name;                 // of the file
  std::vector<OpenmlSplit> splits;  // by repeat, fold, sample; never empty
};

// Throws Error (kIo, kBadData) with file, line and finding, such as
//   cannot read 'a.arff': line 12, rowid: 'x' is not a whole number from 0 up
OpenmlSplits ReadOpenmlSplits(const std::filesystem::path& path);
// Parses text in memory; messages use `name` as the name of the file.
OpenmlSplits ParseOpenmlSplits(std::string_view text, const std::string& name);

// Makes a plan for `view`, which must be a whole dataset. Repeats and folds keep their order; they
// also keep their place (SplitPlan::repeat_of, fold_of) where in each repeat every fold trains on
// all rows that it does not test. Otherwise the splits are numbered through. Throws Error if the
// splits do not fit, or if a group has rows on both sides of a split and groups are not ignored.
std::shared_ptr<const SplitPlan> PlanOpenmlSplits(const OpenmlSplits& splits, const DataView& view,
                                                  bool ignore_groups = false);

// Writes the plan as such a file. Throws Error if the plan splits only some rows of its dataset,
// because row ids are then not positions.
std::string FormatOpenmlSplits(const SplitPlan& plan, const CancelToken* cancel = nullptr);
void WriteOpenmlSplits(const SplitPlan& plan, const std::filesystem::path& path);

}  // namespace crossfold
