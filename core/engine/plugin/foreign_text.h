// Cleaning text from a plugin for logs, JSON and terminals.
#pragma once

#include <string>
#include <string_view>

namespace crossfold {

// Makes one line of valid UTF-8: control characters become spaces, bytes that are not UTF-8 become
// '?', and a line of more than 4096 bytes is cut and ends in " ...". A null pointer gives "".
std::string CleanText(const char* text);

// Whether the text is already such a line, and not empty.
bool IsCleanLine(const std::string& text);

// Whether the bytes are UTF-8 without a NUL.
bool IsUtf8Text(std::string_view bytes);

// Replaces only invalid UTF-8, for titles and documentation, which may be long and have several
// lines.
std::string CleanDocument(const char* text);

}  // namespace crossfold
