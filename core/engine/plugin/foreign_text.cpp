#include "engine/plugin/foreign_text.h"

#include <cstddef>
#include <cstring>
#include <string_view>

namespace crossfold {
namespace {

constexpr std::size_t kMaxLine = 4096;
constexpr std::size_t kMaxDocument = std::size_t{1} << 20;
constexpr std::size_t kMaxSequence = 4;  // bytes of a character

bool IsContinuation(unsigned char byte) { return (byte & 0xC0u) == 0x80u; }

// Returns the length of the well-formed UTF-8 sequence (Unicode 15, table 3-7) at the start of
// `text`; 0 = none.
std::size_t SequenceLength(std::string_view text) {
  const auto at = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return IsContinuation(at(1)) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool overlong = lead == 0xE0 && at(1) < 0xA0;
    const bool surrogate = lead == 0xED && at(1) > 0x9F;
    return IsContinuation(at(1)) && IsContinuation(at(2)) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool overlong = lead == 0xF0 && at(1) < 0x90;
    const bool too_large = lead == 0xF4 && at(1) > 0x8F;
    const bool tail = IsContinuation(at(1)) && IsContinuation(at(2)) && IsContinuation(at(3));
    return tail && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

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
  // One character more than is kept shows whether there are more; it may be incomplete.
  for (std::string_view rest(text, ::strnlen(text, maximum + kMaxSequence)); !rest.empty();) {
    if (clean.size() >= maximum) return clean + " ...";
    const std::size_t length = SequenceLength(rest);
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
    const std::size_t length = bytes.front() == '\0' ? 0 : SequenceLength(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string CleanDocument(const char* text) {
  return WithoutForeignBytes(text, /*one_line=*/false);
}

}  // namespace crossfold
