// The output of the commands. Whether all of it could be written is checked when the program ends.
#pragma once

#include <cstdio>
#include <string_view>

namespace crossfold::cli {

inline void Print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// Prints the text, with a line end if it has none.
inline void PrintLines(std::string_view text) {
  Print(text);
  if (!text.ends_with('\n')) std::fputc('\n', stdout);
}

}  // namespace crossfold::cli
