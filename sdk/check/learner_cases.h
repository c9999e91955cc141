// The cases of most checks of learners: a learner under its defaults, with small data that it
// accepts.
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

// Makes the case, whatever the outcome.
LearnerCase MakeCase(CheckContext& context, const DataShape& shape);

// Whether the learner refused such data properly: one that declares numbers because of bools
// refuses other numbers.
bool IsRefused(const LearnerCase& learner_case);

// The first of the shapes that is not refused, or the last one if all are.
LearnerCase MakeFirstTaken(CheckContext& context, const std::vector<DataShape>& shapes);

// The usual shape of every task, with categories or one feature if that is refused (see
// ShapesToTry), and the largest one (see Fuller) if `full`. Leaves out those whose fit fails or
// whose prediction is unusable: that is the subject of fit-smoke and missing. Skips the check if
// nothing is left.
std::vector<LearnerCase> MakeCases(CheckContext& context, bool full);

// Whether another seed gives other predictions.
bool DependsOnSeed(const LearnerCase& learner_case);
// Whether another order of the training rows gives other predictions, by more than the tolerance.
bool DependsOnOrder(const LearnerCase& learner_case, double tolerance);

// Fits on these rows of the data, copied and without a row index, and predicts all rows.
Predicted RunOnRows(const LearnerCase& learner_case, const RowIds& rows);

// Why the failure of a call is not one that a run can put into its tables: it must have a message,
// and a status about data, settings or numbers. "" = it has.
std::string FindImproperRefusal(const Reply& reply);

// What is wrong with the refusal or the prediction, for data that a learner may refuse; "" =
// nothing.
std::string FindProblem(const Predicted& prediction, std::int64_t n_classes);

}  // namespace crossfold::check
