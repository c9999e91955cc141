// Reads ARFF text, the format of Weka and OpenML:
//   https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
#pragma once

#include "crossfold_plugin/source.hpp"
#include "text_chunks.h"
#include "text_source.h"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

// A list of values is a categorical column with its levels in the order of the list; numeric and
// integer are i64 if all values are, else f64; real is f64; string is categorical with sorted
// levels. Dates are days since 1970-01-01, or seconds if their pattern has a time of day; their
// texts if the type categorical is asked for. Relations must be left out (types: ignore). An
// unquoted ? is missing. Sparse lines ({index value, ...}, from 0) have 0, or the first value of a
// list, for the attributes that they do not name. Weights of lines are the column "weight" with
// that role; a line without one has 1. Throws Error with line, attribute and finding.
cf::Columns ReadArffText(const TextSource& source, const cf::SourceInput& input,
                         const ChunkedReading& reading);

}  // namespace crossfold::reading
