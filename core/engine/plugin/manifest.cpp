#include "engine/plugin/manifest.h"

#include <algorithm>

namespace crossfold {

bool IsWellFormedId(std::string_view id) {
  // Ids are also names of folders.
  return !id.empty() && id != "." && id != ".." && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  });
}

}  // namespace crossfold
