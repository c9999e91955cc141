// Calls of the capabilities that share work between fits: prepare and cross-predict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "check/component_calls.h"

namespace crossfold::check {

// The values of one parameter, as specs and as a learner gets them.
struct PathValues {
  std::string param;
  std::vector<SpecPtr> specs;  // `base` with one of the values
  std::vector<cf_value> c_values;

  // Up to five valid values of the parameter flagged CF_PF_SUBMODEL, not in order; empty if no
  // parameter has the flag.
  static PathValues Of(const Spec& base);
};

// REQUIRES: the component offers fit-path.
Made FitPath(const Spec& spec, const PathValues& values, const DataView& train,
             const ProbeOptions& options = {});
Predicted PredictAt(const Spec& spec, const cf_model* path, std::size_t index,
                    const DataView& rows);

// Owns the structure that a learner prepared of some rows. REQUIRES: it offers prepare.
class Prepared {
 public:
  Prepared(const Spec& spec, const DataView& all, const ProbeOptions& options = {});
  ~Prepared();
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const cf_prepared* get() const { return prepared_; }  // null = see reply()
  const Reply& reply() const { return reply_; }
  std::uint64_t Bytes() const { return table_->bytes(self_, prepared_); }

  // Fits with the settings of `spec`, which may differ in parameters that prepare() does not use.
  Made Fit(const Spec& spec, const DataView& train, const ProbeOptions& options = {}) const;
  bool fits_paths() const { return table_->fit_path_prepared != nullptr; }
  Made FitPath(const Spec& spec, const PathValues& values, const DataView& train) const;

 private:
  const cf_cap_prepare* table_;
  const cf_info* self_;
  cf_prepared* prepared_ = nullptr;
  Reply reply_;
};

// A partition of some rows: position i is in fold fold_of_row[i]; -1 = always trained on.
struct CrossProblem {
  DataView rows;
  std::vector<std::int32_t> fold_of_row;
  std::int32_t n_folds = 0;

  // The positions of the fold, and those of all other rows.
  RowIds Tested(std::int32_t fold) const;
  RowIds Trained(std::int32_t fold) const;
  // This fold alone, as fold 0; the rows of the others are always trained on.
  CrossProblem Only(std::int32_t fold) const;
};

// The cell of a larger call that setting 0 and fold 0 of a call correspond to: cells keep their
// seeds.
struct FirstCell {
  std::size_t setting = 0;
  std::int32_t fold = 0;
};

// A host that keeps everything that a learner emits in one call, and where it came from.
class CrossPrediction {
 public:
  // Calls the learner. `prepared` may be null. REQUIRES: at least one spec, all of one learner that
  // offers cross-predict.
  CrossPrediction(const std::vector<SpecPtr>& specs, const CrossProblem& problem,
                  const cf_prepared* prepared, FirstCell first = {});
  CrossPrediction(const CrossPrediction&) = delete;
  CrossPrediction& operator=(const CrossPrediction&) = delete;

  static std::uint64_t SeedOf(std::size_t setting, std::int32_t fold) {
    return 1 + 1000 * setting + static_cast<std::uint64_t>(fold);
  }

  const Reply& reply() const { return reply_; }
  const std::string& misuse() const { return misuse_; }  // of the sink, the first; "" = none
  // The number of times that a position of a setting was emitted.
  int times(std::size_t setting, std::int64_t position) const {
    return times_[setting][static_cast<std::size_t>(position)];
  }
  // The predictions of some positions of a setting.
  Predicted At(std::size_t setting, const RowIds& positions) const;
  // Whether the setting failed in the fold, and why.
  const std::string* FailureOf(std::size_t setting, std::int32_t fold) const;

 private:
  static cf_status CF_CALL Emit(const cf_cross_sink* sink, std::size_t setting,
                                const std::int64_t* positions, std::int64_t n,
                                const cf_prediction_view* prediction);
  static void CF_CALL Fail(const cf_cross_sink* sink, std::size_t setting, std::int32_t fold,
                           cf_status code, const char* message);
  static std::uint64_t CF_CALL Seed(const cf_cross_sink* sink, std::size_t setting,
                                    std::int32_t fold);
  cf_cross_sink MakeSink() const;
  cf_status Misuse(const std::string& finding);

  std::int64_t n_classes_;
  FirstCell first_;
  std::mutex mutex_;
  std::string misuse_;
  std::vector<std::vector<int>> times_;
  std::vector<Predicted> predictions_;  // of all positions, one per setting
  std::map<std::pair<std::size_t, std::int32_t>, std::string> failures_;
  Reply reply_;
};

}  // namespace crossfold::check
