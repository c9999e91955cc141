// How splitters and metrics refuse rows.
#pragma once

#include <string>

#include "check/probe_call.h"

namespace crossfold::check {

// What is wrong with how a splitter or metric failed on rows or settings that it may refuse: it
// must say why, with a status for such refusals, and throw nothing. "" = nothing, or it did not
// fail. (Of learners and transforms see FindImproperRefusal; they have no settings that depend on
// what the classes are called, which is an invalid argument here.)
std::string FindImproper(const Reply& reply);

}  // namespace crossfold::check
