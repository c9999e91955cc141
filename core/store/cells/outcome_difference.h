// Where two outcomes of one cell differ, in words.
#pragma once

#include <span>
#include <string>

#include "crossfold/dataset.h"
#include "crossfold/outcome.h"

namespace crossfold {

// How the two are called: "the store" and "this run".
struct OutcomeNames {
  std::string a, b;
};

// The first difference of status, prediction (if `with_prediction`; probabilities if both have
// them) and scores, which are those of `metrics` in both: "row 7: the store has setosa, this run
// virginica". "" = the same bits. Rows count from 1.
std::string FindDifference(const Outcome& a, const Outcome& b, bool with_prediction,
                           std::span<const std::string> metrics,
                           std::span<const std::string> classes, const OutcomeNames& names);

}  // namespace crossfold
