// The encodings of text files. Inside, all text is UTF-8.
#pragma once

#include <string_view>

namespace crossfold {

enum class TextEncoding {
  kUtf8,         // UTF-16 instead if the file begins with a byte order mark of UTF-16
  kLatin1,       // ISO 8859-1: every byte is the character of that number
  kWindows1252,  // as kLatin1, but 0x80 .. 0x9F are printed characters, such as the euro sign
  kUtf16,        // with a byte order mark
  kUtf16Le,
  kUtf16Be
};

// "utf-8", "latin1" or "iso-8859-1", "windows-1252" or "cp1252", "utf-16", "utf-16le", "utf-16be";
// the case does not matter. Throws Error(kInvalidArgument) with the known names and the nearest.
TextEncoding TextEncodingFromName(std::string_view name);

}  // namespace crossfold
