// A source that reads Parquet, JSON and DuckDB databases through DuckDB.
#include "crossfold_plugin.hpp"
#include "duckdb_source.h"

CROSSFOLD_PLUGIN("crossfold.duckdb", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::reading::DuckDb)
