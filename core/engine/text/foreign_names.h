// Names of other tools, which their users type by habit.
#pragma once

#include <string_view>
#include <vector>

namespace crossfold {

// Returns Crossfold's names for what scikit-learn, mlr3, R or Weka call `foreign` (a parameter, a
// plugin, a metric), such as "k" for "n_neighbors", the most likely name first; empty if there is
// none. ASCII case is ignored.
std::vector<std::string_view> NamesMeantBy(std::string_view foreign);

}  // namespace crossfold
