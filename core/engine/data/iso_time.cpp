#include "engine/data/iso_time.h"

#include <charconv>
#include <chrono>

#include "engine/text/ascii.h"

namespace crossfold {
namespace {

// Takes `n` digits from the beginning of `text`.
std::optional<int> TakeDigits(std::string_view& text, std::size_t n) {
  if (text.size() < n) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!IsDigit(text[i])) return std::nullopt;
    value = 10 * value + (text[i] - '0');
  }
  text.remove_prefix(n);
  return value;
}

bool Take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Takes ":ss" or ":ss.fraction" from the beginning of `text`.
std::optional<double> TakeSeconds(std::string_view& text) {
  std::string_view number = text.substr(1);
  std::size_t end = number.find_first_not_of("0123456789.");
  if (end == std::string_view::npos) end = number.size();
  number = number.substr(0, end);
  const bool two_digits = number.size() >= 2 && IsDigit(number[0]) && IsDigit(number[1]);
  const bool fraction = number.size() > 3 && number[2] == '.';
  if (!two_digits || (number.size() != 2 && !fraction)) return std::nullopt;
  double seconds = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), seconds);
  if (error != std::errc() || stop != number.data() + number.size() || seconds >= 60) {
    return std::nullopt;
  }
  text.remove_prefix(1 + end);
  return seconds;
}

// Takes a time of day; returns its seconds.
std::optional<double> TakeClock(std::string_view& text) {
  const auto hour = TakeDigits(text, 2);
  if (!hour || *hour > 23 || !Take(text, ':')) return std::nullopt;
  const auto minute = TakeDigits(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  const int whole = 3600 * *hour + 60 * *minute;
  if (!text.starts_with(':')) return whole;
  const auto seconds = TakeSeconds(text);
  if (!seconds) return std::nullopt;
  return whole + *seconds;
}

}  // namespace

std::optional<IsoTime> ParseIsoTime(std::string_view text) {
  const auto year = TakeDigits(text, 4);
  if (!year || !Take(text, '-')) return std::nullopt;
  const auto month = TakeDigits(text, 2);
  if (!month || !Take(text, '-')) return std::nullopt;
  const auto day = TakeDigits(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  IsoTime time;
  time.days = std::chrono::sys_days{date}.time_since_epoch().count();
  if (text.empty()) return time;
  if (!Take(text, 'T') && !Take(text, ' ')) return std::nullopt;
  const auto seconds = TakeClock(text);
  if (!seconds) return std::nullopt;
  Take(text, 'Z');
  if (!text.empty()) return std::nullopt;
  time.seconds = *seconds;
  time.has_clock = true;
  return time;
}

}  // namespace crossfold
