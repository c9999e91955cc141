#include "normal_sums.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "double_double.h"
#include "normal_kernels.h"

namespace crossfold::bundled {
namespace {

// The exact sums as the doubles they consist of.
struct SumParts {
  std::vector<double> weights, sums, squares;
};

// All sums as one.
std::vector<double> MergedParts(const ExactSums& sums) {
  ExactSums merged(1);
  for (std::size_t c = 0; c < sums.size(); ++c) {
    for (const double part : sums.Parts(c)) merged.Add(0, part);
  }
  merged.Normalise();
  return merged.Parts(0);
}

double Total(std::span<const double> parts) {
  plugin::CompensatedSum sum;
  for (const double part : parts) sum.Add(part);
  return sum.value();
}

// W sum(w x^2) - (sum(w x))^2 = W sum(w (x - mean)^2), rounded only once. By Cauchy and Schwarz it
// is 0 exactly if all x are equal.
DoubleDouble ExactSpread(const SumParts& parts) {
  ExactSums difference(1);
  for (const double w : parts.weights) {
    for (const double q : parts.squares) difference.AddProduct(0, w, q);
  }
  for (const double a : parts.sums) {
    for (const double b : parts.sums) difference.AddProduct(0, -a, b);
  }
  difference.Normalise();
  return SumOf(difference.Parts(0));
}

NormalMoments MomentsOf(const SumParts& parts, Denominator denominator,
                        const std::string& subject) {
  NormalMoments m;
  m.weight = Total(parts.weights);
  if (m.weight == 0) return m;
  // No product in the functions above exceeds this one.
  const double largest = 4 * std::max(m.weight, 1.0) * Total(parts.squares);
  if (!std::isfinite(largest)) {
    throw plugin::Error(CF_E_NUMERIC, subject + " has no finite mean and standard deviation");
  }
  const DoubleDouble weight = SumOf(parts.weights);
  m.mean = (SumOf(parts.sums) / weight).hi;
  const DoubleDouble spread = ExactSpread(parts);
  if (!(spread.hi > 0)) return m;
  const bool sample = denominator == Denominator::kTotalWeightMinusOne;
  const DoubleDouble divisor = sample ? weight - DoubleDouble{1, 0} : weight;
  if (!(divisor.hi > 0)) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        subject + " has a total weight of at most 1, so it has no sample " +
                            "standard deviation (weights count as repetitions)");
  }
  // Squares below the normal doubles have lost their digits.
  m.variance = std::max((spread / weight / divisor).hi, std::numeric_limits<double>::min());
  return m;
}

}  // namespace

// Sums of w x and of w x^2 for whole numbers so small that doubles sum them exactly.
struct NormalSums::SmallSums {
  explicit SmallSums(std::size_t n_classes) : sums(n_classes), squares(n_classes) {}

  static bool Takes(double weight, double x) {
    return std::fabs(x) <= kMost && std::fabs(weight) <= kMost && IsWhole(x) && IsWhole(weight);
  }
  void Add(std::size_t c, double weight, double x) {
    sums[c] += weight * x;
    squares[c] += weight * x * x;
    ++n_terms;
  }
  bool IsFull() const { return n_terms == kMostTerms; }

  std::vector<double> sums, squares;

 private:
  static constexpr double kMost = 1024;  // a term is at most 2^30, the sum of kMostTerms 2^52
  static constexpr std::int64_t kMostTerms = std::int64_t{1} << 22;
  static bool IsWhole(double x) { return static_cast<double>(static_cast<int>(x)) == x; }

  std::int64_t n_terms = 0;
};

NormalSums::NormalSums(std::size_t n_classes)
    : weights_(n_classes), sums_(n_classes), squares_(n_classes) {}

void NormalSums::AddRow(std::size_t c, double weight, double x, const std::string& name) {
  const double square = x * x;
  if (!std::isfinite(weight * square) || !std::isfinite(square)) {
    throw plugin::Error(CF_E_NUMERIC,
                        FeatureText(name) + " has no finite mean and standard deviation");
  }
  if (weight == 1 || weight == -1) {
    sums_.Add(c, weight * x);
    squares_.AddProduct(c, weight * x, x);
    return;
  }
  sums_.AddProduct(c, weight, x);
  squares_.AddProduct(c, weight, square);
  squares_.AddProduct(c, weight, std::fma(x, x, -square));
}

void NormalSums::Take(SmallSums& small) {
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    sums_.Add(c, small.sums[c]);
    squares_.Add(c, small.squares[c]);
  }
  small = SmallSums(weights_.size());
}

void NormalSums::AddEntries(std::size_t c, std::span<const double> x, double weight) {
  constexpr std::size_t kMost = ExactTerms::kMostEntries;
  const NormalKernels& kernels = *SupportedKernels()[0];
  weights_.Add(c, weight * static_cast<double>(x.size()));
  for (std::size_t first = 0; first < x.size(); first += kMost) {
    const std::span<const double> block = x.subspan(first, std::min(kMost, x.size() - first));
    EntryRange range;
    kernels.extend_range(block.data(), block.size(), &range);
    ExactTerms terms;
    if (kernels.exact_terms(block.data(), block.size(), range, &terms)) {
      for (const double term : terms.sum) sums_.Add(c, weight * term);
      for (const double term : terms.square) squares_.Add(c, weight * term);
    } else {
      for (const double entry : block) AddRow(c, weight, entry, "");
    }
  }
}

void NormalSums::Normalise() {
  weights_.Normalise();
  sums_.Normalise();
  squares_.Normalise();
}

void NormalSums::AddRows(const Batch& batch, std::span<const double> x, const std::string& name) {
  if (!AddUnitRows(batch, x)) AddAnyRows(batch, x, name);
  Normalise();
}

// False, and nothing is added, if a row has another weight or an entry is not for AddEntries().
bool NormalSums::AddUnitRows(const Batch& batch, std::span<const double> x) {
  if (batch.by_class.empty()) return false;
  EntryRange range;
  SupportedKernels()[0]->extend_range(x.data(), x.size(), &range);
  if (!range.is_plain) return false;
  std::vector<double> sorted(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) sorted[i] = x[batch.by_class[i]];
  std::size_t first = 0;
  for (std::size_t c = 0; c < batch.class_ends.size(); ++c) {
    const std::size_t end = batch.class_ends[c];
    AddEntries(c, std::span(sorted).subspan(first, end - first), batch.leaving ? -1 : 1);
    first = end;
  }
  return true;
}

void NormalSums::AddAnyRows(const Batch& batch, std::span<const double> x,
                            const std::string& name) {
  std::vector<double> weights(weights_.size());
  SmallSums small(weights_.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || batch.weights[i] == 0) continue;
    RefuseInfinite(name, x[i]);
    const std::size_t c = batch.classes[i];
    if (batch.whole_weights) {
      weights[c] += batch.weights[i];
    } else {
      weights_.Add(c, batch.weights[i]);
    }
    if (x[i] == 0) continue;  // adds nothing to the other sums
    if (SmallSums::Takes(batch.weights[i], x[i])) {
      small.Add(c, batch.weights[i], x[i]);
      if (small.IsFull()) Take(small);
    } else {
      AddRow(c, batch.weights[i], x[i], name);
    }
  }
  Take(small);
  for (std::size_t c = 0; c < weights.size(); ++c) weights_.Add(c, weights[c]);
}

NormalMoments NormalSums::OfClass(std::size_t c, Denominator denominator,
                                  const std::string& subject) const {
  return MomentsOf({weights_.Parts(c), sums_.Parts(c), squares_.Parts(c)}, denominator, subject);
}

NormalMoments NormalSums::Overall(Denominator denominator, const std::string& subject) const {
  return MomentsOf({MergedParts(weights_), MergedParts(sums_), MergedParts(squares_)}, denominator,
                   subject);
}

void NormalSums::Save(plugin::Writer& w) const {
  weights_.Save(w);
  sums_.Save(w);
  squares_.Save(w);
}

NormalSums NormalSums::Load(plugin::Reader& r, std::size_t n_classes) {
  NormalSums loaded(n_classes);
  loaded.weights_ = ExactSums::Load(r, n_classes);
  loaded.sums_ = ExactSums::Load(r, n_classes);
  loaded.squares_ = ExactSums::Load(r, n_classes);
  return loaded;
}

}  // namespace crossfold::bundled
