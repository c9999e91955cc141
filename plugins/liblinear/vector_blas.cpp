// The four vector operations of BLAS that LIBLINEAR calls (Lawson, Hanson, Kincaid and Krogh 1979),
// for vectors without gaps, which are all that it has. With its own versions the plugin does not
// need a BLAS of the machine, whose threads and order of summation would differ from one machine to
// the next.
#include <algorithm>
#include <cmath>

// Fortran's interface passes everything by reference.
extern "C" {

double ddot_(const int* n, const double* x, const int*, const double* y, const int*) {
  double sum = 0;
  for (int i = 0; i < *n; ++i) sum += x[i] * y[i];
  return sum;
}

int daxpy_(const int* n, const double* a, const double* x, const int*, double* y, const int*) {
  for (int i = 0; i < *n; ++i) y[i] += *a * x[i];
  return 0;
}

int dscal_(const int* n, const double* a, double* x, const int*) {
  for (int i = 0; i < *n; ++i) x[i] *= *a;
  return 0;
}

// Scaled by the largest entry, so that no square overflows.
double dnrm2_(const int* n, const double* x, const int*) {
  double largest = 0;
  for (int i = 0; i < *n; ++i) largest = std::max(largest, std::abs(x[i]));
  if (largest == 0) return 0;
  double sum = 0;
  for (int i = 0; i < *n; ++i) sum += (x[i] / largest) * (x[i] / largest);
  return largest * std::sqrt(sum);
}
}
