// Helps a user who mistyped a name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace crossfold::reading {

// "did you mean 'k'? known: distance, k, p"; without the question if nothing is near; "none are
// known" if `known` is empty. Sorted. If no name is near, up to three of which
// `wrong` is a part, or that are a part of it, may be meant.
std::string KnownNames(std::string_view wrong, std::span<const std::string> known);

}  // namespace crossfold::reading
