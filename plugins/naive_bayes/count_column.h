// A column of counts within naive Bayes: Poisson or binomial by itself, or one of the parts of a
// multinomial.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../exact_sums.h"
#include "batch.h"
#include "onnx_scores.h"

namespace crossfold::bundled {

class CountColumn {
 public:
  // `kind` is kPoisson, kMultinomial or kBinomial; `trials` is of a binomial.
  CountColumn(std::string name, NumericKind kind, std::size_t n_classes, double trials = 0);

  bool is_multinomial() const { return kind_ == NumericKind::kMultinomial; }
  bool is_binomial() const { return kind_ == NumericKind::kBinomial; }
  // Sum of the counts of one class.
  double Total(std::size_t c) const { return sums_.Value(c); }

  void Update(const Batch& batch, std::span<const double> x);
  void Finish(const Shared& shared);
  void Score(std::span<const double> x, const ScoreTable& table) const;
  OnnxValue AddOnnx(plugin::OnnxGraph& graph, const OnnxValue& column) const;
  std::string Describe(const Shared& shared) const;
  void Save(plugin::Writer& w) const;
  static CountColumn Load(plugin::Reader& r, std::string name, NumericKind kind,
                          std::size_t n_classes);

 private:
  void RefuseBad(double x) const;
  std::string Allowed() const;
  std::vector<double> PoissonRates(double laplace) const;
  std::vector<double> Shares(const Shared& shared) const;
  void FinishBinomial(double laplace);

  std::string name_;
  NumericKind kind_;
  double trials_;
  ExactSums weights_, sums_;  // of 1 and x; one per class
  ExactSums failed_;          // binomial: of trials - x
  // Of each class: rate (Poisson), share (multinomial) or probability of a success (binomial).
  std::vector<double> values_;
  std::vector<double> slopes_, offsets_;  // log score = x slope + offset, up to a constant
  std::vector<double> failures_;          // binomial: + (trials - x) times this
};

}  // namespace crossfold::bundled
