// Outcomes as packed fields (encoding/fields.h): status (1), failure (text stage, code (4), text
// message, by a limit (1)), row ids, labels, values, classes (8), probabilities, list of scores
// (defined (1), value (8), text reason), list of warnings, training and test rows (8 each), seconds
// of fit and predict.
#pragma once

#include "crossfold/outcome.h"
#include "encoding/fields.h"

namespace crossfold {

void WriteOutcome(const Outcome& outcome, FieldWriter& fields);
// Throws plugin::Error for bytes that WriteOutcome did not write. The caller checks whether a
// prediction fits a cell.
Outcome ReadOutcome(FieldReader& fields);

}  // namespace crossfold
