// Compiled with AVX2, and called where the processor has it. Products and sums are rounded one by
// one (no fused multiply-add), and each number of the result is summed in the order of the columns.
// No inline function of the standard library: a linker might take its copy with AVX2 for all files.
#include <immintrin.h>

#include <cstddef>

#include "lower_triangle.h"

namespace crossfold::bundled {
namespace {

using Size = std::ptrdiff_t;
constexpr Size kLanes = 4;

Size Smaller(Size a, Size b) { return a < b ? a : b; }

// Four rows of some columns, column by column; what a column lacks is 0.
struct Panels {
  double* numbers;
  Size n_columns;

  double* panel(Size p) const { return numbers + p * n_columns * kLanes; }
};

void Pack(const OuterSquares& squares, Size first, const Panels& panels) {
  const Size whole = squares.size / kLanes, rest = squares.size % kLanes;
  for (Size k = 0; k < panels.n_columns; ++k) {
    const double* column = squares.numbers + (first + k) * squares.stride;
    const __m256d scale = _mm256_set1_pd(squares.scales == nullptr ? 1 : squares.scales[first + k]);
    for (Size p = 0; p < whole; ++p) {
      const __m256d four = _mm256_mul_pd(_mm256_loadu_pd(column + p * kLanes), scale);
      _mm256_storeu_pd(panels.panel(p) + k * kLanes, four);
    }
    if (rest == 0) continue;
    double last[kLanes] = {};
    for (Size i = 0; i < rest; ++i) last[i] = column[whole * kLanes + i];
    _mm256_storeu_pd(panels.panel(whole) + k * kLanes, _mm256_mul_pd(_mm256_loadu_pd(last), scale));
  }
}

// Adds the sums of four rows, from `row` on, of one column where they are not above the diagonal.
void AddColumn(const OuterSquares& squares, Size row, Size column, __m256d sums) {
  double* out = squares.out + column * squares.out_stride + row;
  const __m256d made = _mm256_mul_pd(sums, _mm256_set1_pd(squares.factor));
  if (row >= column) {
    _mm256_storeu_pd(out, _mm256_add_pd(made, _mm256_loadu_pd(out)));
    return;
  }
  double numbers[kLanes];
  _mm256_storeu_pd(numbers, made);
  for (Size i = column - row; i < kLanes; ++i) out[i] = numbers[i] + out[i];
}

__m256d PlusProduct(__m256d sums, __m256d a, __m256d b) {
  return _mm256_add_pd(_mm256_mul_pd(a, b), sums);
}

// Adds the products of panel `r` of rows, and with kTwo of the next one, with panel `c` of columns.
// Each sum has a name, as compilers keep arrays in memory.
template <bool kTwo>
void AddTile(const OuterSquares& squares, const Panels& panels, Size r, Size c) {
  const Size n = panels.n_columns;
  const double* rows = panels.panel(r);
  const double* next = panels.panel(kTwo ? r + 1 : r);
  const double* columns = panels.panel(c);
  __m256d a0 = _mm256_setzero_pd(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  for (Size k = 0; k < n * kLanes; k += kLanes) {
    const __m256d a = _mm256_loadu_pd(rows + k), b = _mm256_loadu_pd(next + k);
    const __m256d c0 = _mm256_broadcast_sd(columns + k), c1 = _mm256_broadcast_sd(columns + k + 1);
    a0 = PlusProduct(a0, a, c0);
    a1 = PlusProduct(a1, a, c1);
    if constexpr (kTwo) b0 = PlusProduct(b0, b, c0);
    if constexpr (kTwo) b1 = PlusProduct(b1, b, c1);
    const __m256d c2 = _mm256_broadcast_sd(columns + k + 2);
    const __m256d c3 = _mm256_broadcast_sd(columns + k + 3);
    a2 = PlusProduct(a2, a, c2);
    a3 = PlusProduct(a3, a, c3);
    if constexpr (kTwo) b2 = PlusProduct(b2, b, c2);
    if constexpr (kTwo) b3 = PlusProduct(b3, b, c3);
  }
  const Size row = r * kLanes, column = c * kLanes;
  AddColumn(squares, row, column, a0);
  AddColumn(squares, row, column + 1, a1);
  AddColumn(squares, row, column + 2, a2);
  AddColumn(squares, row, column + 3, a3);
  if constexpr (kTwo) {
    AddColumn(squares, row + kLanes, column, b0);
    AddColumn(squares, row + kLanes, column + 1, b1);
    AddColumn(squares, row + kLanes, column + 2, b2);
    AddColumn(squares, row + kLanes, column + 3, b3);
  }
}

// Adds numbers `first`, first + 1 ... first + 3 of row `row`, as far as the diagonal.
void AddToRow(const OuterSquares& squares, Size row, Size first, __m256d sums) {
  double numbers[kLanes];
  _mm256_storeu_pd(numbers, _mm256_mul_pd(sums, _mm256_set1_pd(squares.factor)));
  const Size n = Smaller(kLanes, row + 1 - first);
  for (Size c = 0; c < n; ++c) {
    double& out = squares.out[(first + c) * squares.out_stride + row];
    out = numbers[c] + out;
  }
}

// Of the rows that four does not divide, which come last: adds row `lane` of them, in the columns
// of panel `p` and, with kTwo, the next one. With kApart, columns of even and odd number are summed
// apart, but for the last ones that eight does not divide: as Eigen sums two rows that are left.
template <bool kTwo, bool kApart>
void AddLastRow(const OuterSquares& squares, const Panels& panels, Size lane, Size p) {
  const Size whole = squares.size / kLanes, n = panels.n_columns * kLanes;
  const double* row = panels.panel(whole) + lane;
  const double* columns = panels.panel(p);
  const double* next = panels.panel(kTwo ? p + 1 : p);
  __m256d a = _mm256_setzero_pd(), b = a, a_odd = a, b_odd = a;
  Size k = 0;
  if constexpr (kApart) {
    constexpr Size kPeeled = 8 * kLanes;
    for (; k < n / kPeeled * kPeeled; k += 2 * kLanes) {
      const __m256d even = _mm256_broadcast_sd(row + k),
                    odd = _mm256_broadcast_sd(row + k + kLanes);
      a = PlusProduct(a, even, _mm256_loadu_pd(columns + k));
      a_odd = PlusProduct(a_odd, odd, _mm256_loadu_pd(columns + k + kLanes));
      if constexpr (kTwo) b = PlusProduct(b, even, _mm256_loadu_pd(next + k));
      if constexpr (kTwo) b_odd = PlusProduct(b_odd, odd, _mm256_loadu_pd(next + k + kLanes));
    }
    a = _mm256_add_pd(a, a_odd);
    b = _mm256_add_pd(b, b_odd);
  }
  for (; k < n; k += kLanes) {
    const __m256d one = _mm256_broadcast_sd(row + k);
    a = PlusProduct(a, one, _mm256_loadu_pd(columns + k));
    if constexpr (kTwo) b = PlusProduct(b, one, _mm256_loadu_pd(next + k));
  }
  AddToRow(squares, whole * kLanes + lane, p * kLanes, a);
  if constexpr (kTwo) AddToRow(squares, whole * kLanes + lane, (p + 1) * kLanes, b);
}

template <bool kApart>
void AddLastRow(const OuterSquares& squares, const Panels& panels, Size lane) {
  const Size whole = squares.size / kLanes;
  Size p = 0;
  for (; p + 2 <= whole; p += 2) AddLastRow<true, kApart>(squares, panels, lane, p);
  for (; p < whole; ++p) AddLastRow<false, kApart>(squares, panels, lane, p);
  AddLastRow<false, false>(squares, panels, lane, whole);
}

void AddLastRows(const OuterSquares& squares, const Panels& panels) {
  const Size rest = squares.size % kLanes;
  for (Size lane = 0; lane < rest; ++lane) {
    if (rest >= 2 && lane < 2) {
      AddLastRow<true>(squares, panels, lane);
    } else {
      AddLastRow<false>(squares, panels, lane);
    }
  }
}

void AddWholeRows(const OuterSquares& squares, const Panels& panels) {
  const Size whole = squares.size / kLanes;
  Size r = 0;
  for (; r + 1 < whole; r += 2) {
    for (Size c = 0; c <= r; ++c) AddTile<true>(squares, panels, r, c);
    AddTile<false>(squares, panels, r + 1, r + 1);
  }
  for (Size c = 0; r < whole && c <= r; ++c) AddTile<false>(squares, panels, r, c);
}

}  // namespace

void AddOuterSquaresByAvx2(const OuterSquares& squares, std::ptrdiff_t columns_at_once,
                           double* memory) {
  for (Size first = 0; first < squares.count; first += columns_at_once) {
    const Panels panels = {memory, Smaller(columns_at_once, squares.count - first)};
    Pack(squares, first, panels);
    AddWholeRows(squares, panels);
    AddLastRows(squares, panels);
  }
}

}  // namespace crossfold::bundled
