// Numbers that try what sums and variances of doubles can do.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"

namespace crossfold::bundled {

struct NamedNumbers {
  std::string name;
  std::vector<double> x;
};

// Numbers that are hard to sum or to round.
inline std::vector<NamedNumbers> HardNumbers(std::size_t n) {
  plugin::Random random(7);
  const auto make = [&](const char* name, const auto& draw) {
    NamedNumbers numbers{name, {}};
    for (std::size_t i = 0; i < n; ++i) numbers.x.push_back(draw(i));
    return numbers;
  };
  const auto normal = [&] { return random.Normal(); };
  return {
      make("normal", [&](std::size_t) { return normal(); }),
      make("whole", [&](std::size_t) { return static_cast<double>(random.Below(16)); }),
      make("large whole", [&](std::size_t) { return static_cast<double>(random.Below(1u << 25)); }),
      make("decimals", [&](std::size_t) { return static_cast<double>(random.Below(1000)) / 100; }),
      make("mostly 0", [&](std::size_t i) { return i % 9 == 0 ? normal() : 0; }),
      make("far away", [&](std::size_t) { return 1e8 + 1e-3 * normal(); }),
      make("very far away", [&](std::size_t) { return -1e15 + normal(); }),
      make("equal", [](std::size_t) { return 0.1; }),
      make("all but one equal", [](std::size_t i) { return i == 3 ? 0.1 + 1e-16 : 0.1; }),
      make("zeros", [](std::size_t) { return 0.0; }),
      make("cancelling",
           [&](std::size_t i) { return (i % 2 == 0 ? 1 : -1) * (1e6 + 1e-9 * normal()); }),
      make("of all sizes",
           [&](std::size_t) {
             return std::ldexp(normal(), static_cast<int>(random.Below(240)) - 120);
           }),
      make("tiny", [&](std::size_t) { return 1e-140 * normal(); }),
      make("denormal", [&](std::size_t) { return 1e-312 * normal(); }),
      make("huge", [&](std::size_t) { return 1e99 * random.Uniform(); }),
  };
}

}  // namespace crossfold::bundled
