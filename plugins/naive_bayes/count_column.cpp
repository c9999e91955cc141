#include "count_column.h"

#include <cmath>
#include <utility>

#include "../number_text.h"

namespace crossfold::bundled {

CountColumn::CountColumn(std::string name, NumericKind kind, std::size_t n_classes)
    : name_(std::move(name)), kind_(kind), weights_(n_classes), sums_(n_classes) {}

void CountColumn::RefuseBad(double x) const {
  RefuseInfinite(name_, x);
  if (x >= 0 && (is_multinomial() || x == std::floor(x))) return;
  throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                      FeatureText(name_) + " has the entry " + NumberText(x) +
                          (is_multinomial() ? ", but multinomial counts are at least 0"
                                            : ", but poisson counts are whole numbers from 0"));
}

void CountColumn::Update(const Batch& batch, std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || batch.weights[i] == 0) continue;
    RefuseBad(x[i]);
    if (!std::isfinite(batch.weights[i] * x[i])) {
      throw plugin::Error(CF_E_NUMERIC, FeatureText(name_) + " has no finite sum");
    }
    weights_.Add(batch.classes[i], batch.weights[i]);
    sums_.AddProduct(batch.classes[i], batch.weights[i], x[i]);
  }
  weights_.Normalise();
  sums_.Normalise();
}

// `laplace` counts as that many rows with the rate of all rows: the mean of the posterior under a
// gamma prior.
std::vector<double> CountColumn::PoissonRates(double laplace) const {
  double weight = 0;
  double sum = 0;
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    weight += weights_.Value(c);
    sum += sums_.Value(c);
  }
  std::vector<double> rates(weights_.size());
  const double overall = weight > 0 ? sum / weight : 0;
  for (std::size_t c = 0; c < rates.size(); ++c) {
    const double rows = weights_.Value(c) + laplace;
    rates[c] = weights_.Value(c) > 0 ? (sums_.Value(c) + laplace * overall) / rows : overall;
  }
  return rates;
}

std::vector<double> CountColumn::Shares(const Shared& shared) const {
  std::vector<double> shares(weights_.size());
  const double laplace = shared.params->laplace;
  for (std::size_t c = 0; c < shares.size(); ++c) {
    const double all = shared.multinomial_totals[c] + laplace * shared.n_multinomial;
    // A class without any count: the limit of vanishing smoothing.
    shares[c] = all > 0 ? (sums_.Value(c) + laplace) / all : 1 / shared.n_multinomial;
  }
  return shares;
}

void CountColumn::Finish(const Shared& shared) {
  values_ = is_multinomial() ? Shares(shared) : PoissonRates(shared.params->laplace);
  slopes_.assign(values_.size(), 0);
  offsets_.assign(values_.size(), 0);
  double most = 0;
  for (const double value : values_) most = std::max(most, value);
  // Not one count in any class: nothing to compare.
  if (most == 0) return;
  for (std::size_t c = 0; c < values_.size(); ++c) {
    slopes_[c] = std::log(values_[c]);
    if (!is_multinomial()) offsets_[c] = -values_[c];
  }
}

void CountColumn::Score(std::span<const double> x, const ScoreTable& table) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) continue;
    RefuseBad(x[i]);
    double* to = table.row(i);
    for (std::size_t c = 0; c < values_.size(); ++c) to[c] += offsets_[c];
    if (x[i] == 0) continue;  // 0 log 0 = 0
    for (std::size_t c = 0; c < values_.size(); ++c) to[c] += x[i] * slopes_[c];
  }
}

std::string CountColumn::Describe(const Shared& shared) const {
  std::string text;
  for (std::size_t c = 0; c < values_.size(); ++c) {
    text += name_ + " | " + shared.class_names[c] +
            (is_multinomial() ? " ~ multinomial(share = " : " ~ poisson(rate = ") +
            NumberText(values_[c]) + ")\n";
  }
  return text;
}

void CountColumn::Save(plugin::Writer& w) const {
  weights_.Save(w);
  sums_.Save(w);
}

CountColumn CountColumn::Load(plugin::Reader& r, std::string name, NumericKind kind,
                              std::size_t n_classes) {
  CountColumn column(std::move(name), kind, n_classes);
  column.weights_ = ExactSums::Load(r, n_classes);
  column.sums_ = ExactSums::Load(r, n_classes);
  return column;
}

}  // namespace crossfold::bundled
