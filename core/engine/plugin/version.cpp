#include "crossfold/version.h"

namespace crossfold {

std::string_view Version() { return CROSSFOLD_VERSION; }

}  // namespace crossfold
