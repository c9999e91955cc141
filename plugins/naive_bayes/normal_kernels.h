// The inner loops of normal columns, for several kinds of processors. One body (normal_kernels.inl,
// left_out_kernels.inl) is compiled for each; the best that the processor has is chosen when it
// runs.
//
// All give the same bytes. Distances and labels are the same operations in the same order on every
// processor. Moments are certified: a mean or variance is given out only if the error bound of its
// computation leaves one double, the one that NormalSums gives from the exact sums; otherwise it is
// marked as not certain, and the caller computes it from the exact sums. (The idea of such a test:
// A. Ziv, "Fast evaluation of elementary mathematical functions with correctly rounded last bit",
// ACM TOMS 17 (1991) 410-423.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace crossfold::bundled {

// Kernels may read or write arrays up to the next multiple of it.
constexpr std::size_t kMostLanes = 8;

constexpr std::size_t RoundedUp(std::size_t n) {
  return (n + kMostLanes - 1) / kMostLanes * kMostLanes;
}

// scores[c * score_stride + i] -= 1/2 sum over k of (x_ik - mean_ck)^2 precision_ck, in the order
// of k.
struct DistanceTask {
  const double* x;  // column k of row i at k * x_stride + i
  std::size_t x_stride;
  std::size_t n_rows;
  std::size_t n_columns;
  std::size_t n_classes;
  const double* means;       // classes x columns
  const double* precisions;  // classes x columns
  double* scores;            // classes x score_stride
  std::size_t score_stride;
};

// The class with the largest score if the scores alone determine it; otherwise -1.
struct LabelTask {
  const double* scores;  // classes x stride
  std::size_t stride;
  std::size_t n_rows;
  std::size_t n_classes;
  std::int32_t* labels;
};

// What the entries of a column require of sums.
struct EntryRange {
  double largest = 0;    // absolute value
  bool is_plain = true;  // none is missing, and none is so large that sums of squares may overflow
  bool is_whole = true;  // whole numbers, so small that plain sums are exact
};

// Of every column of some rows; `ranges` grow.
struct RangesTask {
  const double* rows;  // n_columns apart; whole vectors are read
  std::size_t n_rows;
  std::size_t n_columns;
  EntryRange* ranges;
};

// to[j * to_stride + i] = from[i][j].
struct TransposeTask {
  const double* const* from;
  std::size_t n_from;  // a multiple of kMostLanes
  std::size_t length;  // read and written up to the next multiple of kMostLanes
  double* to;
  // Less than n_from: the pieces to[j * to_stride ..] overlap, and the later one counts.
  std::size_t to_stride;
};

// Sums of x and of x^2: sum_hi + sum_lo within a bound that SumError and SquareError give.
struct QuickSums {
  double sum_hi = 0, sum_lo = 0, square_hi = 0, square_lo = 0;
};

// Quick sums of rows in groups, of every column. A group's sums are four arrays over the columns,
// as those of QuickSums; after the last column they hold anything.
struct RowSumsTask {
  static constexpr std::size_t kRun = 64;  // rows that a group adds up before it carries
  static constexpr std::uint32_t kNoCarry = UINT32_MAX;

  const double* rows;
  std::size_t stride;           // from row to row
  const std::uint32_t* row_of;  // row of each entry of group_of
  const std::uint32_t* group_of;
  std::size_t n_rows;
  std::size_t width;  // of the arrays: columns, a multiple of kMostLanes
  std::size_t n_groups;
  const double *bias, *square_bias;  // one per column: BiasFor(); null = plain sums are exact
  double* sums;                      // groups x 4 width, out
  // If there are biases: for groups of more than kRun rows, where the sums of earlier runs are;
  // others have kNoCarry. The carries are 0.
  const std::uint32_t* carry_of;
  double* carries;         // carries x 4 width
  std::uint8_t* run_size;  // groups; 0
};

// Quick sums of some rows of one group, column by column, are added to those of its earlier rows.
struct BlockSumsTask {
  static constexpr std::size_t kMostRows = 128;
  // Of a column: the four numbers of QuickSums for each of kMostLanes parts of the group.
  static constexpr std::size_t kNumbers = 4 * kMostLanes;

  const double* x;  // column k of row i at k * x_stride + i; zeros after the rows, to whole vectors
  std::size_t x_stride;
  std::size_t n_rows;
  std::size_t n_columns;
  EntryRange* ranges;  // one per column; they grow. The sums of a column that is not plain are none
  double* parts;       // columns x kNumbers
};

// Doubles whose exact sums are those of x and of x^2.
struct ExactTerms {
  static constexpr std::size_t kMostEntries = 128;

  std::array<double, 3> sum{};
  std::array<double, 4> square{};
};

// QuickSums of several columns.
struct SumArrays {
  const double *sum_hi, *sum_lo, *square_hi, *square_lo;
  const double *sum_error, *square_error;  // bounds; both 0 = whole numbers, summed exactly
};
// Means and variances of n_columns columns.
struct MomentsTask {
  SumArrays sums;
  std::size_t n_columns;
  double weight;   // rows, at least 1
  double divisor;  // of the variance, at least 1
  double *mean, *variance;
  double* certain;  // 1 or 0
};

// The class of the rows as it is without one row: the constants of one class, an array over the
// columns each. All are DoubleDoubles in two arrays.
struct ClassConstants {
  const double *mean_hi, *mean_lo;            // of all rows of the class
  const double *variance_hi, *variance_lo;    // sum (x - mean)^2 / (divisor - 1)
  const double *mean_error, *variance_error;  // of the results without a row
  const double* least_variance;               // below it, other rules may apply: not certain
  double share_hi, share_lo;                  // 1 / (n - 1)
  double factor_hi, factor_lo;                // n / ((n - 1) (divisor - 1))
};
// The scores of a class with normal columns for some rows.
struct Densities {
  double* distance;             // sum of (x - mean)^2 precision, in the order of the columns
  double *mantissa, *exponent;  // of the product of the variances, as ScaledProduct has them
};
// Rows of one class, each judged by its class without it.
struct WithoutOneTask {
  const double* x;  // as in DistanceTask
  std::size_t x_stride;
  std::size_t n_rows;
  std::size_t n_columns;
  ClassConstants of_class;
  const double* added;  // to every variance, one per row
  Densities to;
  double* certain;  // 1 or 0
};
// Rows judged by a class that none of them leaves.
struct SmoothedTask {
  const double* x;  // as in DistanceTask
  std::size_t x_stride;
  std::size_t n_rows;
  std::size_t n_columns;
  const double *means, *variances;  // of the class, one per column
  const double* added;              // to every variance, one per row
  Densities to;
};
// largest[i] = the larger of it and the variance of one column without row i. An uncertain result
// makes the row uncertain.
struct LargestTask {
  const double* x;  // of the column
  std::size_t n_rows;
  ClassConstants of_all;  // of all rows
  std::size_t column;     // of these constants
  double* largest;
  double* certain;
};

struct NormalKernels {
  const char* name;
  void (*subtract_distances)(const DistanceTask&);
  void (*choose_labels)(const LabelTask&);
  // Over n entries of one column; `range` grows.
  void (*extend_range)(const double* x, std::size_t n, EntryRange* range);
  void (*extend_ranges)(const RangesTask&);
  void (*transpose)(const TransposeTask&);
  void (*sum_rows)(const RowSumsTask&);
  void (*sum_block)(const BlockSumsTask&);
  // Sums n <= kMostEntries entries with this range. Returns false if they spread too far.
  bool (*exact_terms)(const double* x, std::size_t n, const EntryRange& range, ExactTerms* terms);
  void (*moments)(const MomentsTask&);
  void (*without_one)(const WithoutOneTask&);
  void (*smoothed)(const SmoothedTask&);
  void (*largest_without_one)(const LargestTask&);
};

// Entries beyond it are left to the exact sums.
constexpr double kLargestQuickEntry = 1e100;

// Bounds of the errors of QuickSums of n_rows entries in total that were merged as DoubleDoubles;
// NumberOfParts() of so many groups, merges of their results included, and n_rows entries.
std::size_t NumberOfParts(std::size_t n_groups, std::size_t n_rows);
double SumError(const EntryRange& range, std::size_t n_rows, std::size_t n_parts);
double SquareError(const EntryRange& range, std::size_t n_rows, std::size_t n_parts);

// Returns the start of the high part of a sum of numbers up to `largest`. Above 512 times as large,
// and 3/2 of a power of 2: it takes 128 terms and more without leaving its binade, and its last bit
// is at most 2^-42 of `largest`.
double BiasFor(double largest);

// Whether plain sums of whole numbers up to `range.largest` are exact.
bool SumsExactly(const EntryRange& range, std::size_t n_rows);

// The kernels that this processor can run, the best first; the last one runs everywhere.
std::span<const NormalKernels* const> SupportedKernels();

namespace plain {
extern const NormalKernels kKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const NormalKernels kKernels;
}
namespace avx512 {
extern const NormalKernels kKernels;
}
#endif

}  // namespace crossfold::bundled
