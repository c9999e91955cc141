// What the commands print. Whether all of it was taken shows when the program ends.
#pragma once

#include <cstdio>
#include <string_view>

namespace crossfold::cli {

inline void Print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// With a line end, if the text has none.
inline void PrintLines(std::string_view text) {
  Print(text);
  if (!text.ends_with('\n')) std::fputc('\n', stdout);
}

}  // namespace crossfold::cli
