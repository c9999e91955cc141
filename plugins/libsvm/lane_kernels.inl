// The body of lane_kernels.h, included once for each kind of processor, within a namespace of its
// own, with kLanes doubles per vector. Nothing here comes from the C++ library, of whose inline
// functions the linker keeps one copy, whatever processor it is for.

using V = double __attribute__((vector_size(8 * kLanes)));
using Mask = std::int64_t __attribute__((vector_size(8 * kLanes)));  // all bits of a lane, or none
using Floats = float __attribute__((vector_size(4 * kLanes)));

inline V Load(const double* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof(V));
  return v;
}
inline void Store(double* to, V v) { __builtin_memcpy(to, &v, sizeof(V)); }
inline V All(double x) { return x - V{}; }
inline V Rounded(V x) { return __builtin_convertvector(__builtin_convertvector(x, Floats), V); }

struct AddProduct {
  static void To(V& sum, V row, V panel) { sum += row * panel; }
};
struct AddSquare {
  static void To(V& sum, V row, V panel) {
    const V difference = row - panel;
    sum += difference * difference;
  }
};

template <class Step>
void SumOverFeatures(const PanelTask& task) {
  constexpr std::size_t kVectors = kPanelRows / kLanes;
  V sums[kRowGroup][kVectors] = {};
  for (std::size_t j = 0; j < task.n_features; ++j) {
    V panel[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      panel[v] = Load(task.panel + j * kPanelRows + v * kLanes);
    }
    for (std::size_t r = 0; r < kRowGroup; ++r) {
      const V row = All(task.rows[r][j]);
      for (std::size_t v = 0; v < kVectors; ++v) Step::To(sums[r][v], row, panel[v]);
    }
  }
  for (std::size_t r = 0; r < kRowGroup; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      Store(task.to + r * task.stride + v * kLanes, sums[r][v]);
    }
  }
}

// exp(x) for x from kLeast to 1, with a relative error below 2^-48: of 2^n exp(r), |r| <= ln(2) / 2,
// the second factor by its Taylor series, whose first missing term is below 2^-52.
inline V NearExp(V x) {
  constexpr double kLog2 = 1.4426950408889634, kShift = 0x1.8p52;
  constexpr double kHigh = 0x1.62e42fefap-1, kLow = 0x1.cf79abc9e3b3ap-40;  // ln 2
  constexpr double kFactors[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                                 1.0 / 40320,     1.0 / 5040,     1.0 / 720,     1.0 / 120,
                                 1.0 / 24,        1.0 / 6,        0.5,           1};
  const V shifted = x * kLog2 + kShift;
  const V n = shifted - kShift;
  const V r = (x - n * kHigh) - n * kLow;
  V sum = All(kFactors[0]);
  for (std::size_t k = 1; k < sizeof(kFactors) / sizeof(double); ++k) sum = sum * r + kFactors[k];
  sum = sum * r + 1;
  const Mask power = ((Mask)shifted - (Mask)All(kShift) + 1023) << 52;
  return sum * (V)power;
}

// The library computes exp with the C library's function and rounds it to a float. So does this
// where the error of NearExp, or of that function, could change the float.
inline void RoundedRbf(double* values, const double* squares, std::size_t n, double square,
                       double gamma) {
  constexpr double kLeast = -105;  // exp of it rounds to 0
  constexpr double kError = 0x1p-42;
  for (std::size_t i = 0; i < n; i += kLanes) {
    const V x = -gamma * ((square + Load(squares + i)) - 2 * Load(values + i));
    const Mask is_zero = x < kLeast, in_range = (x >= kLeast) & (x <= 1);
    const V e = NearExp((V)((Mask)x & in_range));
    const V low = Rounded(e * (1 - kError)), high = Rounded(e * (1 + kError));
    const Mask certain = is_zero | (in_range & (low == high));
    Store(values + i, (V)((Mask)low & ~is_zero));
    for (std::size_t k = 0; k < kLanes; ++k) {
      if (certain[k] == 0) values[i + k] = static_cast<double>(static_cast<float>(__builtin_exp(x[k])));
    }
  }
}
