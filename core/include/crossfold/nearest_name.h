// Helps a user who mistyped a name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace crossfold {

// Returns the known name that is closest to `wrong` (edit distance with transpositions of
// neighbours; ASCII case is ignored), or "" if none is close enough: at most one edit for every
// three letters, one in a short name, and never all of its letters. Of equally near names it is the
// first in the order of bytes.
std::string NearestName(std::string_view wrong, std::span<const std::string> known);

// Returns "did you mean 'k'? known: distance, k, p", with sorted names; without the question if no
// name is near; "none are known" if `known` is empty. Names of other tools are translated
// ("n_neighbors" means 'k'). If no name is near, it suggests up to three names that contain `wrong`
// or that `wrong` contains ("did you mean 'pr_auc' or 'roc_auc'?"). Of more than 40
// names it lists the 10 nearest, and how many more there are.
std::string KnownNames(std::string_view wrong, std::span<const std::string> known);

}  // namespace crossfold
