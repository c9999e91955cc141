// What a component of any kind makes of small data under some settings.
#pragma once

#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/probe_data.h"
#include "check/split_calls.h"

namespace crossfold::check {

struct TrialResult {
  Reply reply;          // of the call that failed, or of the last
  std::string problem;  // what no host could use: a NaN, a failure without a text; "" = none
  std::vector<double> numbers;  // all that came out: labels, probabilities, entries, positions
};

// Data for every task of a learner or transform, or of every kind for a splitter. Not thread-safe.
class Trials {
 public:
  explicit Trials(CheckContext& context);

  std::size_t size() const;
  std::string name(std::size_t i) const;  // "a classification of 3 classes"
  // Fits and predicts, fits and applies, or splits.
  TrialResult Run(std::size_t i, const Spec& spec, const ProbeOptions& options = {}) const;

 private:
  TrialResult RunLearner(const DataPtr& data, const Spec& spec, const ProbeOptions& options) const;
  TrialResult RunTransform(const DataPtr& data, const Spec& spec,
                           const ProbeOptions& options) const;
  TrialResult RunSplitter(const SplitRoles& roles, const Spec& spec,
                          const ProbeOptions& options) const;

  std::vector<DataShape> shapes_;
  std::vector<DataPtr> data_;
  std::vector<SplitShape> split_shapes_;
  std::vector<SplitRoles> roles_;
};

}  // namespace crossfold::check
