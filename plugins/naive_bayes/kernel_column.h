// A numeric column within naive Bayes whose density in a class is a sum of normal kernels.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../moments.h"
#include "batch.h"

namespace crossfold::bundled {

class KernelColumn {
 public:
  KernelColumn(std::string name, std::size_t n_classes);

  void Update(const Batch& batch, std::span<const double> x);
  void Finish(const Shared& shared);
  void Score(std::span<const double> x, const ScoreTable& table) const;
  std::string Describe(const Shared& shared) const;
  void Save(plugin::Writer& w) const;
  static KernelColumn Load(plugin::Reader& r, std::string name, std::size_t n_classes);

 private:
  using Entry = std::pair<double, double>;  // value, weight

  // Distinct values in ascending order, so that the sum of kernels has one order.
  struct Density {
    std::vector<double> values, weights;
    double bandwidth = 0;
    double log_factor = 0;  // minus log of total weight, bandwidth and sqrt(2 pi)
  };

  Density MakeDensity(const std::vector<Entry>& entries, double floor, const BayesParams& params,
                      const std::string& subject) const;
  static double LogDensity(const Density& density, double x);

  std::string name_;
  std::vector<std::vector<Entry>> entries_;  // sorted; one list per class
  std::vector<Density> densities_;           // one per class; none = the column is not used
};

}  // namespace crossfold::bundled
