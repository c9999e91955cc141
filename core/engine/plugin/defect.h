// The reason why a plugin, or a file about plugins, is refused. It is thrown where it is found and
// never leaves the function that reads the file.
#pragma once

#include <string>

namespace crossfold {

// The beginning of the reason if a plugin needs something that only a later minor version has.
inline constexpr const char* kNeedsNewer = "needs a newer Crossfold: ";

struct Defect {
  std::string text;  // "truncated: segment at byte 4096 lies after the end, 100 bytes"
  bool needs_newer = false;

  std::string Reason() const { return (needs_newer ? kNeedsNewer : "") + text; }
};

}  // namespace crossfold
