#include "numbers.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>
#include <vector>

#include "ascii.h"

namespace crossfold::reading {
namespace {

std::string_view SkipSign(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

// from_chars does not accept a plus sign.
std::string_view SkipPlus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

// A cheap test that refuses words such as "infinity", which from_chars would accept.
bool StartsLikeDecimal(std::string_view text) {
  text = SkipSign(text);
  return !text.empty() && (IsDigit(text[0]) || text[0] == '.');
}

template <class T>
std::optional<T> ParseReal(std::string_view text) {
  if (!StartsLikeDecimal(text)) {
    if (text == "inf") return std::numeric_limits<T>::infinity();
    if (text == "-inf") return -std::numeric_limits<T>::infinity();
    if (text == "nan") return std::numeric_limits<T>::quiet_NaN();
    return std::nullopt;
  }
  text = SkipPlus(text);
  T value = 0;
  const char* end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  if (result.ec == std::errc::invalid_argument || result.ptr != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<double> ParseDouble(std::string_view text) { return ParseReal<double>(text); }

std::optional<float> ParseFloat(std::string_view text) { return ParseReal<float>(text); }

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  text = SkipPlus(text);
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

namespace {

// `text` in lower case, if it is short enough for a word; else "".
std::string LowerWord(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  std::string word;
  if (text.size() > kLongest) return word;
  for (const char c : text) word += LowerCase(c);
  return word;
}

// The word without what older C libraries put around it: "1.#QNAN00" gives "qnan".
std::string_view SpecialWord(std::string_view word) {
  constexpr std::string_view kBegin = "1.#";
  if (!word.starts_with(kBegin)) return "";
  word.remove_prefix(kBegin.size());
  while (word.ends_with('0')) word.remove_suffix(1);
  return word;
}

template <std::size_t N>
bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool IsNanWord(std::string_view text) {
  const std::string word = LowerWord(SkipSign(text));
  constexpr std::array<std::string_view, 3> kWords = {"nan", "nan(ind)", "nan(snan)"};
  constexpr std::array<std::string_view, 4> kSpecial = {"qnan", "snan", "ind", "nan"};
  return IsOneOf(word, kWords) || IsOneOf(SpecialWord(word), kSpecial) || text == "#N/A";
}

std::optional<double> ParseInfinity(std::string_view text) {
  const std::string word = LowerWord(SkipSign(text));
  constexpr std::array<std::string_view, 3> kWords = {"inf", "infinity", "\u221E"};
  if (!IsOneOf(word, kWords) && SpecialWord(word) != "inf") return std::nullopt;
  const double infinity = std::numeric_limits<double>::infinity();
  return text[0] == '-' ? -infinity : infinity;
}

bool LosesDigits(std::string_view text, double value) {
  constexpr std::size_t kAlwaysExact = 15;  // digits
  if (text.size() <= kAlwaysExact) return false;
  std::string_view digits = SkipSign(text);
  if (!std::all_of(digits.begin(), digits.end(), IsDigit)) return false;
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  std::array<char, 320> exact;  // no double has more digits before the point
  const auto end = std::to_chars(exact.data(), exact.data() + exact.size(), std::abs(value),
                                 std::chars_format::fixed, 0);
  return digits != std::string_view(exact.data(), end.ptr) && !digits.empty();
}

bool IsDecimalNumber(std::string_view text) {
  text = SkipPlus(text);
  if (!StartsLikeDecimal(text)) return false;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  return result.ec != std::errc::invalid_argument && result.ptr == end;
}

namespace {

// Returns the bytes of the thousands sign that `text` begins with; 0 = none.
std::size_t SignSize(std::string_view text, char thousands) {
  if (text[0] == thousands) return 1;
  if (thousands == '\'') return text.starts_with("\u2019") ? 3 : 0;
  if (thousands != ' ') return 0;
  constexpr std::array<std::string_view, 3> kBlanks = {"\u00A0", "\u2009", "\u202F"};
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

// Returns the text without the blanks of SignSize at both ends.
std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && SignSize(text, ' ') > 0) text.remove_prefix(SignSize(text, ' '));
  for (std::size_t n = 1; n <= 3 && n <= text.size(); ++n) {
    if (SignSize(text.substr(text.size() - n), ' ') != n) continue;
    text.remove_suffix(n);
    n = 0;
  }
  return text;
}

// Whether digits in groups of these sizes are thousands, or lakhs and crores.
bool AreThousands(const std::vector<std::size_t>& sizes) {
  if (sizes.size() < 2 || sizes.back() != 3) return false;
  const auto all = [&](std::size_t size) {
    return sizes[0] >= 1 && sizes[0] <= size &&
           std::all_of(sizes.begin() + 1, sizes.end() - 1,
                       [size](std::size_t other) { return other == size; });
  };
  return all(3) || all(2);
}

std::string WithoutThousands(std::string text, char thousands) {
  const std::string_view all = text;
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (at < text.size() && text[at] == '0') return text;
  std::string joined(all.substr(0, at));
  std::vector<std::size_t> sizes(1);
  while (at < text.size()) {
    if (IsDigit(text[at])) {
      joined += text[at++];
      ++sizes.back();
      continue;
    }
    const std::size_t size = SignSize(all.substr(at), thousands);
    if (size == 0) break;
    sizes.push_back(0);
    at += size;
  }
  return AreThousands(sizes) ? joined.append(all.substr(at)) : text;
}

}  // namespace

std::string WithPlainSigns(std::string_view text, NumberSigns signs) {
  std::string plain(signs.thousands == ' ' ? WithoutBlanks(text) : text);
  char thousands = signs.thousands;
  if (signs.decimal == ',') {
    // A point becomes a comma, so that 1.5 is not a number.
    for (char& c : plain) {
      if (c == ',' || c == '.') c = c == ',' ? '.' : ',';
    }
    if (thousands == '.') thousands = ',';
  }
  return thousands == '\0' ? plain : WithoutThousands(std::move(plain), thousands);
}

}  // namespace crossfold::reading
