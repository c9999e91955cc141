// A source that reads SQLite databases.
#include "crossfold_plugin.hpp"
#include "sqlite_source.h"

CROSSFOLD_PLUGIN("crossfold.sqlite", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::reading::Sqlite)
