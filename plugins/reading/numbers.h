// Numbers from text, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crossfold::reading {

// The whole of `text` must be a number (no surrounding space, no locale): a decimal number with an
// optional sign and exponent, or one of the words "inf", "-inf" and "nan". Nothing if the number is
// too large for the type; a tiny one rounds to zero.
std::optional<double> ParseDouble(std::string_view text);
std::optional<float> ParseFloat(std::string_view text);
// Decimal digits with an optional sign. Nothing if out of range.
std::optional<std::int64_t> ParseInteger(std::string_view text);

// Whether it is how programs write NaN, in any case, perhaps with a sign: nan, nan(ind), nan(snan),
// and 1.#QNAN, 1.#SNAN, 1.#IND, 1.#NAN of older C libraries, perhaps with zeros after it; or #N/A
// of spreadsheets.
bool IsNanWord(std::string_view text);
// The value of inf, infinity, 1.#INF (in any case, with zeros after the last) and of the sign for
// infinity, perhaps with a sign.
std::optional<double> ParseInfinity(std::string_view text);
// Whether the decimal integer `text`, perhaps with a sign, is not exactly `value`, which was read
// of it. Text of another form loses no digits that anyone counts on.
bool LosesDigits(std::string_view text, double value);

// Whether `text` has the form of a decimal number, however large: no words, no hexadecimal digits.
bool IsDecimalNumber(std::string_view text);

// Numbers as they are written in different countries: 1234.5, 1.234,5, 1 234,5, 1'234.5.
struct NumberSigns {
  char decimal = '.';  // or ','
  // Between groups of digits before the decimals; '\0' = none. ' ' stands for the blanks U+00A0,
  // U+2009 and U+202F, too, and '\'' for U+2019.
  char thousands = '\0';

  bool plain() const { return decimal == '.' && thousands == '\0'; }
};

// The number with a decimal point and without thousands signs. A string that is not a number with
// these signs is not one afterwards either: groups have three digits (or two, but for the last, as
// in 12,34,567), the first one up to three, and it does not begin with 0. Where blanks are
// thousands signs, those around the number do not count.
std::string WithPlainSigns(std::string_view text, NumberSigns signs);

}  // namespace crossfold::reading
