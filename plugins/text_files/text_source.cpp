#include "text_source.h"

#include <algorithm>

namespace crossfold::reading {

std::size_t TextSource::LineOf(const char* position) const {
  const auto before = static_cast<std::size_t>(position - text.data());
  const auto lines = std::count(text.data(), position, '\n');
  const auto missing = std::upper_bound(left_out.begin(), left_out.end(), before);
  return first_line + static_cast<std::size_t>(lines + (missing - left_out.begin()));
}

}  // namespace crossfold::reading
