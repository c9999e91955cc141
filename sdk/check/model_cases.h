// The cases of most checks of learners and transforms: one under its defaults, with small data that
// it accepts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/probe_data.h"
#include "engine/run/fit_predict.h"

namespace crossfold::check {

// Fits on one table and applies to the other. If the fit fails, its reply is that of the result.
Applied FitApply(const Spec& spec, const cf_table& train, const cf_table& rows,
                 const ProbeOptions& options = {});
Applied FitApply(const Spec& spec, const DataView& train, const DataView& rows,
                 const ProbeOptions& options = {});

// What a component of the kind makes: predictions or columns.
inline Predicted RunCase(const Spec& spec, const cf_table& train, const cf_table& rows,
                         std::int64_t n_classes, const ProbeOptions& options, const Predicted*) {
  return FitPredict(spec, train, rows, n_classes, options);
}
inline Applied RunCase(const Spec& spec, const cf_table& train, const cf_table& rows, std::int64_t,
                       const ProbeOptions& options, const Applied*) {
  return FitApply(spec, train, rows, options);
}

template <class Made>
struct ModelCase {
  SpecPtr spec;
  DataShape shape;
  DataPtr data;
  RowTable train, rows;  // all rows of `data`, with and without the target
  Made expected;         // for `rows` after a fit on `train`, both with the seed 1

  std::int64_t n_classes() const { return data->num_classes(); }
  std::string name() const { return Describe(shape); }
  std::int64_t n_rows() const { return data->num_rows(); }
  // A fit on some table and the answer for another one, with the features of `data`.
  Made Run(const cf_table& train_on, const cf_table& asked,
           const ProbeOptions& options = {}) const {
    return RunCase(*spec, train_on, asked, n_classes(), options, static_cast<const Made*>(nullptr));
  }
};
using LearnerCase = ModelCase<Predicted>;
using TransformCase = ModelCase<Applied>;

// Make a case, whatever the outcome.
LearnerCase MakeCase(CheckContext& context, const DataShape& shape);
TransformCase MakeTransformCase(CheckContext& context, const DataShape& shape);

// Whether another seed gives another answer.
template <class Made>
bool DependsOnSeed(const ModelCase<Made>& c) {
  for (const std::uint64_t seed : {2, 3}) {
    ProbeOptions options;
    options.seed = seed;
    if (!Difference(c.Run(c.train.get(), c.rows.get(), options), c.expected).empty()) return true;
  }
  return false;
}

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

// The cases that work, for every task: numbers, categories, and all accepted data together. Those
// that do not work are the subject of transform-smoke. Skips the check if there are none.
std::vector<TransformCase> MakeTransformCases(CheckContext& context);
// The shapes of these cases, working or not. The first of each task is the usual one.
std::vector<DataShape> TransformShapes(const Component& component);

// Why columns cannot be given to users: they must be valid, without infinite numbers, and without
// missing entries unless the input has some. "" = they can.
std::string FindUnusable(const Applied& applied, bool may_be_missing);
// What is wrong with the refusal or the columns, for data that a transform may refuse.
std::string FindProblem(const Applied& applied, bool may_be_missing);

// Some rows of columns that were made for more rows.
Applied Chosen(Applied all, const RowIds& positions);
// The columns without their entries, to compare names, types and levels.
Applied Declarations(Applied applied);

}  // namespace crossfold::check
