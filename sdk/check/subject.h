// The subject of most checks: a component under its defaults, with data that it must accept, and
// the answers of its models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/probe_data.h"

namespace crossfold::check {

struct Subject {
  SpecPtr spec;
  DataShape shape;
  DataPtr data;
  DataView all, train;  // train = the first two thirds, in which every class occurs

  // "on a classification of 3 classes"
  std::string Where() const { return "on a " + Describe(shape); }
};

// A learner or transform with one dataset for every declared task on which its fit works, with
// weights if they are wanted and accepted. Skips the check if there is none.
std::vector<Subject> UsableSubjects(CheckContext& context, std::int64_t n_rows = 60,
                                    bool weights = false);

// The first of them, found in a copy of the process, so that no function of the component is called
// in this one. REQUIRES: the component is safe to fork.
Subject FirstUsable(CheckContext& context, std::int64_t n_rows = 60);

// The answer of a model for some rows: the predictions of a learner or the columns of a transform.
struct Answer {
  Predicted predicted;
  Applied applied;
  Reply reply;  // of whichever was called
};
Answer Ask(const Spec& spec, const cf_model* model, const DataView& rows,
           const ProbeOptions& options = {});
// The same for the result of a fit; if it failed, its reply is the answer's.
Answer AskFitted(const Spec& spec, const Made& made, const DataView& rows,
                 const ProbeOptions& options = {});
Answer FitAsk(const Spec& spec, const DataView& train, const DataView& rows,
              const ProbeOptions& options = {});
std::string Difference(const Answer& got, const Answer& expected, double tolerance = 0);
// Labels, values and probabilities, or every entry of every column.
std::vector<double> NumbersOf(const Answer& answer);

// Whether equal calls must give equal bytes.
bool IsDeterministic(const Component& component);

}  // namespace crossfold::check
