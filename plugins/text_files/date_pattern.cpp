#include "date_pattern.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "../reading/ascii.h"
#include "../reading/numbers.h"
#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

struct Moment {
  std::int64_t year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0;

  // Null for another letter.
  std::int64_t* Of(char letter) {
    switch (letter) {
      case 'y':
        return &year;
      case 'M':
        return &month;
      case 'd':
        return &day;
      case 'H':
        return &hour;
      case 'm':
        return &minute;
      case 's':
        return &second;
      case 'S':
        return &millisecond;
      default:
        return nullptr;
    }
  }
  bool is_time() const { return hour < 24 && minute < 60 && second < 60 && millisecond < 1000; }
  // Days since 1970-01-01; nothing if there is no such day.
  std::optional<std::int64_t> Days() const {
    constexpr std::int64_t kLastYear = 9999;
    if (year > kLastYear || month > 12 || day > 31) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return std::nullopt;
    return std::chrono::sys_days(date).time_since_epoch().count();
  }
};

std::string Seconds(std::int64_t milliseconds, bool with_fractions) {
  if (!with_fractions) return std::to_string(milliseconds / 1000);
  const std::int64_t size = std::abs(milliseconds);
  return (milliseconds < 0 ? "-" : "") + std::to_string(size / 1000) + "." +
         std::to_string(1000 + size % 1000).substr(1);
}

}  // namespace

DatePattern::DatePattern(std::string_view pattern) {
  const auto add_text = [this](std::string_view text) {
    if (parts_.empty() || parts_.back().letter != '\0') parts_.emplace_back();
    parts_.back().text += text;
  };
  for (std::size_t i = 0; i < pattern.size();) {
    std::size_t end = i + 1;
    if (pattern[i] == '\'') {
      end = pattern.find('\'', i + 1);
      if (end == std::string_view::npos) RefuseContent("a quote that is not closed");
      // Two quotes are one.
      add_text(end == i + 1 ? "'" : pattern.substr(i + 1, end - i - 1));
      ++end;
    } else if (IsUpper(pattern[i]) || IsLower(pattern[i])) {
      end = std::min(pattern.find_first_not_of(pattern[i], i), pattern.size());
      AddLetters(pattern.substr(i, end - i));
    } else {
      add_text(pattern.substr(i, 1));
    }
    i = end;
  }
}

void DatePattern::AddLetters(std::string_view letters) {
  const char letter = letters.front();
  // Two digits of a year are of this century or the last one, which depends on today.
  const bool is_known = Moment().Of(letter) != nullptr && !(letter == 'y' && letters.size() == 2) &&
                        !(letter == 'M' && letters.size() > 2);
  if (!is_known) RefuseContent("'" + Shown(letters) + "'");
  has_time_ = has_time_ || std::string_view("HmsS").find(letter) != std::string_view::npos;
  has_fractions_ = has_fractions_ || letter == 'S';
  parts_.push_back({.letter = letter, .width = letters.size()});
}

std::optional<std::string> DatePattern::NumberOf(std::string_view text) const {
  Moment moment;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.letter == '\0') {
      if (!text.starts_with(part.text)) return std::nullopt;
      text.remove_prefix(part.text.size());
      continue;
    }
    const bool is_fixed = i + 1 < parts_.size() && parts_[i + 1].letter != '\0';
    std::size_t n = 0;
    while (n < text.size() && IsDigit(text[n]) && !(is_fixed && n == part.width)) ++n;
    const auto number = ParseInteger(text.substr(0, n));
    if (!number || (is_fixed && n < part.width)) return std::nullopt;
    *moment.Of(part.letter) = *number;
    text.remove_prefix(n);
  }
  const auto days = moment.Days();
  if (!text.empty() || !days || !moment.is_time()) return std::nullopt;
  if (!has_time_) return std::to_string(*days);
  const std::int64_t seconds =
      *days * 86400 + moment.hour * 3600 + moment.minute * 60 + moment.second;
  return Seconds(seconds * 1000 + moment.millisecond, has_fractions_);
}

}  // namespace crossfold::reading
