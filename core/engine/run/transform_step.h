// Fitting and applying a transform of a pipeline. It gets the features that its `columns` choose
// (Spec::columns) as a view; the others stay as they are, and columns are placed as PlacesOf says.
// If `columns` choose none, the plugin is not called and nothing changes. Failures are thrown as
// StepError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "crossfold/dataset.h"
#include "crossfold/spec.h"
#include "engine/run/owned_table.h"
#include "engine/run/step_operations.h"
#include "engine/run/step_seeds.h"
#include "engine/run/table_schema.h"
#include "engine/run/training_rows.h"

namespace crossfold {

// Fits step `i` of a pipeline to the rows and replaces them by the transformed rows. Without chosen
// features there is no model in the result.
StepModel FitTransform(const Spec& step, std::size_t i, const StepSeeds& seeds, TrainingRows& rows,
                       CallSite& site);

// Applies the fitted transform to rows with the features of the training rows. The columns must be
// those that it `made` of the training rows.
std::unique_ptr<OwnedTable> ApplyTransform(const Spec& step, const StepModel& model,
                                           const TableSchema& made, const cf_table& rows,
                                           std::uint64_t seed, CallSite& site);

// Whether the step has a choice of features that takes none of these.
bool ChoosesNone(const Spec& step, std::span<const ColumnDeclaration> features);

}  // namespace crossfold
