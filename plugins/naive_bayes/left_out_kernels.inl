// Rows and classes without them: the second part of the body of normal_kernels.h, included after
// normal_kernels.inl.

// The scores of a class for rows, summed column by column.
struct Density {
  // Mantissas below 2 multiply this often within the range of doubles.
  static constexpr std::size_t kMostFactors = 512;

  V distance, mantissa;
  Mask exponent;

  Density() : distance{}, mantissa(All(1)), exponent{} {}
  // Adds column k; the columns are added in order. A factor of the product is split as in
  // ScaledProduct; the bits of a mantissa do not depend on when its power of 2 is taken out.
  void AddColumn(std::size_t k, V x, V mean, V variance) {
    const V precision = 1.0 / variance;
    const V difference = x - mean;
    distance += (difference * precision) * difference;
    mantissa *= TakePower(variance);
    if (k % kMostFactors == kMostFactors - 1) mantissa = TakePower(mantissa);
  }
  void StoreAt(const Densities& to, std::size_t i) {
    mantissa = TakePower(mantissa);
    Store(to.distance + i, distance);
    Store(to.mantissa + i, mantissa);
    Store(to.exponent + i, __builtin_convertvector(exponent, V));
  }

 private:
  // Returns the mantissa of a positive number, in [1, 2).
  V TakePower(V number) {
    using Bits = std::uint64_t __attribute__((vector_size(8 * kLanes)));
    const Bits bits = (Bits)number;
    exponent += (Mask)(bits >> 52) - 1023;
    return (V)((bits & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000);
  }
};

struct WithoutOne {
  Density density;
  Mask certain = Mask{} - 1;
};

// x - mean of all n.
inline Pair FromMean(const ClassConstants& of_class, std::size_t k, V x) {
  Pair d = Sum(x, -All(of_class.mean_hi[k]));
  d.lo -= All(of_class.mean_lo[k]);
  return d;
}

// Without the row, with d = x - mean of all n:
//   mean' = mean - d / (n - 1)    and    sum of squares' = sum of squares - d^2 n / (n - 1).
inline V MeanWithout(const ClassConstants& of_class, std::size_t k, Pair d, Mask* certain) {
  Pair step = Product(d.hi, All(of_class.share_hi));
  step.lo += d.hi * All(of_class.share_lo) + d.lo * All(of_class.share_hi);
  Pair mean = Sum(All(of_class.mean_hi[k]), -step.hi);
  mean.lo += All(of_class.mean_lo[k]) - step.lo;
  return Rounded(mean, All(of_class.mean_error[k]), certain);
}
inline V VarianceWithout(const ClassConstants& of_class, std::size_t k, Pair d, Mask* certain) {
  Pair square = Product(d.hi, d.hi);
  square.lo += All(2) * d.hi * d.lo;
  Pair loss = Product(All(of_class.factor_hi), square.hi);
  loss.lo += All(of_class.factor_hi) * square.lo + All(of_class.factor_lo) * square.hi;
  // Ordered: no row has more than the whole sum of squares; if rounding says so, they cancel exactly.
  Pair variance = SumOrdered(All(of_class.variance_hi[k]), -loss.hi);
  variance.lo += All(of_class.variance_lo[k]) - loss.lo;
  const V rounded = Rounded(variance, All(of_class.variance_error[k]), certain);
  *certain &= rounded > All(of_class.least_variance[k]);
  return rounded;
}

template <std::size_t kVectors>
inline void LeaveOutRows(const WithoutOneTask& task, std::size_t first) {
  WithoutOne rows[kVectors];
  V added[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) added[v] = Load(task.added + first + v * kLanes);
  const double* x = task.x + first;
  for (std::size_t k = 0; k < task.n_columns; ++k, x += task.x_stride) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V entry = Load(x + v * kLanes);
      const Pair d = FromMean(task.of_class, k, entry);
      const V mean = MeanWithout(task.of_class, k, d, &rows[v].certain);
      const V variance = VarianceWithout(task.of_class, k, d, &rows[v].certain);
      rows[v].density.AddColumn(k, entry, mean, variance + added[v]);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    const std::size_t i = first + v * kLanes;
    rows[v].density.StoreAt(task.to, i);
    Store(task.certain + i, rows[v].certain ? All(1) : V{});
  }
}

void LeaveOutAll(const WithoutOneTask& task) {
  std::size_t i = 0;
  for (; i + 2 * kLanes <= task.n_rows; i += 2 * kLanes) LeaveOutRows<2>(task, i);
  for (; i < task.n_rows; i += kLanes) LeaveOutRows<1>(task, i);
}

template <std::size_t kVectors>
inline void ScoreSmoothedRows(const SmoothedTask& task, std::size_t first) {
  Density rows[kVectors];
  V added[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) added[v] = Load(task.added + first + v * kLanes);
  const double* x = task.x + first;
  for (std::size_t k = 0; k < task.n_columns; ++k, x += task.x_stride) {
    const V mean = All(task.means[k]), variance = All(task.variances[k]);
    for (std::size_t v = 0; v < kVectors; ++v) {
      rows[v].AddColumn(k, Load(x + v * kLanes), mean, variance + added[v]);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) rows[v].StoreAt(task.to, first + v * kLanes);
}

void ScoreSmoothed(const SmoothedTask& task) {
  std::size_t i = 0;
  for (; i + 4 * kLanes <= task.n_rows; i += 4 * kLanes) ScoreSmoothedRows<4>(task, i);
  for (; i < task.n_rows; i += kLanes) ScoreSmoothedRows<1>(task, i);
}

void TakeLargest(const LargestTask& task) {
  for (std::size_t i = 0; i < task.n_rows; i += kLanes) {
    Mask certain = Mask{} - 1;
    const Pair d = FromMean(task.of_all, task.column, Load(task.x + i));
    const V variance = VarianceWithout(task.of_all, task.column, d, &certain);
    const V largest = Load(task.largest + i);
    Store(task.largest + i, variance > largest ? variance : largest);
    Store(task.certain + i, certain ? Load(task.certain + i) : V{});
  }
}
