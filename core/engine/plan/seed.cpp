#include "crossfold/seed.h"

#include <array>
#include <cstddef>

#include "engine/data/sha256.h"

namespace crossfold {
namespace {

// The lowest byte first.
void AppendInteger(std::string& bytes, std::uint64_t value) {
  std::array<char, 8> digits;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    digits[i] = static_cast<char>((value >> (8 * i)) & 0xFF);
  }
  bytes.append(digits.data(), digits.size());
}

}  // namespace

std::uint64_t SeedOfPath(std::uint64_t seed, std::initializer_list<SeedStep> path) {
  std::string bytes;
  bytes.reserve(128);
  bytes += "crossfold-seed-1";
  AppendInteger(bytes, seed);
  for (const SeedStep& step : path) {
    AppendInteger(bytes, step.text().size());
    bytes += step.text();
  }
  const Digest digest = Sha256Of(bytes);
  std::uint64_t derived = 0;
  for (std::size_t i = 8; i > 0; --i) derived = (derived << 8) | digest[i - 1];
  return derived;
}

std::uint64_t SeedOfSteps(std::uint64_t seed, std::initializer_list<SeedStep> steps) {
  for (const SeedStep& step : steps) seed = SeedOfPath(seed, {step});
  return seed;
}

}  // namespace crossfold
