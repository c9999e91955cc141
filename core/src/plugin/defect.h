// Why a plugin, or a file about plugins, is refused. Thrown where it is found; never leaves the
// function that reads.
#pragma once

#include <string>

namespace crossfold {

struct Defect {
  std::string text;  // "truncated: segment at byte 4096 lies behind the end, 100 bytes"
};

}  // namespace crossfold
