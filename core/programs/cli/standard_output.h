// The output of the commands. Whether all of it could be written is checked when the program ends.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace crossfold::cli {

inline void Print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// Prints the text, with a line end if it has none.
inline void PrintLines(std::string_view text) {
  Print(text);
  if (!text.ends_with('\n')) std::fputc('\n', stdout);
}

// "1 cell", "3 cells"
inline std::string Counted(std::int64_t n, const std::string& one) {
  return std::to_string(n) + " " + one + (n == 1 ? "" : "s");
}

}  // namespace crossfold::cli
