// A numeric column within naive Bayes that is normal within each class.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "batch.h"
#include "normal_sums.h"

namespace crossfold::bundled {

// The smallest variance of a class, where that of all training rows is `overall`.
double FloorVariance(double min_sd, double overall);

// Returns the variance that is used for a class: a normal double, or 0 if it is 0 after all.
double UsedVariance(double variance, double added_variance, double floor);
[[noreturn]] void RefuseConstant(const std::string& subject);

class NormalColumn {
 public:
  NormalColumn(std::string name, std::size_t n_classes)
      : name_(std::move(name)), sums_(n_classes) {}

  void Update(const Batch& batch, std::span<const double> x) { sums_.AddRows(batch, x, name_); }
  // Finds the moments over all classes.
  NormalMoments Overall(Denominator denominator) const {
    return sums_.Overall(denominator, FeatureText(name_));
  }
  void Finish(const Shared& shared);

  struct Density {
    double mean = 0;
    double variance = 0;
  };
  // One per class; none = the column is not used.
  std::span<const Density> densities() const { return densities_; }
  const std::string& name() const { return name_; }

  std::string Describe(const Shared& shared) const;
  void Save(plugin::Writer& w) const { sums_.Save(w); }
  static NormalColumn Load(plugin::Reader& r, std::string name, std::size_t n_classes);

 private:
  std::string name_;
  NormalSums sums_;
  std::vector<Density> densities_;
};

}  // namespace crossfold::bundled
