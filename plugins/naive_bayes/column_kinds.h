// Which kind of density every numeric column gets: the parameters `numeric` and `columns`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin.hpp"
#include "params.h"

namespace crossfold::bundled {

// One per feature; nothing for features that are modelled by their levels. `columns` is text such
// as "visits=poisson,age=kernel". Throws Error if a name or a kind is not known.
std::vector<std::optional<NumericKind>> ColumnKinds(const plugin::FeatureView& rows,
                                                    NumericKind numeric, std::string_view columns);

}  // namespace crossfold::bundled
