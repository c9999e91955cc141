// Foreign strings in messages.
#pragma once

#include <string>
#include <string_view>

namespace crossfold {

// Returns a cell or name as messages show it, without control characters and shortened if it is
// long.
std::string Shown(std::string_view text);

}  // namespace crossfold
