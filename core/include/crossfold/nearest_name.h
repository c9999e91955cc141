// Helps a user who mistyped a name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace crossfold {

// The known name that is closest to `wrong` (edit distance with transpositions of neighbours; the
// case of ASCII letters does not count), or "" if none is close enough to be meant: at most one
// edit for every three letters, one in a short name, and never all of its letters. Of equally near
// ones the first in the order of bytes.
std::string NearestName(std::string_view wrong, std::span<const std::string> known);

// "did you mean 'k'? known: distance, k, p"; without the question if nothing is near; "none are
// known" if `known` is empty. Sorted. Names of other tools are translated ("n_neighbors" means
// 'k'). If no name is near, up to three of which `wrong` is a part, or that are a part of it, may
// be meant ("did you mean 'pr_auc' or 'roc_auc'?").
std::string KnownNames(std::string_view wrong, std::span<const std::string> known);

}  // namespace crossfold
