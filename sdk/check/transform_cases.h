// The cases of most checks of transforms: a transform under its defaults, with small data that it
// accepts.
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

struct TransformCase {
  SpecPtr spec;
  DataShape shape;
  DataPtr data;
  RowTable train, rows;  // all rows of `data`, with and without the target
  Applied expected;      // for `rows` after a fit on `train`, both with the seed 1

  std::string name() const { return Describe(shape); }
  std::int64_t n_rows() const { return data->num_rows(); }
  Applied Run(const cf_table& train_on, const cf_table& applied_to,
              const ProbeOptions& options = {}) const {
    return FitApply(*spec, train_on, applied_to, options);
  }
};

// Makes the case, whatever the outcome.
TransformCase MakeTransformCase(CheckContext& context, const DataShape& shape);

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

// Whether another seed gives other columns.
bool DependsOnSeed(const TransformCase& transform_case);

}  // namespace crossfold::check
