// Declarations of parameters: whether they are sound, and components that have nothing else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

// What is wrong with the name, the type, the range, the choices or the default; "" = nothing.
std::string FindDefect(const ParamSpec& param);

// The first defect of a list, its conditions and repeated names included, with the parameter's
// name before it; "" = none.
std::string FindDefect(const std::vector<ParamSpec>& params);

// A component whose functions are written in a script: it has parameters, but no plugin and no
// table of functions. Throws Error "cannot declare learner 'mine': parameter 'k': ...".
std::shared_ptr<const Component> DeclareComponent(Kind kind, std::string id,
                                                  std::vector<ParamSpec> params);

}  // namespace crossfold
