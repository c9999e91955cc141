// Reads text of SVMlight and LIBSVM: a label, perhaps a query (qid:7), then index:value pairs with
// ascending indices from 1. A feature that a line does not name is 0.
//   https://www.csie.ntu.edu.tw/~cjlin/libsvm/
#pragma once

#include <cstdint>

#include "crossfold_plugin/source.hpp"
#include "text_chunks.h"
#include "text_source.h"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

struct SvmlightOptions {
  // Labels are numbers; else class names, sorted by value (+1, 1 and 1.0 are one class).
  bool regression = false;
  std::int64_t n_features = 0;                      // at least; 0 = the largest index
  std::int64_t most_bytes = std::int64_t{4} << 30;  // of all features as dense columns
};

// Features f1, f2, ... of type f64, "qid" (i64) as the groups if lines have queries, and "target"
// with its role. # begins a comment. Throws Error, such as
//   line 3: index 2 does not come after 4; indices must ascend
cf::Columns ReadSvmlightText(const TextSource& source, const cf::SourceInput& input,
                             const SvmlightOptions& options, const ChunkedReading& reading);

}  // namespace crossfold::reading
