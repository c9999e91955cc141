// The number of bits that describe a list of rules and its errors: J. R. Quinlan, "MDL and
// categorical theories (continued)", ICML 1995, as RIPPER uses it.
#pragma once

#include <cmath>

namespace crossfold::bundled::ripper {

// Returns the bits for a choice of k of n things, where each is chosen with a known probability p.
// An impossible p is replaced by k / n.
inline double SubsetBits(double n, double k, double p) {
  if (!(p > 0 && p < 1)) p = k / n;
  double bits = 0;
  if (k > 0) bits -= k * std::log2(p);
  if (n > k) bits -= (n - k) * std::log2(1 - p);
  return bits;
}

// Returns the bits for a rule of k >= 1 out of n conditions: one half, as the order of conditions
// does not matter.
inline double RuleBits(double k, double n) {
  const double bits_of_k = k > 1 ? std::log2(k) + 2 * std::log2(std::log2(k)) : 0;
  return 0.5 * (bits_of_k + SubsetBits(n, k, k / n));
}

// Weights of rows that the rules of one class cover or leave, and of those that they get wrong:
// covered ones of another class, and others of this class.
struct Errors {
  double covered = 0, left = 0, covered_wrong = 0, left_wrong = 0;
};

// `expected` is the known share of errors among covered rows.
inline double ErrorBits(const Errors& e, double expected) {
  const double wrong = e.covered_wrong + e.left_wrong;
  double bits = std::log2(e.covered + e.left + 1);
  if (e.covered > e.left) {
    bits += SubsetBits(e.covered, e.covered_wrong, expected * wrong / e.covered);
    if (e.left > 0) bits += SubsetBits(e.left, e.left_wrong, e.left_wrong / e.left);
  } else {
    bits += SubsetBits(e.left, e.left_wrong, (1 - expected) * wrong / e.left);
    if (e.covered > 0) bits += SubsetBits(e.covered, e.covered_wrong, e.covered_wrong / e.covered);
  }
  return bits;
}

}  // namespace crossfold::bundled::ripper
