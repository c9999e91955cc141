// Checks whether a component can take data, by what it declares. Findings are sentences about "it",
// the component; "" = none.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "crossfold/component.h"
#include "crossfold/dataset.h"

namespace crossfold {

// Returns CF_ACCEPTS_... of a learner or transform.
std::uint32_t AcceptBits(const Component& component);

// Returns "it is for classification, the target 'y' is numeric; ...". `tasks` is CF_TASK_...
std::string FindTaskProblem(std::uint32_t tasks, const Dataset& data);

// Returns "it does not accept missing values (2 in feature 'bill'); ...". `accepts` is
// CF_ACCEPTS_..., `n_entries` the length of the columns. Columns count as a whole, whatever rows a
// view shows.
std::string FindFeatureProblem(std::uint32_t accepts, std::span<const cf_column> features,
                               std::int64_t n_entries);

// Returns the number of missing entries among the first n.
std::int64_t CountMissing(const cf_column& column, std::int64_t n_entries);

}  // namespace crossfold
