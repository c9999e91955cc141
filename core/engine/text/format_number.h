// Numbers as text, and back, whatever the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crossfold {

// Shortest text that reads back as the same double: "0.1", "1e-07", "3", "inf", "-inf", "nan".
std::string FormatShortest(double value);
// Fixed notation with `digits` decimals, correctly rounded (half to even of the exact value):
// "0.9600". What rounds to zero has no sign. REQUIRES: digits >= 0.
std::string FormatFixed(double value, int digits);
// Scientific notation with `digits` decimals: "9.3e-16". REQUIRES: digits from 0 to 16.
std::string FormatScientific(double value, int digits);

// The whole of `text` must be a number (no surrounding space, no locale): a decimal number with an
// optional sign and exponent, or exactly what FormatShortest writes for the others ("inf", "-inf",
// "nan"). Nothing if the number is too large for the type; a tiny one rounds to zero.
std::optional<double> ParseDouble(std::string_view text);
std::optional<float> ParseFloat(std::string_view text);
// Decimal digits with an optional sign. Nothing if out of range.
std::optional<std::int64_t> ParseInteger(std::string_view text);

// Whether `text` has the form of a decimal number, however large: no words, no hexadecimal digits.
bool IsDecimalNumber(std::string_view text);

}  // namespace crossfold
