// The main call of splitters, metrics and sources, on every kind of rows that they accept.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/trial.h"

namespace crossfold::check {

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
