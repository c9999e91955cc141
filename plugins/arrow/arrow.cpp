// A source that reads and writes Arrow IPC files.
#include "arrow_source.h"
#include "crossfold_plugin.hpp"

CROSSFOLD_PLUGIN("crossfold.arrow", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::reading::Arrow)
