// Finds what is wrong with the way in which a call failed.
#pragma once

#include <string>

#include "check/probe_call.h"

namespace crossfold::check {

// REQUIRES: !reply.ok(). "" = it failed properly: with a known status and with a message of one
// line of UTF-8, at most 4096 bytes. Otherwise the words after the name of the call: "ended with
// status 77, which is not defined".
std::string FindBadError(const Reply& reply);

}  // namespace crossfold::check
