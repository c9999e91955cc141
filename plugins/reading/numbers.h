// Numbers from text, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace crossfold::reading {

// The whole of `text` must be a number (no surrounding space, no locale): a decimal number with an
// optional sign and exponent, or one of the words "inf", "-inf" and "nan". Nothing if the number is
// too large for the type; a tiny one rounds to zero.
std::optional<double> ParseDouble(std::string_view text);
std::optional<float> ParseFloat(std::string_view text);
// Decimal digits with an optional sign. Nothing if out of range.
std::optional<std::int64_t> ParseInteger(std::string_view text);

// Whether `text` has the form of a decimal number, however large: no words, no hexadecimal digits.
bool IsDecimalNumber(std::string_view text);

}  // namespace crossfold::reading
