// Runs a component of any kind on small data under some settings.
#pragma once

#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/metric_calls.h"
#include "check/probe_data.h"
#include "check/source_calls.h"
#include "check/split_calls.h"

namespace crossfold::check {

struct TrialResult {
  Reply reply;                  // of the call that failed, or of the last
  std::string problem;          // an unusable result: a NaN, a failure without a message; "" = none
  std::vector<double> numbers;  // all results: labels, probabilities, entries, positions
};

// The caller gives the roles, rows or file. Settings that the file needs override those of `spec`.
TrialResult TrySplit(const SplitRoles& roles, const Spec& spec, const ProbeOptions& options = {});
TrialResult TryScore(const MetricRows& rows, const Spec& spec, const ProbeOptions& options = {});
TrialResult TryRead(const Sample& sample, const Spec& spec, const ProbeOptions& options = {});

// `spec` with what the file needs; null if the two do not go together.
SpecPtr Merged(const Sample& sample, const Spec& spec);

// Data for every task of a learner, transform or metric, of every kind for a splitter, or the files
// of a source. Not thread-safe.
class Trials {
 public:
  explicit Trials(CheckContext& context);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t i) const { return names_[i]; }  // "a regression"
  // Fits and predicts, fits and applies, splits, scores, or reads.
  TrialResult Run(std::size_t i, const Spec& spec, const ProbeOptions& options = {}) const;
  // The same for settings that may be much work: it is cancelled at the first call of progress()
  // after 0.1 s. That is not a problem.
  TrialResult RunBriefly(std::size_t i, const Spec& spec, std::uint64_t seed = 1) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<DataPtr>> data_;  // of learners and transforms, to be tried in this order
  std::vector<SplitRoles> roles_;           // of splitters
  std::vector<MetricRows> rows_;            // of metrics
  std::vector<Sample> samples_;             // of sources
};

}  // namespace crossfold::check
