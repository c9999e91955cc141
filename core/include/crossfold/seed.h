// Seeds by path: a seed follows from the experiment's seed and the names on the way to the place
// that needs it ("learner", "knn", "repeat", 0, "fold", 3, "fit"), never from time, thread or
// order. A learner stands in it with its definition (Pipeline::FamilyName), not with the name that
// somebody gave it. So adding, moving or renaming a learner does not change any number.
//
// There are two ways, which give different seeds for the same path: SeedOfPath hashes a whole path
// at once, as the engine does for the steps of a cell; SeedOfSteps hashes one step after another,
// as scripts do, which hand seeds from one function to the next. Inside the engine repeats and
// folds count from 0; a script's own steps count from 1, as its indices do. Neither can change:
// every result that anybody has stored depends on both.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace crossfold {

// One name or number of the path.
class SeedStep {
 public:
  SeedStep(std::string_view name) : text_(name) {}
  SeedStep(const char* name) : text_(name) {}
  template <std::integral Number>
  SeedStep(Number number) : text_(std::to_string(number)) {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// First 8 bytes, little-endian, of SHA-256 over "crossfold-seed-1", the 8 bytes of `seed`
// (little-endian) and, for each step, its length in bytes (8 bytes, little-endian) and its bytes.
std::uint64_t SeedOfPath(std::uint64_t seed, std::initializer_list<SeedStep> path);

// SeedOfPath of the first step alone, then of the second alone from that seed, and so on.
std::uint64_t SeedOfSteps(std::uint64_t seed, std::initializer_list<SeedStep> steps);

}  // namespace crossfold
