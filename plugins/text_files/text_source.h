// A text to read, and where its lines were in the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin/context.hpp"

namespace crossfold::reading {

struct TextSource {
  std::string_view text;
  // Lines of the file that are not in the text: those before it, and where others were left out.
  std::size_t first_line = 1;
  std::vector<std::size_t> left_out = {};  // offsets in the text, ascending
  std::size_t most_columns = std::numeric_limits<std::size_t>::max();
  const plugin::Context* context = nullptr;  // asked every few rows whether to stop; may be null

  // 1-based; found by counting, for messages only.
  std::size_t LineOf(const char* position) const {
    const auto before = static_cast<std::size_t>(position - text.data());
    const auto lines = std::count(text.data(), position, '\n');
    const auto missing = std::upper_bound(left_out.begin(), left_out.end(), before);
    return first_line + static_cast<std::size_t>(lines + (missing - left_out.begin()));
  }
  // Throws if the call is cancelled.
  void Progress(const char* position) const {
    if (context == nullptr) return;
    context->Progress(static_cast<double>(position - text.data()) /
                      static_cast<double>(text.size() + 1));
  }
};

}  // namespace crossfold::reading
