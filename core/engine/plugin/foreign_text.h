// Text that comes from a plugin, made fit for logs, JSON and terminals.
#pragma once

#include <string>
#include <string_view>

namespace crossfold {

// One line of valid UTF-8: control characters become spaces, bytes that are not UTF-8 become '?',
// and what is longer than 4096 bytes is cut and ends in " ...". A null pointer gives "".
std::string CleanText(const char* text);

// Whether the text is such a line already, and not empty.
bool IsCleanLine(const std::string& text);

// Whether the bytes are UTF-8 without a NUL.
bool IsUtf8Text(std::string_view bytes);

// For titles and documentation, which may be long and have several lines: only the UTF-8 is mended.
std::string CleanDocument(const char* text);

}  // namespace crossfold
