// Random small datasets: of a row or some tens, with ties, constant columns and columns of other
// scales.
#pragma once

#include "check/component_calls.h"
#include "crossfold/component.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::check {

// Data that the learner or transform declares to take; null if some tries found none.
DataPtr DrawData(const Component& component, plugin::Random& random);

}  // namespace crossfold::check
