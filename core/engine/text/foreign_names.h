// What users of other tools call things: they type these names by habit.
#pragma once

#include <string_view>
#include <vector>

namespace crossfold {

// Names that Crossfold has for what scikit-learn, mlr3, R or Weka call `foreign`, whatever they
// name (a parameter, a plugin, a metric), as in "k" for "n_neighbors", the likeliest first; empty
// if nothing is listed. ASCII case does not count.
std::vector<std::string_view> NamesMeantBy(std::string_view foreign);

}  // namespace crossfold
