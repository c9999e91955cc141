#include "bindings/lua/draw_number.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "crossfold/error.h"
#include "crossfold_plugin/random.hpp"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

double RoundToSixDigits(double value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::scientific, 5);
  double rounded = value;
  std::from_chars(text.data(), written.ptr, rounded);
  return rounded;
}

bool Holds(const RealRange& range, double value) {
  return (range.low_open ? value > range.low : value >= range.low) &&
         (range.high_open ? value < range.high : value <= range.high);
}

// A weighted mean, because high - low may overflow.
double Between(double low, double high, double share) { return low * (1 - share) + high * share; }

double At(const RealRange& range, double share) {
  return range.log ? std::exp(Between(std::log(range.low), std::log(range.high), share))
                   : Between(range.low, range.high, share);
}

// The integer that `drawn` is rounded to, or the next bound.
std::int64_t RoundInto(std::int64_t low, std::int64_t high, double drawn) {
  const double rounded = std::round(drawn);
  if (rounded <= static_cast<double>(low)) return low;
  if (rounded >= static_cast<double>(high)) return high;
  return static_cast<std::int64_t>(rounded);
}

double LogarithmAt(std::int64_t low, std::int64_t high, double share) {
  const double first = std::log(static_cast<double>(low) - 0.5);
  const double last = std::log(static_cast<double>(high) + 0.5);
  return std::exp(Between(first, last, share));
}

}  // namespace

double DrawReal(const RealRange& range, std::uint64_t seed) {
  assert(range.low < range.high);
  constexpr int kTries = 64;
  plugin::Random random(seed);
  for (int i = 0; i < kTries; ++i) {
    const double drawn = At(range, random.Uniform());
    const double rounded = RoundToSixDigits(drawn);
    if (Holds(range, rounded)) return rounded;
    if (Holds(range, drawn)) return drawn;
  }
  throw Error(ErrorKind::kInvalidArgument,
              "cannot draw between " + FormatShortest(range.low) + " and " +
                  FormatShortest(range.high) +
                  ": there is no number between them; widen the range");
}

double RealAt(const RealRange& range, double share) {
  assert(range.low < range.high);
  const double value = At(range, share);
  const double rounded = RoundToSixDigits(value);
  if (Holds(range, rounded)) return rounded;
  if (Holds(range, value)) return value;
  return value <= range.low ? range.low_open ? std::nextafter(range.low, range.high) : range.low
         : range.high_open  ? std::nextafter(range.high, range.low)
                            : range.high;
}

std::int64_t DrawInteger(std::int64_t low, std::int64_t high, bool log, std::uint64_t seed) {
  assert(low <= high);
  plugin::Random random(seed);
  if (!log) {
    const std::uint64_t count =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + random.Below(count));
  }
  assert(low >= 1);
  return RoundInto(low, high, LogarithmAt(low, high, random.Uniform()));
}

std::int64_t IntegerAt(std::int64_t low, std::int64_t high, bool log, double share) {
  assert(low <= high && (!log || low >= 1));
  if (log) return RoundInto(low, high, LogarithmAt(low, high, share));
  return RoundInto(low, high,
                   Between(static_cast<double>(low) - 0.5, static_cast<double>(high) + 0.5, share));
}

}  // namespace crossfold
