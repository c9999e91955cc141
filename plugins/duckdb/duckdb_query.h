// A query that DuckDB runs, and its rows.
#pragma once

#include <cstdint>
#include <string>

#include "crossfold_plugin/columns.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/source.hpp"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

struct DuckDbRequest {
  std::string database = {};  // opened for reading; empty = one in memory
  std::string view = {};      // what is called `data` in the query: a call of a function that reads
  std::string query = {};     // empty = all of `data`
  // The rows of a file come in the same order for any number of threads; those of a query need not.
  int threads = 1;
};

// The rows of the query. It must be a SELECT; extensions are neither installed nor loaded. Throws
// Error.
cf::Columns ReadDuckDb(const DuckDbRequest& request, const cf::SourceInput& input,
                       const cf::Context& context);

}  // namespace crossfold::reading
