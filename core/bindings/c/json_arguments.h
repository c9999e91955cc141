// The JSON that the calls of crossfold.h take. Every function throws Error(kInvalidArgument)
// "<attempt>: <finding>" for what it cannot read; `attempt` is such as "cannot run the experiment".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "crossfold/cell.h"
#include "crossfold/cell_store.h"
#include "crossfold/comparison.h"
#include "crossfold/curve_table.h"
#include "crossfold/dataset.h"
#include "crossfold/experiment.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"

namespace crossfold::c_api {

// What a call that makes data says of them.
struct DataRequest {
  Roles roles;
  InfiniteEntries infinite = InfiniteEntries::kRefuse;
};

// {"target": "species", "infinite": "missing"}; null = nothing.
DataRequest ReadDataRequest(const char* json, const std::string& attempt);

// format, roles, types, drop_missing and infinite; every other key is a parameter of the source
// that reads `location`. null = the defaults.
ReadRequest ReadOptionsOf(const char* json, const std::string& location, const std::string& attempt,
                          const PluginHost& plugins);

// {"id": "knn", "params": {"k": 5}}, "knn{k=5}", or a list of transforms and a learner.
std::shared_ptr<const Pipeline> ReadLearner(const char* json, const std::string& attempt,
                                            const PluginHost& plugins);
std::shared_ptr<const Spec> ReadSplitter(const char* json, const std::string& attempt,
                                         const PluginHost& plugins);

// What a cancellation does: the call fails, or returns what had finished.
enum class OnCancel { kFail, kPartial };

// The experiment of crossfold_evaluate, without the splits.
struct ExperimentText {
  Experiment experiment;
  std::shared_ptr<const Spec> splitter;  // null = not given
  std::string store;                     // "" = none
  OnStoreError on_store_error = OnStoreError::kContinue;
  OnCancel on_cancel = OnCancel::kFail;
};
ExperimentText ReadExperiment(const char* json, const std::string& attempt,
                              const PluginHost& plugins);

// The options of crossfold_result_compare for this experiment. null = the defaults.
ComparisonOptions ReadComparison(const char* json, const std::string& attempt,
                                 const Experiment& experiment, const PluginHost& plugins);

// The options of crossfold_result_curve.
struct CurveRequest {
  CurveKind kind = CurveKind::kRoc;
  bool vertical = false;                     // the mean of the curves of all splits
  std::string positive;                      // "" = that of the data
  std::optional<std::int64_t> repeat, fold;  // of the one split; nullopt = all
  CurveOptions curve;
  RocAverageOptions average;
};
CurveRequest ReadCurve(const char* json, const std::string& attempt);

}  // namespace crossfold::c_api
