#include "engine/text/format_number.h"

#include <fast_float/fast_float.h>

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "engine/text/ascii.h"

namespace crossfold {
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

// A cheap check that refuses words such as "infinity", which from_chars accepts.
bool StartsLikeDecimal(std::string_view text) {
  text = SkipSign(text);
  return !text.empty() && (IsDigit(text[0]) || text[0] == '.');
}

}  // namespace

std::string FormatShortest(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  assert(result.ec == std::errc());
  return std::string(buffer.data(), result.ptr);
}

std::string FormatFixed(double value, int digits) {
  assert(digits >= 0);
  if (std::isnan(value)) return "nan";
  constexpr std::size_t kSignPointAndLongestInteger = 2 + 309;  // 309 digits before the point
  std::string text(kSignPointAndLongestInteger + static_cast<std::size_t>(digits), '\0');
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value,
                                    std::chars_format::fixed, digits);
  assert(result.ec == std::errc());
  text.resize(static_cast<std::size_t>(result.ptr - text.data()));
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  if (is_zero && text[0] == '-') text.erase(0, 1);
  return text;
}

std::string FormatScientific(double value, int digits) {
  assert(digits >= 0 && digits <= 16);
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::scientific, digits);
  assert(result.ec == std::errc());
  return std::string(buffer.data(), result.ptr);
}

std::optional<double> ParseDouble(std::string_view text) {
  if (!StartsLikeDecimal(text)) {
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
  }
  text = SkipPlus(text);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  if (result.ec == std::errc::invalid_argument || result.ptr != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  text = SkipPlus(text);
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

}  // namespace crossfold
