// Calls crossfold.prepare/1 and crossfold.fit-path/1: one structure for many fits, one fit for many
// values.
#pragma once

#include <cstddef>
#include <string>
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
Predicted PredictAt(const Spec& spec, const cf_model* path, std::size_t index, const DataView& rows,
                    const ProbeOptions& options = {});

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
  Made FitPath(const Spec& spec, const PathValues& values, const DataView& train,
               const ProbeOptions& options = {}) const;

 private:
  const cf_cap_prepare* table_;
  const cf_info* self_;
  cf_prepared* prepared_ = nullptr;
  Reply reply_;
};

}  // namespace crossfold::check
