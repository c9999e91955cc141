// The version of the library, MAJOR.MINOR.PATCH.
#pragma once

#include <string_view>

namespace crossfold {

std::string_view Version();

}  // namespace crossfold
