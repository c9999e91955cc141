// Which kernels this processor can run.
#pragma once

#include <vector>

#include "kernels.h"

namespace crossfold::knn {

// The slowest first.
std::vector<const Kernels*> SupportedKernels();
// The fastest.
const Kernels& BestKernels();

}  // namespace crossfold::knn
