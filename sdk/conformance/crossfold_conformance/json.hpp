// JSON (RFC 8259) as values, as far as the output of the program needs it: the maximum depth is 64,
// and numbers stay as they are written. Like all of the SDK, it depends on nothing.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace crossfold::conformance {

struct Json {
  enum class Kind { kNull, kBool, kNumber, kText, kList, kObject };
  Kind kind = Kind::kNull;
  bool flag = false;
  std::string text;  // also the digits of a number
  std::vector<Json> list;
  std::map<std::string, Json> object;

  // Returns the member of an object. Throws std::runtime_error if there is none.
  const Json& at(const std::string& key) const {
    const auto found = object.find(key);
    if (found == object.end()) throw std::runtime_error("the JSON has no '" + key + "'");
    return found->second;
  }
};

namespace internal {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  // Throws std::runtime_error if the text is not exactly one JSON value.
  Json ReadAll() {
    Json value = ReadValue(0);
    SkipSpace();
    if (at_ != text_.size()) Fail();
    return value;
  }

 private:
  [[noreturn]] void Fail() const {
    throw std::runtime_error("the JSON is broken at byte " + std::to_string(at_));
  }
  void SkipSpace() {
    at_ = text_.find_first_not_of(" \t\r\n", at_);
    if (at_ == std::string_view::npos) at_ = text_.size();
  }
  // Returns the next character that is not a space; 0 = the end.
  char Peek() {
    SkipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void Take(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) Fail();
    at_ += expected.size();
  }
  bool TakeIf(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  Json ReadValue(int depth) {
    if (depth > 64) Fail();
    Json value;
    switch (Peek()) {
      case '{':
        value.kind = Json::Kind::kObject;
        ReadObject(value, depth);
        break;
      case '[':
        value.kind = Json::Kind::kList;
        ReadList(value, depth);
        break;
      case '"':
        value.kind = Json::Kind::kText;
        value.text = ReadText();
        break;
      case 't':
        Take("true");
        value.kind = Json::Kind::kBool;
        value.flag = true;
        break;
      case 'f':
        Take("false");
        value.kind = Json::Kind::kBool;
        break;
      case 'n':
        Take("null");
        break;
      default:
        value.kind = Json::Kind::kNumber;
        value.text = ReadNumber();
    }
    return value;
  }

  void ReadObject(Json& value, int depth) {
    ++at_;
    if (TakeIf('}')) return;
    do {
      if (Peek() != '"') Fail();
      std::string key = ReadText();
      if (!TakeIf(':')) Fail();
      value.object[std::move(key)] = ReadValue(depth + 1);
    } while (TakeIf(','));
    if (!TakeIf('}')) Fail();
  }

  void ReadList(Json& value, int depth) {
    ++at_;
    if (TakeIf(']')) return;
    do {
      value.list.push_back(ReadValue(depth + 1));
    } while (TakeIf(','));
    if (!TakeIf(']')) Fail();
  }

  std::string ReadNumber() {
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string_view number = text_.substr(at_, end - at_);
    if (number.find_first_of("0123456789") == std::string_view::npos) Fail();
    at_ = end;
    return std::string(number);
  }

  std::string ReadText() {
    std::string text;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] != '\\') {
        text += text_[at_];
        continue;
      }
      if (++at_ >= text_.size()) Fail();
      constexpr std::string_view kNames = "nrtbf\"\\/", kCharacters = "\n\r\t\b\f\"\\/";
      const std::size_t which = kNames.find(text_[at_]);
      if (which != std::string_view::npos) {
        text += kCharacters[which];
      } else if (text_[at_] == 'u') {
        AddCodePoint(ReadCodePoint(), text);
      } else {
        Fail();
      }
    }
    if (at_ >= text_.size()) Fail();
    ++at_;
    return text;
  }

  // The four digits after \u; stops at the last of them.
  std::uint32_t ReadUnit() {
    std::uint32_t unit = 0;
    if (at_ + 4 >= text_.size()) Fail();
    const char* start = text_.data() + at_ + 1;
    const auto [end, error] = std::from_chars(start, start + 4, unit, 16);
    if (error != std::errc() || end != start + 4) Fail();
    at_ += 4;
    return unit;
  }

  std::uint32_t ReadCodePoint() {
    const std::uint32_t high = ReadUnit();
    if (high < 0xD800 || high > 0xDFFF) return high;
    if (high > 0xDBFF || text_.substr(at_ + 1, 2) != "\\u") Fail();
    at_ += 2;
    const std::uint32_t low = ReadUnit();
    if (low < 0xDC00 || low > 0xDFFF) Fail();
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }

  static void AddCodePoint(std::uint32_t code, std::string& text) {
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xC0 | code >> 6);
      add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      add(0xE0 | code >> 12);
      add(0x80 | (code >> 6 & 0x3F));
      add(0x80 | (code & 0x3F));
    } else {
      add(0xF0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3F));
      add(0x80 | (code >> 6 & 0x3F));
      add(0x80 | (code & 0x3F));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace internal

// Parses one JSON value. Throws std::runtime_error if `text` is not one.
inline Json ReadJson(std::string_view text) { return internal::JsonReader(text).ReadAll(); }

}  // namespace crossfold::conformance
