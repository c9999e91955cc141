// What most checks of transforms begin with: a transform under its defaults and small data that it
// works with.
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

// Fit on the one, apply to the other. If the fit fails, its reply is that of the result.
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

// The case, whatever comes of it.
TransformCase MakeTransformCase(CheckContext& context, const DataShape& shape);

// For every task numbers, categories, and all that is accepted together, as far as it works: that
// it does is the subject of transform-smoke. Skips the check if nothing is left.
std::vector<TransformCase> MakeTransformCases(CheckContext& context);
// The shapes of these, working or not. The first of each task is the usual one.
std::vector<DataShape> TransformShapes(const Component& component);

// Whether columns may be given to users: they could be read, and no number is infinite; none is
// missing unless something was in the input. "" = they may.
std::string FindUnusable(const Applied& applied, bool may_be_missing);
// For data that a transform may refuse: what is wrong with the refusal or the columns.
std::string FindProblem(const Applied& applied, bool may_be_missing);

// Rows of what was applied to more.
Applied Chosen(Applied all, const RowIds& positions);
// The columns without their entries, for comparisons of what they are.
Applied Declarations(Applied applied);

// Whether another seed gives other columns.
bool DependsOnSeed(const TransformCase& transform_case);

}  // namespace crossfold::check
