// How the functions of stats report the caller's mistakes, and what has no value.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "crossfold/error.h"
#include "engine/text/format_number.h"

namespace crossfold {

// The number in place of an undefined statistic.
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace crossfold

namespace crossfold::stats {

// Throws "cannot <attempt>: <finding>; <way_out>".
[[noreturn]] inline void RefuseArgument(const std::string& attempt, const std::string& finding,
                                        const std::string& way_out) {
  throw Error(ErrorKind::kInvalidArgument, "cannot " + attempt + ": " + finding + "; " + way_out);
}

// Throws unless `number` is between 0 and 1, both excluded.
inline void CheckOpenShare(const std::string& attempt, const std::string& name, double number) {
  if (number > 0 && number < 1) return;
  RefuseArgument(attempt, name + " is " + FormatShortest(number), "it must be between 0 and 1");
}

// `what` names one of the numbers, as in "score". Messages count positions from 1.
inline void CheckFinite(const std::string& attempt, const std::string& what,
                        std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i])) continue;
    RefuseArgument(attempt,
                   what + " " + std::to_string(i + 1) + " is " + FormatShortest(numbers[i]),
                   "give finite numbers only");
  }
}

}  // namespace crossfold::stats
