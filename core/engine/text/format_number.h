// Conversion of numbers to strings and back, in every locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crossfold {

// Returns the shortest string that reads back as the same double: "0.1", "1e-07", "3", "inf",
// "-inf", "nan".
std::string FormatShortest(double value);
// Returns fixed notation with `digits` decimals, correctly rounded (half to even of the exact
// value): "0.9600". A number that rounds to zero has no sign. REQUIRES: digits >= 0.
std::string FormatFixed(double value, int digits);
// Returns scientific notation with `digits` decimals: "9.3e-16". REQUIRES: digits from 0 to 16.
std::string FormatScientific(double value, int digits);

// Parses a number, which must be the whole of `text` (no blanks around it): a decimal number with
// an optional sign and exponent, or exactly what FormatShortest writes for other values ("inf",
// "-inf", "nan"). Returns nothing if the number is too large; a tiny one rounds to zero.
std::optional<double> ParseDouble(std::string_view text);
// Parses decimal digits with an optional sign. Returns nothing if the number is out of range.
std::optional<std::int64_t> ParseInteger(std::string_view text);

}  // namespace crossfold
