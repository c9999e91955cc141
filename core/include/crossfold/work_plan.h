// A plan of a run: what it would do and how long it would take, without running it.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/fit_models.h"
#include "crossfold/run.h"

namespace crossfold {

// A structure that a learner prepares once for all rows of a dataset.
struct PlannedStructure {
  std::shared_ptr<const Dataset> data;
  std::string learner;  // id
  std::string key;      // structures of one dataset with the same key are the same one
};

struct WorkPlan {
  std::uint64_t fits_asked = 0;  // one per cell
  // Number of calls that fit a learner. A fit-path that serves several settings counts once, and so
  // do equal fits. Cells whose learner predicts across folds need none.
  std::uint64_t fits_done = 0;
  std::uint64_t transform_fits = 0;
  std::uint64_t passes = 0;  // calls of crossfold.cross-predict/1
  std::vector<PlannedStructure> structures;
  std::uint64_t prediction_bytes = 0;  // of predictions that outcomes keep
  std::uint64_t pass_bytes = 0;        // of predictions in passes that run at the same time

  // Adds a plan that runs after this one. A structure that both need is made once.
  void Add(const WorkPlan& next);
};

// Counts by the same rules as RunCells. The counts include neither the consequences of failures
// (cells whose shared work fails are run again alone) nor the work that `verify` adds. Calls no
// plugin.
WorkPlan PlanRun(std::span<const CellBlock> blocks, const RunOptions& options);
WorkPlan PlanFits(std::span<const FitJob> jobs);

// Estimates how long work takes by running a small part of it. What it learned about a learner on a
// dataset serves later calls.
class WorkProbe {
 public:
  // Estimates the seconds that a run of these blocks takes. For each way in which the learners
  // share work, some items run for about a second in total, on few rows if all rows take too long.
  // REQUIRES: as RunCells.
  double Seconds(std::span<const CellBlock> blocks, const RunOptions& options);
  // Does the same for fits on all rows. All fits of a learner are assumed to take as long as the
  // first one.
  double Seconds(std::span<const FitJob> jobs, const RunOptions& options);

  // The items that ran: "knn on 'iris' (across folds)".
  const std::vector<std::string>& probed() const { return probed_; }

 private:
  std::unordered_map<std::string, double> rates_;  // seconds for a unit of work, by kind of work
  std::set<std::string> structures_;               // that are counted already
  std::vector<std::string> probed_;
};

}  // namespace crossfold
