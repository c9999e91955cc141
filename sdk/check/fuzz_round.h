// One round of fuzzing: random data, settings and calls of one component, all from one seed.
#pragma once

#include <span>

#include "check/check_list.h"

namespace crossfold::check {

// The name of a round as a check of a process (checker_session.h). No battery has it.
inline constexpr std::string_view kFuzzRound = "fuzz";

// The round for every kind of component. Its finding is what no host could use. With the part
// "tell" it writes to stdout what it is going to do before it does it.
std::span<const Check> FuzzRounds();

}  // namespace crossfold::check
