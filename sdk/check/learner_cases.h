// What most checks of learners begin with: a learner under its defaults and small data that it
// works with.
#pragma once

#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/probe_data.h"
#include "engine/run/fit_predict.h"

namespace crossfold::check {

struct LearnerCase {
  SpecPtr spec;
  DataShape shape;
  DataPtr data;
  RowTable train, rows;  // all rows of `data`, with and without the target
  Predicted expected;    // for `rows` after a fit on `train`, both with the seed 1

  std::int64_t n_classes() const { return data->num_classes(); }
  std::string name() const { return Describe(shape); }
  std::int64_t n_rows() const { return data->num_rows(); }
  // A fit on some table and a prediction for another one, with the features of `data`.
  Predicted Run(const cf_table& train_on, const cf_table& predicted,
                const ProbeOptions& options = {}) const {
    return FitPredict(*spec, train_on, predicted, n_classes(), options);
  }
};

// The case, whatever comes of it.
LearnerCase MakeCase(CheckContext& context, const DataShape& shape);

// Whether the learner said in a proper way that it cannot learn from such data at all: one that
// accepts numbers for the sake of bools refuses other numbers.
bool IsRefused(const LearnerCase& learner_case);

// The first of the shapes that is not refused; the last one if all are.
LearnerCase MakeFirstTaken(CheckContext& context, const std::vector<DataShape>& shapes);

// The usual shape of every task, with categories or one feature where that is refused (see
// ShapesToTry), and the fullest one (see Fuller) if `full`. Leaves out those whose fit fails or
// whose prediction is unusable: that is the subject of fit-smoke and missing. Skips the check if
// nothing is left.
std::vector<LearnerCase> MakeCases(CheckContext& context, bool full);

// Whether another seed gives other predictions.
bool DependsOnSeed(const LearnerCase& learner_case);
// Whether another order of the training rows does, by more than the tolerance.
bool DependsOnOrder(const LearnerCase& learner_case, double tolerance);

// A fit on these rows of the data, copied and without a row index, and what it predicts for all.
Predicted RunOnRows(const LearnerCase& learner_case, const RowIds& rows);

// Whether a call that failed did so in a way that a run can put into its tables: with a text, and
// with a status that is about data, settings or numbers. Why not, as a sentence; "" = it did.
std::string FindImproperRefusal(const Reply& reply);

// For data that a learner may refuse: what is wrong with the refusal or the prediction; "" =
// nothing.
std::string FindProblem(const Predicted& prediction, std::int64_t n_classes);

}  // namespace crossfold::check
