#include "numbers.h"

#include <fast_float/fast_float.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

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

bool IsDecimalNumber(std::string_view text) {
  text = SkipPlus(text);
  if (!StartsLikeDecimal(text)) return false;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  return result.ec != std::errc::invalid_argument && result.ptr == end;
}

}  // namespace crossfold::reading
