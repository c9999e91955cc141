#include "engine/run/training_rows.h"

#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "engine/plan/gather.h"
#include "engine/run/table_schema.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

// A copy of the rows that a plugin emits. Nothing may throw through the plugin, so the first
// problem is kept as a string.
class EmittedRows {
 public:
  explicit EmittedRows(std::int64_t n_rows)
      : n_rows_(n_rows), sink_{sizeof(cf_row_sink), 0, this, &EmitCall} {}
  EmittedRows(const EmittedRows&) = delete;
  EmittedRows& operator=(const EmittedRows&) = delete;

  const cf_row_sink* sink() const { return &sink_; }
  // What is wrong; "" = nothing. The call itself may still have failed.
  const std::string& problem() const { return problem_; }
  const std::vector<std::int64_t>& positions() const { return positions_; }
  std::vector<double> TakeWeights() { return std::move(weights_); }

 private:
  static cf_status CF_CALL EmitCall(const cf_row_sink* sink, const std::int64_t* positions,
                                    std::int64_t n, const double* weights) noexcept {
    EmittedRows& self = *static_cast<EmittedRows*>(sink->sink_data);
    try {
      std::string problem = self.Take(positions, n, weights);
      if (problem.empty()) return CF_OK;
      if (self.problem_.empty()) self.problem_ = std::move(problem);
      return CF_E_INVALID_ARGUMENT;
    } catch (...) {  // std::length_error and std::bad_alloc, of absurd sizes
      if (self.problem_.empty()) self.problem_ = "out of memory";
      return CF_E_OUT_OF_MEMORY;
    }
  }

  std::string Take(const std::int64_t* positions, std::int64_t n, const double* weights) {
    if (!positions_.empty()) return "it emitted rows twice";
    if (n < 1 || positions == nullptr) return "it left no training rows";
    for (std::int64_t i = 0; i < n; ++i) {
      if (positions[i] < 0 || positions[i] >= n_rows_) {
        return "it emitted position " + std::to_string(positions[i] + 1) + " of " +
               std::to_string(n_rows_) + " training rows";
      }
      if (weights != nullptr && !(std::isfinite(weights[i]) && weights[i] >= 0)) {
        return "it emitted the weight " + FormatShortest(weights[i]);
      }
    }
    positions_.assign(positions, positions + n);
    if (weights != nullptr) weights_.assign(weights, weights + n);
    return "";
  }

  std::int64_t n_rows_;
  cf_row_sink sink_;
  std::vector<std::int64_t> positions_;
  std::vector<double> weights_;
  std::string problem_;
};

// Sets `storage[i] = entries[positions[i]]`; returns null if there are no entries. REQUIRES:
// `entries` are not in `storage`.
template <class T>
const T* GatherAt(const T* entries, const std::vector<std::int64_t>& positions,
                  std::vector<T>& storage) {
  if (entries == nullptr) return nullptr;
  storage.reserve(positions.size());
  for (const std::int64_t position : positions) storage.push_back(entries[position]);
  return storage.data();
}

// Throws StepError first for a failure of the call, then for a problem with what it emitted.
void RequireSound(std::string_view verb, const Component& component, CallResult result,
                  const std::string& problem, const CallSite& site) {
  if (problem.empty()) RequireOk(verb, component, std::move(result), site);
  if (!problem.empty()) ThrowStepError(verb, component, CF_E_INVALID_ARGUMENT, problem);
}

// Makes new features for the rows at these positions of `train`, which are the rows of `resampled`.
std::unique_ptr<OwnedTable> Synthesize(const Spec& step, const cf_table& train,
                                       const std::vector<std::int64_t>& positions,
                                       const cf_table& resampled, std::uint64_t seed,
                                       CallSite& site) {
  const Component& component = step.component();
  const auto* table = component.capability<cf_cap_synthesize>(CF_CAP_SYNTHESIZE);
  if (table == nullptr) return nullptr;
  auto made = std::make_unique<OwnedTable>(resampled);
  CallResult result = TryStep("synthesize", component, seed, site, [&](const cf_call* call) {
    return table->synthesize(call, step.args().data(), step.args().size(), &train, positions.data(),
                             static_cast<std::int64_t>(positions.size()), made->sink());
  });
  RequireSound("synthesize", component, std::move(result), made->problem(), site);
  made->Finish();
  std::string problem = made->problem();
  if (problem.empty()) {
    const TableSchema expected(FeaturesOf(train));
    problem = expected.FindDifference(made->columns());
    if (!problem.empty())
      problem = "it made different columns than the training rows have: " + problem;
  }
  if (!problem.empty()) {
    ThrowStepError("synthesize", component, CF_E_INVALID_ARGUMENT, std::move(problem));
  }
  return made;
}

}  // namespace

cf_table WithColumns(cf_table table, const OwnedTable& columns) {
  if (table.row_ids == nullptr) table.row_ids = table.rows;
  table.n_rows_total = columns.num_rows();
  table.rows = nullptr;
  table.features = columns.columns().data();
  table.n_features = static_cast<std::int64_t>(columns.columns().size());
  return table;
}

template <class T>
void TrainingRows::GatherTarget(std::vector<T>& storage) {
  const std::span<const T> entries(static_cast<const T*>(table_.target->data),
                                   static_cast<std::size_t>(table_.n_rows_total));
  std::vector<T> gathered;  // the entries may be in `storage`
  target_ = *table_.target;
  target_.data = Gather(entries, table_.rows, table_.n_rows, gathered);
  storage = std::move(gathered);
  table_.target = &target_;
}

void TrainingRows::ReplaceColumns(std::unique_ptr<OwnedTable> columns) {
  if (table_.rows != nullptr) {
    if (table_.target->dtype == CF_CAT32) {
      GatherTarget(labels_);
    } else {
      GatherTarget(values_);
    }
  }
  table_ = WithColumns(table_, *columns);
  columns_ = std::move(columns);
}

// Returns `table` with the rows at these positions; weights (empty = none) replace its weights.
cf_table TrainingRows::ChooseRows(cf_table table, const std::vector<std::int64_t>& positions,
                                  std::vector<double> weights, RowArrays& arrays) {
  table.row_ids = GatherAt(table.row_ids, positions, arrays.row_ids);
  table.groups = GatherAt(table.groups, positions, arrays.groups);
  if (weights.empty()) {
    table.weights = GatherAt(table.weights, positions, arrays.weights);
  } else {
    arrays.weights = std::move(weights);
    table.weights = arrays.weights.data();
  }
  if (table.rows == nullptr) {
    arrays.rows = positions;
  } else {
    GatherAt(table.rows, positions, arrays.rows);
  }
  table.rows = arrays.rows.data();
  table.n_rows = static_cast<std::int64_t>(arrays.rows.size());
  return table;
}

bool TrainingRows::Resample(const Spec& step, std::uint64_t seed, CallSite& site) {
  const Component& component = step.component();
  const auto* table = component.capability<cf_cap_resample>(CF_CAP_RESAMPLE);
  if (table == nullptr) return false;
  EmittedRows emitted(table_.n_rows);
  CallResult result = TryStep("resample", component, seed, site, [&](const cf_call* call) {
    return table->resample(call, step.args().data(), step.args().size(), &table_, emitted.sink());
  });
  RequireSound("resample", component, std::move(result), emitted.problem(), site);
  if (emitted.positions().empty()) {
    ThrowStepError("resample", component, CF_E_INVALID_ARGUMENT,
                   "it reported success but emitted no rows");
  }
  RowArrays arrays;
  const cf_table resampled = ChooseRows(table_, emitted.positions(), emitted.TakeWeights(), arrays);
  auto columns = Synthesize(step, table_, emitted.positions(), resampled, seed, site);
  table_ = resampled;
  arrays_ = std::move(arrays);
  if (columns != nullptr) ReplaceColumns(std::move(columns));
  return true;
}

}  // namespace crossfold
