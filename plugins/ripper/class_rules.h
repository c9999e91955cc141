// The rules of one class.
#pragma once

#include <cstdint>
#include <vector>

#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/random.hpp"
#include "description_length.h"
#include "grow.h"
#include "table.h"

namespace crossfold::bundled::ripper {

struct RipperParams {
  bool prune = true;
  std::int64_t folds = 3;
  std::int64_t optimizations = 2;
  double min_rows = 2;
  bool check_error = true;
};

// Data shared by the classes of one fit.
struct Course {
  plugin::Random random;
  const plugin::Context& context;
  double done = 0;  // share of the rows whose class is finished

  void Report() const { context.Progress(done); }
};

class ClassRules {
 public:
  // `rows` are those that the rules of earlier classes do not cover; `expected` is the share of
  // errors that is to be expected among covered rows.
  ClassRules(const RipperParams& params, const Table& table, std::int32_t label, Rows rows,
             double expected);

  // Finds the rules in the order in which they are applied; each covers some row of the class.
  std::vector<Rule> Learn(Course& course) const;

 private:
  struct Split {
    Rows grow, prune;
  };
  // One of `folds` equal parts of each class is for pruning.
  Split Draw(const Rows& rows, plugin::Random& random) const;

  Rule MakeRule(Conditions conditions) const;
  Conditions GrowOne(const Rows& rows, plugin::Random& random) const;
  // Adds rules for the rows of the class that none covers, until one is not worth its bits.
  void AddRules(Course& course, std::vector<Rule>& rules) const;
  // Chooses what makes the best list: rule i, a new one in its place, or the old one grown further.
  void Replace(std::size_t i, Course& course, std::vector<Rule>& rules) const;
  // Removes rules that cost more bits than they save, from the last one on. Returns the bits that
  // are left.
  double Simplify(std::vector<Rule>& rules) const;

  Errors ErrorsOf(const std::vector<Rule>& rules) const;
  double Bits(const std::vector<Rule>& rules) const;
  double BitsOfRule(const Rule& rule) const;
  bool ErrsTooOften(const ClassWeight& covered) const;

  const RipperParams& params_;
  const Table& table_;
  const Target target_;
  const Rows rows_;
  const double expected_;
};

}  // namespace crossfold::bundled::ripper
