// Runs a component of any kind on small data under some settings.
#pragma once

#include <cstddef>
#include <functional>
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

struct PlainCall {
  std::string name;  // "split of 57 rows of a regression", "score on a classification of 2
                     // classes", "read of 'a.csv'"
  std::function<TrialResult(const ProbeOptions&)> run;  // may be called by several threads at once
};

// The calls under the defaults. Another `variant`, 0 to 3, has the same calls for other rows, or
// for rows in another order with another seed. Skips the check if the component accepts no kind of
// rows.
std::vector<PlainCall> PlainCalls(CheckContext& context, std::size_t variant = 0);

// How a repeated call differs, as in "number 3 is 1 instead of 2"; "" = it does not.
std::string Difference(const TrialResult& got, const TrialResult& expected);

}  // namespace crossfold::check
