// The exact sums from which a normal column is learnt: of weights w, of w x and of w x^2, class by
// class.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../exact_sums.h"
#include "../moments.h"
#include "batch.h"

namespace crossfold::bundled {

struct NormalMoments {
  double weight = 0;  // total; 0 = there were no values
  double mean = 0;
  double variance = 0;  // 0 if and only if all values are equal
};

// A mean is the exact quotient of the exact sums, rounded from about 104 bits, and so is a
// variance: (W sum(w x^2) - (sum(w x))^2) / (W divisor). So both depend on the set of rows alone,
// and an approximation of the quotient that is close enough determines the double
// (normal_kernels.h).
class NormalSums {
 public:
  explicit NormalSums(std::size_t n_classes);

  // Entries that are missing or have weight 0 add nothing. `name` is the feature's, for errors.
  void AddRows(const Batch& batch, std::span<const double> x, const std::string& name);

  // Entries of rows of class c with weight 1 that come, or leave with weight -1. The sums are
  // usable after Normalise(). REQUIRES: none is missing, and all are within kLargestQuickEntry.
  void AddEntries(std::size_t c, std::span<const double> x, double weight);
  void Normalise();

  // `subject` names the values in error messages.
  NormalMoments OfClass(std::size_t c, Denominator denominator, const std::string& subject) const;
  NormalMoments Overall(Denominator denominator, const std::string& subject) const;

  void Save(plugin::Writer& w) const;
  static NormalSums Load(plugin::Reader& r, std::size_t n_classes);

 private:
  struct SmallSums;
  bool AddUnitRows(const Batch& batch, std::span<const double> x);
  void AddAnyRows(const Batch& batch, std::span<const double> x, const std::string& name);
  // Moves them to sums_ and squares_.
  void Take(SmallSums& small);
  void AddRow(std::size_t c, double weight, double x, const std::string& name);

  ExactSums weights_, sums_, squares_;  // one per class
};

}  // namespace crossfold::bundled
