// Why a plugin, or a file about plugins, is refused. Thrown where it is found; never leaves the
// function that reads.
#pragma once

#include <string>

namespace crossfold {

// How the reason begins if a plugin relies on what only a later minor version has.
inline constexpr const char* kNeedsNewer = "needs a newer Crossfold: ";

struct Defect {
  std::string text;  // "truncated: segment at byte 4096 lies after the end, 100 bytes"
  bool needs_newer = false;

  std::string Reason() const { return (needs_newer ? kNeedsNewer : "") + text; }
};

}  // namespace crossfold
