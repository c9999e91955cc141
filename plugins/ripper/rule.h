// Tests on one feature, and the rows that fulfil several of them.
#pragma once

#include <cstdint>
#include <vector>

namespace crossfold::bundled::ripper {

// The number of a saved test is its value here.
enum class Test : std::uint8_t { kEqual, kAtMost, kAtLeast };

struct Condition {
  std::uint32_t feature = 0;
  Test test = Test::kEqual;
  double value = 0;  // kEqual: the code of a level

  // A missing entry is NaN, which fulfils no condition.
  bool Holds(double x) const {
    return test == Test::kEqual ? x == value : test == Test::kAtMost ? x <= value : x >= value;
  }
};
using Conditions = std::vector<Condition>;  // in the order in which they were found

using Rows = std::vector<std::uint32_t>;  // ascending places in the table

struct Rule {
  Conditions conditions;
  Rows covered;  // of all rows that the rules of its class are learnt from
};

}  // namespace crossfold::bundled::ripper
