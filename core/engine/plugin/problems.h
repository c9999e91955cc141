// Several findings as one error, so that a user can fix all of them at once.
#pragma once

#include <string>
#include <vector>

namespace crossfold {

// Throws Error(kInvalidArgument): "ATTEMPT: finding", or "ATTEMPT: 2 problems: (1) ...; (2) ...".
// Does nothing if there are no problems.
void ThrowIfAny(const std::string& attempt, const std::vector<std::string>& problems);

}  // namespace crossfold
