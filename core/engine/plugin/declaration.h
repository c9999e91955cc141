// Checks of parameter declarations, and components that consist of declarations only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

// Returns what is wrong with the name, the type, the range, the choices or the default; "" =
// nothing.
std::string FindDefect(const ParamSpec& param);

// Returns the first defect of a list, including conditions and repeated names, after the name of
// its parameter; "" = none.
std::string FindDefect(const std::vector<ParamSpec>& params);

// Brings the defaults into the form that specs have: a default 3.0 of an integer becomes 3, an
// object is sorted. REQUIRES: FindDefect found nothing.
void NormalizeDefaults(std::vector<ParamSpec>& params);

// Makes a component whose functions are written in a script. It has parameters, but neither a
// plugin nor a table of functions. Throws Error "cannot declare learner 'mine': parameter 'k':
// ...".
std::shared_ptr<const Component> DeclareComponent(Kind kind, std::string id,
                                                  std::vector<ParamSpec> params);

}  // namespace crossfold
