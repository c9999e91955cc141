#include "narrow_gini.h"

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace crossfold::bundled::tree {

namespace {

constexpr std::size_t kLanes = 8;        // classes in a block
constexpr std::size_t kMostBlocks = 32;  // at a node
constexpr std::size_t kGroup = 4;        // bins that are rated together

// Scores in single precision miss the true ones by less than a third of this share.
constexpr float kClearlyWorse = 1e-6F;

#if defined(__SSE2__)

using Counts = __m128i;  // eight numbers of 16 bits
using Ints = __m128i;    // four of 32 bits
using Floats = __m128;

inline Counts Load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
inline void Store(void* to, Ints x) { _mm_storeu_si128(static_cast<__m128i*>(to), x); }
inline void Store(void* to, Floats x) { _mm_storeu_ps(static_cast<float*>(to), x); }
inline Counts NoCounts() { return _mm_setzero_si128(); }
inline Counts OneEach() { return _mm_set1_epi16(1); }
inline Ints All(std::int32_t x) { return _mm_set1_epi32(x); }
inline Counts AddCounts(Counts a, Counts b) { return _mm_add_epi16(a, b); }
inline Ints Add(Ints a, Ints b) { return _mm_add_epi32(a, b); }
inline Ints Subtract(Ints a, Ints b) { return _mm_sub_epi32(a, b); }
// Products of neighbours, added in pairs.
inline Ints Products(Counts a, Counts b) { return _mm_madd_epi16(a, b); }
// The sum of each of the four.
inline Ints SumEach(Ints a, Ints b, Ints c, Ints d) {
  const Ints ab = Add(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
  const Ints cd = Add(_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
  return Add(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd));
}
// squares / weight of both sides; 0 if one of them weighs less than `least`.
inline Floats Score(Ints left, Ints left_squares, Ints right, Ints right_squares, Ints least) {
  const __m128i too_light =
      _mm_or_si128(_mm_cmpgt_epi32(least, left), _mm_cmpgt_epi32(least, right));
  const __m128 sum = _mm_add_ps(_mm_div_ps(_mm_cvtepi32_ps(left_squares), _mm_cvtepi32_ps(left)),
                                _mm_div_ps(_mm_cvtepi32_ps(right_squares), _mm_cvtepi32_ps(right)));
  return _mm_andnot_ps(_mm_castsi128_ps(too_light), sum);
}
inline Floats LoadScores(const float* from) { return _mm_loadu_ps(from); }
inline Floats Larger(Floats a, Floats b) { return _mm_max_ps(a, b); }
// Whether one of the four is `least` or more.
inline bool AnyReaches(Floats x, float least) {
  return _mm_movemask_ps(_mm_cmpge_ps(x, _mm_set1_ps(least))) != 0;
}

#else

struct Counts {
  std::array<std::int16_t, 8> of;
};
struct Ints {
  std::array<std::int32_t, 4> of;
};
struct Floats {
  std::array<float, 4> of;
};

inline std::uint32_t Unsigned(std::int32_t x) { return static_cast<std::uint32_t>(x); }
inline std::int32_t Wrapped(std::uint32_t x) { return static_cast<std::int32_t>(x); }
inline Counts Load(const void* from) {
  Counts x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}
template <class T>
void Store(void* to, const T& x) {
  std::memcpy(to, &x, sizeof(x));
}
inline Counts NoCounts() { return {}; }
inline Counts OneEach() { return {{1, 1, 1, 1, 1, 1, 1, 1}}; }
inline Ints All(std::int32_t x) { return {{x, x, x, x}}; }
inline Counts AddCounts(Counts a, const Counts& b) {
  for (std::size_t i = 0; i < 8; ++i) a.of[i] = static_cast<std::int16_t>(a.of[i] + b.of[i]);
  return a;
}
// Sums wrap around: a difference of two that do not fit may fit again.
inline Ints Add(Ints a, const Ints& b) {
  for (std::size_t i = 0; i < 4; ++i) a.of[i] = Wrapped(Unsigned(a.of[i]) + Unsigned(b.of[i]));
  return a;
}
inline Ints Subtract(Ints a, const Ints& b) {
  for (std::size_t i = 0; i < 4; ++i) a.of[i] = Wrapped(Unsigned(a.of[i]) - Unsigned(b.of[i]));
  return a;
}
// Products of neighbours, added in pairs.
inline Ints Products(const Counts& a, const Counts& b) {
  Ints sums;
  for (std::size_t i = 0; i < 4; ++i) {
    sums.of[i] = a.of[2 * i] * b.of[2 * i] + a.of[2 * i + 1] * b.of[2 * i + 1];
  }
  return sums;
}
// The sum of each of the four.
inline Ints SumEach(const Ints& a, const Ints& b, const Ints& c, const Ints& d) {
  const auto sum = [](const Ints& x) { return x.of[0] + x.of[1] + x.of[2] + x.of[3]; };
  return {{sum(a), sum(b), sum(c), sum(d)}};
}
// squares / weight of both sides; 0 if one of them weighs less than `least`.
inline Floats Score(const Ints& left, const Ints& left_squares, const Ints& right,
                    const Ints& right_squares, const Ints& least) {
  Floats scores{};
  for (std::size_t i = 0; i < 4; ++i) {
    if (left.of[i] < least.of[i] || right.of[i] < least.of[i]) continue;
    scores.of[i] = static_cast<float>(left_squares.of[i]) / static_cast<float>(left.of[i]) +
                   static_cast<float>(right_squares.of[i]) / static_cast<float>(right.of[i]);
  }
  return scores;
}
inline Floats LoadScores(const float* from) { return {{from[0], from[1], from[2], from[3]}}; }
inline Floats Larger(Floats a, const Floats& b) {
  for (std::size_t i = 0; i < 4; ++i) a.of[i] = std::max(a.of[i], b.of[i]);
  return a;
}
// Whether one of the four is `least` or more.
inline bool AnyReaches(const Floats& x, float least) {
  return std::any_of(x.of.begin(), x.of.end(), [&](float score) { return score >= least; });
}

#endif

}  // namespace

NarrowGini::NarrowGini(const TrainingColumns& columns, const CountedRows& rows)
    : columns_(columns), rows_(rows), place_of_class_(columns.n_classes) {
  std::size_t n_bins = 0;
  for (const std::uint32_t j : columns.narrow_columns) {
    first_bin_.push_back(static_cast<std::uint32_t>(n_bins));
    n_bins += (columns.columns[j].distinct.size() + kGroup - 1) / kGroup * kGroup;
  }
  first_bin_.push_back(static_cast<std::uint32_t>(n_bins));
  left_weights_.resize(n_bins);
  left_squares_.resize(n_bins);
  right_squares_.resize(n_bins);
  scores_.resize(n_bins);
}

bool NarrowGini::CanCount(const TrainingColumns& columns, const CountedRows& rows) {
  return rows.total <= kLargestTotal && columns.n_classes <= kMostBlocks * kLanes &&
         !columns.narrow_columns.empty();
}

bool NarrowGini::Pays(const NodeRows& node) const {
  return first_bin_.back() <= 8 * (first_bin_.size() - 1) * (node.rows.size() + 2);
}

std::span<const NarrowGini::ColumnCut> NarrowGini::Best(const NodeRows& node, std::uint32_t least,
                                                        double tolerance) {
  TakeClasses(node);
  counts_.resize(std::max(counts_.size(), first_bin_.back() * n_blocks_ * kLanes), 0);
  if (n_blocks_ == 1) {
    Rate<1>(node, least);
  } else if (n_blocks_ == 2) {
    Rate<2>(node, least);
  } else if (n_blocks_ == 3) {
    Rate<3>(node, least);
  } else if (n_blocks_ == 4) {
    Rate<4>(node, least);
  } else {
    Rate<0>(node, least);
  }
  Collect(tolerance);
  return found_;
}

void NarrowGini::TakeClasses(const NodeRows& node) {
  totals_.assign((node.sums.size() + kLanes - 1) / kLanes * kLanes, 0);
  std::uint32_t n_present = 0;
  weight_ = squares_ = 0;
  for (std::size_t c = 0; c < node.sums.size(); ++c) {
    const auto n = static_cast<std::int32_t>(node.sums[c]);
    place_of_class_[c] = n_present;
    if (n == 0) continue;
    totals_[n_present++] = static_cast<std::int16_t>(n);
    weight_ += n;
    squares_ += n * n;
  }
  n_blocks_ = (n_present + kLanes - 1) / kLanes;
}

template <std::size_t kBlocks>
void NarrowGini::Rate(const NodeRows& node, std::uint32_t least) {
  Count<kBlocks>(node);
  best_ = {};
  for (std::size_t k = 0; k + 1 < first_bin_.size(); ++k) RateColumn<kBlocks>(k, least);
}

template <std::size_t kBlocks>
void NarrowGini::Count(const NodeRows& node) {
  const std::size_t stride = kLanes * (kBlocks > 0 ? kBlocks : n_blocks_);
  const std::size_t width = first_bin_.size() - 1;
  const std::uint32_t* first_bin = first_bin_.data();
  for (const std::uint32_t row : node.rows) {
    const std::uint8_t* ranks = columns_.narrow_ranks.data() + row * width;
    const auto label = static_cast<std::size_t>(columns_.labels[row]);
    std::int16_t* counts = counts_.data() + place_of_class_[label];
    const auto weight = static_cast<std::int16_t>(rows_.weights[row]);
    for (std::size_t k = 0; k < width; ++k) {
      counts[(first_bin[k] + ranks[k]) * stride] += weight;
    }
  }
}

// Clears the counts on its way.
template <std::size_t kBlocks>
void NarrowGini::RateColumn(std::size_t k, std::uint32_t least) {
  const std::size_t n_blocks = kBlocks > 0 ? kBlocks : n_blocks_;
  const std::int16_t* totals = totals_.data();
  // More than a node may weigh need not fit into 31 bits.
  const Ints least_weight = All(static_cast<std::int32_t>(std::min(least, kLargestTotal + 1)));
  const Ints weight = All(weight_), squares = All(squares_);
  Floats best = LoadScores(best_.data());
  Counts left[kBlocks > 0 ? kBlocks : kMostBlocks];
  for (std::size_t b = 0; b < n_blocks; ++b) left[b] = NoCounts();
  for (std::size_t bin = first_bin_[k]; bin < first_bin_[k + 1]; bin += kGroup) {
    std::int16_t* counts = counts_.data() + bin * n_blocks * kLanes;
    Ints weights[kGroup], lefts[kGroup], products[kGroup];
    for (std::size_t i = 0; i < kGroup; ++i) {
      weights[i] = lefts[i] = products[i] = All(0);
      for (std::size_t b = 0; b < n_blocks; ++b, counts += kLanes) {
        left[b] = AddCounts(left[b], Load(counts));
        Store(counts, NoCounts());
        weights[i] = Add(weights[i], Products(left[b], OneEach()));
        lefts[i] = Add(lefts[i], Products(left[b], left[b]));
        products[i] = Add(products[i], Products(left[b], Load(totals + b * kLanes)));
      }
    }
    const Ints left_weight = SumEach(weights[0], weights[1], weights[2], weights[3]);
    const Ints left_squares = SumEach(lefts[0], lefts[1], lefts[2], lefts[3]);
    const Ints product = SumEach(products[0], products[1], products[2], products[3]);
    // (t - l)^2 = t^2 - 2 t l + l^2, summed over the classes.
    const Ints right_squares = Subtract(Add(squares, left_squares), Add(product, product));
    const Ints right_weight = Subtract(weight, left_weight);
    const Floats score =
        Score(left_weight, left_squares, right_weight, right_squares, least_weight);
    Store(left_weights_.data() + bin, left_weight);
    Store(left_squares_.data() + bin, left_squares);
    Store(right_squares_.data() + bin, right_squares);
    Store(scores_.data() + bin, score);
    best = Larger(best, score);
  }
  Store(best_.data(), best);
}

void NarrowGini::Collect(double tolerance) {
  found_.clear();
  const float best = *std::max_element(best_.begin(), best_.end());
  if (!(best > 0)) return;
  const float least_score = best * (1 - kClearlyWorse);
  for (std::size_t k = 0; k + 1 < first_bin_.size(); ++k) {
    const std::size_t n_found = found_.size();
    for (std::size_t group = first_bin_[k]; group < first_bin_[k + 1]; group += kGroup) {
      if (!AnyReaches(LoadScores(scores_.data() + group), least_score)) continue;
      for (std::size_t bin = group; bin < group + kGroup; ++bin) {
        if (scores_[bin] < least_score) continue;
        if (found_.size() == n_found) found_.push_back({columns_.narrow_columns[k], {}});
        Offer(k, bin, tolerance, found_.back().cut);
      }
    }
  }
}

void NarrowGini::Offer(std::size_t k, std::size_t bin, double tolerance, CountedCut& cut) const {
  const auto left = static_cast<std::uint32_t>(left_weights_[bin]);
  const std::uint32_t right = static_cast<std::uint32_t>(weight_) - left;
  const double sum = CountedGini::Of(left, static_cast<std::uint32_t>(left_squares_[bin])) +
                     CountedGini::Of(right, static_cast<std::uint32_t>(right_squares_[bin]));
  if (!(sum < cut.impurity - tolerance)) return;
  cut.impurity = sum;
  cut.left_weight = left;
  // There are rows on the right, so the weight grows again.
  std::size_t above = bin + 1;
  while (left_weights_[above] == left_weights_[bin]) ++above;
  cut.below = static_cast<std::uint32_t>(bin - first_bin_[k]);
  cut.above = static_cast<std::uint32_t>(above - first_bin_[k]);
}

}  // namespace crossfold::bundled::tree
