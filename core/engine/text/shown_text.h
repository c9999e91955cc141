// Foreign texts in messages.
#pragma once

#include <string>
#include <string_view>

namespace crossfold {

// A cell or name as messages show it: no control characters, cut if it is long.
std::string Shown(std::string_view text);

}  // namespace crossfold
