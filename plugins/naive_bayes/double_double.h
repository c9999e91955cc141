// Numbers of about 104 bits: the unevaluated sum of two doubles. T. J. Dekker, "A floating-point
// technique for extending the available precision", Numerische Mathematik 18 (1971) 224-242;
// D. E. Knuth, The Art of Computer Programming 2, section 4.2.2 (the exact sum).
#pragma once

#include <cmath>
#include <span>

namespace crossfold::bundled {

struct DoubleDouble {
  double hi = 0;  // the sum, rounded
  double lo = 0;  // the rest
};

// a + b exactly.
inline DoubleDouble ExactSum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
// The same where |a| >= |b| or a = 0.
inline DoubleDouble ExactSumOrdered(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble high = ExactSum(a.hi, b.hi);
  const DoubleDouble low = ExactSum(a.lo, b.lo);
  const DoubleDouble sum = ExactSumOrdered(high.hi, high.lo + low.hi);
  return ExactSumOrdered(sum.hi, sum.lo + low.lo);
}
inline DoubleDouble operator-(const DoubleDouble& a) { return {-a.hi, -a.lo}; }
inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + -b; }

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const double product = a.hi * b.hi;
  const double rest = std::fma(a.hi, b.hi, -product);
  return ExactSumOrdered(product, rest + (a.hi * b.lo + a.lo * b.hi));
}
// REQUIRES: b is not 0.
inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double quotient = a.hi / b.hi;
  const DoubleDouble rest = a - b * DoubleDouble{quotient, 0};
  const double second = rest.hi / b.hi;
  const DoubleDouble rest_of_it = rest - b * DoubleDouble{second, 0};
  const DoubleDouble sum = ExactSumOrdered(quotient, second);
  return ExactSumOrdered(sum.hi, sum.lo + rest_of_it.hi / b.hi);
}

inline DoubleDouble SumOf(std::span<const double> terms) {
  DoubleDouble sum;
  for (const double term : terms) sum = sum + DoubleDouble{term, 0};
  return sum;
}

}  // namespace crossfold::bundled
