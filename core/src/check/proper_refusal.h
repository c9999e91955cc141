// Failures that a host can live with.
#pragma once

#include <string>

#include "check/probe_call.h"

namespace crossfold::check {

// What is wrong with how a call failed on data or settings that it may refuse: it must say why,
// with a status for such refusals, and throw nothing. "" = nothing, or it did not fail.
std::string FindImproper(const Reply& reply);

}  // namespace crossfold::check
