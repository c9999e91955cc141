// The body of normal_kernels.h, included once for each kind of processor, within a namespace of its
// own, with kLanes doubles per vector and Fused for products. Everything here is inlined into the
// functions of kKernels.

using V = double __attribute__((vector_size(8 * kLanes)));
using Mask = std::int64_t __attribute__((vector_size(8 * kLanes)));  // all bits of a lane, or none

inline V Load(const double* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof(V));
  return v;
}
inline void Store(double* to, V v) { __builtin_memcpy(to, &v, sizeof(V)); }
// The first n < kLanes entries and zeros after them.
inline V LoadSome(const double* from, std::size_t n) {
  V v = {};
  __builtin_memcpy(&v, from, n * sizeof(double));
  return v;
}
inline V All(double x) { return x - V{}; }
inline V Absolute(V x) { return (V)((Mask)x & (Mask{} + INT64_MAX)); }

// ---- exact sums and products ----------------------------------------------------------------

struct Pair {
  V hi, lo;
};

inline Pair Sum(V a, V b) {
  const V sum = a + b;
  const V part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
// |a| >= |b| or a = 0.
inline Pair SumOrdered(V a, V b) {
  const V sum = a + b;
  return {sum, b - (sum - a)};
}

// The upper 26 bits and the rest.
inline Pair Halves(V x) {
  const V c = All(134217729.0) * x;  // 2^27 + 1
  const V hi = c - (c - x);
  return {hi, x - hi};
}
// F::MultiplySubtract(a, b, c) is a * b - c, rounded once, if F::kIsThere.
template <class F>
inline Pair ProductBy(V a, V b) {
  const V product = a * b;
  if constexpr (F::kIsThere) {
    return {product, F::MultiplySubtract(a, b, product)};
  } else {
    const Pair x = Halves(a), y = Halves(b);
    return {product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
  }
}
inline Pair Product(V a, V b) { return ProductBy<Fused>(a, b); }

inline Pair Add(Pair a, Pair b) {
  const Pair high = Sum(a.hi, b.hi);
  const Pair low = Sum(a.lo, b.lo);
  const Pair sum = SumOrdered(high.hi, high.lo + low.hi);
  return SumOrdered(sum.hi, sum.lo + low.lo);
}

// The double next to value.hi + value.lo if no number within the error has another one.
inline V Rounded(Pair value, V error, Mask* certain) {
  const V above = value.hi + (value.lo + error);
  const V below = value.hi + (value.lo - error);
  *certain &= above == below;
  return above;
}

// value / divisor within about 2^-102 of it; `inverse` is 1 / divisor, rounded.
inline Pair Quotient(Pair value, V divisor, V inverse) {
  const V quotient = value.hi * inverse;
  const Pair back = Product(quotient, divisor);
  const V rest = ((value.hi - back.hi) - back.lo) + value.lo;
  return SumOrdered(quotient, rest * inverse);
}

// A relative error that no operation on Pairs here exceeds.
constexpr double kPairError = 0x1p-96;
// Variances below it may come from products that underflow.
constexpr double kLeastVariance = 1e-250;

// ---- scores -----------------------------------------------------------------------------------

template <std::size_t kVectors>
inline void SubtractFrom(const DistanceTask& task, std::size_t first) {
  for (std::size_t c = 0; c < task.n_classes; ++c) {
    const double* means = task.means + c * task.n_columns;
    const double* precisions = task.precisions + c * task.n_columns;
    const double* x = task.x + first;
    V sums[kVectors] = {};
    for (std::size_t k = 0; k < task.n_columns; ++k, x += task.x_stride) {
      const V mean = All(means[k]), precision = All(precisions[k]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        const V difference = Load(x + v * kLanes) - mean;
        sums[v] += (difference * precision) * difference;
      }
    }
    double* scores = task.scores + c * task.score_stride + first;
    for (std::size_t v = 0; v < kVectors; ++v) {
      Store(scores + v * kLanes, Load(scores + v * kLanes) - All(0.5) * sums[v]);
    }
  }
}

void SubtractDistances(const DistanceTask& task) {
  std::size_t i = 0;
  for (; i + 4 * kLanes <= task.n_rows; i += 4 * kLanes) SubtractFrom<4>(task, i);
  for (; i < task.n_rows; i += kLanes) SubtractFrom<1>(task, i);
}

void ChooseLabels(const LabelTask& task) {
  // Scores that differ by more have different probabilities, whatever the rounding of exp and of
  // the quotient; the largest is above those of all classes that lie so far below.
  constexpr double kClose = 1e-15;
  for (std::size_t i = 0; i < task.n_rows; i += kLanes) {
    const double* scores = task.scores + i;
    V best = Load(scores), which = {};
    for (std::size_t c = 1; c < task.n_classes; ++c) {
      const V score = Load(scores + c * task.stride);
      const Mask better = score > best;
      best = better ? score : best;
      which = better ? All(static_cast<double>(c)) : which;
    }
    const V limit = best - All(kClose);
    V first = which;
    for (std::size_t c = task.n_classes; c-- > 0;) {
      const Mask close = Load(scores + c * task.stride) >= limit;
      first = close ? All(static_cast<double>(c)) : first;
    }
    const Mask sure = (first == which) & (best > All(-std::numeric_limits<double>::infinity()));
    const V label = sure ? which : All(-1);
    for (std::size_t lane = 0; lane < kLanes && i + lane < task.n_rows; ++lane) {
      task.labels[i + lane] = static_cast<std::int32_t>(label[lane]);
    }
  }
}

// ---- rows and columns ---------------------------------------------------------------------------

// Of two rows of a square, kStep apart: the square of kStep x kStep right of one changes places with
// the one left below it.
template <std::size_t kStep, std::size_t... kLane>
inline void Exchange(V* upper, V* lower, std::index_sequence<kLane...>) {
  const V a = *upper, b = *lower;
  *upper = __builtin_shufflevector(a, b, ((kLane & kStep) != 0 ? kLanes + kLane - kStep : kLane)...);
  *lower = __builtin_shufflevector(a, b, ((kLane & kStep) != 0 ? kLanes + kLane : kLane + kStep)...);
}
template <std::size_t kStep>
inline void ExchangeAll(V* square) {
  if constexpr (kStep < kLanes) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLanes; ++i) {
      if ((i & kStep) != 0) continue;
      Exchange<kStep>(&square[i], &square[i + kStep], std::make_index_sequence<kLanes>());
    }
    ExchangeAll<2 * kStep>(square);
  }
}

// From the last arrays to the first: what is written after the end of a piece is overwritten. Some
// arrays are read to their ends before the next, so that long ones pass through the cache once.
void Transpose(const TransposeTask& task) {
  for (std::size_t i = task.n_from; i != 0;) {
    i -= kLanes;
    for (std::size_t j = 0; j < task.length; j += kLanes) {
      V square[kLanes];
      for (std::size_t v = 0; v < kLanes; ++v) square[v] = Load(task.from[i + v] + j);
      ExchangeAll<1>(square);
      for (std::size_t v = 0; v < kLanes; ++v) {
        Store(task.to + (j + v) * task.to_stride + i, square[v]);
      }
    }
  }
}

// ---- sums -------------------------------------------------------------------------------------

// Of one vector of each of many.
struct RangeVectors {
  V largest{}, undefined{}, fractions{};  // undefined is not 0 if an entry is missing or infinite

  void Extend(V value) {
    const V size = Absolute(value);
    largest = size > largest ? size : largest;
    undefined += value - value;
    fractions += Absolute((size + All(0x1p52)) - All(0x1p52) - size);  // none fits next to 2^52
  }
  void MoveLaneTo(std::size_t lane, EntryRange* range) const {
    const double most = largest[lane];
    range->is_plain &= undefined[lane] == 0 && most <= kLargestQuickEntry;
    range->is_whole &= fractions[lane] == 0 && most < 0x1p26;
    range->largest = most > range->largest ? most : range->largest;
  }
};

void ExtendRange(const double* x, std::size_t n, EntryRange* range) {
  RangeVectors vectors;
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) vectors.Extend(Load(x + i));
  if (i < n) vectors.Extend(LoadSome(x + i, n - i));
  EntryRange extended = *range;
  for (std::size_t lane = 0; lane < kLanes; ++lane) vectors.MoveLaneTo(lane, &extended);
  *range = extended;
}

void ExtendRanges(const RangesTask& task) {
  for (std::size_t k = 0; k < task.n_columns; k += kLanes) {
    RangeVectors vectors;
    const double* x = task.rows + k;
    for (std::size_t i = 0; i < task.n_rows; ++i, x += task.n_columns) vectors.Extend(Load(x));
    for (std::size_t lane = 0; lane < kLanes && k + lane < task.n_columns; ++lane) {
      vectors.MoveLaneTo(lane, &task.ranges[k + lane]);
    }
  }
}

// A sum in two parts. `high` is far above every term, so it takes from a term the part above its
// own last bit, without error; `low` takes the rest. The idea: S. M. Rump, T. Ogita and S. Oishi,
// "Accurate floating-point summation", SIAM J. Sci. Comput. 31 (2008) 189-224.
struct Accumulator {
  V high, low;

  void AddTerm(V term) {
    const V sum = high + term;
    low += term - (sum - high);
    high = sum;
  }
  template <class F>
  void AddSquareBy(V x) {
    const V before = high;
    if constexpr (F::kIsThere) {
      high = before + x * x;
      low += F::MultiplySubtract(x, x, high - before);
    } else {
      const Pair square = Product(x, x);
      high = before + square.hi;
      low += (square.hi - (high - before)) + square.lo;
    }
  }
  void AddSquare(V x) { AddSquareBy<Fused>(x); }
  Pair Value(V bias) const { return Sum(high - bias, low); }
};

// One array of each of the four sums of a group.
struct GroupSums {
  double* numbers;
  std::size_t width;

  double* at(std::size_t array, std::size_t k) const { return numbers + array * width + k; }
  Accumulator Load2(std::size_t array, std::size_t k) const {
    return {Load(at(array, k)), Load(at(array + 1, k))};
  }
  void Store2(std::size_t array, std::size_t k, V first, V second) const {
    Store(at(array, k), first);
    Store(at(array + 1, k), second);
  }
  void AddPair(std::size_t array, std::size_t k, Pair value) const {
    const Accumulator before = Load2(array, k);
    value = Add({before.high, before.low}, value);
    Store2(array, k, value.hi, value.lo);
  }
  void AddRow(const double* x) const {
    for (std::size_t k = 0; k < width; k += kLanes) {
      const V value = Load(x + k);
      Accumulator sum = Load2(0, k), square = Load2(2, k);
      sum.AddTerm(value);
      square.AddSquare(value);
      Store2(0, k, sum.high, sum.low);
      Store2(2, k, square.high, square.low);
    }
  }
  void AddPlainRow(const double* x) const {
    for (std::size_t k = 0; k < width; k += kLanes) {
      const V value = Load(x + k);
      Store(at(0, k), Load(at(0, k)) + value);
      Store(at(2, k), Load(at(2, k)) + value * value);
    }
  }
  void Begin(const RowSumsTask& task) const {
    for (std::size_t k = 0; k < width; k += kLanes) {
      Store2(0, k, Load(task.bias + k), V{});
      Store2(2, k, Load(task.square_bias + k), V{});
    }
  }
  // to += what a run has added up; or = instead.
  void Carry(const RowSumsTask& task, const GroupSums* earlier, const GroupSums& to) const {
    for (const std::size_t array : {std::size_t{0}, std::size_t{2}}) {
      const double* biases = array == 0 ? task.bias : task.square_bias;
      for (std::size_t k = 0; k < width; k += kLanes) {
        Pair value = Load2(array, k).Value(Load(biases + k));
        if (earlier != nullptr) {
          const Accumulator before = earlier->Load2(array, k);
          value = Add({before.high, before.low}, value);
        }
        to.Store2(array, k, value.hi, value.lo);
      }
    }
  }
};

void SumRows(const RowSumsTask& given) {
  const RowSumsTask task = given;  // so that no store can change it
  const std::size_t width = task.width, size = 4 * width;
  const auto group = [&](std::size_t g) { return GroupSums{task.sums + g * size, width}; };
  const auto carry = [&](std::size_t g) {
    return GroupSums{task.carries + task.carry_of[g] * size, width};
  };
  const auto row = [&](std::size_t i) { return task.rows + task.row_of[i] * task.stride; };
  if (task.bias == nullptr) {
    for (std::size_t k = 0; k < task.n_groups * size; ++k) task.sums[k] = 0;
    for (std::size_t i = 0; i < task.n_rows; ++i) group(task.group_of[i]).AddPlainRow(row(i));
    return;
  }
  for (std::size_t g = 0; g < task.n_groups; ++g) group(g).Begin(task);
  for (std::size_t i = 0; i < task.n_rows; ++i) {
    const std::size_t g = task.group_of[i];
    if (task.run_size[g] == RowSumsTask::kRun) {
      const GroupSums earlier = carry(g);
      group(g).Carry(task, &earlier, earlier);
      group(g).Begin(task);
      task.run_size[g] = 0;
    }
    ++task.run_size[g];
    group(g).AddRow(row(i));
  }
  for (std::size_t g = 0; g < task.n_groups; ++g) {
    if (task.carry_of[g] == RowSumsTask::kNoCarry) {
      group(g).Carry(task, nullptr, group(g));
    } else {
      const GroupSums earlier = carry(g);
      group(g).Carry(task, &earlier, group(g));
    }
  }
}

// Each lane is a part, and a block a run of it.
void SumBlock(const BlockSumsTask& task) {
  static_assert(BlockSumsTask::kMostRows <= kLanes * RowSumsTask::kRun);
  const double* x = task.x;
  double* parts = task.parts;
  for (std::size_t k = 0; k < task.n_columns; ++k) {
    EntryRange range;
    ExtendRange(x, task.n_rows, &range);
    EntryRange& whole = task.ranges[k];
    whole = {std::max(whole.largest, range.largest), whole.is_plain && range.is_plain,
             whole.is_whole && range.is_whole};
    const V bias = All(BiasFor(range.largest));
    const V square_bias = All(BiasFor(range.largest * range.largest));
    Accumulator sum{bias, V{}}, square{square_bias, V{}};
    for (std::size_t i = 0; i < task.n_rows; i += kLanes) {
      const V value = Load(x + i);
      sum.AddTerm(value);
      square.AddSquare(value);
    }
    const GroupSums group{parts, kMostLanes};
    group.AddPair(0, 0, sum.Value(bias));
    group.AddPair(2, 0, square.Value(square_bias));
    x += task.x_stride;
    parts += BlockSumsTask::kNumbers;
  }
}

// Takes the part of each term that is on its grid, so that no bit is lost, and passes the rest on.
struct GridSum {
  V high;
  double bias;

  explicit GridSum(double b) : high(All(b)), bias(b) {}
  V AddTerm(V term) {
    const V sum = high + term;
    const V rest = term - (sum - high);
    high = sum;
    return rest;
  }
  // Exact: a multiple of the grid of fewer than 53 bits.
  double Value() const {
    const V taken = high - All(bias);
    double sum = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += taken[lane];
    return sum;
  }
};

// Each grid takes what the one before leaves: 2^-44 of its largest entry at most.
struct ExactAccumulator {
  GridSum s0, s1, s2, q0, q1, q2, q3;
  Mask lost;

  ExactAccumulator(double bias, double square_bias)
      : s0(bias),
        s1(bias * 0x1p-44),
        s2(bias * 0x1p-88),
        q0(square_bias),
        q1(square_bias * 0x1p-44),
        q2(square_bias * 0x1p-88),
        q3(square_bias * 0x1p-132),
        lost{} {}

  void AddEntry(V x) {
    const V sum_rest = s2.AddTerm(s1.AddTerm(s0.AddTerm(x)));
    const Pair square = Product(x, x);
    const V first_rest = q3.AddTerm(q2.AddTerm(q1.AddTerm(q0.AddTerm(square.hi))));
    const V second_rest = q3.AddTerm(q2.AddTerm(q1.AddTerm(square.lo)));
    const V size = Absolute(x);
    lost |= (sum_rest != V{}) | (first_rest != V{}) | (second_rest != V{}) |
            ((size < All(kLeastExactEntry)) & (size > V{}));
  }

  // The rest of the product is exact above it.
  static constexpr double kLeastExactEntry = 1e-130;
};

bool SumExactly(const double* x, std::size_t n, const EntryRange& range, ExactTerms* terms) {
  constexpr double kLeastRange = 1e-60;
  *terms = {};
  if (range.largest == 0) return true;
  if (range.largest < kLeastRange) return false;
  ExactAccumulator sums(BiasFor(range.largest), BiasFor(range.largest * range.largest));
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) sums.AddEntry(Load(x + i));
  if (i < n) sums.AddEntry(LoadSome(x + i, n - i));
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (sums.lost[lane] != 0) return false;
  }
  terms->sum = {sums.s0.Value(), sums.s1.Value(), sums.s2.Value()};
  terms->square = {sums.q0.Value(), sums.q1.Value(), sums.q2.Value(), sums.q3.Value()};
  return true;
}

// ---- moments ----------------------------------------------------------------------------------

struct SumVectors {
  Pair sum, square;
  V sum_error, square_error;
};

inline SumVectors LoadSums(const SumArrays& from, std::size_t k) {
  return {{Load(from.sum_hi + k), Load(from.sum_lo + k)},
          {Load(from.square_hi + k), Load(from.square_lo + k)},
          Load(from.sum_error + k),
          Load(from.square_error + k)};
}

// Where exact sums say that all values are equal.
inline Mask AreEqual(const SumVectors& sums, V weight) {
  const Pair left = Product(sums.square.hi, weight);
  const Pair right = Product(sums.sum.hi, sums.sum.hi);
  return (left.hi == right.hi) & (left.lo == right.lo) & (sums.sum_error == V{}) &
         (sums.square_error == V{}) & (sums.sum.lo == V{}) & (sums.square.lo == V{});
}

void Moments(const MomentsTask& task) {
  const V weight = All(task.weight), inverse = All(1 / task.weight);
  const V divisor = All(task.divisor), divisor_inverse = All(1 / task.divisor);
  const V pair_error = All(kPairError);
  const V slack = All(1.01);  // for the rounding of the bounds themselves
  for (std::size_t k = 0; k < task.n_columns; k += kLanes) {
    const SumVectors sums = LoadSums(task.sums, k);
    const Pair mean = Quotient(sums.sum, weight, inverse);
    Mask certain = Mask{} - 1;
    const V mean_error = (sums.sum_error * inverse + Absolute(mean.hi) * pair_error) * slack;
    Store(task.mean + k, Rounded(mean, mean_error, &certain));

    // sum x^2 - mean sum x
    Pair product = Product(sums.sum.hi, mean.hi);
    product.lo += sums.sum.hi * mean.lo + sums.sum.lo * mean.hi;
    const Pair spread = Add(sums.square, {-product.hi, -product.lo});
    const V spread_error = sums.square_error + All(2.02) * Absolute(mean.hi) * sums.sum_error +
                           (sums.square.hi + Absolute(product.hi)) * pair_error;
    const Pair variance = Quotient(spread, divisor, divisor_inverse);
    const V error = (spread_error * divisor_inverse + Absolute(variance.hi) * pair_error) * slack;
    const Mask equal = AreEqual(sums, weight);
    Mask known = Mask{} - 1;
    const V rounded = Rounded(variance, error, &known);
    known &= rounded > All(kLeastVariance);
    Store(task.variance + k, equal ? V{} : rounded);
    Store(task.certain + k, (certain & (known | equal)) ? All(1) : V{});
  }
}
