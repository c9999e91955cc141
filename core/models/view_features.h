// Replacing the features of a view.
#pragma once

#include <span>
#include <string>

#include "crossfold/dataset.h"

namespace crossfold {

// Returns the view with the features `kept`, and after them `made`, whose entry i belongs to row i
// of the view. Row ids keep their meaning: rows outside the view get 0, false or the first level,
// so that they do not count as missing. Throws Error for a column of another length, and as
// Dataset::Rebuild does.
DataView WithFeatures(const DataView& view, std::span<const std::string> kept,
                      std::span<const Column> made);

}  // namespace crossfold
