// A script that comes from standard input, as in `crossfold run - < script.lua`.
#pragma once

#include <string>
#include <string_view>

namespace crossfold::cli {

// The path that means standard input.
inline constexpr std::string_view kStandardInput = "-";
// Its name in messages.
inline constexpr char kStandardInputName[] = "stdin";

// Reads all of standard input. Throws Error(kIo).
std::string ReadStandardInput();
// A script's text for Lua, which reads over a first line for the shell in files only: such a line
// becomes a comment, and the others keep their numbers. A byte order mark is removed.
std::string WithoutShellLine(std::string text);

}  // namespace crossfold::cli
