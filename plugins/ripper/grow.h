// Growing one rule: conditions are added while they separate the class better from the others, and
// removed from the end.
#pragma once

#include <cstdint>

#include "table.h"

namespace crossfold::bundled::ripper {

struct Target {
  std::int32_t label = 0;
  double min_rows = 0;  // weight of rows of the class at every condition
};

// Adds conditions to those of a rule that covers `rows`: each the one with the greatest gain p
// (log2((p + 1) / (t + 1)) - log2((P + 1) / (T + 1))), where p of t rows fulfil it and are of the
// class, of P of T before it. Ties go to the earlier feature, then to the earlier level or lower
// value, then to "at least". The rule is complete when it covers no other class, no condition has a
// gain, or the best one keeps less than `min_rows` of the class.
void Grow(const Table& table, const Target& target, const Rows& rows, Conditions& conditions);

enum class Worth {
  kPrecision,  // (p + 1) / (t + 2), of the t rows that the rule covers
  kAccuracy    // share of the rows that the rule gets right: rows of the class that it covers, and
               // others that it does not
};

// Keeps the number of first conditions with the greatest value on `rows`; ties go to fewer. Without
// rows all conditions stay.
void Prune(const Table& table, std::int32_t label, const Rows& rows, Worth worth,
           Conditions& conditions);

}  // namespace crossfold::bundled::ripper
