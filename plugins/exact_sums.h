// Sums of doubles without any rounding, so that terms can be taken out again and their order does
// not matter. The idea of a small superaccumulator: R. M. Neal, "Fast exact summation using small
// and large superaccumulators", arXiv:1505.05571 (2015).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "crossfold_plugin.hpp"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::bundled {

// Several sums, each in digits of 32 bits. Only the digits that some term needed are stored, with
// the same window of digits for every sum.
class ExactSums {
 public:
  ExactSums() = default;
  explicit ExactSums(std::size_t n_sums) : n_sums_(n_sums) {}

  std::size_t size() const { return n_sums_; }

  // To take a term out, add it with the other sign. REQUIRES: `term` is finite.
  void Add(std::size_t i, double term) {
    const auto bits = std::bit_cast<std::uint64_t>(term);
    const std::uint64_t exponent = (bits >> 52) & 0x7FF;
    const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
    const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | 0x10000000000000u;
    if (mantissa == 0) return;
    // The term is mantissa * 2^(place - 1074).
    const std::uint64_t place = exponent == 0 ? 0 : exponent - 1;
    const std::uint64_t shift = place % 32;
    const std::uint64_t above = mantissa >> (32 - shift);
    const std::array<std::uint64_t, 3> digits = {(mantissa << shift) & kDigit, above & kDigit,
                                                 above >> 32};
    const auto lowest = static_cast<std::size_t>(place / 32);
    if (lowest < first_ || lowest + 3 > first_ + width_) Widen(lowest, lowest + 3);
    if (--room_ == 0) Normalise();
    std::int64_t* to = digits_.data() + i * width_ + (lowest - first_);
    const bool negative = (bits >> 63) != 0;
    for (std::size_t k = 0; k < 3; ++k) {
      to[k] +=
          negative ? -static_cast<std::int64_t>(digits[k]) : static_cast<std::int64_t>(digits[k]);
    }
  }
  // Adds a * b, rounded to about 106 bits: always the same double for the same a and b.
  // REQUIRES: the product is finite.
  void AddProduct(std::size_t i, double a, double b) {
    const double product = a * b;
    Add(i, product);
    Add(i, std::fma(a, b, -product));
  }

  // Brings equal sums to the same form, with the fewest digits. The functions below need it.
  void Normalise() {
    if (width_ > 0) Widen(first_, std::min(first_ + width_ + 2, kDigits));  // for the carries
    for (std::size_t i = 0; i < n_sums_; ++i) Carry(digits_.data() + i * width_);
    Narrow();
    room_ = kRoom;
  }

  // Doubles of one sign that sum to sum i exactly, the largest first. REQUIRES: Normalise().
  std::vector<double> Parts(std::size_t i) const {
    std::vector<double> parts;
    for (std::size_t k = width_; k-- > 0;) {
      const std::int64_t digit = digits_[i * width_ + k];
      if (digit != 0) parts.push_back(Scaled(digit, first_ + k));
    }
    return parts;
  }
  // Sum i as a double. REQUIRES: Normalise().
  double Value(std::size_t i) const {
    plugin::CompensatedSum sum;
    for (std::size_t k = width_; k-- > 0;) {
      const double part = Scaled(digits_[i * width_ + k], first_ + k);
      if (std::isinf(part)) return part;
      sum.Add(part);
    }
    return sum.value();
  }

  void Save(plugin::Writer& w) const {
    w.Write(static_cast<std::uint64_t>(first_));
    w.WriteSpan<std::int64_t>(digits_);
  }
  // Loads that number of sums. They are in normal form.
  static ExactSums Load(plugin::Reader& r, std::size_t n_sums) {
    ExactSums sums(n_sums);
    sums.first_ = static_cast<std::size_t>(r.ReadWithin<std::uint64_t>(0, kDigits));
    sums.digits_ = r.ReadVector<std::int64_t>();
    const std::size_t n = sums.digits_.size();
    sums.width_ = n_sums == 0 ? 0 : n / n_sums;
    if (sums.width_ * n_sums != n || sums.first_ + sums.width_ > kDigits) {
      throw plugin::Error(CF_E_BAD_BLOB, "a sum of the saved model has the wrong length");
    }
    for (const std::int64_t digit : sums.digits_) {
      constexpr auto kMost = static_cast<std::int64_t>(kDigit);
      if (digit > kMost || digit < -kMost) {
        throw plugin::Error(CF_E_BAD_BLOB, "a sum of the saved model is out of range");
      }
    }
    return sums;
  }

 private:
  static constexpr std::uint64_t kDigit = 0xFFFFFFFFu;
  // 2046 places and 53 bits give 66 digits; two more for the carries of 2^64 terms.
  static constexpr std::size_t kDigits = 68;
  // The number of terms that fit between two carries.
  static constexpr std::int64_t kRoom = std::int64_t{1} << 30;

  static double Scaled(std::int64_t digit, std::size_t place) {
    return std::ldexp(static_cast<double>(digit), static_cast<int>(32 * place) - 1074);
  }

  // Makes digits first .. end-1 part of the window.
  void Widen(std::size_t first, std::size_t end) {
    if (width_ > 0) {
      first = std::min(first, first_);
      end = std::max(end, first_ + width_);
    }
    Resize(first, end - first);
  }
  void Narrow() {
    std::size_t low = width_;
    std::size_t high = 0;
    for (std::size_t i = 0; i < n_sums_; ++i) {
      for (std::size_t k = 0; k < width_; ++k) {
        if (digits_[i * width_ + k] == 0) continue;
        low = std::min(low, k);
        high = std::max(high, k + 1);
      }
    }
    if (low < high) {
      Resize(first_ + low, high - low);
    } else {
      digits_.clear();
      first_ = width_ = 0;
    }
  }
  // Drops digits outside the new window.
  void Resize(std::size_t first, std::size_t width) {
    if (first == first_ && width == width_) return;
    std::vector<std::int64_t> moved(n_sums_ * width);
    const std::size_t from = std::max(first, first_);
    const std::size_t to = std::min(first + width, first_ + width_);
    for (std::size_t i = 0; i < n_sums_; ++i) {
      for (std::size_t k = from; k < to; ++k) {
        moved[i * width + (k - first)] = digits_[i * width_ + (k - first_)];
      }
    }
    digits_ = std::move(moved);
    first_ = first;
    width_ = width;
  }

  // Every digit of one sum gets the sign of the sum and a size below 2^32.
  void Carry(std::int64_t* digits) const {
    std::int64_t sign = 1;
    for (int pass = 0; pass < 2; ++pass) {
      std::int64_t carry = 0;
      for (std::size_t k = 0; k < width_; ++k) {
        const std::int64_t value = digits[k] + carry;
        carry = value >> 32;
        digits[k] = value & static_cast<std::int64_t>(kDigit);
      }
      if (carry >= 0) break;
      // Below zero: carry the sum with the other sign.
      sign = -1;
      for (std::size_t k = 0; k < width_; ++k) digits[k] = -digits[k];
      digits[width_ - 1] += -carry * (std::int64_t{1} << 32);
    }
    for (std::size_t k = 0; k < width_; ++k) digits[k] *= sign;
  }

  std::size_t n_sums_ = 0;
  std::size_t first_ = 0;  // place of the lowest digit of the window, in units of 32 bits
  std::size_t width_ = 0;  // digits per sum
  std::int64_t room_ = kRoom;
  std::vector<std::int64_t> digits_;  // sums x width; after Normalise() one sign a sum
};

}  // namespace crossfold::bundled
