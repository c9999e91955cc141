#include "engine/plugin/foreign_text.h"

#include <cstddef>
#include <cstring>
#include <string_view>

#include "crossfold_plugin/utf8.hpp"

namespace crossfold {
namespace {

constexpr std::size_t kMaxLine = 4096;
constexpr std::size_t kMaxDocument = std::size_t{1} << 20;
constexpr std::size_t kMaxSequence = 4;  // bytes of a character

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// Whether the text begins with U+0080 .. U+009F, some of which start a control sequence in
// terminals.
bool IsC1(std::string_view text) {
  return text.size() > 1 && text[0] == '\xC2' && static_cast<unsigned char>(text[1]) < 0xA0;
}

std::string WithoutForeignBytes(const char* text, bool one_line) {
  if (text == nullptr) return "";
  const std::size_t maximum = one_line ? kMaxLine : kMaxDocument;
  std::string clean;
  // One character more than is kept: it tells whether there are more, and may be cut.
  for (std::string_view rest(text, ::strnlen(text, maximum + kMaxSequence)); !rest.empty();) {
    if (clean.size() >= maximum) return clean + " ...";
    const std::size_t length = plugin::Utf8Size(rest, 0);
    if (length == 0) {
      clean += '?';
    } else if ((IsControl(rest.front()) && (one_line || rest.front() != '\n')) || IsC1(rest)) {
      clean += ' ';
    } else {
      clean += rest.substr(0, length);
    }
    rest.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

}  // namespace

std::string CleanText(const char* text) { return WithoutForeignBytes(text, /*one_line=*/true); }

bool IsCleanLine(const std::string& text) {
  return !text.empty() && text.find('\0') == std::string::npos && CleanText(text.c_str()) == text;
}

bool IsUtf8Text(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = bytes.front() == '\0' ? 0 : plugin::Utf8Size(bytes, 0);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string CleanDocument(const char* text) {
  return WithoutForeignBytes(text, /*one_line=*/false);
}

}  // namespace crossfold
