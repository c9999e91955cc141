// Checks how splitters and metrics refuse rows.
#pragma once

#include <string>

#include "check/probe_call.h"

namespace crossfold::check {

// What is wrong with the failure of a splitter or metric on rows or settings that it may refuse: it
// must say why, with a status for such refusals, and not throw. "" = nothing, or it did not fail.
// (For learners and transforms see FindImproperRefusal; they have no settings that depend on what
// the classes are called, which is an invalid argument here.)
std::string FindImproper(const Reply& reply);

}  // namespace crossfold::check
