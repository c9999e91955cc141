// ASCII characters, whatever the locale.
#pragma once

#include <string>
#include <string_view>

namespace crossfold {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
inline bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// Characters that separate the words of a line, whose end may be CRLF.
constexpr std::string_view kLineBlanks = " \t\r";

inline char LowerCase(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = LowerCase(c);
  return lower;
}

}  // namespace crossfold
