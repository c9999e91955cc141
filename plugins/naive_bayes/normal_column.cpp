#include "normal_column.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "../number_text.h"

namespace crossfold::bundled {
namespace {

// Exact sums of weights w, of w x and of w x^2, as the doubles they consist of.
struct SumParts {
  std::vector<double> weights, sums, squares;
};

void Append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

double Total(std::span<const double> parts) {
  plugin::CompensatedSum sum;
  for (const double part : parts) sum.Add(part);
  return sum.value();
}

// By Cauchy and Schwarz W sum(w x^2) = (sum(w x))^2 exactly if all x are equal.
bool AllEqual(const SumParts& parts) {
  ExactSums difference(1);
  for (const double w : parts.weights) {
    for (const double q : parts.squares) difference.AddProduct(0, w, q);
  }
  for (const double a : parts.sums) {
    for (const double b : parts.sums) difference.AddProduct(0, -a, b);
  }
  difference.Normalise();
  return difference.Parts(0).empty();
}

// sum(w (x - mean)^2) = sum(w x^2) - 2 mean sum(w x) + mean^2 W, rounded only once.
double SquaresAround(const SumParts& parts, double mean) {
  ExactSums squares(1);
  for (const double q : parts.squares) squares.Add(0, q);
  for (const double s : parts.sums) squares.AddProduct(0, -2 * mean, s);
  const double square = mean * mean;
  const double rest = std::fma(mean, mean, -square);
  for (const double w : parts.weights) {
    squares.AddProduct(0, square, w);
    squares.AddProduct(0, rest, w);
  }
  squares.Normalise();
  return std::max(squares.Value(0), 0.0);
}

Moments MomentsOf(const SumParts& parts, Denominator denominator, const std::string& subject) {
  Moments m;
  m.weight = Total(parts.weights);
  if (m.weight == 0) return m;
  // No product in the functions above exceeds this one.
  const double largest = 4 * std::max(m.weight, 1.0) * Total(parts.squares);
  if (!std::isfinite(largest)) {
    throw plugin::Error(CF_E_NUMERIC, subject + " has no finite mean and standard deviation");
  }
  plugin::CompensatedSum sum;
  for (const double part : parts.sums) sum.Add(part);
  m.mean = sum.DividedBy(m.weight);
  if (AllEqual(parts)) return m;
  const double divisor = denominator == Denominator::kTotalWeightMinusOne ? m.weight - 1 : m.weight;
  if (!(divisor > 0)) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        subject + " has a total weight of at most 1, so it has no sample " +
                            "standard deviation (weights count as repetitions)");
  }
  m.sd = std::sqrt(SquaresAround(parts, m.mean) / divisor);
  return m;
}

}  // namespace

// Sums of w x and of w x^2 for whole numbers so small that doubles sum them exactly.
struct NormalColumn::SmallSums {
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

NormalColumn::NormalColumn(std::string name, std::size_t n_classes)
    : name_(std::move(name)), weights_(n_classes), sums_(n_classes), squares_(n_classes) {}

void NormalColumn::AddRow(std::size_t c, double weight, double x) {
  const double square = x * x;
  if (!std::isfinite(weight * square) || !std::isfinite(square)) {
    throw plugin::Error(CF_E_NUMERIC,
                        FeatureText(name_) + " has no finite mean and standard deviation");
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

void NormalColumn::Take(SmallSums& small) {
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    sums_.Add(c, small.sums[c]);
    squares_.Add(c, small.squares[c]);
  }
  small = SmallSums(weights_.size());
}

void NormalColumn::Update(const Batch& batch, std::span<const double> x) {
  std::vector<double> weights(weights_.size());
  SmallSums small(weights_.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || batch.weights[i] == 0) continue;
    RefuseInfinite(name_, x[i]);
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
      AddRow(c, batch.weights[i], x[i]);
    }
  }
  Take(small);
  for (std::size_t c = 0; c < weights.size(); ++c) weights_.Add(c, weights[c]);
  weights_.Normalise();
  sums_.Normalise();
  squares_.Normalise();
}

Moments NormalColumn::Overall(Denominator denominator) const {
  SumParts all;
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    Append(all.weights, weights_.Parts(c));
    Append(all.sums, sums_.Parts(c));
    Append(all.squares, squares_.Parts(c));
  }
  return MomentsOf(all, denominator, FeatureText(name_));
}

void NormalColumn::Finish(const Shared& shared) {
  densities_.clear();
  const BayesParams& params = *shared.params;
  const Moments overall = Overall(params.variance);
  if (overall.sd == 0) return;
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    const std::string subject = OfClass(name_, shared.class_names[c]);
    const Moments m =
        MomentsOf({weights_.Parts(c), sums_.Parts(c), squares_.Parts(c)}, params.variance, subject);
    // A class that never shows this feature gets what all rows together say.
    const Moments& used = m.weight > 0 ? m : overall;
    double sd = used.sd;
    if (shared.added_variance > 0) sd = std::sqrt(sd * sd + shared.added_variance);
    sd = std::max(sd, params.min_sd * overall.sd);
    if (sd == 0) {
      throw plugin::Error(CF_E_NUMERIC, subject + " has standard deviation 0; raise min_sd");
    }
    densities_.push_back({used.mean, sd, -std::log(sd) - 0.5 * std::log(2 * std::numbers::pi)});
  }
}

void NormalColumn::Score(std::span<const double> x, const ScoreTable& table) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) continue;
    RefuseInfinite(name_, x[i]);
    double* to = table.row(i);
    for (std::size_t c = 0; c < densities_.size(); ++c) {
      const double z = (x[i] - densities_[c].mean) / densities_[c].sd;
      to[c] += densities_[c].log_height - 0.5 * z * z;
    }
  }
}

std::string NormalColumn::Describe(const Shared& shared) const {
  if (densities_.empty()) return name_ + " is constant or missing and says nothing\n";
  std::string text;
  for (std::size_t c = 0; c < densities_.size(); ++c) {
    text += name_ + " | " + shared.class_names[c] +
            " ~ normal(mean = " + NumberText(densities_[c].mean) +
            ", sd = " + NumberText(densities_[c].sd) + ")\n";
  }
  return text;
}

void NormalColumn::Save(plugin::Writer& w) const {
  weights_.Save(w);
  sums_.Save(w);
  squares_.Save(w);
}

NormalColumn NormalColumn::Load(plugin::Reader& r, std::string name, std::size_t n_classes) {
  NormalColumn column(std::move(name), n_classes);
  column.weights_ = ExactSums::Load(r, n_classes);
  column.sums_ = ExactSums::Load(r, n_classes);
  column.squares_ = ExactSums::Load(r, n_classes);
  return column;
}

}  // namespace crossfold::bundled
