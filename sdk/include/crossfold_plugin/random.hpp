// Portable random numbers: the same draws with every compiler and standard library.
// Generator: SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
// generators"). Bounded draws: Lemire 2019, "Fast random integer generation in an interval".
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace crossfold::plugin {

// It is not thread-safe. It is a value: a copy continues independently from the same state.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // Draws uniformly from all 64-bit numbers.
  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // Draws uniformly from 0 .. bound-1, without bias. REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound) {
    std::uint64_t low = 0;
    std::uint64_t high = MultiplyHigh(Next(), bound, low);
    if (low < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (low < threshold) high = MultiplyHigh(Next(), bound, low);
    }
    return high;
  }

  // Draws uniformly from [0, 1) in steps of 2^-53.
  double Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  // Draws a standard normal number by Marsaglia's polar method. It uses only +, *, /, correctly
  // rounded sqrt, and log, whose last bit may depend on the C library.
  double Normal() {
    double u = 0;
    double s = 0;
    do {
      u = 2 * Uniform() - 1;
      const double v = 2 * Uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return u * std::sqrt(-2 * std::log(s) / s);
  }

  // Shuffles by Fisher and Yates, from the last place down.
  template <class T>
  void Shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[static_cast<std::size_t>(Below(i))]);
    }
  }

 private:
  static std::uint64_t MultiplyHigh(std::uint64_t a, std::uint64_t b, std::uint64_t& low) {
    const std::uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32, b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
    const std::uint64_t mid = a1 * b0 + ((a0 * b0) >> 32);
    const std::uint64_t mid2 = a0 * b1 + (mid & 0xFFFFFFFFu);
    low = a * b;
    return a1 * b1 + (mid >> 32) + (mid2 >> 32);
  }

  std::uint64_t state_;
};

}  // namespace crossfold::plugin
