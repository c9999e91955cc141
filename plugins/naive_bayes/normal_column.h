// A numeric column within naive Bayes that is normal within each class.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../exact_sums.h"
#include "../moments.h"
#include "batch.h"

namespace crossfold::bundled {

class NormalColumn {
 public:
  NormalColumn(std::string name, std::size_t n_classes);

  void Update(const Batch& batch, std::span<const double> x);
  // Mean and spread over all classes.
  Moments Overall(Denominator denominator) const;
  void Finish(const Shared& shared);
  void Score(std::span<const double> x, const ScoreTable& table) const;
  std::string Describe(const Shared& shared) const;
  void Save(plugin::Writer& w) const;
  static NormalColumn Load(plugin::Reader& r, std::string name, std::size_t n_classes);

 private:
  struct Density {
    double mean = 0;
    double sd = 0;
    double log_height = 0;  // log density at the mean
  };

  struct SmallSums;
  // Moves them to sums_ and squares_.
  void Take(SmallSums& small);
  void AddRow(std::size_t c, double weight, double x);

  std::string name_;
  ExactSums weights_, sums_, squares_;  // of 1, x and x^2; one a class
  std::vector<Density> densities_;      // one a class; none = the column says nothing
};

}  // namespace crossfold::bundled
