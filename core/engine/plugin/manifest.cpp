#include "engine/plugin/manifest.h"

#include <algorithm>

namespace crossfold {

bool IsWellFormedId(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  });
}

}  // namespace crossfold
