#include "count_column.h"

#include <cmath>
#include <utility>

#include "../number_text.h"

namespace crossfold::bundled {

CountColumn::CountColumn(std::string name, NumericKind kind, std::size_t n_classes, double trials)
    : name_(std::move(name)),
      kind_(kind),
      trials_(trials),
      weights_(n_classes),
      sums_(n_classes),
      failed_(n_classes) {}

void CountColumn::RefuseBad(double x) const {
  RefuseInfinite(name_, x);
  if (x >= 0 && (is_multinomial() || x == std::floor(x)) && (!is_binomial() || x <= trials_)) {
    return;
  }
  throw plugin::Error(CF_E_UNSUPPORTED_DATA, FeatureText(name_) + " has the entry " +
                                                 NumberText(x) + ", but " + Allowed());
}

std::string CountColumn::Allowed() const {
  if (is_multinomial()) return "multinomial counts must be at least 0";
  if (!is_binomial()) return "poisson counts must be whole numbers from 0";
  return "binomial counts must be whole numbers from 0 to " + NumberText(trials_) +
         ", the value of trials";
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
    if (is_binomial()) failed_.AddProduct(batch.classes[i], batch.weights[i], trials_ - x[i]);
  }
  weights_.Normalise();
  sums_.Normalise();
  failed_.Normalise();
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
    // For a class without any count, takes the limit of vanishing smoothing.
    shares[c] = all > 0 ? (sums_.Value(c) + laplace) / all : 1 / shared.n_multinomial;
  }
  return shares;
}

// Counts as a bool that is seen `trials_` times in every row. A class without rows gets the
// probability of all rows.
void CountColumn::FinishBinomial(double laplace) {
  values_.assign(sums_.size(), 0.5);
  slopes_.assign(sums_.size(), 0);
  offsets_.assign(sums_.size(), 0);
  failures_.assign(sums_.size(), 0);
  double all_successes = 0, all_failures = 0;
  for (std::size_t c = 0; c < sums_.size(); ++c) {
    all_successes += sums_.Value(c);
    all_failures += failed_.Value(c);
  }
  if (!(all_successes + all_failures > 0)) return;
  for (std::size_t c = 0; c < sums_.size(); ++c) {
    const bool has_rows = weights_.Value(c) > 0;
    const double successes = (has_rows ? sums_.Value(c) : all_successes) + laplace;
    const double failures = (has_rows ? failed_.Value(c) : all_failures) + laplace;
    values_[c] = successes / (successes + failures);
    slopes_[c] = std::log(values_[c]);
    failures_[c] = std::log(failures / (successes + failures));
  }
}

void CountColumn::Finish(const Shared& shared) {
  if (is_binomial()) return FinishBinomial(shared.params->laplace);
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
    if (is_binomial() && x[i] < trials_) {
      for (std::size_t c = 0; c < values_.size(); ++c) to[c] += (trials_ - x[i]) * failures_[c];
    }
    if (x[i] == 0) continue;  // 0 log 0 = 0
    for (std::size_t c = 0; c < values_.size(); ++c) to[c] += x[i] * slopes_[c];
  }
}

OnnxValue CountColumn::AddOnnx(plugin::OnnxGraph& graph, const OnnxValue& column) const {
  OnnxValue scores = graph.Node(
      "Add", {graph.Numbers(offsets_, {1, offsets_.size()}), OnnxProducts(graph, column, slopes_)});
  if (is_binomial()) {
    const OnnxValue left = graph.Node("Sub", {graph.Number(trials_), column});
    scores = graph.Node("Add", {scores, OnnxProducts(graph, left, failures_)});
  }
  return OnnxWhereKnown(graph, column, scores);
}

std::string CountColumn::Describe(const Shared& shared) const {
  std::string text;
  for (std::size_t c = 0; c < values_.size(); ++c) {
    text += name_ + " | " + shared.class_names[c] + " ~ " +
            (is_multinomial() ? "multinomial(share = "
             : is_binomial()  ? "binomial(trials = " + NumberText(trials_) + ", probability = "
                              : "poisson(rate = ") +
            NumberText(values_[c]) + ")\n";
  }
  return text;
}

void CountColumn::Save(plugin::Writer& w) const {
  weights_.Save(w);
  sums_.Save(w);
  if (!is_binomial()) return;
  w.Write(trials_);
  failed_.Save(w);
}

CountColumn CountColumn::Load(plugin::Reader& r, std::string name, NumericKind kind,
                              std::size_t n_classes) {
  CountColumn column(std::move(name), kind, n_classes);
  column.weights_ = ExactSums::Load(r, n_classes);
  column.sums_ = ExactSums::Load(r, n_classes);
  if (column.is_binomial()) {
    column.trials_ = r.ReadWithin<double>(1, static_cast<double>(kMostTrials));
    column.failed_ = ExactSums::Load(r, n_classes);
  }
  return column;
}

}  // namespace crossfold::bundled
