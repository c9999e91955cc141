// A positive numeric column within naive Bayes that has a gamma distribution within each class.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../exact_sums.h"
#include "batch.h"
#include "normal_sums.h"

namespace crossfold::bundled {

class GammaColumn {
 public:
  GammaColumn(std::string name, std::size_t n_classes)
      : name_(std::move(name)), sums_(n_classes), logs_(n_classes) {}

  void Update(const Batch& batch, std::span<const double> x);
  void Finish(const Shared& shared);
  void Score(std::span<const double> x, const ScoreTable& table) const;
  std::string Describe(const Shared& shared) const;
  void Save(plugin::Writer& w) const;
  static GammaColumn Load(plugin::Reader& r, std::string name, std::size_t n_classes);

 private:
  // shape^shape / (Gamma(shape) mean^shape) x^(shape - 1) exp(-shape x / mean).
  struct Density {
    double shape = 0, mean = 0;
    double log_factor = 0;  // of shape^shape exp(-shape) / Gamma(shape)
  };

  void RefuseBad(double x) const;
  // `mean_log`: the mean of the logarithms; `floor`: the smallest standard deviation.
  static Density MakeDensity(const NormalMoments& moments, double mean_log, double floor,
                             const std::string& subject);

  std::string name_;
  NormalSums sums_;
  ExactSums logs_;                  // of w log x; one per class
  std::vector<Density> densities_;  // one per class; none = the column is not used
};

}  // namespace crossfold::bundled
