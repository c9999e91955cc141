// Short decimal numbers, such as -12.345, read in a few steps; all others are left to
// format_number.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace crossfold::reading {

// A sign, digits, and perhaps a point and digits: mantissa / 10^fraction_digits.
struct PlainDecimal {
  std::uint64_t mantissa = 0;
  int fraction_digits = 0;
  bool negative = false;
  const char* end = nullptr;  // after the last character; null = not such a number, or a long one

  // The digits as a double are exact up to 2^53, powers of ten up to 10^22, and a quotient of two
  // doubles is correctly rounded: so these are the bits of any correct reader (Clinger, "How to
  // read floating point numbers accurately", PLDI 1990).
  bool has_exact_double() const { return end != nullptr && mantissa <= (std::uint64_t{1} << 53); }
  double ToDouble() const {
    constexpr std::array<double, 20> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                                1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                                1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
    const double value =
        static_cast<double>(mantissa) / kPowers[static_cast<std::size_t>(fraction_digits)];
    return negative ? -value : value;
  }
  bool has_integer() const { return end != nullptr && fraction_digits == 0; }
  std::int64_t ToInteger() const {
    const auto value = static_cast<std::int64_t>(mantissa);
    return negative ? -value : value;
  }
};

// Up to 8 digits at `at`, of which 8 bytes can be read: how many, and their value.
struct DigitRun {
  std::size_t size;
  std::uint64_t value;
};

inline DigitRun ReadDigits(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  std::uint64_t digits = bytes ^ 0x3030303030303030U;
  // Sets the high bit of each byte that is not a digit. It is correct up to the first such byte,
  // because only such a byte can cause a carry.
  const std::uint64_t others = ((digits + 0x7676767676767676U) | digits) & 0x8080808080808080U;
  const auto size = static_cast<std::size_t>(std::countr_zero(others)) / 8;
  if (size == 0) return {0, 0};
  digits <<= 64 - 8 * size;              // zeros before them
  digits = digits * 10 + (digits >> 8);  // pairs of digits, each in the second byte of four
  digits = ((digits & 0x000000FF000000FFU) * 0x000F424000000064U +
            ((digits >> 16) & 0x000000FF000000FFU) * 0x0000271000000001U) >>
           32;
  return {size, digits & 0xFFFFFFFFU};
}

// Bytes after the begin of a number that must be readable.
constexpr std::ptrdiff_t kPlainDecimalReach = 32;

// Reads the number at `at`, whatever comes after it. At most 18 digits in all, 16 of them after the
// point. REQUIRES: kPlainDecimalReach bytes can be read.
inline PlainDecimal ReadPlainDecimal(const char* at) {
  constexpr std::array<std::uint64_t, 9> kPowers = {1,      10,      100,      1000,     10000,
                                                    100000, 1000000, 10000000, 100000000};
  constexpr std::ptrdiff_t kMostDigits = 18;
  PlainDecimal number;
  number.negative = *at == '-';
  if (number.negative) ++at;
  const char* const first = at;
  // Few digits come before the point, and usually the same number in all rows, so branches are
  // predicted well.
  for (unsigned digit = 0; (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) <= 9; ++at) {
    if (at - first == kMostDigits) return number;
    number.mantissa = number.mantissa * 10 + digit;
  }
  const std::ptrdiff_t whole_digits = at - first;
  if (whole_digits == 0) return number;
  if (*at == '.') {
    ++at;
    DigitRun run = ReadDigits(at);
    std::size_t size = run.size;
    if (size == 0 || whole_digits + static_cast<std::ptrdiff_t>(size) > kMostDigits) return number;
    number.mantissa = number.mantissa * kPowers[run.size] + run.value;
    if (size == 8) {
      run = ReadDigits(at + 8);
      size += run.size;
      if (whole_digits + static_cast<std::ptrdiff_t>(size) > kMostDigits) return number;
      if (size == 16 && at[16] >= '0' && at[16] <= '9') return number;
      number.mantissa = number.mantissa * kPowers[run.size] + run.value;
    }
    at += size;
    number.fraction_digits = static_cast<int>(size);
  }
  number.end = at;
  return number;
}

}  // namespace crossfold::reading
